"""The drives of ratings, a small part of each."""

from __future__ import annotations

import random

import pytest

from tests.drives.rating_kills import killed
from tests.drives.ratings import converged


def test_ratings_find_strength():
    """One season of the ten that the drive plays."""
    correlation, slope = converged(300, seed=0)
    assert correlation > 0.94
    assert 0.8 < slope < 1.15


@pytest.mark.slow
def test_a_kill_at_the_end_of_a_rated_game_loses_and_doubles_nothing(tmp_path):
    url = f"sqlite+aiosqlite:///{tmp_path}/games.db"
    assert killed(url, 10, 1, random.Random(38))
