"""The careful figure of ladders: luck does not float, and the order is hardly worse for it."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from itertools import combinations
from statistics import mean

from bot.standing.rating import CAREFUL, Rating, after_game

NOW = datetime(2026, 12, 1, tzinfo=UTC)
PEOPLE, GAMES, FEW = 40, 178, 5
"""The busiest game of a club of forty in its month."""


def month(seed: int, spread: float) -> tuple[list[float], dict[int, Rating], list[int]]:
    """What people are worth in Elo, their ratings, and how many games each has played."""
    rng = random.Random(seed)
    worth = [rng.gauss(0, spread) for _ in range(PEOPLE)]
    eager = [rng.paretovariate(1.2) for _ in range(PEOPLE)]
    known, games = dict[int, Rating](), [0] * PEOPLE
    for _ in range(GAMES):
        two = set(rng.choices(range(PEOPLE), eager, k=2))
        if len(two) < 2:
            continue
        order = sorted(two, key=lambda one: -rng.gauss(worth[one], 200))
        after = after_game([known.get(one, Rating()) for one in order], (1, 2), NOW)
        known |= zip(order, after, strict=True)
        for one in order:
            games[one] += 1
    return worth, known, games


def ladder(known: dict[int, Rating], careful: float) -> list[int]:
    return sorted(known, key=lambda one: -(known[one].mu - careful * known[one].sigma))


def lucky(careful: float) -> float:
    """How many of the first three have played a few games only, where all are equal."""
    found = []
    for seed in range(40):
        _, known, games = month(seed, 0)
        found += [games[one] < FEW for one in ladder(known, careful)[:3]]
    return mean(found)


def agreement(careful: float) -> float:
    """Kendall's tau of the ladder and what people are worth, where that differs."""
    found = []
    for seed in range(25):
        worth, known, _ = month(seed, 300)
        pairs = combinations(ladder(known, careful), 2)
        found += [1 if worth[one] > worth[other] else -1 for one, other in pairs]
    return mean(found)


def test_luck_floats_much_less_often_and_the_order_is_as_good():
    assert lucky(CAREFUL) < 0.65 * lucky(0)
    assert agreement(CAREFUL) > 0.96 * agreement(0)
    assert Rating(25.0, 2.0).strength == 1500 - round(CAREFUL * 48)
