"""The contact sheet: one command shows every game as it is played."""

import sys

import pytest
from PIL import Image

from bot.session.table import ENDED
from games.core.shelf import shelf
from tests.render import sheet
from tests.render.moments import hard_cases, moments

pytestmark = pytest.mark.sampled


def test_a_sheet_has_four_moments_as_everybody_and_each_seat_see_them(tmp_path, monkeypatch):
    asked = ["sheet", str(tmp_path), "--game", "niya", "--theme", "dark", "--size", "360"]
    monkeypatch.setattr(sys, "argv", asked)
    sheet.main()
    (made,) = tmp_path.iterdir()
    assert made.name == "niya-dark-360.png"
    with Image.open(made) as picture:
        wide, high = picture.size
    assert wide == 4 * (360 + sheet.GAP)
    assert high == 3 * (round(954 * 360 / 800) + sheet.GAP)


@pytest.mark.parametrize("key", shelf())
def test_the_end_on_a_sheet_is_the_end_of_a_game(key):
    shown = moments(key)
    assert [name for name, table in shown.items() if table.status == ENDED] == ["end"]


@pytest.mark.slow
@pytest.mark.parametrize("key", shelf())
def test_every_game_has_its_hard_cases(key):
    assert len(hard_cases(key)) >= 6
    assert {scene.game for scene in hard_cases(key).values()} == {key}
