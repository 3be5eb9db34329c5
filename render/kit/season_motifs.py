"""The art of the season: petals, suns, leaves or snow in a tone of the ground, under the pieces.

It is laid as a texture of the ground alone, so it lies over nothing that must be read. The themes
for weak eyes have none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache

from PIL import Image, ImageDraw

from render.kit.geometry import polar

SEASONS = ("spring", "summer", "autumn", "winter")

TONE = 0.12
"""How much lighter than the ground the art is, or how much darker than a pale one."""

FINER = 4
"""How many times larger a motif is drawn than shown."""

PALE = 3 * 200
"""Red, green and blue of a pale ground are more than that together: its art is darker."""


def tone_on(colour: tuple[int, int, int]) -> float:
    """The tone of the art on a ground of *colour*, as ``Texture`` takes it."""
    return -TONE / 2 if sum(colour) > PALE else TONE


@cache
def motifs(season: str, wide: int, high: int, radius: int) -> Image.Image:
    """A tile with two motifs of *season*, one turned; 1 where they are (mode L)."""
    large = Image.new("L", (wide * FINER, high * FINER))
    draw = ImageDraw.Draw(large)
    for x, y, turn in ((0.24, 0.27, 10.0), (0.74, 0.76, 47.0)):
        middle = (round(x * wide * FINER), round(y * high * FINER))
        _DRAWN[season](draw, middle, radius * FINER, turn)
    small = large.reduce(FINER)
    return small.point([int(cover > 127) for cover in range(256)])


def _blossom(draw: ImageDraw.ImageDraw, at: tuple[int, int], r: float, turn: float) -> None:
    for petal in range(5):
        x, y = polar(*at, r * 0.56, turn + 72 * petal)
        draw.ellipse((x - r * 0.42, y - r * 0.42, x + r * 0.42, y + r * 0.42), 255)
    draw.ellipse(_around(at, r * 0.2), 0)


def _sun(draw: ImageDraw.ImageDraw, at: tuple[int, int], r: float, turn: float) -> None:
    draw.ellipse(_around(at, r * 0.5), 255)
    for ray in range(8):
        ends = [polar(*at, r * far, turn + 45 * ray) for far in (0.66, 1.0)]
        draw.line(ends, 255, round(r * 0.17))


def _leaf(draw: ImageDraw.ImageDraw, at: tuple[int, int], r: float, turn: float) -> None:
    sides = []
    for side in (1, -1):
        for step in range(11)[::side]:
            along = -0.8 + 0.16 * step
            out = side * 0.46 * math.sin(math.pi * step / 10)
            x, y = polar(*at, r * along, turn)
            sides.append(polar(x, y, r * out, turn + 90))
    draw.polygon(sides, 255)
    stalk = [polar(*at, r * far, turn) for far in (-1.05, 0.55)]
    draw.line([stalk[0], polar(*at, -r * 0.8, turn)], 255, round(r * 0.14))
    draw.line([polar(*at, -r * 0.7, turn), stalk[1]], 0, round(r * 0.1))


def _flake(draw: ImageDraw.ImageDraw, at: tuple[int, int], r: float, turn: float) -> None:
    for arm in range(6):
        way = turn + 60 * arm
        draw.line([at, polar(*at, r, way)], 255, round(r * 0.16))
        fork = polar(*at, r * 0.58, way)
        for side in (-50, 50):
            draw.line([fork, polar(*fork, r * 0.36, way + side)], 255, round(r * 0.13))


def _around(at: tuple[int, int], r: float) -> tuple[float, float, float, float]:
    return (at[0] - r, at[1] - r, at[0] + r, at[1] + r)


_DRAWN: Mapping[str, Callable[[ImageDraw.ImageDraw, tuple[int, int], float, float], None]] = {
    "spring": _blossom,
    "summer": _sun,
    "autumn": _leaf,
    "winter": _flake,
}
