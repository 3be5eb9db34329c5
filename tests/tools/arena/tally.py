"""What games in pairs prove: the score with its interval, as Elo, and a test to stop early."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, log10, sqrt
from statistics import fmean, variance

Z = 1.96
"""Standard deviations on either side of an interval of 95 %."""

DECIDED = log(19)
"""The log likelihood ratio at which a test errs in 5 of 100 cases, either way."""

FEWEST = 8
"""Pairs before which no test is decided: their spread is not known yet."""

NARROWEST = 0.02
"""The least variance of pairs that a test believes in."""


@dataclass(frozen=True)
class Tally:
    """The scores of one side in *pairs* of games, each game 1 (won), 0.5 (drawn) or 0 (lost)."""

    pairs: tuple[tuple[float, float], ...]

    @property
    def games(self) -> tuple[float, ...]:
        """The scores of all games."""
        return tuple(score for pair in self.pairs for score in pair)

    def count(self, score: float) -> int:
        """How many games ended with *score*."""
        return self.games.count(score)

    @property
    def share(self) -> float:
        """The points won of those played for, 0 to 1; half where nothing was played."""
        return fmean(self.games) if self.pairs else 0.5

    def interval(self) -> tuple[float, float]:
        """The share with 95 % certainty: Wilson's interval, with the spread that pairs show.

        Both games of a pair share their opening, so that they may prove less than two, or more;
        more than games that know nothing of one another they are never trusted to prove.
        """
        if not self.pairs:
            return 0.0, 1.0
        share, games = self.share, 2.0 * len(self.pairs)
        spread = variance(self._means) if len(self.pairs) > 1 else 0.0
        if spread:
            games = min(games, max(len(self.pairs) / 2, share * (1 - share) * games / 2 / spread))
        middle = (share + Z * Z / (2 * games)) / (1 + Z * Z / games)
        inside = share * (1 - share) / games + Z * Z / (4 * games * games)
        half = Z * sqrt(inside) / (1 + Z * Z / games)
        return max(0.0, middle - half), min(1.0, middle + half)

    def likelihood(self, least: float, most: float) -> float:
        """How much likelier a gain of *most* Elo is than one of *least*: a logarithm.

        It is the usual approximation for pairs (GSPRT): their mean is taken for normal.
        """
        if len(self.pairs) < FEWEST:
            return 0.0
        low, high = expected(least), expected(most)
        spread = max(variance(self._means), NARROWEST)
        return len(self.pairs) * (high - low) * (2 * self.share - low - high) / (2 * spread)

    @property
    def _means(self) -> Sequence[float]:
        return [fmean(pair) for pair in self.pairs]


def expected(elo: float) -> float:
    """The share of who is *elo* points better."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo(share: float) -> float:
    """By how many points of Elo somebody is better who wins *share* of the points."""
    if not 0 < share < 1:
        return inf if share else -inf
    return -400 * log10(1 / share - 1)
