"""Alpha-beta on the bare board, deepened ply by ply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.cirya.board import Board
from games.cirya.computer.evaluation import nearest, worth
from games.cirya.moves import Kind, Place, Ply
from games.cirya.rules import londe, quildear
from games.core import Budget

WIN = 1_000_000
"""The value of a londë, less one for each ply it takes."""

CALM = 100_000
"""The value of a quildëar won."""


class Spent(Exception):
    """The budget is used up: the search ends where it is."""


@dataclass
class Search:
    """One thought: how many boards it may look at, and what it has learned."""

    budget: Budget
    nodes: int
    best: dict[Board, Ply] = field(default_factory=dict)
    seen: int = 0

    def value(self, board: Board, depth: int, alpha: int, beta: int) -> int:
        """The value of *board* for its mover after *depth* more plies.

        Raises ``Spent``.
        """
        self.seen += 1
        if self.seen > self.nodes or (self.seen % 256 == 0 and self.budget.spent()):
            raise Spent
        end = ended(board)
        if end is not None:
            return end
        if depth == 0:
            # A sat that completes the mover's londë is as good as the londë itself.
            return WIN - 2 if ready(board) else worth(board)
        if ready(board):
            return WIN - 2
        top = -WIN
        for ply in self.ordered(board, board.plies(board.kinds())):
            found = _later(-self.value(board.after(ply), depth - 1, -beta, -alpha))
            if found > top:
                top = found
                self.best[board] = ply
            alpha = max(alpha, top)
            if alpha >= beta:
                break
        return top

    def ordered(self, board: Board, plies: Sequence[Ply]) -> list[Ply]:
        """*plies* with the promising ones first."""
        known = self.best.get(board)
        promise = _Promise(board)
        return sorted(plies, key=lambda ply: (ply != known, promise(ply)))


def ended(board: Board) -> int | None:
    """The value for the mover of a *board* on which the game is over; else ``None``."""
    end = londe(board)
    if end is not None:
        return WIN - 1 if end.winner == board.mover else 1 - WIN
    end = quildear(board)
    if end is None:
        return None
    return 0 if end.winner is None else CALM if end.winner == board.mover else -CALM


def ready(board: Board) -> bool:
    """Whether the mover can complete a londë by placing a piece."""
    hope = nearest(board.shape, board.route(board.mover), board.empty)
    return hope.missing == 1 and any(kind is not Kind.TAMPA for kind in board.kinds())


def _later(value: int) -> int:
    """*value* one ply further away: wins are sought soon, losses late."""
    if value > WIN // 2:
        return value - 1
    return value + 1 if value < -WIN // 2 else value


class _Promise:
    """What to try first: stopping a londë, captures, lying ciryar beside one's own."""

    def __init__(self, board: Board) -> None:
        seat = board.mover
        self.board = board
        self.danger = nearest(board.shape, board.route(1 - seat), board.empty).last
        self.enemy = board.held(1 - seat)
        self.near = board.shape.beside(board.route(seat))

    def __call__(self, ply: Ply) -> int:
        """Low is promising."""
        if isinstance(ply, Place):
            bit = 1 << ply.sat
            stops = 100 if self.danger & bit else 0
            return -stops - (10 if self.near & bit else 0) - (ply.kind is not Kind.TAMPA) * 8
        ray = self.board.shape.rays[ply.way][ply.sat][: len(ply.drops)]
        stops = sum(60 for there in ray if self.danger >> there & 1)
        taken = sum(12 for there in ray if self.enemy >> there & 1)
        return -stops - taken + 2 * sum(ply.drops)


def ranked(search: Search, board: Board, plies: Sequence[Ply], depth: int) -> list[tuple[int, Ply]]:
    """*plies* with their values, best first, from the deepest look that was finished.

    Values of plies that are not best are upper bounds, except at a depth of one.
    """
    order = [(0, ply) for ply in search.ordered(board, plies)]
    for deep in range(1, depth + 1):
        found: list[tuple[int, Ply]] = []
        alpha = -WIN
        try:
            for _, ply in order:
                floor = -WIN if deep == 1 else alpha
                value = _later(-search.value(board.after(ply), deep - 1, -WIN, -floor))
                found.append((value, ply))
                alpha = max(alpha, value)
        except Spent:
            # The best so far of an unfinished look is at least as good as what it replaces.
            best = max(found, default=None, key=lambda one: one[0])
            return [best, *order] if best and best[0] > order[0][0] else order
        order = sorted(found, key=lambda one: -one[0])
        if abs(order[0][0]) > WIN // 2:
            break
    return order


def expected(search: Search, board: Board, plies: int) -> list[Ply]:
    """The line that the search expects from *board* on."""
    line: list[Ply] = []
    while len(line) < plies and board in search.best and ended(board) is None:
        line.append(search.best[board])
        board = board.after(line[-1])
    return line
