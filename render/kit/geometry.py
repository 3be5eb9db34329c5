"""Plane geometry: shapes as lists of points, in pixels, y downwards, degrees from north."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Points: TypeAlias = Sequence[Point]

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom, right and bottom not included."""


def transformed(
    points: Iterable[Point], x: float, y: float, scale: float = 1.0, turn: float = 0.0
) -> list[Point]:
    """*points* scaled, turned clockwise by *turn* degrees and then moved by (x, y)."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return [
        (x + scale * (px * cos - py * sin), y + scale * (px * sin + py * cos)) for px, py in points
    ]


def polar(x: float, y: float, radius: float, degrees: float) -> Point:
    """The point at *radius* from (x, y) in the direction *degrees*, clockwise from north.

    >>> polar(100, 100, 50, 180)
    (100.0, 150.0)
    """
    angle = math.radians(degrees)
    return (x + radius * math.sin(angle), y - radius * math.cos(angle))


def arc(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Points along the circle from *start* to *end* degrees, one every three degrees or so."""
    count = max(2, math.ceil(abs(end - start) / 3))
    return [polar(x, y, radius, start + (end - start) * i / count) for i in range(count + 1)]


def circle(x: float, y: float, radius: float) -> list[Point]:
    """The outline of a disc."""
    return arc(x, y, radius, 0, 360)[:-1]


def regular(x: float, y: float, radius: float, corners: int, turn: float = 0.0) -> list[Point]:
    """A regular polygon with one corner in the direction *turn*."""
    return [polar(x, y, radius, turn + 360 * i / corners) for i in range(corners)]


def star(
    x: float, y: float, radius: float, inner: float, tips: int = 5, turn: float = 0.0
) -> list[Point]:
    """A star with a tip in the direction *turn*; *inner* is the radius of its notches."""
    return [polar(x, y, inner if i % 2 else radius, turn + 180 * i / tips) for i in range(2 * tips)]


def rounded(points: Points, radius: float) -> list[Point]:
    """A polygon whose corners are rounded by curves that start *radius* from them."""
    outline: list[Point] = []
    for i, corner in enumerate(points):
        start = _corner_cut(corner, points[i - 1], radius)
        end = _corner_cut(corner, points[(i + 1) % len(points)], radius)
        for step in range(9):
            t = step / 8
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
            outline.append(_weighted((a, start), (b, corner), (c, end)))
    return outline


def bezier(start: Point, first: Point, second: Point, end: Point, count: int = 14) -> list[Point]:
    """A cubic curve as *count* + 1 points."""
    points = []
    for i in range(count + 1):
        t = i / count
        a, b, c, d = (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3
        points.append(_weighted((a, start), (b, first), (c, second), (d, end)))
    return points


def _weighted(*parts: tuple[float, Point]) -> Point:
    x, y = (sum(weight * point[axis] for weight, point in parts) for axis in (0, 1))
    return (x, y)


def arrow_head(points: Points, length: float, breadth: float) -> list[Point]:
    """The triangle at the end of the way *points*, its tip on the last of them."""
    tip = points[-1]
    back = next(p for p in reversed(points[:-1]) if math.dist(p, tip) > length * 0.5)
    base = along(tip, back, length)
    ux, uy = _unit(back, tip)
    half = breadth / 2
    return [
        tip,
        (base[0] - uy * half, base[1] + ux * half),
        (base[0] + uy * half, base[1] - ux * half),
    ]


def cut_back(points: Points, length: float) -> list[Point]:
    """The way *points* without its last *length* pixels."""
    way = list(points)
    while len(way) > 1:
        stretch = math.dist(way[-2], way[-1])
        if stretch > length:
            return [*way[:-1], along(way[-1], way[-2], length)]
        length -= stretch
        way.pop()
    return way


def dashes(points: Points, length: float, gap: float) -> list[list[Point]]:
    """The way *points* cut into dashes of *length* with *gap* between them."""
    cut: list[list[Point]] = []
    current: list[Point] = [points[0]]
    left, drawing = length, True
    for start, end in pairwise(points):
        here = start
        while (stretch := math.dist(here, end)) > left:
            here = along(here, end, left)
            if drawing:
                cut.append([*current, here])
            current, drawing = [here], not drawing
            left = length if drawing else gap
        left -= stretch
        if drawing:
            current.append(end)
    if drawing and len(current) > 1:
        cut.append(current)
    return cut


def around(points: Iterable[Point], room: float) -> Box:
    """The box around *points* with *room* pixels to spare."""
    xs, ys = zip(*points, strict=True)
    return (min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room)


def along(start: Point, end: Point, length: float) -> Point:
    """The point *length* pixels from *start* towards *end*, or beyond it."""
    ux, uy = _unit(start, end)
    return (start[0] + ux * length, start[1] + uy * length)


def _unit(start: Point, end: Point) -> Point:
    stretch = math.dist(start, end) or 1.0
    return ((end[0] - start[0]) / stretch, (end[1] - start[1]) / stretch)


def _corner_cut(corner: Point, other: Point, radius: float) -> Point:
    return along(corner, other, min(radius, math.dist(corner, other) / 2.05))


@dataclass(frozen=True)
class Grid:
    """*columns* x *rows* cells of *wide* x *high* pixels, the first at (*left*, *top*).

    Cells are counted from 0, columns from the left and rows from the top as the first
    seat sees them; *turned* shows the board from the opposite side.

    >>> board = Grid(152, 152, 165, 165, 3, 3)
    >>> board.box(0, 0), board.centre(2, 2)
    ((152, 152, 317, 317), (564, 564))
    """

    left: int
    top: int
    wide: int
    high: int
    columns: int
    rows: int
    turned: bool = False

    def box(self, column: int, row: int) -> tuple[int, int, int, int]:
        """The cell: left, top, right and bottom."""
        if self.turned:
            column, row = self.columns - 1 - column, self.rows - 1 - row
        left, top = self.left + column * self.wide, self.top + row * self.high
        return (left, top, left + self.wide, top + self.high)

    def centre(self, column: int, row: int) -> tuple[int, int]:
        """The middle of the cell."""
        left, top, right, bottom = self.box(column, row)
        return ((left + right) // 2, (top + bottom) // 2)

    @property
    def outline(self) -> Box:
        """All cells together: left, top, right and bottom."""
        return (
            self.left,
            self.top,
            self.left + self.columns * self.wide,
            self.top + self.rows * self.high,
        )
