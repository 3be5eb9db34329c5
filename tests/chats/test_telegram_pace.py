"""Presses are answered at once, also where the boards must wait for the pace of a place."""

from __future__ import annotations

import pytest

from bot.port import Screen, Where
from tests.chats.telegram_room import NEREA, Room, room
from tests.telegram_api import GROUP, private

HOME = private(NEREA)


@pytest.fixture
async def at(tmp_path):
    async with room(tmp_path) as opened_room:
        yield opened_room


class Shut:
    """A place that takes nothing until it is opened, however long that takes."""

    def __init__(self, at: Room, chat: dict) -> None:
        where = Where("telegram", str(chat["id"]), private=chat["id"] > 0)
        self.now = 0.0
        self.limiter = at.house.delivery.limiter(where)
        self.limiter.clock = lambda: self.now
        self.limiter.pause(0.1)

    def open(self) -> None:
        self.now = 1000.0


async def test_who_presses_again_while_a_menu_waits_is_answered_at_once(at):
    await at.api.say(NEREA, "/jugar niya ordenador color=rojo empieza=rojo", HOME)
    board = await at.api.until(lambda: at.api.board(NEREA["id"]))
    await at.settle()
    more, words = board.code("Más"), board.code("En palabras")
    shut, edits = Shut(at, HOME), board.edits
    for code in (more, words, more, more):
        await at.api.press(NEREA, board, code)
    assert board.edits == edits
    shut.open()
    await at.api.until(lambda: not at.chat._answers.tasks.busy())
    assert board.edits == edits + 1, "only the last menu is shown"
    assert "Volver" in str(board.rows)


async def test_in_a_group_too_the_next_press_does_not_wait_for_a_menu(at):
    board = await at.begun()
    who, more = at.mover(board), board.code("Más")
    shut, edits = Shut(at, GROUP), board.edits
    for _ in range(3):
        await at.api.press(who, board, more)
    assert board.edits == edits
    shut.open()
    await at.api.until(lambda: board.edits > edits)
    assert board.edits == edits + 1


async def test_a_menu_that_comes_late_does_not_hide_a_newer_board(at):
    where = Where("telegram", str(NEREA["id"]), private=True)
    post = at.chat._outbound
    message = await post.send(where, Screen("AAAAAA", 4, "antes"), None)
    await post.edit(where, message, Screen("AAAAAA", 6, "ahora"), None)
    late = Screen("AAAAAA", 5, "un menú viejo")
    shown = await post.edit(where, message, late, None, unless_newer=True)
    assert not shown.fresh
    assert at.api.messages[NEREA["id"], int(message)].text == "ahora"
    await post.edit(where, message, Screen("AAAAAA", 6, "un menú"), None, unless_newer=True)
    assert at.api.messages[NEREA["id"], int(message)].text == "un menú"
