"""Whether chances came true: the Brier score, fifths of the scale, and the curve that fits best."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt, tanh
from statistics import fmean
from typing import NamedTuple

from tests.tools.chances.points import Point

FIFTHS = 5

FLAT, STEEP = 0.01, 100.0
"""Between which factors the steepness of a curve is sought."""

SURELY = 0.995
"""What is counted from a hundred games and more is no surer than this."""


class Fifth(NamedTuple):
    """One fifth of the scale: how many points, what they said on average, and what was won."""

    points: int
    said: float
    won: float


def brier(points: Sequence[Point]) -> float:
    """The mean square of what was said less what came; always saying a half scores 0.25 or less."""
    return fmean((one.chance - one.won) ** 2 for one in points)


def half(points: Sequence[Point]) -> float:
    """The same for who always says a half."""
    return fmean((0.5 - one.won) ** 2 for one in points)


def fifths(points: Sequence[Point]) -> list[Fifth]:
    """What was said and won, by fifths of the scale; empty ones are left out."""
    found = []
    for number in range(FIFTHS):
        here = [p for p in points if min(int(p.chance * FIFTHS), FIFTHS - 1) == number]
        if here:
            said, won = fmean(p.chance for p in here), fmean(p.won for p in here)
            found.append(Fifth(len(here), said, won))
    return found


def steepness(points: Sequence[Point]) -> float:
    """By how much the log odds that were said must be multiplied to fit best what came.

    The logistic curve through a half that makes the results likeliest, from ``FLAT`` to ``STEEP``;
    what is proved is no opinion and left out.
    """
    said = [(min(max(p.chance, 1 - SURELY), SURELY), p.won) for p in points if not p.proved]
    pairs = [(log(chance / (1 - chance)), won) for chance, won in said]
    flat, steep = FLAT, STEEP
    for _ in range(40):
        factor = sqrt(flat * steep)
        # The likelihood has one maximum: where its slope is positive, a steeper curve fits better.
        slope = sum(odds * (won - (1 + tanh(factor * odds / 2)) / 2) for odds, won in pairs)
        flat, steep = (factor, steep) if slope > 0 else (flat, factor)
    return sqrt(flat * steep)
