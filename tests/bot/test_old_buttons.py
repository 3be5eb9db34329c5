"""The buttons of release 0.1: each gets the present board and one sentence, and plays nothing."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
from itertools import count
from pathlib import Path

import pytest

from bot.port import Press, Where
from bot.texts import language
from games.core import phrase
from tests.databases import of_files
from tests.fakes import UPDATES, FakeChat, Message, desk, person

pytestmark = of_files

DATA = Path(__file__).parents[1] / "data" / "storage"
HOUSE = json.loads((DATA / "0.1-house.json").read_text())
ANA = person("Ana")
"""She has chosen English in that house."""
STALE = language("en").say(phrase("house.stale"))
OUTDATED = language("en").say(phrase("house.outdated"))


@pytest.fixture
async def at(tmp_path):
    with sqlite3.connect(tmp_path / "games.db") as database:
        database.executescript((DATA / "0.1-house.sql").read_text())
    database.close()
    async with desk(tmp_path) as opened:
        # What is new in the place has a number that no board of that house has.
        opened.chat._numbers = count(100)
        await opened.settle()
        yield opened


def shown_in(chat: FakeChat, button: dict[str, str]) -> Message:
    return chat.messages[button["message"]]


@pytest.mark.slow
async def test_every_button_gets_the_present_board_and_one_sentence(at, caplog):
    versions = {
        code: (await at.facade.services.tables.get(code)).version for code in HOUSE["tables"]
    }
    for button in HOUSE["buttons"]:
        at.chat.messages.pop(button["message"], None)
        where = Where("fake", button["place"] or "group", private=button["place"] == "eva")
        message = button["message"] or None
        press = Press(f"old{next(UPDATES)}", where, ANA, button["code"], message)
        answer = await at.facade.requests.press(press)
        await at.settle()
        assert (answer.good, answer.said) == (False, STALE if button["table"] else OUTDATED)
        if button["table"]:
            board = shown_in(at.chat, button).screen
            assert (board.table, board.version) == (button["table"], versions[button["table"]])
    now = {code: (await at.facade.services.tables.get(code)).version for code in HOUSE["tables"]}
    assert now == versions
    assert not [told for told in caplog.records if told.levelno >= logging.ERROR]


@pytest.mark.slow
async def test_the_board_shown_for_an_old_button_has_buttons_that_play(at):
    code, old = next((b["table"], b) for b in HOUSE["buttons"] if b["code"].startswith("m."))
    where = Where("fake", old["place"])
    await at.facade.requests.press(Press("old", where, ANA, old["code"], old["message"]))
    await at.settle()
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    mover = person(table.players[seat].name)
    board = shown_in(at.chat, old)
    codes = [button.code for row in board.screen.rows for button in row]
    assert old["code"] not in codes
    for tap in range(3):
        board = shown_in(at.chat, old)
        assert (await at.press(mover, board, code=board.moves[0].code, update=f"new{tap}")).good
        if (await at.facade.services.tables.get(code)).version > table.version:
            return
    raise AssertionError("three taps make no move")


async def test_an_old_button_with_other_bytes_is_a_forged_one(at):
    old = next(b for b in HOUSE["buttons"] if b["code"].startswith("m."))
    code = re.sub(r".$", lambda last: "A" if last[0] != "A" else "B", old["code"])
    press = Press("forged", Where("fake", old["place"]), ANA, code, old["message"])
    answer = await at.facade.requests.press(press)
    assert answer.said == language("en").say(phrase("house.forged"))
