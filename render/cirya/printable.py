"""Cirya on paper: the sea, and two fleets whose ciryar are folded, a tampa on their backs."""

from __future__ import annotations

from functools import partial

from games.cirya.move_types import Kind
from games.cirya.rules import Cirya
from render.cirya import cells_and_marks
from render.cirya import pieces as drawn
from render.cirya.painter import draw_frame, grid_of, shade_of
from render.cirya.pieces import palette
from render.kit import Canvas
from render.paper.parts import Board, Cutout, Drawing, Printable
from render.scene import Scene

WIDTH = 188.0
"""The width of the sea with its frame and the names of its rows."""

SHARE = 0.74
"""How much of a sat a piece takes."""


def printable(scene: Scene) -> Printable:
    """A sea of the size of *scene*, and both reserves."""
    colours, seen = palette(scene.theme), scene.seen
    assert isinstance(seen, Cirya)  # noqa: S101 - a scene is of its own game
    size = seen.board.shape.size
    left, top, right, bottom = grid_of(size).outline
    box = (left - 42, top - 8, right + 8, bottom + 42)
    board = Board(Drawing(colours, box, partial(_draw_sea, size=size)), WIDTH)
    side = SHARE * WIDTH / (box[2] - box[0]) * grid_of(size).wide

    def face(seat: int, kind: Kind) -> Drawing:
        return Drawing(colours, drawn.WHOLE, partial(drawn.poster_piece, seat=seat, kind=kind))

    cutouts = []
    for seat in (0, 1):
        cirya, tampa, high = (
            face(seat, kind) for kind in (Kind.CIRYA, Kind.TAMPA, Kind.HALLACIRYA)
        )
        tall = side * 1.1
        cutouts.append(Cutout((cirya, tampa), (side, tall), side * 0.96, seen.board.ciryar[seat]))
        if count := seen.board.hallaciryar[seat]:
            cutouts.append(Cutout((high, high), (side, tall), side * 0.96, count))
    return Printable((board,), tuple(cutouts))


def _draw_sea(canvas: Canvas, size: int) -> None:
    grid = grid_of(size)
    draw_frame(canvas, grid)
    for sat in range(size * size):
        left, top, _, _ = grid.box(sat % size, sat // size)
        cells_and_marks.draw_water(canvas, (left, top), grid.wide, shade_of(size, sat))
