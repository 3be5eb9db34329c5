"""The page in Debian's Firefox: a whole game by fingers, the others begun, every size."""

from __future__ import annotations

import random

import pytest

from games.core.shelf import shelf
from tests.browser.test_browser_layout import (
    AXE,
    GRAVE,
    SIZES,
    SMALLEST,
    everywhere,
    shows_of_a_table,
    stays_in_view,
)
from tests.browser.test_browser_ways import ByDragging, ByTaps, plays
from tests.drives.browsing import program, until
from tests.drives.firefox_driver import FIREFOX, Firefox, Page, running

__all__ = ["program"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.slow,
    pytest.mark.timeout(7200),
    pytest.mark.skipif(FIREFOX is None, reason="there is no firefox-esr on this machine"),
]

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def firefox(tmp_path):
    folder = tmp_path / "profile"
    folder.mkdir()
    with running(folder) as browser:
        yield browser


def entered(firefox: Firefox, address: str) -> Page:
    """The page of somebody who has just come in."""
    page = firefox.new_page()
    page.set_viewport_size(PHONE)
    page.goto(address)
    until(page, "document.querySelector('#name')")
    page.fill("#name", "Nerea")
    page.click("#asked button")
    until(page, "!document.querySelector('#asked')")
    return page


def home(page: Page) -> None:
    page.click("#new")
    until(page, "document.body.classList.contains('home')")


def test_a_whole_game_is_played_by_fingers(program, firefox):
    page = entered(firefox, program.address)
    player = ByTaps(page, random.Random(16))
    assert plays(player, page, "niya", None) >= 2
    assert player.over()


@pytest.mark.parametrize("hand", [ByTaps, ByDragging])
def test_every_game_is_begun_and_its_board_is_wholly_in_view(program, firefox, hand):
    page = entered(firefox, program.address)
    player = hand(page, random.Random(17))
    for key in sorted(shelf()):
        assert plays(player, page, key, 2) >= 2, key
        until(page, "document.querySelector('#board > .pic').dataset.picture")
        everywhere(page)
        page.set_viewport_size(PHONE)
        home(page)


@pytest.mark.parametrize("key", sorted(shelf()))
def test_the_board_is_wholly_in_view_whatever_is_said_beside_it(program, firefox, key):
    page = entered(firefox, program.address)
    stays_in_view(page, f"/jugar {key} ordenador nivel=1")


@pytest.mark.skipif(not AXE.exists(), reason="npm install has not brought axe-core")
def test_no_state_of_the_page_has_a_barrier(program, firefox):
    page = entered(firefox, program.address)
    page.run(AXE.read_text() + ";0")
    assert page.evaluate(GRAVE) == []
    for shown in shows_of_a_table(page, (SMALLEST, *SIZES)):
        assert page.evaluate(GRAVE) == [], shown
