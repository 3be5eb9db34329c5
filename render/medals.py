"""Medals as small pictures: a disc of metal, and what it was given for as a few strokes on it.

The rim tells the metal without its colour: gold is a sun, silver scalloped, bronze plain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from render.kit.canvas import Canvas
from render.kit.geometry import arc, polar, star
from render.kit.output import optimised_png
from render.kit.palettes import Palette
from render.kit.poster_ground import poster_inks

STROKE: Final = 0.17
"""How broad a stroke is, of the radius; they stand in a square of 2 by 2 around the middle."""

METALS: Final = {
    "gold": ("#F7DC6F", "#E8B400", "#9C7400"),
    "silver": ("#F4F4F2", "#C3C5C8", "#777B81"),
    "bronze": ("#EBB98A", "#C07E45", "#7A4718"),
}
"""Of each metal its light, its middle and its rim."""

UNIT: Final = 0.62
"""How far the strokes reach from the middle, of the radius."""


class Place:
    """Where the strokes of a medal are drawn: around *x*, *y* on a canvas, in a disc of *radius*.

    Points are given from -1 to 1.
    """

    def __init__(self, canvas: Canvas, x: float, y: float, radius: float) -> None:
        self._canvas, self._x, self._y = canvas, x, y
        self._unit, self._stroke = radius * UNIT, radius * STROKE

    def _at(self, points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
        return [(self._x + self._unit * px, self._y + self._unit * py) for px, py in points]

    def line(self, *points: tuple[float, float]) -> None:
        """A line along *points*."""
        self._canvas.line(self._at(points), "line", self._stroke)

    def shape(self, *points: tuple[float, float]) -> None:
        """A filled shape with these corners."""
        self._canvas.polygon(self._at(points), "line")

    def disc(self, x: float, y: float, radius: float, *, filled: bool = True) -> None:
        """A disc, or a ring where it is not *filled*."""
        ((left, top),) = self._at(((x, y),))
        size = radius * self._unit
        if filled:
            self._canvas.disc(left, top, size, "line")
        else:
            self._canvas.disc(left, top, size, None, "line", self._stroke)

    def word(self, text: str) -> None:
        """A word as wide as the medal."""
        px, room = self._unit * 1.7, self._unit * 2.3
        self._canvas.text(self._x, self._y, text, px, "line", "mc", room=room)


Strokes: TypeAlias = Callable[[Place], None]


@dataclass(frozen=True)
class MedalFace:
    """A medal by its *key*, and its *name* as the reader has it.

    *game* is whose it is, by its key.
    """

    key: str
    name: str
    game: str = ""
    metal: str = "gold"


def put_medal(
    canvas: Canvas, face: MedalFace, x: float, y: float, r: float, *, ribbon: bool = False
) -> None:
    """The medal *face* with its middle at *x*, *y*; a star for one that has no strokes here."""
    light, middle, rim = METALS[face.metal]
    if ribbon:
        inks = poster_inks(face.game)
        for ink, shape in (
            (inks.ground, ((0.1, -0.6), (0.62, -0.75), (1, -1.9), (0.42, -1.9))),
            (inks.accent, ((0.28, -0.7), (0.42, -0.72), (0.78, -1.88), (0.62, -1.88))),
        ):
            for side in (-1, 1):
                points = [(x + side * r * px, y + r * py) for px, py in shape]
                canvas.polygon(points, ink, "line", max(1, r * 0.02))
    if face.metal == "gold":
        canvas.polygon(star(x, y, 1.2 * r, r, 16), rim, "line", max(2, r * 0.05))
    elif face.metal == "silver":
        for turn in range(0, 360, 30):
            canvas.disc(*polar(x, y, 0.92 * r, turn), 0.27 * r, rim, "line", max(2, r * 0.05))
        canvas.disc(x, y, r, rim)
    else:
        canvas.disc(x, y, 1.06 * r, rim, "line", max(2, r * 0.05))
    canvas.disc(x, y, 0.92 * r, middle, "line", max(2, r * 0.04))
    canvas.line(arc(x, y, 0.8 * r, 235, 385), light, 0.07 * r)
    _STROKES.get(face.key, _star)(Place(canvas, x, y, 0.86 * r))


@lru_cache(64)
def medal_picture(face: MedalFace, size: int = 96) -> bytes:
    """The same alone, as a PNG file *size* wide, whose ground is clear."""
    inks = {ink: ink for ink in METALS[face.metal]}
    canvas = Canvas(Palette({"line": "#26221D", **inks}, {}), (0, 0, size, size))
    put_medal(canvas, face, size / 2, size / 2, size * 0.4)
    return optimised_png(canvas.image().quantize(64))


def _star(at: Place) -> None:
    around = [
        (math.sin(turn) * far, -math.cos(turn) * far)
        for n in range(10)
        for turn, far in [(n * math.pi / 5, 0.42 if n % 2 else 1.0)]
    ]
    at.shape(*around)


def _word(text: str) -> Strokes:
    return lambda at: at.word(text)


def _streak(at: Place) -> None:
    for n in range(5):
        x = -0.9 + 0.45 * n
        at.line((x, 0.7), (x, 0.5 - 0.28 * n))


def _computer(at: Place) -> None:
    at.line((-0.9, -0.75), (0.9, -0.75), (0.9, 0.35), (-0.9, 0.35), (-0.9, -0.75))
    at.line((0, 0.4), (0, 0.8))
    at.line((-0.5, 0.85), (0.5, 0.85))
    at.disc(-0.35, -0.2, 0.14)
    at.disc(0.35, -0.2, 0.14)


def _all_round(at: Place) -> None:
    for n in range(5):
        turn = n * math.tau / 5
        at.disc(0.68 * math.sin(turn), -0.68 * math.cos(turn), 0.27)


def _drop(at: Place) -> None:
    at.line((0, -0.95), (0, 0.15))
    at.shape((-0.5, 0.0), (0.5, 0.0), (0, 0.6))
    at.line((-0.8, 0.9), (0.8, 0.9))


def _lightning(at: Place) -> None:
    at.shape((0.25, -1), (-0.65, 0.2), (-0.05, 0.2), (-0.3, 1), (0.65, -0.3), (0.05, -0.3))


def _sail(at: Place) -> None:
    at.shape((-0.05, -1), (-0.05, 0.4), (-0.85, 0.4))
    at.shape((0.15, -0.7), (0.15, 0.4), (0.75, 0.4))
    at.line((-0.85, 0.8), (0.85, 0.8))


def _tower(at: Place) -> None:
    for n in range(4):
        y = 0.85 - 0.55 * n
        at.line((-0.55, y), (0.55, y))


def _shield(at: Place) -> None:
    at.shape((-0.75, -0.85), (0.75, -0.85), (0.75, 0.1), (0, 1), (-0.75, 0.1))


def _jaws(at: Place) -> None:
    at.line((-0.95, -0.4), (0.95, -0.4))
    at.line((-0.95, 0.4), (0.95, 0.4))
    for x in (-0.6, 0.0, 0.6):
        at.shape((x - 0.28, -0.4), (x + 0.28, -0.4), (x, 0.15))
    for x in (-0.3, 0.3):
        at.shape((x - 0.28, 0.4), (x + 0.28, 0.4), (x, -0.1))


def _double(at: Place) -> None:
    at.disc(-0.35, 0, 0.6, filled=False)
    at.disc(0.35, 0, 0.6, filled=False)


def _wall(at: Place) -> None:
    at.line((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8), (-0.8, -0.8))
    at.line((-0.45, -0.45), (0.45, 0.45))
    at.line((0.45, -0.45), (-0.45, 0.45))


def _trees(at: Place) -> None:
    for x in (-0.5, 0.5):
        at.shape((x, -0.95), (x + 0.42, 0.35), (x - 0.42, 0.35))
        at.line((x, 0.35), (x, 0.85))


def _swords(at: Place) -> None:
    at.line((-0.75, 0.8), (0.75, -0.8))
    at.line((0.75, 0.8), (-0.75, -0.8))
    at.line((-0.85, 0.3), (-0.3, 0.8))
    at.line((0.85, 0.3), (0.3, 0.8))


def _book(at: Place) -> None:
    at.line((0, -0.6), (0, 0.8))
    at.line((0, -0.6), (-0.9, -0.8), (-0.9, 0.6), (0, 0.8), (0.9, 0.6), (0.9, -0.8), (0, -0.6))


def _mortarboard(at: Place) -> None:
    at.shape((0, -0.8), (1, -0.3), (0, 0.2), (-1, -0.3))
    at.line((-0.55, 0.0), (-0.55, 0.5), (0, 0.75), (0.55, 0.5), (0.55, 0.0))


def _tick(at: Place) -> None:
    at.line((-0.8, 0.1), (-0.2, 0.7), (0.85, -0.7))


def _bracket(at: Place) -> None:
    at.line((-0.9, -0.7), (0, -0.7), (0, 0.7), (-0.9, 0.7))
    at.line((0, 0), (0.9, 0))


def _cup(at: Place) -> None:
    at.shape((-0.6, -0.9), (0.6, -0.9), (0.4, 0.1), (-0.4, 0.1))
    at.line((0, 0.1), (0, 0.7))
    at.line((-0.5, 0.8), (0.5, 0.8))


_STROKES: Final[Mapping[str, Strokes]] = {
    "first-win": _star,
    "ten": _word("10"),
    "streak": _streak,
    "computer": _computer,
    "all-round": _all_round,
    "puzzles": _word("?"),
    "hundred": _word("100"),
    "week": _word("7"),
    "month": _word("30"),
    "course": _book,
    "exam": _mortarboard,
    "mended": _tick,
    "tournament": _bracket,
    "champion": _cup,
    "shogi.feat.drop": _drop,
    "shogi.feat.lightning": _lightning,
    "cirya.feat.fair-wind": _sail,
    "cirya.feat.tower": _tower,
    "parchis.feat.unhurt": _shield,
    "parchis.feat.hungry": _jaws,
    "niya.feat.double": _double,
    "niya.feat.block": _wall,
    "storilljudhjorrayc.feat.ambush": _trees,
    "storilljudhjorrayc.feat.raid": _swords,
}
