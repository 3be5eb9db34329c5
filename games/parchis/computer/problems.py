"""Problems of Parchís: the move with the best chance, by games played out in pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

from games.core import CHANCE, Budget, Seat
from games.core.problem import PosedProblem
from games.parchis.computer import choose, eagerness, weigh
from games.parchis.moves import Move, Stage
from games.parchis.notation import written
from games.parchis.rules import Parchis

GAP = 0.04
"""By how much of a game the best move is better than the next one, at least."""

SURE = 2.576
"""Deviations of a mean outside of which it lies once in a hundred times."""

BATCH, MOST = 100, 4_000
"""How many pairs are played before the next look, and in all."""

ENOUGH = 400
"""After so many pairs what is not better by then is given up."""

CLEAR = 0.1
"""By how much the opinion of the best level must tell the two best moves apart."""

DECIDED = 0.85
"""An opinion beyond which a game is as good as over."""

LONGEST = 4_000
"""More steps than any game takes."""

LEVEL = 2
"""The level that plays the games out."""


@dataclass
class Draws:
    """Draws from a seed alone, so that two games can be played with the same luck."""

    state: int

    def __call__(self, cases: int) -> int:
        """A number from 0 … cases-1 (splitmix64)."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & (1 << 64) - 1
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & (1 << 64) - 1
        return (mixed ^ mixed >> 31) % cases


@dataclass
class _Unlimited:
    def spent(self) -> bool:
        return False


def pose(
    position: Parchis, seat: Seat, budget: Budget, below: Callable[[int], int]
) -> PosedProblem | None:
    """The one move of *seat* that wins more games than any other, beyond doubt."""
    if position.stage not in (Stage.DIE, Stage.BONUS) or position.turn != seat:
        return None
    told = sorted(weigh(position, seat, budget), key=lambda one: -one[1])
    if len(told) < 2 or abs(told[0][1]) > DECIDED or told[0][1] - told[1][1] < CLEAR:
        return None
    best, others = told[0][0], [move for move, _ in told[1:]]
    # What a beginner sees at once is no riddle.
    if all(eagerness(position, best) > eagerness(position, one) for one in others):
        return None
    if not all(is_better(position, seat, best, other, budget, below) for other in others):
        return None
    return PosedProblem("best", {written(position, best): None})


def is_better(
    position: Parchis,
    seat: Seat,
    best: Move,
    other: Move,
    budget: Budget,
    below: Callable[[int], int],
) -> bool:
    """Whether *best* wins ``GAP`` more of the games than *other*, 99 times in 100.

    Both are followed by games with the same luck, so that what differs is the move.
    """
    found: list[int] = []
    while len(found) < MOST and not budget.spent():
        found += [gain(position, seat, (best, other), below(1 << 32)) for _ in range(BATCH)]
        mean, error = spread(found)
        if mean - error > 0 and mean >= GAP:
            return True
        if mean + error < GAP or (len(found) >= ENOUGH and mean < GAP):
            return False
    return False


def spread(found: Sequence[int]) -> tuple[float, float]:
    """The mean of *found*, and how far from it the true one may lie, 99 times in 100."""
    count = len(found)
    mean = sum(found) / count
    variance = sum((one - mean) ** 2 for one in found) / max(1, count - 1)
    return mean, SURE * sqrt(variance / count)


def gain(position: Parchis, seat: Seat, moves: tuple[Move, Move], seed: int) -> int:
    """1 where *seat* wins after the first of *moves* and not after the second; -1; or 0."""
    won = [winner(position.after(move), Draws(seed)) == seat for move in moves]
    return won[0] - won[1]


def winner(state: Parchis, draws: Draws) -> Seat:
    """Who is first where all play at ``LEVEL`` from *state* on."""
    never = _Unlimited()
    for _ in range(LONGEST):
        if state.finished:
            break
        (seat,) = state.actors()
        moves = state.legal_moves(seat)
        if seat == CHANCE:
            move = moves[draws(len(moves))]
        elif len(moves) == 1:
            move = moves[0]
        else:
            move = choose(state, seat, LEVEL, never, draws).move
        state = state.after(move)
    return state.finished[0]
