"""The ground of a game on posters and cards: two colours, and a quiet pattern between them.

A game brings both in its module ``pieces``; where it has none, the house's own stand in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from render.kit.canvas import Canvas
from render.kit.geometry import Box, regular
from render.kit.palettes import Palette, mix
from render.kit.posters import poster_parts

STEPS = 14
"""In how many level bands the ground becomes darker: a file of more is larger."""


@dataclass(frozen=True)
class PosterInks:
    """The colours of a ground, ``#RRGGBB``: from *ground* to *deep*, *pattern* and *accent*.

    *accent* is for words.
    """

    ground: str
    deep: str
    pattern: str
    accent: str


HOUSE = PosterInks("#2B2621", "#171411", "#37312B", "#E8B400")


def house_shape(canvas: Canvas, number: int, x: float, y: float, radius: float, ink: str) -> None:
    """One of the four shapes of the house: disc, diamond, cup and block."""
    r = radius
    match number % 4:
        case 0:
            canvas.disc(x, y, r, ink)
        case 1:
            canvas.polygon(regular(x, y, 1.2 * r, 4), ink)
        case 2:
            cup = [(-1.1, -1), (1.1, -1), (0.55, 1), (-0.55, 1)]
            canvas.polygon([(x + r * px, y + r * py) for px, py in cup], ink)
        case _:
            canvas.box((x - r, y - r, x + r, y + r), ink, radius=r / 4)


def shapes_pattern(canvas: Canvas, box: Box, step: int = 86, radius: float = 12) -> None:
    """The four shapes in rows, which is the pattern of the house."""
    for row, y in enumerate(range(int(box[1]), int(box[3]) + step, step)):
        first = int(box[0]) + row % 2 * step // 2
        for column, x in enumerate(range(first, int(box[2]) + step, step)):
            house_shape(canvas, column + 2 * row, x, y, radius, "pattern")


def poster_inks(game: str) -> PosterInks:
    """The colours of the ground of *game*, or those of the house."""
    found: PosterInks = getattr(poster_parts(game), "POSTER_INKS", HOUSE)
    return found


@lru_cache(16)
def poster_ground(
    game: str, size: tuple[int, int], start: int = 0, steps: int = STEPS
) -> Image.Image:
    """The ground of *game* in RGB, its pattern from the height *start* on."""
    inks, (wide, high) = poster_inks(game), size
    picture = Image.new("RGB", size)
    draw = ImageDraw.Draw(picture)
    for step in range(steps):
        band = (0, high * step // steps, wide, high * (step + 1) // steps)
        draw.rectangle(band, mix(inks.ground, inks.deep, step / (steps - 1)))
    canvas = Canvas(Palette({"pattern": inks.pattern}, {}), (0, start, *size), fineness=2)
    parts = poster_parts(game)
    pattern: Callable[[Canvas, Box], None] = getattr(parts, "poster_pattern", shapes_pattern)
    pattern(canvas, (0, start, *size))
    shown = canvas.image()
    picture.paste(shown, (0, start), shown)
    return picture
