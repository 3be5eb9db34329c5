"""The computer players of Cubo: 1 sees what wins now, 2 also what must be closed, 3 looks ahead."""

from __future__ import annotations

from collections.abc import Callable

from games.core import Budget, ChosenMove, Seat
from ludoteca_cubo.board import LINES, THROUGH
from ludoteca_cubo.notation import written
from ludoteca_cubo.rules import EMPTY, MARKS, Cube
from ludoteca_cubo.speech import completing

WORTH = (0, 1, 6, 30, 10_000)
"""What a line is worth that holds only own stones, by their number."""

BREADTH = 12
"""So many of the best-looking moves are looked at."""

DEEPEST = 6
"""How many plies the third level looks ahead, if there is time."""


def choose(
    position: Cube, seat: Seat, level: int, budget: Budget, below: Callable[[int], int]
) -> ChosenMove:
    """The move of a computer of *level*."""
    if winning := list(completing(position, seat)):
        return _chosen(position, winning[0], 1.0, exact=True)
    moves = position.legal_moves(seat)
    if level == 1:
        return _chosen(position, moves[below(len(moves))], 0.0)
    forced = list(completing(position, 1 - seat))
    tried = sorted(forced or moves, key=lambda move: (-_worth_of(position, move), below(1000)))
    value = 0.0
    if level > 2:
        for depth in range(2, DEEPEST + 1):
            found = _ranked(position, tried[:BREADTH], depth, budget)
            if found is None:
                break
            value, tried = found[0][0], [move for _, move in found]
    return _chosen(position, tried[0], max(-1.0, min(1.0, value / WORTH[4])))


def _chosen(position: Cube, move: int, value: float, *, exact: bool = False) -> ChosenMove:
    return ChosenMove(move, value, (written(position, move),), exact=exact)


def _ranked(
    position: Cube, moves: list[int], depth: int, budget: Budget
) -> list[tuple[float, int]] | None:
    """*moves* with their values, the best first; ``None`` once *budget* is spent."""
    found = []
    for move in moves:
        value = _searched(position.after(move), depth - 1, -1e9, 1e9, budget)
        if value is None:
            return None
        found.append((-value, move))
    return sorted(found, key=lambda pair: -pair[0])


def _searched(
    position: Cube, depth: int, alpha: float, beta: float, budget: Budget
) -> float | None:
    """The value for the seat to move, *depth* plies ahead; ``None`` once *budget* is spent."""
    if budget.is_spent():
        return None
    seat = position.turn
    if next(completing(position, seat), None) is not None:
        return float(WORTH[4])
    if depth <= 0:
        return _worth(position, seat)
    moves = list(completing(position, 1 - seat)) or list(position.open_cells())
    if not moves:
        return 0.0
    best = -1e9
    for move in sorted(moves, key=lambda one: -_worth_of(position, one))[:BREADTH]:
        after = _searched(position.after(move), depth - 1, -beta, -alpha, budget)
        if after is None:
            return None
        best = max(best, -after * 0.99)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def _worth(position: Cube, seat: Seat) -> float:
    """The lines still open to *seat* less those open to the other."""
    own, other = MARKS[seat], MARKS[1 - seat]
    total = 0
    for line in LINES:
        stones = [position.stones[cell] for cell in line]
        mine, theirs = stones.count(own), stones.count(other)
        if not theirs:
            total += WORTH[mine]
        elif not mine:
            total -= WORTH[theirs]
    return float(total)


def _worth_of(position: Cube, move: int) -> int:
    """How much stands in the lines through *move*, of either player alone."""
    total = 0
    for line in THROUGH[move]:
        marks = {position.stones[cell] for cell in line} - {EMPTY}
        if len(marks) < 2:
            total += 1 + WORTH[sum(position.stones[cell] != EMPTY for cell in line)]
    return total
