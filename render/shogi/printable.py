"""Shogi on paper: the board, and forty pieces that are folded, with their promotion on the back."""

from __future__ import annotations

from functools import partial

from games.shogi.pieces import COMPLEMENT, GOTE, KING, PROMOTED, PROMOTING, SENTE, piece_of
from render.kit import Canvas
from render.paper.parts import Board, Cutout, Drawing, Printable
from render.scene import Scene
from render.shogi import pieces as drawn
from render.shogi.colours import palette
from render.shogi.painter import FRAME, draw_board, view_of

WIDTH = 188.0

PIECE = (18.5, 20.0)


def printable(scene: Scene) -> Printable:
    """The board, and the pieces of the set that *scene* shows."""
    view = view_of(scene)
    colours = palette(view.theme)
    board = Board(Drawing(colours, FRAME, draw_board), WIDTH)

    def face(piece: int) -> Drawing:
        draw = partial(drawn.flat_piece, piece=piece, style=view.style)
        return Drawing(colours, drawn.WHOLE, draw)

    cutouts = []
    for kind, count in COMPLEMENT.items():
        if kind == KING:
            # One of the two has a stroke less, so they are of two owners.
            for owner in (SENTE, GOTE):
                front = face(piece_of(KING, owner))
                cutouts.append(_folded(front, Drawing(colours, drawn.WHOLE, _nothing), 1))
            continue
        promoted = face(piece_of(kind + PROMOTED, SENTE)) if kind in PROMOTING else None
        back = promoted or Drawing(colours, drawn.WHOLE, _nothing)
        cutouts.append(_folded(face(piece_of(kind, SENTE)), back, count))
    return Printable((board,), tuple(cutouts))


def _folded(front: Drawing, back: Drawing, count: int) -> Cutout:
    return Cutout((front, back), PIECE, PIECE[0] - 0.5, count)


def _nothing(_canvas: Canvas) -> None:
    """The back of a piece that does not promote."""
