"""A page of letters and few shapes, painted as small as it is shown.

A ``Canvas`` draws everything large and then reduces the whole: right for a sprite that is kept,
but a table of twenty rows is mostly paper. Here each text is reduced by itself and kept, and
laid on the page by the indices of the palette. The pixels are those of a canvas.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import floor

from PIL import Image

from render.kit.canvas import Canvas, by_table, corner_of, letters
from render.kit.fonts import SUPERSAMPLING
from render.kit.geometry import Box, Point
from render.kit.palettes import Palette
from render.kit.themes import THEMES, plain

CACHED_TEXTS = 1024
"""How many texts are kept as they were reduced: some kilobytes each."""

SHAPES = 64
"""How many shapes are kept."""

SHARES = SUPERSAMPLING**2
"""Into how many parts a pixel is divided."""

_INKED = bytes([0] + [255] * 255)

_EDGES = {
    "paper": "hair soft ink amber blue gold bar line",
    "bar": "hair soft ink amber",
    "pale": "hair soft ink amber",
    "amber": "line",
    "ink": "paper bar pale white",
    "gold": "line",
    "line": "paper",
}
"""What touches on pages, curves and cards, whose colours are those of the house alone."""


class TextPage:
    """A page of *size* in the palette's flat colour *ground*; all coordinates are pixels of it."""

    def __init__(self, palette: Palette, size: tuple[int, int], ground: str) -> None:
        self.palette, self._ground = palette, ground
        self._image = Image.new("L", size, palette.index(ground))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        px: float,
        colour: str,
        anchor: str,
        room: float = 10_000,
        on: str = "",
    ) -> None:
        """The same as ``Canvas.text``, on the flat colour *on* or else the ground."""
        widest = round(room * SUPERSAMPLING)
        wide, high, top = _measure(text, px)
        left, upper = corner_of((x, y), px, anchor, (min(wide, widest), high, top), SUPERSAMPLING)
        column, row = left // SUPERSAMPLING, upper // SUPERSAMPLING
        phase = (left % SUPERSAMPLING, upper % SUPERSAMPLING)
        inks = (self.palette, on or self._ground, colour)
        piece, mask = _piece(text, px, phase, min(wide, widest), inks)
        self._image.paste(piece, (column, row), mask)

    def box(
        self, box: Box, fill: str, line: str | None = None, width: float = 0, radius: float = 0
    ) -> None:
        """The same as ``Canvas.box``, on the ground."""
        left, top = floor(box[0]), floor(box[1])
        moved = (box[0] - left, box[1] - top, box[2] - left, box[3] - top)
        shape = _box(self.palette, self._ground, moved, fill, line, width, radius)
        self._image.paste(shape, (left, top))

    def line(self, points: tuple[Point, Point], colour: str, width: float) -> None:
        """The same as ``Canvas.line`` between two points, on the ground."""
        (x, y), (to_x, to_y) = points
        left, top = floor(min(x, to_x) - width), floor(min(y, to_y) - width)
        moved = ((x - left, y - top), (to_x - left, to_y - top))
        self._image.paste(_line(self.palette, self._ground, moved, colour, width), (left, top))

    def indexed(self) -> Image.Image:
        """The page in mode P with its palette."""
        picture = Image.frombytes("P", self._image.size, self._image.tobytes())
        picture.putpalette(self.palette.flat)
        return picture


@lru_cache(CACHED_TEXTS)
def _measure(text: str, px: float) -> tuple[int, int, int]:
    """The ink of *text*, four times larger: width, height, and the top from the baseline."""
    mask, _, top = _mask(text, px)
    return mask.width, mask.height, top


@lru_cache(8)
def _mask(text: str, px: float) -> tuple[Image.Image, int, int]:
    return letters(text, px)


@lru_cache(CACHED_TEXTS)
def _piece(
    text: str, px: float, phase: tuple[int, int], wide: int, inks: tuple[Palette, str, str]
) -> tuple[Image.Image, Image.Image]:
    """The indices of *text* that begins within a pixel at *phase*, and a mask of what is inked.

    *wide* is its width four times larger: less than it has makes it narrower, but no lower. *inks*
    are the palette, the colour below, and that of the letters.
    """
    mask = _mask(text, px)[0].convert("L")
    if wide < mask.width:
        mask = mask.resize((wide, mask.height), Image.Resampling.NEAREST)
    high = phase[1] + mask.height
    page = Image.new("L", (_whole(phase[0] + mask.width), _whole(high)))
    page.paste(mask, phase)
    cover = page.reduce(SUPERSAMPLING)
    return by_table(cover, _shades(*inks)), by_table(cover, _INKED)


def _whole(fine: int) -> int:
    """The least length that holds *fine* and ends with a pixel."""
    return -(-fine // SUPERSAMPLING) * SUPERSAMPLING


@lru_cache(SHAPES)
def _shades(palette: Palette, ground: str, ink: str) -> bytes:
    """By how much of a pixel is covered, 0 to 255, the index of its colour."""
    page = Image.new(
        "RGBA", (SUPERSAMPLING * (SHARES + 1), SUPERSAMPLING), _opaque(palette, ground)
    )
    for share in range(SHARES + 1):
        for part in range(share):
            y, x = divmod(part, SUPERSAMPLING)
            page.putpixel((SUPERSAMPLING * share + x, y), _opaque(palette, ink))
    mixes = palette.indices(page.reduce(SUPERSAMPLING)).tobytes()
    return bytes(mixes[round(cover * SHARES / 255)] for cover in range(256))


def _opaque(palette: Palette, name: str) -> tuple[int, int, int, int]:
    return (*palette.flats[name], 255)


@lru_cache(SHAPES)
def _box(
    palette: Palette,
    ground: str,
    box: Box,
    fill: str,
    line: str | None,
    width: float,
    radius: float,
) -> Image.Image:
    canvas = Canvas(palette, (0, 0, box[2], box[3]), ground)
    canvas.box(box, fill, line, width, radius)
    return palette.indices(canvas.image())


@lru_cache(SHAPES)
def _line(
    palette: Palette, ground: str, points: tuple[Point, Point], colour: str, width: float
) -> Image.Image:
    (x, y), (to_x, to_y) = points
    canvas = Canvas(palette, (0, 0, max(x, to_x) + width, max(y, to_y) + width), ground)
    canvas.line(points, colour, width)
    return palette.indices(canvas.image())


@cache
def page_palette(theme: str) -> Palette:
    """The colours of pages, curves and cards in *theme* of the boards, or the light one."""
    return Palette(THEMES.get(plain(theme), THEMES["light"]), _EDGES)
