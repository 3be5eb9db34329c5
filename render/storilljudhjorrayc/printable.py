"""Storilljuðjorrayc on paper: the round board on two sheets, and both armies."""

from __future__ import annotations

from functools import partial

from games.storilljudhjorrayc.units import UNITS
from render.kit import Canvas
from render.paper.parts import Board, Cutout, Drawing, Printable
from render.scene import Scene
from render.storilljudhjorrayc import board
from render.storilljudhjorrayc import pieces as drawn

WIDTH = 238.0
"""The board: more is not on two sheets of both papers."""

UNIT = (16.0, 16.0)
"""The cell of a unit, which fits a space of the outer circuits."""


def printable(scene: Scene) -> Printable:
    """The board with north at the top, and seventeen units of each side."""
    colours = board.palette(scene.theme)
    (x, y), half = board.CENTRE, board.HALF
    whole = Drawing(colours, (x - half, y - half, x + half, y + half), _draw_board)
    cutouts = []
    for seat in (0, 1):
        for label in UNITS:
            draw = partial(drawn.poster_unit, seat=seat, label=label)
            cutouts.append(Cutout((Drawing(colours, drawn.WHOLE, draw),), UNIT, UNIT[0] - 0.5))
    return Printable((Board(whole, WIDTH, columns=2),), tuple(cutouts))


def _draw_board(canvas: Canvas) -> None:
    board.draw_ground(canvas)
    for left, top, fir in board.trees():
        board.draw_tree(canvas, (left, top), fir)
    board.draw_numbers(canvas)
