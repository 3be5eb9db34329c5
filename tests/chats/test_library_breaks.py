"""A library that stumbles over what it is sent, or breaks: the chat goes on, or we end."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from telegram import Update
from telegram.error import TelegramError, TimedOut

from bot.chats.discord import connection as discord_connection
from bot.chats.discord.client import Client
from bot.chats.telegram import chat as telegram_chat
from bot.chats.telegram.update_queue import UNREADABLE, PollingRequest, ReceiptQueue
from bot.chats.telegram.wire import Wire
from bot.port import Stumbled
from bot.runtime.rate_limiter import Limiter
from tests.chats.discord_table import Table, fake_fixture, table_fixture  # noqa: F401
from tests.chats.telegram_room import room
from tests.houses import open_house
from tests.telegram_api import Refusal

POISON: tuple[Any, ...] = ({}, [], None, "x", 7, {"id": None, "guild_id": "no number"})
"""What no event of Discord is."""


async def test_discord_goes_on_after_an_event_of_every_kind_that_cannot_be_read(at: Table, fake):
    board, chat = await at.begun(), at.facade.chats["discord"]
    client, gateway = chat._connections[""].client, fake.socket
    kinds = sorted(client._connection.parsers.keys() - {"READY", "RESUMED"})
    assert len(kinds) > 40
    for number, kind in enumerate(kinds):
        await fake.emit(kind, POISON[number % len(POISON)])
    for poison in POISON * 10:
        await fake.emit("INTERACTION_CREATE", poison)
    assert (await at.move(board)).type is not None
    assert fake.socket is gateway, "nothing had to be connected again"
    assert chat._connections[""].client is client
    assert chat.is_connected()


@pytest.mark.slow
async def test_discord_is_connected_again_after_its_library_broke(at: Table, fake, monkeypatch):
    chat, breaks, real = at.facade.chats["discord"], [0], Client.connect

    async def breaking(client: Client, **how: Any) -> None:
        breaks[0] += 1
        if breaks[0] <= 3:
            raise KeyError("attachment_size_limit")
        await real(client, **how)

    monkeypatch.setattr(discord_connection, "RECONNECT_SECONDS", (0.0,))
    monkeypatch.setattr(Client, "connect", breaking)
    await chat._connections[""].client.close()
    await fake.until(lambda: True)
    async with asyncio.timeout(60):
        while not (breaks[0] > 3 and chat.is_connected()):
            await asyncio.sleep(0.02)
    assert at.facade.failures.empty()


@pytest.mark.slow
async def test_discord_gives_up_where_its_library_breaks_again_and_again(at: Table, monkeypatch):
    chat = at.facade.chats["discord"]

    async def breaking(client: Client, **how: Any) -> None:
        raise TypeError("unheard of")

    monkeypatch.setattr(discord_connection, "RECONNECT_SECONDS", (0.0,))
    chat._connections[""]._breaks = Limiter(((3, 600.0),))
    monkeypatch.setattr(Client, "connect", breaking)
    await chat._connections[""].client.close()
    async with asyncio.timeout(60):
        assert isinstance(await at.facade.failures.get(), Stumbled)
    assert not chat.is_connected()


CHAT = {"id": 7, "type": "private"}


async def test_updates_that_cannot_be_confirmed_are_left_out_and_the_others_read_once(
    tmp_path, monkeypatch
):
    found = [{"no": "number"}, "text", None, {"update_id": "7"}, {"update_id": 8}, [9]]
    found.append({"update_id": 10, "message": {"message_id": "x"}})
    found.append({"update_id": 11, "message": {"message_id": 1, "date": 1, "chat": CHAT}})

    async def answered(*args: Any, **options: Any) -> tuple[int, bytes]:
        return 200, json.dumps({"ok": True, "result": found}).encode()

    monkeypatch.setattr(Wire, "do_request", answered)
    facade = await open_house(tmp_path)
    queue = ReceiptQueue(facade.notes.receipts("telegram"))
    polling = PollingRequest(queue, lambda _status: None)
    told = await polling.post("https://telegram.invalid/getUpdates")
    assert told[0] == {"update_id": 8}
    assert UNREADABLE in told[1]
    assert told[2] == {"update_id": 11}
    for one in told:
        await queue.put(Update.de_json(one))
    taken = [queue.get_nowait() for _ in told]
    await facade.stop()
    assert [one.update_id for one in taken] == [8, 10, 11]
    assert UNREADABLE in taken[1].api_kwargs
    assert taken[2].message is not None


@pytest.mark.slow
async def test_telegram_is_connected_only_while_it_answers(tmp_path):
    async with room(tmp_path) as at:
        assert at.chat.is_connected()

        def refuse(asked: Any) -> None:
            if asked.method == "getUpdates":
                raise Refusal(502, "Bad Gateway")

        at.api.refuse = refuse
        await at.api.say({"id": 5, "is_bot": False, "first_name": "Eva"}, "hola")
        await at.api.until(lambda: not at.chat.is_connected())
        at.api.refuse = lambda asked: None
        await at.api.until(at.chat.is_connected)


SLOW_DOWN = {"ok": False, "error_code": 429, "description": "", "parameters": {"retry_after": 0.01}}
"""How Telegram asks for patience; without an answer a call has timed out."""


@pytest.mark.parametrize("answer", [SLOW_DOWN, None])
async def test_telegram_is_not_connected_while_the_library_asks_again_and_tells_nobody(
    tmp_path, monkeypatch, answer
):
    async with room(tmp_path) as at:
        asked = Wire.do_request

        async def fail(wire: Wire, *args: Any, **options: Any) -> tuple[int, bytes]:
            if not isinstance(wire, PollingRequest):
                return await asked(wire, *args, **options)
            if answer is None:
                raise TimedOut
            return answer["error_code"], json.dumps(answer).encode()

        monkeypatch.setattr(Wire, "do_request", fail)
        await at.api.say({"id": 5, "is_bot": False, "first_name": "Eva"}, "hola")
        await at.api.until(lambda: not at.chat.is_connected(), 10)
        monkeypatch.undo()


async def test_telegram_gives_up_where_nobody_asks_for_updates_any_more(tmp_path, monkeypatch):
    monkeypatch.setattr(telegram_chat, "WATCH", 0.02)
    async with room(tmp_path) as at:
        fetching = at.chat._app.updater._Updater__polling_task
        fetching.cancel()
        await asyncio.gather(fetching, return_exceptions=True)
        monkeypatch.setattr(telegram_chat, "UNASKED", 0.05)
        async with asyncio.timeout(60):
            assert isinstance(await at.facade.failures.get(), Stumbled)
        assert not at.chat.is_connected()


@pytest.mark.slow
async def test_what_cannot_be_judged_is_handled_all_the_same(tmp_path, monkeypatch, caplog):
    async with room(tmp_path) as at:

        async def broken(*asked: Any, **how: Any) -> None:
            raise RuntimeError("no judgement")

        monkeypatch.setattr(at.facade.requests.limits, "judge", broken)
        board = await at.begun()
        assert board.moves
        assert "cannot be judged" in caplog.text
        assert TelegramError.__name__ not in caplog.text
