"""The drawing board: shapes and letters in flat colours, drawn large and brought down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from itertools import pairwise
from math import ceil, floor
from typing import Concatenate, ParamSpec

from PIL import Image, ImageChops, ImageDraw

from render.kit import fonts
from render.kit.fonts import SUPERSAMPLING
from render.kit.palettes import Palette
from render.kit.shapes import Points
from render.kit.sprites import Sprite, prepared

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, right and bottom not included."""

Given = ParamSpec("Given")


class Canvas:
    """A place to draw one sprite on, once.

    *box* is the room there is, in pixels of the picture, in any coordinates that suit:
    the point (0, 0) becomes the origin of the sprite. Without *ground* the sprite is
    transparent where nothing is drawn. Colours are the names of the palette's flats.
    """

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

    def polygon(
        self, points: Points, fill: str | None = None, line: str | None = None, width: float = 0
    ) -> None:
        """A polygon; its outline is centred on its edges and has round corners."""
        if fill:
            self._draw.polygon(self._points(points), fill=self._ink(fill))
        if line:
            self.line([*points, points[0]], line, width)

    def line(self, points: Points, colour: str, width: float) -> None:
        """A way along *points* with round joints and ends."""
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
        rim = round(width * SUPERSAMPLING)
        self._draw.ellipse(box, self._maybe(fill), self._maybe(line), rim)

    def box(
        self,
        box: Box,
        fill: str | None = None,
        line: str | None = None,
        width: float = 0,
        radius: float = 0,
    ) -> None:
        """A rectangle with corners of *radius*; its outline lies inside."""
        self._draw.rounded_rectangle(
            self._box(box),
            radius * SUPERSAMPLING,
            self._maybe(fill),
            self._maybe(line),
            round(width * SUPERSAMPLING),
        )

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
    ) -> None:
        """*text* set at *px*, turned clockwise by *turn* (a multiple of 90 degrees).

        *anchor* says what lies at (x, y): of the width the left end, middle or right end
        of the ink (``l m r``), of the height the middle of the ink, the middle of a
        capital letter or the baseline (``m c s``).
        """
        mask, left, top = _letters(text, px, 0)
        corner = self._corner(x, y, px, anchor, (mask.width, mask.height, top))
        if stroke and stroke_colour:
            rim, rim_left, rim_top = _letters(text, px, round(stroke * SUPERSAMPLING))
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

    def image(self) -> Image.Image:
        """What was drawn, brought down to the size at which it is shown, in RGBA."""
        return self._image.reduce(SUPERSAMPLING)

    def sprite(self) -> Sprite:
        """What was drawn, as a sprite in the palette."""
        return prepared(self.image(), self.palette, self.left, self.top)

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
        self, x: float, y: float, px: float, anchor: str, ink: tuple[int, int, int]
    ) -> tuple[int, int]:
        s = SUPERSAMPLING
        wide, high, top = ink
        across = {"l": 0.0, "m": wide / 2, "r": wide}[anchor[0]]
        up = {"m": high / 2, "c": -top - fonts.cap_height(px) * s / 2, "s": -top}[anchor[1]]
        return (round((x - self.left) * s - across), round((y - self.top) * s - up))

    def _stamp(
        self,
        mask: Image.Image,
        corner: tuple[int, int],
        pivot: tuple[float, float],
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


def drawn(
    palette: Callable[[str], Palette], box: Box, ground: str | None = None
) -> Callable[
    [Callable[Concatenate[Canvas, Given], None]], Callable[Concatenate[str, Given], Sprite]
]:
    """Let what draws on a canvas of *box* be called by theme instead, and answer the sprite.

    What was drawn once is kept.
    """

    def made(
        draw: Callable[Concatenate[Canvas, Given], None],
    ) -> Callable[Concatenate[str, Given], Sprite]:
        @wraps(draw)
        def sprite(theme: str, *args: Given.args, **named: Given.kwargs) -> Sprite:
            canvas = Canvas(palette(theme), box, ground)
            draw(canvas, *args, **named)
            return canvas.sprite()

        kept: Callable[..., Sprite] = cache(sprite)
        return kept

    return made


def _letters(text: str, px: float, stroke: int) -> tuple[Image.Image, int, int]:
    """The ink of *text* as a mask, and where it begins, left and top, from the baseline."""
    font = fonts.fine(px)
    left, top, right, bottom = font.getbbox(text, anchor="ls", stroke_width=stroke)
    margin = SUPERSAMPLING
    size = (ceil(right - left) + 2 * margin, ceil(bottom - top) + 2 * margin)
    origin = (margin - floor(left), margin - floor(top))
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).text(origin, text, fill=255, font=font, anchor="ls", stroke_width=stroke)
    sharp = mask.point([255 if cover > 127 else 0 for cover in range(256)])
    ink = sharp.getbbox() or (0, 0, 1, 1)
    return sharp.crop(ink).convert("1"), ink[0] - origin[0], ink[1] - origin[1]
