"""The short form of the fault runs; ``python -m tests.faults`` has the full numbers."""

from __future__ import annotations

import pytest

from tests.faults.clicks import repeated, simultaneous, stale
from tests.faults.flags import between
from tests.faults.killed_player import POINTS
from tests.faults.kills import killed
from tests.faults.rematches import inside


@pytest.mark.parametrize("points", [POINTS[1:3], pytest.param(2 * POINTS, marks=pytest.mark.slow)])
def test_f1_f2_a_killed_process_loses_nothing_and_doubles_nothing(tmp_path, points):
    tally = killed(tmp_path, len(points), points)
    assert tally.kills == len(points)
    assert set(tally.points) == set(points)
    assert tally.clean, tally


async def test_f3_updates_delivered_again_are_done_once(tmp_path):
    sent, double = await repeated(tmp_path, 20)
    assert (sent, double) == (20, 0)


async def test_f5_of_simultaneous_clicks_exactly_one_is_accepted(tmp_path):
    assert await simultaneous(tmp_path, 12) == 0


async def test_f6_stale_clicks_change_nothing_also_after_a_restart(tmp_path):
    applied, slowest = await stale(tmp_path, 20)
    assert applied == 0
    assert slowest < 3


@pytest.mark.slow
def test_b6_a_kill_inside_a_rematch_leaves_all_of_it_or_nothing(tmp_path):
    found = inside(tmp_path, 5)
    assert found.kills == 5
    assert found.clean, found


@pytest.mark.slow
def test_a_kill_between_flag_and_display_leaves_one_flag_one_end_and_one_call(tmp_path):
    found = between(tmp_path, 5)
    assert (found.kills, found.tables) == (5, 15)
    assert found.clean, found
