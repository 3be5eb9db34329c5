"""A newcomer finds his way, in short; all of it is ``python -m tests.drives.newcomer``."""

from __future__ import annotations

import pytest

from tests.drives.newcomer import first_choice, whole_game
from tests.drives.newcomer_eyes import looking_from
from tests.drives.world import EMULATORS, emulators

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not EMULATORS.is_dir(), reason=f"there are no emulators in {EMULATORS}"),
]


async def test_two_presses_lead_a_newcomer_in_private_to_his_first_choice(tmp_path):
    emulators()
    async with looking_from("telegram private", tmp_path) as eyes:
        assert await first_choice(eyes, "Niya", "computer") == "2"
        assert not eyes.faults()


@pytest.mark.slow
async def test_a_newcomer_plays_a_whole_game_by_what_the_screen_says(tmp_path):
    emulators()
    async with looking_from("telegram private", tmp_path) as eyes:
        await whole_game(eyes, "Niya")
        assert not eyes.faults()
