"""What is drawn on a canvas, as strokes that are noted first, and how each is drawn, large."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor

from PIL import Image, ImageChops, ImageDraw

from render.kit import fonts
from render.kit.fonts import SUPERSAMPLING
from render.kit.palettes import Palette
from render.kit.shapes import Box, Point, Points


@dataclass(frozen=True)
class Polygon:
    """A polygon; its outline is centred on its edges."""

    points: Points
    fill: str | None
    line: str | None
    width: float


@dataclass(frozen=True)
class Line:
    """A way with round joints and ends."""

    points: Points
    colour: str
    width: float


@dataclass(frozen=True)
class Disc:
    """A disc; its outline lies inside."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    line: str | None = None
    width: float = 0


@dataclass(frozen=True)
class Rounded:
    """A rectangle with round corners."""

    box: Box
    fill: str | None
    line: str | None
    width: float
    radius: float


@dataclass(frozen=True)
class Lettering:
    """Words at a *spot*, at which their *anchor* lies."""

    spot: Point
    text: str
    px: float
    colour: str
    anchor: str
    stroke: float
    stroke_colour: str | None
    turn: int
    room: float


@dataclass(frozen=True)
class Begin:
    """From here on only what lies in *outline* is drawn."""

    outline: Points


@dataclass(frozen=True)
class End:
    """From here on everything is drawn again."""


Stroke = Polygon | Line | Disc | Rounded | Lettering | Begin | End


class Drawing:
    """What is drawn on a canvas, large."""

    def __init__(self, palette: Palette, box: Box, ground: str | None = None) -> None:
        self.palette = palette
        self.left, self.top = floor(box[0]), floor(box[1])
        self.right, self.bottom = ceil(box[2]), ceil(box[3])
        size = (
            (self.right - self.left) * SUPERSAMPLING,
            (self.bottom - self.top) * SUPERSAMPLING,
        )
        self._image = Image.new("RGBA", size, (*palette.flats[ground], 255) if ground else 0)
        self._draw = ImageDraw.Draw(self._image)
        self._outside: list[tuple[Image.Image, Points]] = []

    def draw(self, stroke: Stroke) -> None:
        """Draw one of the strokes."""
        match stroke:
            case Polygon(points, fill, line, width):
                self._polygon(points, fill)
                if line:
                    self._line([*points, points[0]], line, width)
            case Line(points, colour, width):
                self._line(points, colour, width)
            case Disc():
                self._disc(stroke)
            case Rounded(box, fill, line, width, radius):
                round_by, rim = radius * SUPERSAMPLING, round(width * SUPERSAMPLING)
                inks = (self._maybe(fill), self._maybe(line))
                self._draw.rounded_rectangle(self._box(box), round_by, *inks, rim)
            case Lettering():
                self._text(stroke)
            case Begin(outline):
                self._outside.append((self._image.copy(), outline))
            case End():
                before, outline = self._outside.pop()
                mask = Image.new("1", self._image.size)
                ImageDraw.Draw(mask).polygon(self._points(outline), fill=1)
                self._image.paste(before, mask=ImageChops.invert(mask.convert("L")))

    def _polygon(self, points: Points, fill: str | None) -> None:
        if fill:
            self._draw.polygon(self._points(points), fill=self._ink(fill))

    def _line(self, points: Points, colour: str, width: float) -> None:
        for start, end in pairwise(points):
            dx, dy = end[0] - start[0], end[1] - start[1]
            if stretch := (dx * dx + dy * dy) ** 0.5:
                nx, ny = -dy / stretch * width / 2, dx / stretch * width / 2
                self._polygon(
                    [
                        (start[0] + nx, start[1] + ny),
                        (end[0] + nx, end[1] + ny),
                        (end[0] - nx, end[1] - ny),
                        (start[0] - nx, start[1] - ny),
                    ],
                    colour,
                )
        for x, y in points:
            self._disc(Disc(x, y, width / 2, colour))

    def _disc(self, disc: Disc) -> None:
        x, y, radius = disc.x, disc.y, disc.radius
        box = self._box((x - radius, y - radius, x + radius, y + radius))
        rim = round(disc.width * SUPERSAMPLING)
        self._draw.ellipse(box, self._maybe(disc.fill), self._maybe(disc.line), rim)

    def _text(self, said: Lettering) -> None:
        mask, left, top = _letters(said.text, said.px, 0)
        if mask.width > said.room * SUPERSAMPLING:
            mask = mask.resize((round(said.room * SUPERSAMPLING), mask.height))
        corner = self._corner(said.spot, said.px, said.anchor, (mask.width, mask.height, top))
        if said.stroke and said.stroke_colour:
            rim, rim_left, rim_top = _letters(
                said.text, said.px, round(said.stroke * SUPERSAMPLING)
            )
            if rim.width > (said.room + 2 * said.stroke) * SUPERSAMPLING:
                rim = rim.resize((round((said.room + 2 * said.stroke) * SUPERSAMPLING), rim.height))
            around = (corner[0] + rim_left - left, corner[1] + rim_top - top)
            self._stamp(rim, around, said.spot, said.turn, said.stroke_colour)
        self._stamp(mask, corner, said.spot, said.turn, said.colour)

    def image(self) -> Image.Image:
        """What was drawn, brought down to the size at which it is shown."""
        return self._image.reduce(SUPERSAMPLING)

    def _ink(self, colour: str) -> tuple[int, int, int, int]:
        return (*self.palette.flats[colour], 255)

    def _maybe(self, colour: str | None) -> tuple[int, int, int, int] | None:
        return self._ink(colour) if colour else None

    def _points(self, points: Points) -> list[tuple[float, float]]:
        s = SUPERSAMPLING
        return [((x - self.left) * s - 0.5, (y - self.top) * s - 0.5) for x, y in points]

    def _box(self, box: Box) -> Box:
        # Pillow counts the last row and column in.
        s = SUPERSAMPLING
        left, top = round((box[0] - self.left) * s), round((box[1] - self.top) * s)
        right, bottom = round((box[2] - self.left) * s) - 1, round((box[3] - self.top) * s) - 1
        return (left, top, max(left, right), max(top, bottom))

    def _corner(
        self, spot: Point, px: float, anchor: str, ink: tuple[int, int, int]
    ) -> tuple[int, int]:
        (x, y), s = spot, SUPERSAMPLING
        wide, high, top = ink
        across = {"l": 0.0, "m": wide / 2, "r": wide}[anchor[0]]
        up = {"m": high / 2, "c": -top - fonts.cap_height(px) * s / 2, "s": -top}[anchor[1]]
        return (round((x - self.left) * s - across), round((y - self.top) * s - up))

    def _stamp(
        self,
        mask: Image.Image,
        corner: tuple[int, int],
        pivot: Point,
        turn: int,
        colour: str,
    ) -> None:
        # The letters turn about the pivot: so does the corner of the box around them.
        px, py = (pivot[0] - self.left) * SUPERSAMPLING, (pivot[1] - self.top) * SUPERSAMPLING
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
        self._image.paste(self._ink(colour), where, turned)


def _letters(text: str, px: float, stroke: int) -> tuple[Image.Image, int, int]:
    """The ink of *text* as a mask, and where it begins, left and top, from the baseline."""
    placed, advance = [], 0.0
    for part, face in fonts.runs(text, px):
        placed.append((advance, part, face, face.getbbox(part, anchor="ls", stroke_width=stroke)))
        advance += face.getlength(part)
    margin = SUPERSAMPLING
    left = floor(min((at + box[0] for at, _, _, box in placed), default=0))
    right = ceil(max((at + box[2] for at, _, _, box in placed), default=0))
    top = floor(min((box[1] for _, _, _, box in placed), default=0))
    bottom = ceil(max((box[3] for _, _, _, box in placed), default=0))
    mask = Image.new("L", (right - left + 2 * margin, bottom - top + 2 * margin))
    origin = (margin - left, margin - top)
    draw = ImageDraw.Draw(mask)
    for at, part, face, _ in placed:
        where = (origin[0] + round(at), origin[1])
        draw.text(where, part, fill=255, font=face, anchor="ls", stroke_width=stroke)
    sharp = mask.point([255 if cover > 127 else 0 for cover in range(256)])
    ink = sharp.getbbox() or (0, 0, 1, 1)
    return sharp.crop(ink).convert("1"), ink[0] - origin[0], ink[1] - origin[1]
