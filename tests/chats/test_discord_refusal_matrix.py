"""Some cells of the drive of Discord's switches (``tests.drives.discord_refusal_matrix``)."""

from __future__ import annotations

import random

import pytest

from tests.drives.discord_house import SKIP
from tests.drives.discord_refusal_matrix import MOST_PAIRS, driven, pairs, singles

pytestmark = SKIP

SEED = 35


def sample(count: int) -> list:
    """*count* cells by lot, every third with two switches."""
    rng = random.Random(SEED)
    return [*rng.sample(singles(), count - count // 3), *rng.sample(pairs(SEED), count // 3)]


@pytest.mark.slow
async def test_thirty_cells_answer_in_time_and_catch_up(tmp_path):
    assert (await driven(tmp_path, sample(30))).breaches == []


def test_every_two_switches_that_fit_meet_in_the_covering_array():
    plans = pairs(SEED)
    assert 100 < len(plans) <= MOST_PAIRS
    assert pairs(SEED) == plans
    assert len({names for names, *_ in plans}) > 60
