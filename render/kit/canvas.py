"""The drawing board: shapes and letters in flat colours, drawn large and then reduced."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor

from PIL import Image, ImageChops, ImageDraw, ImageFont

from render.kit import fonts
from render.kit.fonts import SUPERSAMPLING
from render.kit.geometry import Box, Point, Points
from render.kit.palettes import Palette
from render.kit.sprites import Sprite, quantised

LETTERS = 256
"""How many letters are kept as they were drawn: some ten kilobytes each."""


class Canvas:
    """A place to draw one sprite on.

    *box* is its extent in pixels of the picture, in any coordinates: the point (0, 0) becomes
    the origin of the sprite. Without *ground* the sprite is transparent where nothing is drawn.
    Colours are names of the palette's flat colours; an unknown one raises ``KeyError``.
    *fineness* is how many times larger it is drawn than it is shown on a board; what is printed
    needs more.
    """

    def __init__(
        self, palette: Palette, box: Box, ground: str | None = None, fineness: int = SUPERSAMPLING
    ) -> None:
        self.palette, self._fineness = palette, fineness
        self.left, self.top = floor(box[0]), floor(box[1])
        size = ((ceil(box[2]) - self.left) * fineness, (ceil(box[3]) - self.top) * fineness)
        self._image = Image.new("RGBA", size, self._ink(ground) or 0)
        self._draw = ImageDraw.Draw(self._image)

    def polygon(
        self, points: Points, fill: str | None = None, line: str | None = None, width: float = 0
    ) -> None:
        """A polygon; its outline is centred on its edges and has round corners."""
        if fill:
            self._draw.polygon(self._points(points), fill=self._ink(fill))
        if line:
            self.line([*points, points[0]], line, width)

    def line(self, points: Points, colour: str, width: float) -> None:
        """A line along *points* with round joints and ends."""
        for start, end in pairwise(points):
            dx, dy = end[0] - start[0], end[1] - start[1]
            if stretch := (dx * dx + dy * dy) ** 0.5:
                nx, ny = -dy / stretch * width / 2, dx / stretch * width / 2
                self.polygon(
                    [
                        (start[0] + nx, start[1] + ny),
                        (end[0] + nx, end[1] + ny),
                        (end[0] - nx, end[1] - ny),
                        (start[0] - nx, start[1] - ny),
                    ],
                    colour,
                )
        for x, y in points:
            self.disc(x, y, width / 2, colour)

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        fill: str | None = None,
        line: str | None = None,
        width: float = 0,
    ) -> None:
        """A disc; its outline lies inside *radius*."""
        box = self._box((x - radius, y - radius, x + radius, y + radius))
        self._draw.ellipse(box, self._ink(fill), self._ink(line), round(width * self._fineness))

    def box(
        self,
        box: Box,
        fill: str | None = None,
        line: str | None = None,
        width: float = 0,
        radius: float = 0,
    ) -> None:
        """A rectangle with corners of *radius*; its outline lies inside."""
        inks, breadth = (self._ink(fill), self._ink(line)), round(width * self._fineness)
        self._draw.rounded_rectangle(self._box(box), radius * self._fineness, *inks, breadth)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        px: float,
        colour: str,
        anchor: str = "mm",
        stroke: float = 0,
        stroke_colour: str | None = None,
        turn: int = 0,
        room: float = 10_000,
    ) -> None:
        """*text* set at *px*, turned clockwise by *turn* (a multiple of 90 degrees).

        Letters wider than *room* are made narrower, but no lower.

        *anchor* says what lies at (x, y): of the width the left end, middle or right end
        of the ink (``l m r``), of the height the middle of the ink, the middle of a
        capital letter or the baseline (``m c s``).
        """
        mask, left, top = self._letters(text, px, 0)
        if mask.width > room * self._fineness:
            mask = mask.resize((round(room * self._fineness), mask.height))
        corner = self._corner((x, y), px, anchor, (mask.width, mask.height, top))
        if stroke and stroke_colour:
            rim, rim_left, rim_top = self._letters(text, px, round(stroke * self._fineness))
            widest = (room + 2 * stroke) * self._fineness
            if rim.width > widest:
                rim = rim.resize((round(widest), rim.height))
            around = (corner[0] + rim_left - left, corner[1] + rim_top - top)
            self._stamp(rim, around, (x, y), turn, stroke_colour)
        self._stamp(mask, corner, (x, y), turn, colour)

    @contextmanager
    def within(self, outline: Points) -> Iterator[None]:
        """Draw only inside the polygon *outline* for a while."""
        before = self._image.copy()
        yield
        mask = Image.new("1", self._image.size)
        ImageDraw.Draw(mask).polygon(self._points(outline), fill=1)
        self._image.paste(before, mask=ImageChops.invert(mask.convert("L")))

    def image(self, larger: int = 1) -> Image.Image:
        """The drawing in RGBA, reduced to 1, 2 or 4 times the size at which it is shown."""
        return self._image.reduce(self._fineness // larger)

    def sprite(self) -> Sprite:
        """The drawing as a sprite in the palette."""
        return quantised(self.image(), self.palette, self.left, self.top)

    def _ink(self, colour: str | None) -> tuple[int, int, int, int] | None:
        return (*self.palette.flats[colour], 255) if colour else None

    def _points(self, points: Points) -> list[tuple[float, float]]:
        s = self._fineness
        return [((x - self.left) * s - 0.5, (y - self.top) * s - 0.5) for x, y in points]

    def _box(self, box: Box) -> Box:
        # Pillow counts the last row and column in.
        s = self._fineness
        left, top = round((box[0] - self.left) * s), round((box[1] - self.top) * s)
        right, bottom = round((box[2] - self.left) * s) - 1, round((box[3] - self.top) * s) - 1
        return (left, top, max(left, right), max(top, bottom))

    def _corner(
        self, spot: Point, px: float, anchor: str, ink: tuple[int, int, int]
    ) -> tuple[int, int]:
        (wide, high, top), scale = ink, self._fineness
        across = {"l": 0.0, "m": wide / 2, "r": wide}[anchor[0]]
        up = {"m": high / 2, "c": -top - fonts.cap_height(px) * scale / 2, "s": -top}[anchor[1]]
        x, y = (spot[0] - self.left) * scale, (spot[1] - self.top) * scale
        return (round(x - across), round(y - up))

    def _stamp(
        self, mask: Image.Image, corner: tuple[int, int], pivot: Point, turn: int, colour: str
    ) -> None:
        # The letters turn about the pivot: so does the corner of the box around them.
        px, py = (pivot[0] - self.left) * self._fineness, (pivot[1] - self.top) * self._fineness
        dx, dy = corner[0] - px, corner[1] - py
        turned = mask.rotate(-turn, expand=True) if turn else mask
        wide, high = turned.size
        match turn % 360:
            case 0:
                place = (dx, dy)
            case 90:
                place = (-dy - wide, dx)
            case 180:
                place = (-dx - wide, -dy - high)
            case 270:
                place = (dy, -dx - high)
            case _:
                raise ValueError(f"text turns by right angles, not by {turn} degrees")
        where = (round(px + place[0]), round(py + place[1]))
        self._image.paste((*self.palette.flats[colour], 255), where, turned)

    def _letters(self, text: str, px: float, stroke: int) -> tuple[Image.Image, int, int]:
        return letters(text, px * self._fineness / SUPERSAMPLING, stroke)


def letters(text: str, px: float, stroke: int = 0) -> tuple[Image.Image, int, int]:
    """The ink of *text* as a mask ``SUPERSAMPLING`` times larger, and where it begins.

    That is left and top, from the baseline.
    """
    placed, advance = list[_Drawn](), 0.0
    for part, face in fonts.runs(text, px):
        at = round(advance)
        if stroke or face is not fonts.fine(px):
            placed.append(_draw(part, face, stroke).moved(at))
        else:
            # The usual typeface neither joins letters nor draws them nearer to each other.
            for letter in part:
                drawn, wide = _letter(letter, face)
                placed.append(drawn.moved(at))
                at += wide
        advance += face.getlength(part)
    left, top = (
        min((one.left for one in placed), default=0),
        min((one.top for one in placed), default=0),
    )
    right = max((one.left + one.ink.width for one in placed), default=1)
    bottom = max((one.top + one.ink.height for one in placed), default=1)
    page = Image.new("L", (right - left, bottom - top))
    for one in placed:
        page.paste(255, (one.left - left, one.top - top), one.ink)
    sharp = page.convert("1", dither=Image.Dither.NONE)
    box = sharp.getbbox() or (0, 0, 1, 1)
    return sharp.crop(box), left + box[0], top + box[1]


@dataclass(frozen=True)
class _Drawn:
    """The soft *ink* of letters, and where it begins from where they are set."""

    ink: Image.Image
    left: int
    top: int

    def moved(self, right: int) -> _Drawn:
        return _Drawn(self.ink, self.left + right, self.top)


@lru_cache(LETTERS)
def _letter(letter: str, face: ImageFont.FreeTypeFont) -> tuple[_Drawn, int]:
    """The ink of *letter*, and its width with the room around it."""
    return _draw(letter, face, 0), int(face.getlength(letter))


def _draw(part: str, face: ImageFont.FreeTypeFont, stroke: int) -> _Drawn:
    box = face.getbbox(part, anchor="ls", stroke_width=stroke)
    left, top = floor(box[0]) - SUPERSAMPLING, floor(box[1]) - SUPERSAMPLING
    mask = Image.new("L", (ceil(box[2]) + SUPERSAMPLING - left, ceil(box[3]) + SUPERSAMPLING - top))
    draw = ImageDraw.Draw(mask)
    draw.text((-left, -top), part, fill=255, font=face, anchor="ls", stroke_width=stroke)
    ink = mask.getbbox() or (0, 0, 1, 1)
    return _Drawn(mask.crop(ink), left + ink[0], top + ink[1])
