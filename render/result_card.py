"""The card of a finished game: who won and how, where it turned, how it ended, where to find us.

The boards are pictures of any painter. The card is square, or tall for the stories of phones.
"""

from __future__ import annotations

from dataclasses import dataclass

import segno
from PIL import Image

from render.kit import fonts, marks
from render.kit.canvas import Canvas
from render.kit.output import sized, written_on
from render.kit.palettes import rgb
from render.kit.player_bars import label
from render.kit.posters import poster_parts
from render.kit.text_page import page_palette
from render.kit.themes import THEMES, plain

QUIET = 4
"""How many modules stay white around a code (ISO/IEC 18004, 9.1)."""


def qr_code(link: str, room: int) -> Image.Image:
    """The code of *link* in mode L, black on white, as large as whole pixels allow in *room*."""
    matrix = segno.make(link, error="m", micro=False).matrix
    side = len(matrix)
    code = Image.new("L", (side + 2 * QUIET,) * 2, 255)
    code.putdata([0 if dark else 255 for dark in _framed(matrix, side)])
    return code.resize((code.width * max(1, room // code.width),) * 2, Image.Resampling.NEAREST)


def _framed(matrix: tuple[bytearray, ...], side: int) -> list[bool]:
    wide = side + 2 * QUIET
    rows = [[False] * wide for _ in range(QUIET)]
    rows += [
        [*[False] * QUIET, *(bool(module) for module in row), *[False] * QUIET] for row in matrix
    ]
    rows += [[False] * wide for _ in range(QUIET)]
    return [dark for row in rows for dark in row]


SIDE = 1080
"""How wide a card is, and how high a square one."""

TALL = 1920
"""How high a tall card is."""

EDGE = 36
"""The room at the sides."""

MEDAL = 52
"""How wide the piece beside a name is."""

COLOURS = 160
"""How many colours a card has at most."""


@dataclass(frozen=True)
class Standing:
    """One line of the podium: the *place* and the *name*; a *star* marks who won alone.

    *side* is what was played, as the game calls it.
    """

    place: int
    name: str
    star: bool = False
    side: str = ""


@dataclass(frozen=True)
class Result:
    """The content of a card.

    Each of *numbers* has its word; *turning* says which move the smaller board shows, *notes* are
    further lines under the podium, such as a change of rating. *link* leads to us, *find* says so.
    """

    title: str
    podium: tuple[Standing, ...]
    numbers: tuple[tuple[str, str], ...]
    foot: str
    turning: str = ""
    notes: tuple[str, ...] = ()
    find: str = ""
    link: str = ""
    theme: str = "light"
    won: bool = True
    game: str = ""
    """The game whose pieces stand on the podium."""


def card(
    result: Result,
    final: Image.Image,
    turned: Image.Image | None = None,
    *,
    tall: bool = False,
) -> Image.Image:
    """The card in mode P, ``SIDE`` wide, with the *final* picture and that where it *turned*."""
    return (_TallCard if tall else _SquareCard)(result, final, turned).painted()


class _Card:
    """A card while it is put together, in flat colours."""

    height = SIDE

    def __init__(self, result: Result, final: Image.Image, turned: Image.Image | None) -> None:
        self.result, self.final, self.turned = result, final, turned
        self.palette = page_palette(result.theme)
        self.image = Image.new("RGB", (SIDE, self.height), self._ink("paper"))

    def painted(self) -> Image.Image:
        self.put_all()
        return self.image.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)

    def put_all(self) -> None:
        raise NotImplementedError

    def _ink(self, name: str) -> tuple[int, int, int]:
        return rgb(THEMES[plain(self.result.theme)][name])

    def fill(self, left: int, top: int, right: int, bottom: int, ink: str) -> None:
        self.image.paste(self._ink(ink), (left, top, right, bottom))

    def words(
        self, x: int, y: int, text: str, px: int, room: int, ink: str = "ink", anchor: str = "l"
    ) -> int:
        """*text* about the height *y*, from, about or up to *x*; the answer is its width."""
        said, px = _fitting(text, px, room)
        written = label(self.palette, said, px, ink, "paper", room)
        left = x - {"l": 0, "m": written.width // 2, "r": written.width}[anchor]
        picture = written.indices.copy()
        picture.putpalette(self.palette.flat)
        shown = picture.convert("RGB")
        # The room of a line reaches into that of the next, where other scripts have signs.
        self.image.paste(shown, (left, y + written.top), written_on(shown, self._ink("paper")))
        return written.width

    def board(self, picture: Image.Image, left: int, top: int, width: int) -> int:
        """A board with a frame; the answer is where it ends."""
        shown = sized(picture, width).convert("RGB")
        # On dark paper a dark frame vanishes.
        self.fill(left - 4, top - 4, left + width + 4, top + shown.height + 4, "soft")
        self.image.paste(shown, (left, top))
        return top + shown.height

    def title(self, top: int, high: int) -> None:
        """The title earned on its plate, gold if somebody has won."""
        result, middle = self.result, SIDE / 2
        said, px = _fitting(result.title, 60, SIDE - 2 * EDGE - 60)
        half = fonts.width(said, px) / 2 + 40
        canvas = Canvas(
            self.palette, (middle - half - 4, top, middle + half + 4, top + high), "paper"
        )
        fill, ink = ("gold", "line") if result.won else ("bar", "ink")
        canvas.box((middle - half, top, middle + half, top + high), fill, "line", 3, 16)
        canvas.text(middle, top + high / 2, said, px, ink, "mc")
        self._stamp(canvas)

    def podium(self, top: int, high: int, px: int) -> None:
        """Who came first and who after, in one column or two."""
        podium = self.result.podium
        columns = 1 if len(podium) < 3 else 2
        rows = -(-len(podium) // columns)
        wide = (SIDE - 2 * EDGE) // columns
        for number, one in enumerate(podium):
            column, row = number // rows, number % rows
            y = top + round((row + 0.5) * high / rows)
            self._standing(EDGE + column * wide, y, one, px, wide - 24)

    def _standing(self, left: int, y: int, one: Standing, px: int, room: int) -> None:
        canvas = Canvas(self.palette, (left, y - 30, left + 60, y + 30), "paper")
        if one.star:
            marks.victory_star(canvas, left + 30, y, 27)
        else:
            canvas.disc(left + 30, y, 25, "bar", "soft", 3)
            canvas.text(left + 30, y, str(one.place), 30, "ink", "mc")
        self._stamp(canvas)
        beside = 78 + self._medal(left + 74, y, one.side)
        ink = "ink" if one.place == 1 else "soft"
        self.words(left + beside, y, one.name, px, room - beside, ink)

    def _medal(self, left: int, y: int, side: str) -> int:
        """A piece of *side* in the middle height *y*; the answer is the room it takes."""
        parts = poster_parts(self.result.game)
        if parts is None or not side:
            return 0
        piece = parts.podium_piece(plain(self.result.theme), side, MEDAL)
        self.image.paste(piece, (left, y - piece.height // 2), piece)
        return MEDAL + 8

    def _stamp(self, canvas: Canvas) -> None:
        self.image.paste(canvas.image().convert("RGB"), (canvas.left, canvas.top))

    def numbers(self, left: int, top: int, wide: int, high: int) -> None:
        """The numbers with their words, one under the other."""
        rows = [*self.result.numbers]
        step = high // max(1, len(rows))
        for row, (number, word) in enumerate(rows):
            y = top + row * step + step // 2
            past = self.words(left, y, number, 46, wide // 2)
            self.words(left + past + 14, y, word, 30, wide - past - 14, "soft")

    def door(self, left: int, top: int, room: int, wide: int) -> None:
        """The way to us: the code of the link, and what stands beside it."""
        x = left
        if self.result.link:
            code = qr_code(self.result.link, room)
            self.image.paste(code.convert("RGB"), (left, top))
            x = left + code.width + 20
        middle = top + room // 2
        self.words(x, middle - 26, self.result.find, 34, left + wide - x)
        self.words(x, middle + 26, self.result.foot, 28, left + wide - x, "soft")

    def notes(self, y: int, step: int) -> None:
        """The further lines."""
        for number, note in enumerate(self.result.notes):
            self.words(SIDE // 2, y + number * step, note, 30, SIDE - 2 * EDGE, "soft", "m")


class _SquareCard(_Card):
    """Title and podium above; the end at the right, the turning point and the door at the left."""

    def put_all(self) -> None:
        self.title(28, 88)
        rows = -(-len(self.result.podium) // (1 if len(self.result.podium) < 3 else 2))
        self.podium(128, 62 * rows, 42)
        top = 128 + 62 * rows + 14
        notes = len(self.result.notes)
        self.notes(top + 16, 40)
        top += 40 * notes + 10 * bool(notes)
        low = SIDE - 170
        high = low - top - 18
        wide = min(620, high * self.final.width // self.final.height)
        left = SIDE - EDGE - wide
        self.board(self.final, left, top, wide)
        column = left - 2 * EDGE
        below = top
        if self.turned is not None:
            self.words(EDGE, top + 14, self.result.turning, 28, column, "soft")
            small = min(column, (high - 250) * self.turned.width // self.turned.height)
            below = self.board(self.turned, EDGE, top + 40, small) + 8
        self.numbers(EDGE, below, column, min(230 if self.turned else 480, low - below))
        self.door(EDGE, low + 4, 158, SIDE - 2 * EDGE)


class _TallCard(_Card):
    """Everything one under the other."""

    height = TALL

    def put_all(self) -> None:
        self.title(70, 104)
        rows = -(-len(self.result.podium) // (1 if len(self.result.podium) < 3 else 2))
        self.podium(200, 74 * rows, 48)
        top = 200 + 74 * rows + 20
        self.notes(top + 16, 44)
        top += 44 * len(self.result.notes)
        wide = min(SIDE - 2 * EDGE, (1330 - top) * self.final.width // self.final.height)
        below = self.board(self.final, (SIDE - wide) // 2, top, wide) + 34
        column = EDGE
        if self.turned is not None:
            small = min(380, (TALL - 260 - below) * self.turned.width // self.turned.height)
            self.board(self.turned, EDGE, below, small)
            column = EDGE + small + 40
            self.words(column, below + 22, self.result.turning, 30, SIDE - column - EDGE, "soft")
        self.numbers(column, below + 50, SIDE - column - EDGE, 270)
        self.door(EDGE, TALL - 236, 200, SIDE - 2 * EDGE)


def _fitting(text: str, px: int, room: float) -> tuple[str, int]:
    """*text* and the size at which it fits in *room*: made smaller first, then cut."""
    while px > 26 and fonts.width(fonts.drawable(text), px) > room:
        px -= 2
    return fonts.fitting_text(text, px, room), px
