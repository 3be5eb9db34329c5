"""Who has left a group of Telegram or blocked us: Telegram tells, or is asked at a call."""

from __future__ import annotations

import time

import pytest

from tests.chats.telegram_room import BRUNO, NEREA, Room, refusing
from tests.telegram_api import Refusal
from tests.telegram_messages import BOT, GROUP, Shown, private

CLOSE, PLAY_ON = "Cerrar sin resultado", "Que siga el ordenador"


async def played(at: Room) -> tuple[Shown, dict, dict]:
    """A board of Niya, who is to move, and the other one, who does not look any more."""
    board = await at.begun()
    await at.settle()
    mover = at.mover(board)
    at.facade.services.presence.clock = lambda: time.monotonic() + 60
    return board, mover, BRUNO if mover is NEREA else NEREA


def called(at: Room, name: str) -> list[str]:
    """The messages without a picture that mention somebody."""
    texts = [one.text for one in at.api.messages.values() if one.picture is None]
    return [text for text in texts if text.startswith(name)]


async def test_the_service_message_of_a_leaver_puts_both_ways_out_on_the_board(at):
    board, mover, other = await played(at)
    await at.api.leave(other)
    await at.api.until(lambda: CLOSE in board.labels)
    await at.settle()
    assert PLAY_ON in board.labels
    assert f"{other['first_name']} ya no está aquí" in board.text
    assert called(at, mover["first_name"])
    asked = {one.values["user_id"] for one in at.api.calls("getChatMember")}
    assert str(other["id"]) not in asked
    await at.api.join(other)
    await at.api.until(lambda: CLOSE not in board.labels)


@pytest.mark.slow
async def test_who_left_unheard_is_found_when_they_are_called(at):
    board, mover, other = await played(at)
    at.api.standings[GROUP["id"], other["id"]] = "kicked"
    await at.press(mover, board, board.moves[0])
    await at.api.until(lambda: PLAY_ON in board.labels)
    assert not called(at, other["first_name"])
    assert PLAY_ON in board.labels
    assert len(at.api.calls("getChatMember")) == 1


@pytest.mark.slow
async def test_where_telegram_does_not_tell_they_are_called(at):
    board, mover, other = await played(at)
    at.api.refuse = refusing("getChatMember", Refusal(400, "Bad Request: CHAT_ADMIN_REQUIRED"))
    await at.press(mover, board, board.moves[0])
    assert called(at, other["first_name"])
    assert PLAY_ON not in board.labels


@pytest.mark.slow
async def test_the_computer_plays_on_by_a_press(at):
    board, mover, other = await played(at)
    await at.api.leave(other)
    await at.api.until(lambda: PLAY_ON in board.labels)
    await at.press(mover, board, board.code(PLAY_ON))
    table = await at.table(board)
    assert [one.level is not None for one in table.players].count(True) == 1


@pytest.mark.slow
async def test_who_blocks_us_in_private_is_missed_until_they_let_us_in(at):
    home = private(BRUNO)
    await at.api.say(BRUNO, "/start", home)
    await at.api.say(NEREA, "/jugar niya", GROUP)
    await at.settle()
    board = await at.api.until(lambda: at.api.board(GROUP["id"]))
    table = await at.table(board)
    await at.api.say(BRUNO, f"/unirse {table.code}", home)
    await at.api.until(lambda: at.api.board(home["id"]) and "Bruno" in board.text)
    await at.settle()
    for old, new in (("member", "kicked"), ("kicked", "member")):
        until = {"until_date": 0} if new == "kicked" else {}
        before = {"until_date": 0} if old == "kicked" else {}
        change = {
            "chat": home,
            "from": BRUNO,
            "date": 1,
            "old_chat_member": {"status": old, "user": BOT, **before},
            "new_chat_member": {"status": new, "user": BOT, **until},
        }
        await at.api.give("my_chat_member", change)
        out = new == "kicked"
        assert await at.api.until(lambda out=out: (PLAY_ON in board.labels) is out)
