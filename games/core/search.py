"""Alpha-beta search for games of two, and counting of move trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.core.game import Budget
from games.core.position import AnyPosition, Position, Seat

WIN = 1_000_000.0
"""The value of a won position, less one for each ply it takes."""

Evaluate = Callable[[AnyPosition, Seat], float]
Order = Callable[[AnyPosition, Seat, Sequence[Any]], Sequence[Any]]


@dataclass(frozen=True)
class Spent:
    """A budget of *nodes* positions on top of another; the games have no clock of their own."""

    outer: Budget
    nodes: int
    seen: list[int] = field(default_factory=lambda: [0])

    def spent(self) -> bool:
        """Whether the nodes or the outer budget are used up."""
        self.seen[0] += 1
        return self.seen[0] > self.nodes or (self.seen[0] % 64 == 0 and self.outer.spent())


@dataclass(frozen=True)
class AlphaBeta:
    """Alpha-beta for games of two without chance.

    *evaluate* judges a position for a seat, well inside ±``WIN``; *order* puts promising
    moves first.
    """

    evaluate: Evaluate[Any]
    order: Order[Any]
    budget: Budget

    def ranked(
        self, position: Position[Any], seat: Seat, depth: int
    ) -> list[tuple[float, Any, tuple[Any, ...]]]:
        """Every legal move with its value and the line expected, best first.

        Values of moves that cannot be best are upper bounds. When the budget is spent the
        moves not yet looked at are left out; at least one move is always answered.
        """
        found: list[tuple[float, Any, tuple[Any, ...]]] = []
        best = -WIN * 2
        for move in self.order(position, seat, position.legal_moves(seat)):
            value, line = self._after(position, move, seat, depth - 1, -WIN * 2, -best)
            found.append((value, move, (move, *line)))
            best = max(best, value)
            if self.budget.spent():
                break
        return sorted(found, key=lambda one: -one[0])

    def _after(
        self, position: Position[Any], move: Any, seat: Seat, depth: int, alpha: float, beta: float
    ) -> tuple[float, tuple[Any, ...]]:
        """The value for *seat* of playing *move*; *alpha* and *beta* are the opponent's."""
        following = position.after(move)
        end = following.outcome()
        if end is not None:
            winner = end.winner
            return (0.0 if winner is None else (WIN if winner == seat else -WIN)), ()
        (mover,) = following.actors()
        if depth <= 0 or self.budget.spent():
            return self.evaluate(following, seat), ()
        if mover == seat:
            value, line = self._best(following, seat, depth, -beta, -alpha)
        else:
            other, line = self._best(following, mover, depth, alpha, beta)
            value = -other
        return (value - 1 if value > WIN / 2 else value + 1 if value < -WIN / 2 else value), line

    def _best(
        self, position: Position[Any], seat: Seat, depth: int, alpha: float, beta: float
    ) -> tuple[float, tuple[Any, ...]]:
        best, line = -WIN * 2, ()  # type: tuple[float, tuple[Any, ...]]
        for move in self.order(position, seat, position.legal_moves(seat)):
            value, reply = self._after(position, move, seat, depth - 1, -beta, -max(alpha, best))
            if value > best:
                best, line = value, (move, *reply)
            if best >= beta:
                break
        return best, line


def perft(position: Position[Any], depth: int) -> int:
    """How many sequences of *depth* legal moves there are; draws count as moves."""
    if depth == 0:
        return 1
    seats = position.actors()
    if depth == 1:
        return sum(len(position.legal_moves(seat)) for seat in seats)
    return sum(
        perft(position.after(move), depth - 1)
        for seat in seats
        for move in position.legal_moves(seat)
    )
