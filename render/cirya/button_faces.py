"""The faces of the buttons of Cirya: the pieces of both fleets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from games.cirya.move_types import Kind
from games.cirya.rules import OPENING_PLIES, Cirya
from games.core import Seat
from render.cirya import pieces
from render.kit import Palette, Sprite

ACCENTS = {"swan": "#EADFC6", "eagle": "#5A4296"}


def _name(seat: Seat, kind: Kind) -> str:
    return f"{'swan' if seat == 0 else 'eagle'}{kind}"


def _piece(seat: Seat, kind: Kind) -> tuple[Sprite, Palette]:
    return pieces.piece("light", seat, kind, 48), pieces.palette("light")


FACES = {_name(seat, kind): partial(_piece, seat, kind) for seat in (0, 1) for kind in Kind}

LEGEND = {kind.name.lower(): (_name(0, kind), _name(1, kind)) for kind in Kind}
"""The pieces of both fleets."""


def face(seen: Cirya, seat: Seat, path: Sequence[str], step: str) -> str:
    """The piece that is placed, which is the other one's at first (C5), or the top of a nossë."""
    board = seen.board
    if len(path) == 1 and step in list(Kind):
        return _name(1 - seat if seen.ply < OPENING_PLIES else seat, Kind(step))
    if path or step not in board.shape.names:
        return ""
    sat = board.shape.names.index(step)
    return _name(board.pieces(sat)[-1], board.kind(sat)) if board.height(sat) else ""
