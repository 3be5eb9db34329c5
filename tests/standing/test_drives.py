"""Ratings find strength, and outlive kills."""

from __future__ import annotations

import random
import statistics
from datetime import UTC, datetime, timedelta

import pytest

from bot.standing.rating import Rating, after_game
from tests.drives.rating_kills import killed

PLAYERS, EACH = 60, 50


def converged(spread: float, seed: int) -> tuple[float, float]:
    """How rating and Elo go together after games by lot: the correlation, and the line's slope."""
    rng = random.Random(seed)
    elo = [rng.gauss(1500, spread) for _ in range(PLAYERS)]
    known, at = [Rating() for _ in range(PLAYERS)], datetime(2026, 1, 1, tzinfo=UTC)
    for _ in range(EACH):
        order = rng.sample(range(PLAYERS), PLAYERS)
        for one, other in zip(order[::2], order[1::2], strict=True):
            at += timedelta(minutes=5)
            chance = 1 / (1 + 10 ** ((elo[other] - elo[one]) / 400))
            places = (1, 2) if rng.random() < chance else (2, 1)
            known[one], known[other] = after_game((known[one], known[other]), places, at)
    shown = [one.shown for one in known]
    return statistics.correlation(elo, shown), statistics.linear_regression(elo, shown).slope


def test_ratings_find_strength():
    correlation, slope = converged(300, seed=0)
    assert correlation > 0.94
    assert 0.8 < slope < 1.15


@pytest.mark.slow
def test_a_kill_at_the_end_of_a_rated_game_loses_and_doubles_nothing(tmp_path):
    url = f"sqlite+aiosqlite:///{tmp_path}/games.db"
    assert killed(url, 10, 1, random.Random(38)).breaches == []
