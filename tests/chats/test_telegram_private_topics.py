"""Private chats with topics: each board in that of its table, everything else in the chat."""

from __future__ import annotations

import pytest

from tests.chats.telegram_room import BRUNO, NEREA, Room, room
from tests.telegram_api import Api, Refusal
from tests.telegram_messages import Shown, private


@pytest.fixture
async def at(tmp_path):
    async with room(tmp_path, api=Api(flags={"has_topics_enabled"})) as made:
        yield made


def inside(at: Room, person: dict) -> list[Shown]:
    return [one for one in at.api.messages.values() if one.chat == person["id"]]


async def begun(at: Room, game: str = "niya") -> Shown:
    """A board of Nerea's against the computer."""
    before = {one.id for one in inside(at, NEREA)}
    await at.api.say(NEREA, f"/jugar {game} ordenador", private(NEREA))
    await at.api.until(lambda: [one for one in inside(at, NEREA) if one.id not in before])
    await at.settle()
    return max((one for one in inside(at, NEREA) if one.picture), key=lambda one: one.id)


async def test_each_table_has_a_topic_of_its_own_and_is_played_there(at):
    boards = [await begun(at), await begun(at, "cirya")]
    topics = [one.thread for one in boards]
    assert None not in topics
    assert len(set(topics)) == 2
    named = [one.values["name"] for one in at.api.calls("createForumTopic")]
    assert [name.partition(" · ")[0] for name in named] == ["Niya", "Cirya"]
    for board in boards:
        edits = board.edits
        await at.press(NEREA, board, board.moves[0])
        assert board.edits > edits
    assert len(at.api.calls("createForumTopic")) == 2


async def test_a_board_that_comes_again_comes_into_the_same_topic_also_after_a_restart(tmp_path):
    api = Api(flags={"has_topics_enabled"})
    async with room(tmp_path, api=api) as at:
        first = await begun(at)
    async with room(tmp_path, api=api) as at:
        await at.api.say(NEREA, "/tablero", private(NEREA))
        await at.api.until(lambda: first.id not in [one.id for one in inside(at, NEREA)])
        await at.settle()
        (board,) = [one for one in inside(at, NEREA) if one.picture]
        assert board.thread == first.thread
        assert len(api.calls("createForumTopic")) == 1


async def test_calls_and_answers_stand_in_the_chat_itself(at):
    for person in (NEREA, BRUNO):
        await at.api.say(person, "/start", private(person))
        await at.api.until(lambda person=person: inside(at, person))
    await at.api.say(NEREA, "/jugar niya @bruno", private(NEREA))
    board = await at.api.until(lambda: next((m for m in inside(at, BRUNO) if m.thread), None))
    await at.settle()
    assert board.reply_to is None
    calls = [one for one in inside(at, BRUNO) if one.thread is None]
    assert calls
    assert all(one.reply_to is None and one.picture is None for one in calls)


async def test_a_chat_that_takes_no_topic_has_its_boards_as_ever(at):
    def refuse(asked):
        if asked.method == "createForumTopic":
            raise Refusal(400, "Bad Request: the chat is not a forum")

    at.api.refuse = refuse
    assert (await begun(at)).thread is None


async def test_who_is_forgotten_leaves_no_topic_behind(at):
    await begun(at)
    assert str(NEREA["id"]) in await at.facade.notes.read("telegram-topics", str)
    await at.chat.forget(str(NEREA["id"]))
    assert await at.facade.notes.read("telegram-topics", str) == "[]"
