"""Parchís on paper: the board on four sheets, four pieces of each colour, and a die to fold."""

from __future__ import annotations

from functools import partial

from render.kit import Canvas
from render.paper.parts import Board, Cutout, Drawing, Printable
from render.parchis import pieces as drawn
from render.parchis.colours import palette
from render.parchis.layout import BOARD
from render.parchis.painter import draw_board
from render.scene import Scene

WIDTH = 370.0

PIECE = (16.0, 16.0)
"""The cell of a piece: two of them fit a square of the board."""

EDGE = 18.0
"""The edge of the die."""

SIDE, FLAP = 100.0, 26.0
"""The edge of the die and the breadth of its flaps, in the coordinates of the drawing."""

NET = ((1, 0, 5), (0, 1, 4), (1, 1, 1), (2, 1, 3), (3, 1, 6), (1, 2, 2))
"""Column, row and eyes of each face; opposite faces have seven together."""

FLAPS = (
    *((1, 0, "n"), (1, 0, "w"), (1, 0, "e"), (0, 1, "w")),
    *((1, 2, "s"), (1, 2, "w"), (1, 2, "e")),
)
"""Column, row and side of each flap to be glued."""


def printable(scene: Scene) -> Printable:
    """The board as yellow sees it, sixteen pieces and the net of a die."""
    colours = palette(scene.theme)
    left, top, right, bottom = BOARD
    whole = Drawing(colours, (left - 4, top - 4, right + 4, bottom + 4), draw_board)
    cutouts = []
    for colour in range(4):
        for number in range(4):
            draw = partial(drawn.poster_piece, colour=colour, number=number)
            face = Drawing(colours, drawn.WHOLE, draw)
            cutouts.append(Cutout((face,), PIECE, PIECE[0] + 1.5))
    box = (-FLAP - 4, -FLAP - 4, 4 * SIDE + 4, 3 * SIDE + FLAP + 4)
    net = Drawing(colours, box, _draw_net)
    wide, high = ((box[n + 2] - box[n]) * EDGE / SIDE for n in (0, 1))
    die = Cutout((net,), (wide, high), wide, outlined=False)
    return Printable((Board(whole, WIDTH, 2, 2),), tuple(cutouts), (die,))


def _draw_net(canvas: Canvas) -> None:
    for column, row, side in FLAPS:
        canvas.polygon(_flap(column * SIDE, row * SIDE, side), "die", "pips", 1)
    for column, row, eyes in NET:
        left, top = column * SIDE, row * SIDE
        canvas.box((left - 1, top - 1, left + SIDE + 1, top + SIDE + 1), "die", "pips", 2)
        drawn.draw_eyes(canvas, eyes, SIDE, (left + SIDE / 2, top + SIDE / 2))


def _flap(left: float, top: float, side: str) -> list[tuple[float, float]]:
    """The flap at a *side* of the face with this corner: narrower at its free end."""
    end, narrow, far = SIDE, FLAP * 0.6, FLAP
    shape = {
        "n": [(0, 0), (narrow, -far), (end - narrow, -far), (end, 0)],
        "s": [(0, end), (narrow, end + far), (end - narrow, end + far), (end, end)],
        "w": [(0, 0), (-far, narrow), (-far, end - narrow), (0, end)],
        "e": [(end, 0), (end + far, narrow), (end + far, end - narrow), (end, end)],
    }[side]
    return [(left + x, top + y) for x, y in shape]
