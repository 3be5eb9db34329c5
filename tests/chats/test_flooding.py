"""One abuser at a hundred times what a person does, in each chat: the players do not notice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import text
from telegram import User

from bot.chats.telegram.reading import asker_of
from bot.commands import quotas
from bot.facade import LimitVerdict
from bot.session.table import OPEN, PLAYING
from tests.chats.discord_table import EVA, Table, fake_fixture, table_fixture  # noqa: F401
from tests.chats.fake_discord import CHANNEL
from tests.chats.telegram_room import EVA as EVE
from tests.chats.telegram_room import Room, room, states
from tests.telegram_messages import GROUP


@pytest.fixture(autouse=True)
def unhurried():
    """The limits as they are."""


async def received(at: Room) -> int:
    async with at.facade.store.reading() as tx:
        return (await tx.execute(text("select count(*) from inbox"))).scalar_one()


def abuse(update: int, number: int, board) -> dict:
    """What an abuser sends: openings, boards, words, guesses, presses of others' buttons."""
    lines = ("/jugar niya", "/tablero", "/ayuda", f"/tablero ZZ{number:04}", "/jugar parchis")
    if number % 6 == 5:
        query = {"id": f"x{number}", "from": EVE, "chat_instance": "c", "data": board.moves[0]}
        return {"update_id": update, "callback_query": {**query, "message": board.data()}}
    told = {"message_id": 90_000 + number, "date": 1, "text": lines[number % 6]}
    return {"update_id": update, "message": {**told, "chat": GROUP, "from": EVE}}


async def test_telegram_takes_no_more_of_one_abuser_than_of_anybody(tmp_path):
    async with room(tmp_path) as at:
        # The clock of the limits stands: all of it comes in one moment.
        at.facade.requests.limits.clock = lambda: 0.0
        board = await at.begun()
        before, asked = await received(at), len(at.api.asked)
        for start in range(0, 1000, 250):
            updates = [(1000 + next(at.api._numbers), n) for n in range(start, start + 250)]
            await at.api.give_raw(*(abuse(*update, board) for update in updates))
            edits = board.edits
            heard = await at.press(at.mover(board), board, board.moves[0])
            assert not heard.get("show_alert"), heard
            assert board.edits == edits + 1, "the players go on"
        await at.api.until(lambda: not at.api.updates or len(at.api.answers) > 160)
        await at.settle()
        await at.api.until(lambda: not at.chat._answers.tasks.busy())
        person = await at.facade.services.people.find(asker_of(User.de_json(EVE, None)))
        lines = await at.facade.services.tables.list_lines((OPEN, PLAYING), person=person.id)
        assert 1 <= len(lines) <= quotas.PERSON
        assert await received(at) - before <= 10 + 4, "his ten and the moves of the players"
        presses = [at.api.answers[q] for q in at.api.answers if q.startswith("x")]
        assert len(presses) == 166
        assert sum("despacio" in one.get("text", "") for one in presses) >= 156, "all but his ten"
        assert sum(bool(one.get("show_alert")) for one in presses) <= 10
        sent = [a for a in at.api.asked[asked:] if a.method == "sendMessage"]
        assert len(sent) <= 10
        assert await states(at) == {}
    async with room(tmp_path) as at:
        assert await at.facade.notes.receipts("telegram").pending() == {}


async def test_a_telegram_group_hears_nothing_more_for_who_was_too_fast_until_he_has_calmed_down(
    tmp_path,
):
    async with room(tmp_path) as at:
        now = [1.0]
        at.facade.requests.limits.clock = lambda: now[0]
        board = await at.begun()
        for number in range(11):
            await at.api.press(EVE, board, board.moves[0])
            now[0] += 0.01 * number
        now[0] += 15.0  # what he asks is taken again, and costs the players nothing
        said = len(at.api.calls("sendMessage"))
        await at.api.say(EVE, "/tablero ZZ0001")
        more = await at.press(EVE, board, board.code("Más"))
        assert more["url"]
        assert len(at.api.calls("sendMessage")) == said
        now[0] += 60.0
        await at.api.say(EVE, "/tablero ZZ0001")
        await at.api.until(lambda: len(at.api.calls("sendMessage")) > said)


async def test_discord_answers_one_abuser_once_and_then_keeps_still(at: Table, fake):
    at.facade.requests.limits.clock = lambda: 0.0
    board = await at.begun()
    presses = [await fake.press(EVA, board, board.moves[0]["custom_id"]) for _ in range(40)]
    kinds = [one.type for one in presses]
    assert kinds[:11] == [4] * 11, "ten refusals of the table, and one of ours"
    assert kinds[11:] == [6] * 29, "then nothing but that it has arrived"
    assert "despacio" in presses[10].message.body["content"]
    writes = board.writes
    await fake.press(at.mover(board), board, board.moves[0]["custom_id"])
    await fake.until(lambda: board.writes > writes)


async def test_discord_shows_nothing_of_a_command_too_many_and_opens_no_table(at: Table, fake):
    at.facade.requests.limits.clock = lambda: 0.0
    data = {"id": "1", "name": "play", "type": 1}
    given = [{"name": "game", "type": 3, "value": "niya"}]
    asked = [await fake.ask(EVA, 2, {**data, "options": given}) for _ in range(60)]
    await fake.until(lambda: all(one.type is not None for one in asked))
    await fake.until(lambda: sum(one.message.id in fake.messages for one in asked) <= 11)
    seen = [one for one in asked if one.message.id in fake.messages]
    assert len(seen) == 11, "ten answers, and one word that it was too fast"
    assert all(one.type == 5 and one.data["flags"] for one in asked if one not in seen)
    await at.settle()
    async with asyncio.timeout(30):
        # An answer that is late comes before what it is about.
        while len(lines := await at.facade.services.tables.list_lines((OPEN,))) < quotas.PERSON:
            await asyncio.sleep(0.01)
    await at.settle()
    lines = await at.facade.services.tables.list_lines((OPEN,))
    assert len(lines) == quotas.PERSON
    assert fake.count(f"POST /channels/{CHANNEL}/messages") == 0


async def test_what_discord_asks_while_we_stop_is_left_alone(at: Table, fake, monkeypatch):
    board = await at.begun()
    moves = await at.moves(board)
    judging, judged = asyncio.Event(), asyncio.Event()
    judge = at.facade.requests.limits.judge

    async def slow(*asked: Any, **more: Any) -> LimitVerdict:
        judging.set()
        await judged.wait()
        return await judge(*asked, **more)

    monkeypatch.setattr(at.facade.requests.limits, "judge", slow)
    press = await fake.ask(
        at.mover(board),
        3,
        {"custom_id": board.moves[0]["custom_id"], "component_type": 2},
        source=board,
    )
    await judging.wait()
    await at.facade.chats["discord"].rest()
    handling = [t for t in asyncio.all_tasks() if t.get_name() == "discord.py: on_interaction"]
    judged.set()
    assert handling
    await asyncio.wait(handling)
    assert press.type is None
    assert await at.moves(board) == moves
