"""What a move of Parchís is good for besides what its words say: a piece saved, or chased."""

from __future__ import annotations

from games.core import MoveReason, Seat, phrase
from games.parchis.board import HOME, LAST, ROUTES, SAFE
from games.parchis.moves import Go, Man, Move
from games.parchis.notation import piece_name
from games.parchis.rules import Parchis
from games.parchis.speech import chasers, piece_said


def reason(seen: Parchis, seat: Seat, move: Move) -> MoveReason | None:
    """The most telling thing that *move* of *seat*, whose turn it is, does."""
    if not isinstance(move, Go) or move.to == HOME:
        return None
    if move.taken:
        lost = sum(seen.pieces[owner][number] for owner, number in move.taken)
        return _about(seen, "eats", move.taken, lost)
    then, number = seen.after(move), move.pieces[0]
    behind, still = _chased(seen, seat, number), _chased(then, seat, number)
    if behind and not still:
        return _about(seen, "saves", behind, len(behind))
    if still:
        return None
    prey = tuple(
        (other, one)
        for other, pieces in enumerate(then.pieces)
        for one in range(len(pieces))
        if other != seat
        if (seat, number) in _chased(then, other, one)
        if (seat, number) not in _chased(seen, other, one)
    )
    return _about(seen, "chases", prey, len(prey)) if prey else None


def _about(state: Parchis, key: str, men: tuple[Man, ...], n: int) -> MoveReason:
    pieces = tuple(piece_said(state, man) for man in men)
    cells = tuple(piece_name(state, man) for man in men)
    return MoveReason(phrase(f"parchis.reason.{key}", pieces=pieces, n=n), cells)


def _chased(state: Parchis, seat: Seat, number: int) -> tuple[Man, ...]:
    """The pieces of others that one throw may bring onto the piece *number* of *seat*."""
    index = state.pieces[seat][number]
    place = ROUTES[state.colours[seat]][index] if HOME < index <= LAST else None
    if place is None or place in SAFE or state.is_barrier(place):
        return ()
    return tuple(man for man, _ in chasers(state, seat, place))
