"""What is said out of turn and after the end reaches the table, and the right to it ends."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.fakes import Desk, desk, person

NEREA, BRUNO = person("Nerea"), person("Bruno")
SILENT_LONDE = ("e5", "a1", "b1", "a5", "c1", "b5", "d1", "c5", "e1")
"""Swan builds a londë on the first row and never says a word."""


@pytest.fixture
async def at(tmp_path):
    async with desk(tmp_path) as opened:
        yield opened


async def silent_game(at: Desk) -> str:
    """A game of Cirya that ends in a londë nobody announced; its table's code."""
    await at.call(NEREA, "play", game="cirya", side="cisne", seats="2")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    for move in SILENT_LONDE:
        table = await at.house.manager.table(code)
        (seat,) = table.actors()
        who = NEREA if table.players[seat].name == "Nerea" else BRUNO
        answer = await at.call(who, "move", table=code, move=move)
        assert answer.good, (move, answer.said)
    return code


def returning(at: Desk, code: str):
    """The button with which the loser goes back, if it is there."""
    buttons = [b for row in at.chat.board(code).screen.rows for b in row]
    return next((b for b in buttons if b.code.startswith("y.") and "back" in b.code), None)


async def test_c20_the_loser_goes_back_to_where_the_announcement_was_due(at):
    code = await silent_game(at)
    assert (await at.house.manager.table(code)).status == "ended"
    button = returning(at, code)
    assert button is not None
    answer = await at.press(BRUNO, at.chat.board(code), code=button.code)
    assert answer.good, answer.said
    table = await at.house.manager.table(code)
    assert table.status == "playing"
    assert table.outcome is None


async def test_r1_the_right_to_go_back_ends_after_a_day(at):
    code = await silent_game(at)
    button = returning(at, code)
    now = at.house.manager.steady
    at.house.manager.steady = lambda: now() + timedelta(hours=25)
    answer = await at.press(BRUNO, at.chat.board(code), code=button.code)
    assert not answer.good
    assert (await at.house.manager.table(code)).status == "ended"


async def test_r1_the_day_to_go_back_is_counted_from_the_end_whatever_happens_later(at):
    code = await silent_game(at)
    button = returning(at, code)
    now = at.house.manager.steady
    at.house.manager.steady = lambda: now() + timedelta(hours=23)
    await at.press(BRUNO, at.chat.board(code), "Revancha")
    at.house.manager.steady = lambda: now() + timedelta(hours=25)
    answer = await at.press(BRUNO, at.chat.board(code), code=button.code)
    assert not answer.good
    assert (await at.house.manager.table(code)).status == "ended"


async def test_r1_the_right_to_go_back_ends_with_the_rematch(at):
    code = await silent_game(at)
    button = returning(at, code)
    await at.press(NEREA, at.chat.board(code), "Revancha")
    await at.press(BRUNO, at.chat.board(code), "Revancha")
    assert returning(at, code) is None
    answer = await at.press(BRUNO, at.chat.board(code), code=button.code)
    assert not answer.good
