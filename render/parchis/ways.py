"""The ways on the Parchís board, in pieces that fit together.

The way of a move is put down step by step, from one route index to the next, and that of a
captured piece dash by dash: so every way is drawn from sprites that are prepared once.
"""

from __future__ import annotations

import math
from functools import cache

from render.kit import Canvas, Sprite, drawn, shapes
from render.parchis.board import Point, centre
from render.parchis.pieces import palette


@cache
def step(theme: str, colour: int, number: int, index: int, ink: str) -> Sprite:
    """The way from *index* to the next, amber and whole or blue and dashed."""
    start, end = centre(colour, number, index), centre(colour, number, index + 1)
    canvas = Canvas(palette(theme), _around((start, end), 8))
    if ink == "amber":
        canvas.line((start, end), ink, 9)
    else:
        for ends in _even_dashes(start, end):
            canvas.line(ends, ink, 6)
    return canvas.sprite()


def _even_dashes(start: Point, end: Point) -> list[tuple[Point, Point]]:
    """Dashes that go on evenly from one step to the next."""
    length = math.dist(start, end)
    count = max(1, round(length / 16))
    period = length / count
    return [
        (
            shapes.along(start, end, (n + 0.36) * period),
            shapes.along(start, end, (n + 0.64) * period),
        )
        for n in range(count)
    ]


@cache
def way_start(theme: str, colour: int, number: int, index: int) -> Sprite:
    """The hollow disc where the last move began."""
    x, y = centre(colour, number, index)
    canvas = Canvas(palette(theme), _around(((x, y),), 12))
    canvas.disc(x, y, 11, "amber")
    canvas.disc(x, y, 5.5, "cell")
    return canvas.sprite()


@cache
def way_end(theme: str, colour: int, number: int, before: int, index: int) -> Sprite:
    """The head of the arrow that comes from the index *before* and ends at the piece."""
    start, end = centre(colour, number, before), centre(colour, number, index)
    tip = shapes.along(end, start, 16)
    back = shapes.along(end, start, 60)
    canvas = Canvas(palette(theme), _around((tip, shapes.along(tip, start, 26)), 20))
    canvas.polygon(shapes.arrow_head([back, tip], 22, 28), "amber")
    return canvas.sprite()


def _around(points: tuple[Point, ...], room: float) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room)


ANGLES = 120
"""Directions that dashes come in: every three degrees."""


def direction(start: Point, end: Point) -> int:
    """The number of the direction from *start* to *end*."""
    angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    return round(angle * ANGLES / 360) % ANGLES


def _pointing(angle: int, length: float) -> Point:
    radians = 2 * math.pi * angle / ANGLES
    return (length * math.cos(radians), length * math.sin(radians))


@drawn(palette, (-16, -16, 16, 16))
def dash(canvas: Canvas, angle: int) -> None:
    """A red dash about its origin, rimmed so that it stands out."""
    ends = (_pointing(angle, -5), _pointing(angle, 5))
    canvas.line((_pointing(angle, -6), _pointing(angle, 6)), "disc", 11)
    canvas.line(ends, "red", 6)


@drawn(palette, (-30, -30, 30, 30))
def red_head(canvas: Canvas, angle: int) -> None:
    """The head of the red way, its tip at the origin."""
    head = shapes.arrow_head([_pointing(angle, -60), (0, 0)], 20, 26)
    canvas.polygon(head, "disc", "disc", 5)
    canvas.polygon(head, "red")
