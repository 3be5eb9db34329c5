"""Every game by taps on the picture alone, against the computer, in a real browser."""

from __future__ import annotations

import random

import pytest

from games.core.shelf import shelf
from tests.drives.browsing import browser_of, chromium, come_in, open_table, program, until

__all__ = ["chromium", "program"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
MOVES = 10
"""How many moves are played of a game that is not over before."""

PLACES = "#board > .pic .spot[data-spot], #board > .pic .end"
KEYS = "#board .acts > .keys .key, #board .acts .key.final"
MIDDLES = """(all) => all.map((one) => one.getBoundingClientRect())
    .map((box) => [box.x + box.width / 2, box.y + box.height / 2])"""
SHOWN = """() => JSON.stringify([
    document.querySelector('#board h2').textContent,
    document.querySelector('#board > .pic img').getAttribute('src'),
    document.querySelector('#acts').textContent,
    document.querySelectorAll('#log li').length,
])"""


def waits(page) -> bool:
    """Wait until something can be chosen; false once the game is over."""
    until(
        page, f"document.querySelector({PLACES + ', ' + KEYS!r}) || document.querySelector('.over')"
    )
    return page.query_selector("#board.over") is None


def tap(page, rng: random.Random, *, ready: bool) -> None:
    """Tap any place of the picture, or where a question has none, any of its answers.

    Who is *ready* ends what can be ended, such as a set-up.
    """
    before, final = page.evaluate(SHOWN), page.query_selector("#board .acts .key.final")
    if final and ready:
        final.click()
    elif middles := page.eval_on_selector_all(PLACES, MIDDLES):
        page.mouse.click(*rng.choice(middles))
    elif keys := page.query_selector_all(KEYS):
        rng.choice(keys).click()
    until(page, f"old => ({SHOWN})() !== old", before)


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(shelf()))
def test_a_game_is_played_by_taps_alone(program, chromium, key):
    rng = random.Random(key)
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")
        open_table(page, f"/jugar {key} ordenador nivel=1")
        taps = 0
        while waits(page) and len(page.query_selector_all("#log li")) < 2 * MOVES:
            tap(page, rng, ready=taps > 3)
            taps += 1
            assert taps < 40 * MOVES
        told = page.eval_on_selector_all("#log b", "all => all.map((one) => one.textContent)")
        assert told.count("Nerea") >= 2
