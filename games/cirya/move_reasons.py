"""What a ply of Cirya is good for: a londë made, parried or threatened, a nossë taken."""

from __future__ import annotations

from itertools import islice

from games.cirya.board import Board
from games.cirya.move_types import Move, Place, Ply, Shift
from games.cirya.notation import written
from games.cirya.rules import Cirya, completing
from games.core import MoveReason, Seat, phrase

TWO = 2
"""From so many ways on a londë cannot be parried by one ply, as a rule."""


def reason(seen: Cirya, seat: Seat, move: Move) -> MoveReason | None:
    """The most telling thing that *move* of *seat*, whose turn it is, does."""
    if not isinstance(move, Place | Shift) or seen.swapping or seen.end is not None:
        return None
    before, then = seen.board, seen.board.after(move)
    if then.londe(seat):
        return MoveReason(phrase("cirya.reason.completes"), _cells(then, move))
    danger = _completing(before, 1 - seat)
    if danger and not _completing(then, 1 - seat):
        words = phrase("cirya.reason.parries", ply=written(seen, danger[0]))
        return MoveReason(words, _cells(before, danger[0]))
    ways = _completing(then, seat)
    if ways and not danger:
        plies = tuple(written(seen, ply) for ply in ways)
        words = phrase("cirya.reason.threatens", plies=plies, n=len(plies))
        return MoveReason(words, tuple(dict.fromkeys(c for ply in ways for c in _cells(then, ply))))
    return _taken(before, then, seat, move)


def _completing(board: Board, seat: Seat) -> tuple[Ply, ...]:
    """At most two plies with which *seat* would complete its londë."""
    return tuple(islice(completing(board, seat), TWO))


def _taken(before: Board, then: Board, seat: Seat, ply: Ply) -> MoveReason | None:
    """The nossi of the other side that are of *seat* once *ply* is played."""
    if not isinstance(ply, Shift):
        return None
    won = before.held(1 - seat) & then.held(seat)
    sati = tuple(name for sat, name in enumerate(before.shape.names) if won >> sat & 1)
    return MoveReason(phrase("cirya.reason.takes", sati=sati, n=len(sati)), sati) if sati else None


def _cells(board: Board, ply: Ply) -> tuple[str, ...]:
    return (board.shape.names[ply.sat],)
