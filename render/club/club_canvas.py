"""The canvas of the club's pictures: grounds, words, faces and signs in the posters' manner.

A picture is seen 550 pixels wide on Discord and 360 wide on a phone; no words of it are smaller
than ``LEAST``, which is 11 pixels there. What is told by a colour is told by a shape as well.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, cast

from PIL import Image, ImageChops, ImageDraw

from render.kit import fonts
from render.kit.canvas import Canvas
from render.kit.geometry import Points, arc, bezier, star
from render.kit.output import png
from render.kit.palettes import Palette, mix, rgb
from render.kit.poster_ground import poster_ground, poster_inks
from render.kit.posters import PosterParts, podium_piece, poster_parts, poster_pieces
from render.kit.themes import DARK_THEMES, THEMES, plain
from render.medals import METALS

WIDE: Final = (1100, 700)
"""The size of a picture in a chat."""

LEAST: Final = 34
"""The size of the smallest words; a name may become ``NARROWEST`` of its size, then it is cut."""

NARROWEST: Final = 0.82

SEMIBOLD, BOLD, BLACK = "Semibold", "Bold", "Black"

DAY: Final = {"up": "#1D6B45", "down": "#A3352B", "track": "#E3DACA"}
NIGHT: Final = {"up": "#7FD0A2", "down": "#F0968E", "track": "#3A3530", "soft": "#B3A99C"}
"""What pictures of the club have besides the colours of the theme."""

ON_GROUND: Final = {"title": "#FFD95C", "rose": "#C4F2D3", "fell": "#FFD0C8", "dark": "#26221D"}
"""Words on the ground of a game, and on gold."""

FACES: Final = [
    "#7A2E5D",
    "#1F5C77",
    "#7C4A12",
    "#2C5F3F",
    "#8A2F26",
    "#3B3F7D",
    "#5A5146",
    "#21605A",
]
"""The colours of faces that have no picture."""

WON, DRAWN, LOST = "w", "d", "l"
"""The signs of results; a digit is a place among more than two, anything else no game."""

FLATS: Final = 48
"""How many of the colours that cover most keep their place among the 256."""


class ClubCanvas(Canvas):
    """A picture of the club while it is drawn; colours are names or ``#RRGGBB``."""

    def __init__(
        self, theme: str, ground: str = "paper", size: tuple[int, int] = WIDE, fineness: int = 2
    ) -> None:
        self.theme, self.size = plain(theme), size
        own = NIGHT if self.theme in DARK_THEMES else DAY
        self.tokens = {**ON_GROUND, **THEMES.get(self.theme, THEMES["light"]), **own}
        super().__init__(Palette(self.tokens, {}), (0, 0, *size), ground, fineness)

    def _ink(self, colour: str | None) -> tuple[int, int, int, int] | None:
        return (*rgb(self.tokens.get(colour, colour)), 255) if colour else None

    def shade(self, colour: str, share: float, other: str = "paper") -> str:
        """*colour* with *share* of *other*."""
        return mix(self.tokens.get(colour, colour), self.tokens.get(other, other), share)

    # ---------------------------------------------------------------- grounds

    def veil(self, points: Points, ink: str, share: float) -> None:
        """*share* of the colour *ink* laid over a polygon."""
        self._image.paste(self._ink(ink) or 0, (0, 0), self._mask(points, round(255 * share)))

    def _mask(self, points: Points, level: int = 255) -> Image.Image:
        mask = Image.new("L", self._image.size)
        ImageDraw.Draw(mask).polygon(self._points(points), fill=level)
        return mask

    def ground(self, game: str, points: Points, start: int = 0) -> None:
        """The ground of *game* within a polygon, its pattern from the height *start* on."""
        wide, high = (round(max(one[axis] for one in points)) for axis in (0, 1))
        shown = poster_ground(game, (wide, high), start)
        shown = shown.resize((wide * self._fineness, high * self._fineness), 0)
        self._image.paste(shown, (0, 0), self._mask(points).crop((0, 0, *shown.size)))

    def panel(self, game: str, top: int, low: int) -> None:
        """The ground of a game at the left, from *top* wide at the head to *low* at the foot."""
        high = self.size[1]
        self.veil([(0, 0), (top + 10, 0), (low + 10, high), (0, high)], "line", 0.22)
        self.ground(game, [(0, 0), (top, 0), (low, high), (0, high)], 280)

    def band(self, game: str, high: int, title: str, words: str = "", drop: int = 30) -> None:
        """The ground of a game across the top, with a title and smaller words below."""
        wide = self.size[0]
        self.veil([(0, 0), (wide, 0), (wide, high - drop + 7), (0, high + 7)], "line", 0.18)
        self.ground(game, [(0, 0), (wide, 0), (wide, high - drop), (0, high)])
        if not title:
            return
        room = wide - 76 - (250 if game else 0)
        self.words(36, 44, title, 58, "white", BLACK, room=room, least=0.7)
        self.words(38, 92, words, 36, poster_inks(game).accent, BOLD, room=room)
        self.pieces(game, 968, 66, 210, 112)

    def rays(self, x: float, y: float, points: Points, ink: str, share: float) -> None:
        """Rays from *x*, *y* within a polygon."""
        mask = Image.new("L", self._image.size)
        draw = ImageDraw.Draw(mask)
        for turn in range(4, 364, 20):
            ray = [(x, y), *arc(x, y, 3000, turn, turn + 10)]
            draw.polygon(self._points(ray), fill=round(255 * share))
        mask = ImageChops.multiply(mask, self._mask(points))
        self._image.paste(self._ink(ink) or 0, (0, 0), mask)

    # ---------------------------------------------------------------- words

    def words(
        self,
        x: float,
        y: float,
        text: str,
        px: float,
        ink: str = "ink",
        weight: str = SEMIBOLD,
        anchor: str = "l",
        room: float = 10_000,
        least: float = NARROWEST,
    ) -> float:
        """*text* from, about or up to *x*, its capitals about *y*; the answer is its width.

        Where there is no *room* it becomes smaller, down to *least* of *px*, and then it is cut.
        """
        low, said = min(px, max(px * least, 28)), fonts.fitting_text(text, px, 100_000, weight)
        while px > low and _width(said, px, weight) > room:
            px -= 1
        said = fonts.fitting_text(said, px / fonts.SOURCE, room, weight)
        wide = _width(said, px, weight)
        at, scale = x - {"l": 0, "m": wide / 2, "r": wide}[anchor], self._fineness
        for part, face in fonts.runs(said, px / fonts.SOURCE * scale / fonts.SUPERSAMPLING, weight):
            self._draw.text((at * scale, (y + 0.33 * px) * scale), part, self._ink(ink), face, "ls")
            at += face.getlength(part) / scale
        return wide

    def lines(
        self,
        x: float,
        y: float,
        text: str,
        px: float,
        room: float,
        ink: str = "ink",
        weight: str = SEMIBOLD,
        most: int = 3,
        lead: float = 1.16,
        anchor: str = "l",
    ) -> float:
        """*text* in at most so many lines; the answer is the height of the next one.

        A word of one letter stays with the next.
        """
        found = [""]
        for word in re.sub(r"\b(\w) ", "\\1\N{NO-BREAK SPACE}", text).split(" "):
            longer = f"{found[-1]} {word}".strip()
            if found[-1] and len(found) < most and _width(longer, px, weight) > room:
                found.append(word)
            else:
                found[-1] = longer
        for line in filter(None, found):
            line = line.replace("\N{NO-BREAK SPACE}", " ")
            self.words(x, y, line, px, ink, weight, anchor, room=room)
            y += px * lead
        return y

    def headline(
        self, x: float, y: float, text: str, px: float, room: float, most: int, anchor: str = "l"
    ) -> float:
        """*text* in white as ``lines`` has it; a long one is smaller, in one line more."""
        if _width(text, px, BLACK) > 0.9 * room * most:
            px, most = px * 0.68, most + 1
        return self.lines(x, y, text, px, room, "white", BLACK, most, 1.04, anchor)

    def tag(self, x: float, y: float, text: str, px: float = LEAST, anchor: str = "l") -> None:
        """A golden tag with words."""
        if not text:
            return
        wide, high = _width(text, px, BLACK) + 40, px * 0.82
        x -= {"l": 0, "m": wide / 2, "r": wide}[anchor]
        box = (x, y - high, x + wide, y + high)
        self.box((x + 2, y - high + 5, x + wide + 2, y + high + 5), "dark", radius=9)
        self.box(box, "gold", "dark", 3, 9)
        self.words(x + 20, y, text, px, "dark", BLACK)

    # ---------------------------------------------------------------- pictures

    def put(
        self,
        picture: Image.Image,
        x: float,
        y: float,
        wide: float,
        turn: int = 0,
        shadow: float = 1,
    ) -> None:
        """*picture* (RGBA) *wide* wide with its middle at *x*, *y*, turned by degrees."""
        scale = self._fineness
        size = (round(wide * scale), round(picture.height * wide * scale / picture.width))
        shown = picture.resize(size, Image.Resampling.LANCZOS)
        if turn:
            shown = shown.rotate(-turn, Image.Resampling.BICUBIC, expand=True)
        left, top = round(x * scale) - shown.width // 2, round(y * scale) - shown.height // 2
        shape = shown.getchannel("A")
        fallen = round(2.5 * shadow * scale)
        dim = shape.point([level * 3 // 10 for level in range(256)])
        self._image.paste((0, 0, 0, 255), (left + fallen, top + fallen), dim)
        self._image.paste(shown, (left, top), shape)

    def piece(self, game: str, side: str, x: float, y: float, wide: float, turn: int = 0) -> None:
        """A piece of *side*, if *game* has one."""
        if poster_parts(game) is not None and side:
            size = round(wide * self._fineness)
            self.put(_piece(game, self.theme, side, size), x, y, wide, turn, wide / 90)

    def pieces(self, game: str, x: float, y: float, wide: float, high: float = 1000) -> None:
        """The pieces of the poster of *game* about *x*, *y*, as large as fits."""
        if poster_parts(game) is not None:
            shown = _pieces(game, self.theme)
            self.put(shown, x, y, min(wide, high * shown.width / shown.height))

    def board(self, picture: Image.Image, box: tuple[float, float, float, float]) -> Points:
        """A board with a frame, as large as fits in the middle of *box*; its upper corners."""
        left, top, right, low = box
        wide = min(right - left, (low - top) * picture.width / picture.height)
        high = wide * picture.height / picture.width
        x, y, scale = (left + right - wide) / 2, (top + low - high) / 2, self._fineness
        self.box((x - 3, y + 3, x + wide + 9, y + high + 11), "dark", radius=12)
        self.box((x - 5, y - 5, x + wide + 5, y + high + 5), "#F7F2EA", radius=12)
        size = (round(wide * scale), round(high * scale))
        shown = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        mask = Image.new("L", size)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), 8 * scale, 255)
        self._image.paste(shown, (round(x * scale), round(y * scale)), mask)
        return [(x, y), (x + wide, y), (x + wide, y + high)]

    def code(self, code: Image.Image, x: float, y: float) -> None:
        """A code for cameras (mode L), its corner at *x*, *y*."""
        scale = self._fineness
        shown = code.resize((code.width * scale, code.height * scale), 0).convert("RGB")
        self._image.paste(shown, (round(x * scale), round(y * scale)))

    # ---------------------------------------------------------------- signs

    def face(self, x: float, y: float, r: float, name: str, ring: str = "paper") -> None:
        """A disc with the first letters of *name*; a picture would fill the same circle."""
        number = sum(ord(one) * (place + 3) for place, one in enumerate(name))
        base = FACES[number % len(FACES)]
        self.disc(x, y, r + max(3, r * 0.08), ring)
        self.disc(x, y, r, base)
        turn = number // len(FACES) % 8 * 45
        self.polygon(arc(x, y, r, turn, turn + 180), mix(base, "#FFFFFF", 0.16))
        letters = [part[0] for part in name.split() if part[0].isalnum()] or [name[:1]]
        if len(letters) < 2 and name.isalpha() and name.isascii():
            letters = [*name[:2]]
        shown = fonts.drawable("".join(letters[: 1 if r < LEAST else 2])) or "·"
        self.words(x, y, shown[0].upper() + shown[1:], max(LEAST, r * 0.95), "white", BLACK, "m")

    def place(
        self, x: float, y: float, number: int, r: float = 24, *, settled: bool = True
    ) -> None:
        """The number of a place: metal for three, a broken ring while it is not *settled*."""
        if number <= len(METALS) and settled:
            light, middle, _ = list(METALS.values())[number - 1]
            self.disc(x, y, r, middle, "line", 3)
            self.line(arc(x, y, r - 6, 250, 380), light, 3)
            self.words(x, y, str(number), max(LEAST, r * 1.45), "dark", BLACK, "m")
            return
        if settled:
            self.disc(x, y, r, "track")
        else:
            self.broken_ring(x, y, r)
        self.words(x, y, str(number), LEAST, "ink" if settled else "soft", BOLD, "m", 2 * r - 4)

    def broken_ring(self, x: float, y: float, r: float) -> None:
        """The ring of what is not settled yet."""
        for turn in range(0, 360, 36):
            self.line(arc(x, y, r - 1.5, turn, turn + 20), "soft", 3)

    def results(
        self, x: float, y: float, form: str, letters: str, step: float, r: float = 21
    ) -> None:
        """The signs of *form* from *x* on, with the *letters* of won, drawn and lost."""
        for number, sign in enumerate(form):
            letter = dict(zip((WON, DRAWN, LOST), letters, strict=True)).get(sign, "")
            self._result(x + number * step, y, sign, letter, r)

    def _result(self, x: float, y: float, sign: str, letter: str, r: float) -> None:
        """A result: filled if won, hollow if lost, half if drawn; places as discs."""
        box, drawn, ink = (x - r, y - r, x + r, y + r), sign == DRAWN, "ink"
        if sign.isdigit():
            fill, line, ink = ("gold", "line", "dark") if sign == "1" else ("track", "soft", "ink")
            self.disc(x, y, r, fill, line, 2.5)
            letter = sign
        elif sign == WON:
            self.box(box, "up", None, 2.5, 7)
            ink = "paper"
        elif letter:
            ink = "ink" if drawn else "soft"
            self.box(box, "bar", ink, 2.5, 7)
        else:
            self.box(box, None, "hair", 2, 7)
        if drawn:
            half = [(x - r + 4, y + r - 4), (x + r - 4, y + r - 4), (x + r - 4, y - r + 4)]
            self.polygon(half, "track")
        self.words(x, y, letter, LEAST, ink, BOLD if sign.isdigit() else BLACK, "m")

    def change(self, x: float, y: float, points: int, *, on_ground: bool = False) -> None:
        """By how much somebody rose or fell, up to *x*: a triangle and the number."""
        if not points:
            self.line([(x - 30, y), (x - 10, y)], "soft", 4)
            return
        ink = (("down", "up"), ("fell", "rose"))[on_ground][points > 0]
        wide = self.words(x, y, str(abs(points)), LEAST, ink, BOLD, "r")
        self.triangle(x - wide - 17, y, ink, down=points < 0)

    def triangle(self, x: float, y: float, ink: str, *, down: bool = False) -> None:
        """The sign of what rises, or falls."""
        k = -1 if down else 1
        self.polygon([(x - 11, y + 9 * k), (x + 11, y + 9 * k), (x, y - 10 * k)], ink)

    def star(self, x: float, y: float, r: float) -> None:
        """The golden star of who has won."""
        self.polygon(star(x, y, r, r * 0.45), "gold", "dark", 2.5)

    def crown(self, x: float, y: float, r: float) -> None:
        """The crown of the first."""
        peaks = [(-1, 0.6), (-1, -0.5), (-0.45, 0), (0, -0.8), (0.45, 0), (1, -0.5), (1, 0.6)]
        self.polygon([(x + r * px, y + r * py) for px, py in peaks], "gold", "dark", 2.5)

    def flame(self, x: float, y: float, r: float) -> None:
        """The flame of a run of wins or days."""
        left = bezier((0.1, -1.15), (0.1, -0.5), (-0.9, -0.3), (-0.75, 0.3))
        sides = [*left, *bezier((-0.75, 0.3), (-0.6, 1.25), (0.7, 1.25), (0.75, 0.2))]
        for scale, ink, down in ((1.0, "amber", 0.0), (0.5, "gold", 0.45)):
            self.polygon([(x + r * scale * a, y + r * (scale * b + down)) for a, b in sides], ink)

    def bar(self, x: float, y: float, right: float, share: float, high: float = 30) -> None:
        """How far something has come, *share* from 0 to 1."""
        self.box((x, y - high / 2, right, y + high / 2), "track", radius=high / 2)
        if share > 0:
            end = max(x + high, x + (right - x) * min(1, share))
            self.box((x, y - high / 2, end, y + high / 2), "gold", "line", 2, high / 2)

    # ---------------------------------------------------------------- the end

    def in_palette(self) -> Image.Image:
        """The picture in mode P: the colours that cover most keep their place."""
        picture = self.image().convert("RGB")
        found = sorted(picture.getcolors(1 << 20) or [], reverse=True)[:FLATS]
        few = [part for _, flat in found if isinstance(flat, tuple) for part in flat]
        small, rest = picture.reduce(2), 256 - len(found)
        most, kinds = rest * 2 // 3, Image.Quantize
        for count, how in ((most, kinds.MEDIANCUT), (rest - most, kinds.MAXCOVERAGE)):
            mixes = small.quantize(count, how, dither=Image.Dither.NONE).getpalette() or []
            few += mixes[: 3 * count]
        carrier = Image.new("P", (1, 1))
        carrier.putpalette(few)
        return picture.quantize(palette=carrier, dither=Image.Dither.NONE)

    def png(self) -> bytes:
        """The picture as a PNG file."""
        return png(self.in_palette())


def _width(text: str, px: float, weight: str) -> float:
    return fonts.width(text, px / fonts.SOURCE, weight)


@lru_cache(32)
def _piece(game: str, theme: str, side: str, wide: int) -> Image.Image:
    return podium_piece(cast(PosterParts, poster_parts(game)), theme, side, wide)


@lru_cache(10)
def _pieces(game: str, theme: str) -> Image.Image:
    """The pieces of the poster of *game* alone, in RGBA."""
    parts = poster_parts(game)
    whole = Image.new("RGBA", (800, 600))
    for one in poster_pieces(parts, theme) if parts is not None else ():
        turned = one.image.rotate(-one.turn, Image.Resampling.BICUBIC, expand=True)
        corner = (max(0, one.x - turned.width // 2), max(0, one.y - turned.height // 2))
        shadow = Image.new("RGBA", turned.size)
        shadow.putalpha(turned.getchannel("A").point([level // 4 for level in range(256)]))
        whole.alpha_composite(shadow, (corner[0] + 7, corner[1] + 7))
        whole.alpha_composite(turned, corner)
    return whole.crop(whole.getbbox())
