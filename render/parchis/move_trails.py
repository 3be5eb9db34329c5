"""The ways on the Parchís board, in parts that fit together.

The way of a move is put together step by step, from one route index to the next, and that of a
captured piece dash by dash, so that few sprites make all ways.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from games.parchis.board import HOME, META, SALIDA
from games.parchis.moves import Go
from games.parchis.rules import Parchis
from render.kit import Canvas, Sprite, canvas_sprite, drawn_sprite, geometry
from render.parchis.colours import palette
from render.parchis.layout import Point, centre


@dataclass(frozen=True)
class Gone:
    """What the player on turn did, shown in the *arm* of a colour; *newest* in the last turn."""

    before: Parchis
    move: Go
    newest: bool
    arm: int

    @property
    def colour(self) -> int:
        """Whose pieces went."""
        return self.before.colours[self.before.turn]


def course(one: Gone) -> Iterator[Point]:
    """Points along the way of *one* where its number may stand, the best first."""
    number = one.move.pieces[0]
    start = one.before.own[number]
    if one.move.to == HOME:
        yield centre(one.arm, number, start)
        return
    top = SALIDA if start == HOME else min(start + one.before.reach, META)
    for index in range(start, top):
        here, there = (centre(one.arm, number, at) for at in (index, index + 1))
        yield here
        yield geometry.along(here, there, math.dist(here, there) / 2)


@drawn_sprite
def step(
    theme: str, colour: int, number: int, index: int, ink: str, *, thin: bool = False
) -> Sprite:
    """The way from *index* to the next: whole in amber or in its ink, or blue and dashed."""
    start, end = centre(colour, number, index), centre(colour, number, index + 1)
    canvas = Canvas(palette(theme), geometry.around((start, end), 8))
    if ink in WHOLE:
        canvas.line((start, end), ink, (5 if thin else 9) + WHOLE[ink])
    else:
        for ends in _even_dashes(start, end):
            if canvas.palette.night:
                canvas.line(ends, "white", 10)
            canvas.line(ends, ink, 6)
    return canvas.sprite()


WHOLE = {"line": 5, "amber": 0}
"""The way of a last move: first the ink on both sides, so much broader, and then the amber."""


def _even_dashes(start: Point, end: Point) -> list[tuple[Point, Point]]:
    """Dashes that go on evenly from one step to the next."""
    length = math.dist(start, end)
    count = max(1, round(length / 16))
    at = partial(geometry.along, start, end)
    period = length / count
    return [(at((n + 0.36) * period), at((n + 0.64) * period)) for n in range(count)]


@canvas_sprite(palette, lambda *place: geometry.around([centre(*place)], 12))
def way_start(canvas: Canvas, colour: int, number: int, index: int) -> None:
    """The hollow disc where the last move began."""
    x, y = centre(colour, number, index)
    canvas.disc(x, y, 12, "line")
    canvas.disc(x, y, 10, "amber")
    canvas.disc(x, y, 6, "line")
    canvas.disc(x, y, 4, "cell")


@canvas_sprite(palette, (-19, -19, 19, 19))
def number(canvas: Canvas, value: int) -> None:
    """The number of a way among several, from 1."""
    # No disc and not amber: yellow pieces are amber discs with a number.
    canvas.box((-15, -17, 15, 17), "amber", radius=9)
    canvas.box((-12, -14, 12, 14), "line", radius=6)
    canvas.text(0, 0, str(value), 27, "amber")


@drawn_sprite
def arrow_head(theme: str, colour: int, number: int, before: int, index: int) -> Sprite:
    """The head of the arrow that comes from the index *before* and ends at the piece."""
    start, end = centre(colour, number, before), centre(colour, number, index)
    tip = geometry.along(end, start, 16)
    back = geometry.along(end, start, 60)
    canvas = Canvas(palette(theme), geometry.around((tip, geometry.along(tip, start, 26)), 20))
    head = geometry.arrow_head([back, tip], 20, 26)
    canvas.polygon(head, "line", "line", 5)
    canvas.polygon(head, "amber")
    return canvas.sprite()


ANGLES = 120
"""Directions that dashes come in: every three degrees."""


def direction(start: Point, end: Point) -> int:
    """The number of the direction from *start* to *end*."""
    angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    return round(angle * ANGLES / 360) % ANGLES


def _pointing(angle: int, length: float) -> Point:
    radians = 2 * math.pi * angle / ANGLES
    return (length * math.cos(radians), length * math.sin(radians))


@canvas_sprite(palette, (-16, -16, 16, 16))
def dash(canvas: Canvas, angle: int) -> None:
    """A red dash about its origin, rimmed so that it stands out."""
    ends = (_pointing(angle, -5), _pointing(angle, 5))
    canvas.line((_pointing(angle, -6), _pointing(angle, 6)), "white", 11)
    canvas.line(ends, "red", 6)


@canvas_sprite(palette, (-30, -30, 30, 30))
def red_head(canvas: Canvas, angle: int) -> None:
    """The head of the red way, its tip at the origin."""
    head = geometry.arrow_head([_pointing(angle, -60), (0, 0)], 20, 26)
    canvas.polygon(head, "white", "white", 5)
    canvas.polygon(head, "red")
