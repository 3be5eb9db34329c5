"""Problems of Parchís: the move with the best chance, by games played out in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from math import sqrt

from games.core import Budget, Seat
from games.core.computer import Below, PosedProblem
from games.core.search import EndlessBudget
from games.parchis.computer import eagerness, liked, weigh, winner_of_playout
from games.parchis.moves import Move, Stage
from games.parchis.notation import written
from games.parchis.rules import Parchis

GAP = 0.04
"""By how much of a game the best move is better than the next one, at least."""

SURE = 2.576
"""Deviations of a mean outside of which it lies once in a hundred times."""

BATCH, MOST = 50, 4_000
"""How many pairs are played before the next look, and in all."""

LOOK = ((10, 0.08), (25, 0.09), (50, 0.1), (100, 0.1))
"""After how many pairs a first look is taken, and by how much the best move must be ahead then.

By the last it must be ahead beyond doubt.
"""

CLEAR = 0.1
"""By how much the opinion of the best level must tell the two best moves apart."""

ALWAYS = 12
"""A beginner always finds what they like by more squares than this."""

DECIDED = 0.85
"""An opinion beyond which a game is as good as over."""

LEVEL = 2
"""The level that plays the games out."""


MOTIFS = {
    "capture": r"^[^|]*\| [^|]*x",
    "meta": r"^[^|]*\| [^|]*>meta",
    "corridor": r"^[^|]*\| [^|]*>p",
    "refuge": r"^[^|]*\| [^|]*>(5|12|17|22|29|34|39|46|51|56|63|68)\b",
    "ten": r" \+10 ",
    "six": r" d6 ",
    "middle": r"^(?!.*=(\d+,)*72)",
    "last": r"=(\d+,)*72,(\d+,)*72,(\d+,)*72",
}
"""What the move does or is made with, and how far the game is."""


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


class Luck:
    """The luck of a game: the rolls of each seat in order, and apart from them the tastes.

    Whatever else happens in two games with the same luck, nobody's next roll differs.
    """

    def __init__(self, seed: int, seats: int) -> None:
        below = Draws(seed)
        self.tastes = Draws(below(1 << 62))
        self.dice = tuple(Draws(below(1 << 62)) for _ in range(seats))


def pose(position: Parchis, seat: Seat, budget: Budget, below: Below) -> PosedProblem | None:
    """The one move of *seat* that wins more games than any other, beyond doubt."""
    if position.stage not in (Stage.DIE, Stage.BONUS) or position.turn != seat:
        return None
    told = sorted(weigh(position, seat, budget), key=lambda one: -one[1])
    if len(told) < 2 or abs(told[0][1]) > DECIDED or told[0][1] - told[1][1] < CLEAR:
        return None
    best, others = told[0][0], [move for move, _ in told[1:]]
    # What a beginner always finds is no riddle.
    eager = {move: eagerness(position, move) for move, _ in told}
    if all(eager[best] - eager[other] > ALWAYS for other in others):
        return None
    # A first look with luck of its own, the same in every proof, is soon done with most positions.
    look = _Pairs(position, seat, Draws(0))
    if not all(_seems_better(look, best, other, budget) for other in others):
        return None
    proof = _Pairs(position, seat, below)
    found = list(takewhile(bool, (_lead_over(proof, best, other, budget) for other in others)))
    if len(found) < len(others):
        return None
    return PosedProblem("best", {written(position, best): None}, proof=" ".join(found))


@dataclass
class _Pairs:
    """Games that *seat* plays out from *position* after different moves, with the same luck."""

    position: Parchis
    seat: Seat
    below: Below
    _seeds: list[int] = field(default_factory=list)
    _won: dict[Move, list[bool]] = field(default_factory=dict)

    def gains(self, best: Move, other: Move, count: int) -> list[int]:
        """Of *count* pairs of games 1 where only the one with *best* is won, -1 for *other*, or 0.

        A game that has been played for another pair is not played again.
        """
        while len(self._seeds) < count:
            self._seeds.append(self.below(1 << 32))
        pairs = zip(self._games(best, count), self._games(other, count), strict=True)
        return [first - second for first, second in pairs]

    def _games(self, move: Move, count: int) -> list[bool]:
        won, after = self._won.setdefault(move, []), self.position.after(move)
        for seed in self._seeds[len(won) : count]:
            luck = Luck(seed, len(after.colours))
            won.append(
                winner_of_playout(after, luck.dice, partial(_prefer, luck.tastes)) == self.seat
            )
        return won[:count]


def _seems_better(look: _Pairs, best: Move, other: Move, budget: Budget) -> bool:
    """Whether a first look shows *best* to win clearly more of the games than *other*."""
    for count, least in LOOK:
        mean, error = spread(look.gains(best, other, count))
        if mean < least or budget.is_spent():
            return False
        if count >= BATCH and mean - error > 0:
            return True
    return False


def _lead_over(proof: _Pairs, best: Move, other: Move, budget: Budget) -> str:
    """By how much *best* wins more of the games than *other*; "" unless by ``GAP`` beyond doubt.

    It is told as the pairs played and the interval, in thousandths: ``150:12..188``.
    """
    for count in range(BATCH, MOST + 1, BATCH):
        mean, error = spread(proof.gains(best, other, count))
        if mean >= GAP and mean - error > 0:
            return f"{count}:{1_000 * (mean - error):.0f}..{1_000 * (mean + error):.0f}"
        if mean + error < GAP or budget.is_spent():
            break
    return ""


def spread(found: Sequence[int]) -> tuple[float, float]:
    """The mean of *found*, and how far from it the true one may lie, 99 times in 100."""
    count = len(found)
    mean = sum(found) / count
    variance = sum((one - mean) ** 2 for one in found) / max(1, count - 1)
    return mean, SURE * sqrt(variance / count)


def _prefer(below: Below, state: Parchis, moves: Sequence[Move]) -> Move:
    return liked(state, moves, LEVEL, EndlessBudget(), below)[0]
