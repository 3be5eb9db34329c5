"""The palette and the sprites of Cubo, each drawn once.

The stones differ in form as well as in tone: dark ones are discs, light ones are rings.
"""

from __future__ import annotations

from functools import cache

from render.kit import (
    DARK_THEMES,
    EDGES,
    THEMES,
    Box,
    Canvas,
    Palette,
    canvas_sprite,
    marks,
)

SIDE = 80
"""How wide and high a cell is, in pixels."""

CELL: Box = (-SIDE // 2, -SIDE // 2, SIDE // 2, SIDE // 2)
RADIUS = 29

_GROUNDS = {
    "light": {"floor": "#E4D8C3", "grid": "#A2937B", "dark": "#26221D", "pearl": "#FFFDF8"},
    "dark": {"floor": "#3B362F", "grid": "#75695A", "dark": "#0B0A09", "pearl": "#EDE6D8"},
    "contrast": {"floor": "#1A1A1A", "grid": "#8A8A8A", "dark": "#000000", "pearl": "#FFFFFF"},
}
_GROUNDS["safe"] = _GROUNDS["light"]

STONES = ("dark", "pearl")
"""The colours of the stones by seat."""


@cache
def palette(theme: str) -> Palette:
    """The shared colours of *theme* and those of this board, and which of them touch here."""
    edges = {
        **EDGES,
        "line": f"{EDGES['line']} floor pearl dark",
        "grid": "floor paper",
        "dark": "floor bar pearl pale gold",
        "pearl": "floor bar line pale gold dark",
        "blue": "white floor line",
        "ink": f"{EDGES['ink']} floor",
        "amber": "pale line",
    }
    return Palette({**THEMES[theme], **_GROUNDS[theme]}, edges)


def keyline(theme: str) -> str | None:
    """The line beside blue marks on a dark board."""
    return "white" if theme in DARK_THEMES else None


def _stone(canvas: Canvas, seat: int, ground: str) -> None:
    """A stone of *seat* about the origin: a disc, or a ring in which *ground* shows."""
    canvas.disc(0, 0, RADIUS, "pearl", "line", 3)
    canvas.disc(0, 0, RADIUS - 3, STONES[seat], "dark", 3)
    if seat:
        canvas.disc(0, 0, RADIUS * 0.42, ground, "dark", 4)


@canvas_sprite(palette, CELL, "floor")
def empty(canvas: Canvas) -> None:
    """A cell without a stone."""
    canvas.box(CELL, None, "grid", 2)


@canvas_sprite(palette, CELL, "floor")
def stone(canvas: Canvas, seat: int) -> None:
    """A cell with a stone of *seat*."""
    canvas.box(CELL, None, "grid", 2)
    _stone(canvas, seat, "floor")


@canvas_sprite(palette, CELL, "floor")
def last_stone(canvas: Canvas, seat: int) -> None:
    """The stone that was put last."""
    marks.last_move(canvas, marks.grown(CELL, -1))
    _stone(canvas, seat, "pale")


@canvas_sprite(palette, CELL, "floor")
def winning_stone(canvas: Canvas, seat: int) -> None:
    """A stone of the line that has won."""
    canvas.box(CELL, "gold", "line", 4)
    _stone(canvas, seat, "gold")


@canvas_sprite(palette, CELL, "floor")
def target(canvas: Canvas, bright: str | None) -> None:
    """An empty cell into which a stone may be put."""
    canvas.box(CELL, None, "grid", 2)
    marks.free(canvas, marks.grown(CELL, -4), bright)


@canvas_sprite(palette, (-20, -20, 20, 20), "bar")
def emblem(canvas: Canvas, seat: int) -> None:
    """The sign of a player: a small stone."""
    canvas.disc(0, 0, 17, "pearl", "line", 2)
    canvas.disc(0, 0, 15, STONES[seat], "dark", 2)
    if seat:
        canvas.disc(0, 0, 6, "bar", "dark", 3)
