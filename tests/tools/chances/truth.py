"""Whether chances came true: the Brier score, tenths of the scale, and the curve that fits best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import exp, log
from statistics import fmean
from typing import NamedTuple

from games.core.computer import Curve
from tests.tools.chances.points import Point

TENTHS = 10

OVERLOOKED = (0.0, 0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15)
"""Which shares are tried of what is overlooked."""

STEPS = 20
"""How many steepnesses are tried to either side of the one known: up to e^2 times it."""

FAR, FAR_SHARE, APART = 0.35, 0.8, 0.004
"""How far the figures of a few games may lie off those known before: deviations of their logs."""

HANG_TOGETHER = 0.5
"""What the points of a game count for, which came to one end."""

LEAST = 1e-4


class Tenth(NamedTuple):
    """One tenth of the scale: how many points, what they said on average, and what was won."""

    points: int
    said: float
    won: float


def brier(points: Sequence[Point]) -> float:
    """The mean square of what was said less what came; always saying a half scores 0.25 or less."""
    return fmean((one.chance - one.won) ** 2 for one in points)


def by_stage(points: Sequence[Point]) -> float:
    """The same for who says the mean of that part of the game."""
    stages = {one.stage for one in points}
    mean = {stage: fmean(p.won for p in points if p.stage == stage) for stage in stages}
    return brier([replace(one, chance=mean[one.stage]) for one in points])


def tenths(points: Sequence[Point]) -> list[Tenth]:
    """What was said and won, by tenths of the scale; empty ones are left out."""
    found = []
    for number in range(TENTHS):
        here = [p for p in points if min(int(p.chance * TENTHS), TENTHS - 1) == number]
        if here:
            said, won = fmean(p.chance for p in here), fmean(p.won for p in here)
            found.append(Tenth(len(here), said, won))
    return found


def reliability(points: Sequence[Point]) -> float:
    """The mean square of what was said less what was won, tenth by tenth."""
    return sum(one.points * (one.said - one.won) ** 2 for one in tenths(points)) / len(points)


def fitted(points: Sequence[Point], known: Curve) -> Curve:
    """The curve that makes the results of *points* likeliest, with the one *known* before."""
    tries = [known.steepness * exp(step / (STEPS / 2)) for step in range(-STEPS, STEPS + 1)]
    curves = [Curve(steep, share) for steep, share in product(tries, OVERLOOKED)]
    return max(curves, key=lambda curve: _likelihood(points, curve) - _surprise(curve, known))


def _likelihood(points: Sequence[Point], curve: Curve) -> float:
    """The logarithm of how likely the results are by *curve*."""
    total = 0.0
    for one in points:
        chance = min(max(curve.chance(one.chance), LEAST), 1 - LEAST)
        total += one.won * log(chance) + (1 - one.won) * log(1 - chance)
    return HANG_TOGETHER * total


def _surprise(curve: Curve, known: Curve) -> float:
    """How far *curve* lies off the one *known*."""
    steep = log(curve.steepness / known.steepness) / FAR
    share = log((curve.overlooked + APART) / (known.overlooked + APART)) / FAR_SHARE
    return (steep**2 + share**2) / 2
