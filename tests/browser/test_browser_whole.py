"""Whole games between two people on two pages, to the end that the rules bring, in every way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.core import Setting
from games.core.shelf import shelf
from tests.browser.test_browser_ways import DRAGGED, FINAL, PHONE, WAYS, entered, offers
from tests.drives.browsing import browser_of, chromium, listed, program, to_move, until

pytestmark = pytest.mark.slow

__all__ = ["chromium", "program"]

SHORT = "7g7f 4a4b 8h3c+ 5a6b 6i6h 6a7b 3c4b 2b4d G*5b"
"""Nine moves of shogi to a mate: one captures and promotes, one is a drop."""

LONG = (
    "2h1h 3a4b 7g7f 8c8d 8h3c+ 2b3c 3g3f 3c9i+ 7i7h L*7d 6i6h 7d7f 3i3h 7f7h+ 6h7h 9i8i P*7f "
    "8i7h L*3b 4a3b 8g8f B*6h 5i5h 6h8f+ 4i4h G*5i"
)
"""Twenty-six moves of shogi to a mate, with ten captures, four promotions and six drops."""

BATTLE = (
    "W ~xk1|W ~xc1|JÞ c2-d2|T2 g3-g4|JÞ d2-e2|JD f2xe2|JD n2-m2|JÞ k2xk1|T1 n3-m3|W c1-~|T5 c3-c4|"
    "W ~xn1|JD m2-l3|JÞ k2xl3|KÞ b1-~|W n1-~|KÞ ~-d1|JD f2-e2|SD o2-n2|JD e2xd1|T4 b3-b4|W ~xo1|"
    "SÞ b2-b3 & SD n2-n1|JD e2-d3|SD n1-n2|PD f1-k1|T1 m3-m2|JÞ k2-l3|SÞ b3-b2 & SD n2-o2|"
    "JÞ l3xm2|JM a2-b3|JD d3xc4|SÞ b2-a2|PD k1-p1|T2 o3-n3|PD p1xp2|T3 a3-a4|PD p1xp3"
)
"""Thirty-eight moves of Storilljuðjorrayc to the end of a royal house, by all kinds of units."""

GAMES = {
    "shogi": ("/jugar shogi", LONG.split(), {}),
    "storilljudhjorrayc": (
        "/jugar storilljudhjorrayc empieza=verde",
        BATTLE.split("|"),
        {"setup": "fixed"},
    ),
}
"""What opens a game, what is played, and from where: both leave the set-up as it is."""


def spelled(key: str, moves: list[str], options: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """The choices that each of *moves* consists of."""
    game = shelf()[key]
    chosen = {option.key: option.default for option in game.rules.options} | options
    position = game.start(Setting(tuple(game.rules.sides), chosen, 0))
    for text in moves:
        (seat,) = position.actors()
        legal = position.legal_moves(seat)
        move = next(one for one in legal if game.notation.written(position, one) == text)
        yield game.menus.steps(position, move)
        position = position.after(move)
    assert position.outcome() is not None, "this is a whole game"


def plays(player: Any, page: Any, steps: tuple[str, ...], before: int, *, dragging: bool) -> None:
    """Make the move that *steps* spell after so many others, and wait until it is on the list."""
    rest = list(steps)
    if dragging and len(rest) > 1 and player.carry(rest[0], rest[1]):
        del rest[:2]
    for step in rest:
        # What has no alternative is not asked.
        if offers(page, step):
            player.choose(step)
    listed(page, before + 1)


def whole(program: Any, chromium: Any, way: str, line: str, moves: list[tuple[str, ...]]) -> None:
    """A game of two people who both play in this *way*; both are told of its end."""
    rng = random.Random(way)
    with browser_of(chromium, **PHONE) as here, browser_of(chromium, **PHONE) as there:
        page, player = entered(here, program.address, way, rng)
        player.begin(line)
        page.wait_for_selector("input.link")
        other, opponent = entered(there, page.input_value("input.link"), way, rng)
        players = {page: player, other: opponent}
        for one in players:
            until(one, "document.querySelector('#board > .pic').dataset.picture")
        to_move(page, other)
        ready = 0
        # Whoever has just handed round the link need not turn to what can be played.
        page.wait_for_selector("#acts", state="visible")
        if page.query_selector(FINAL):
            for one in players:
                one.wait_for_selector(FINAL)
                players[one].turn(ready=True)
            ready = len(players)
        for number, steps in enumerate(moves, ready):
            mover = to_move(page, other)
            plays(players[mover], mover, steps, number, dragging=way == "dragging")
            for one in players:
                listed(one, number + 1)
        for one in players:
            one.wait_for_selector("#board.over")
            assert players[one].over()


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("way", sorted(WAYS))
def test_a_mate_in_nine_moves_ends_the_game_for_both(program, chromium, way):
    whole(program, chromium, way, "/jugar shogi", list(spelled("shogi", SHORT.split(), {})))


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("way", sorted(WAYS))
@pytest.mark.parametrize("key", sorted(GAMES))
def test_two_people_play_to_the_end(program, chromium, key, way):
    assert way != "dragging" or key in DRAGGED
    line, moves, options = GAMES[key]
    whole(program, chromium, way, line, list(spelled(key, moves, options)))
