"""The calls to Telegram by aiohttp: what is sent and heard, and what goes wrong by which name."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, InputFile
from telegram.error import BadRequest, NetworkError, TimedOut

from bot.chats.telegram.wire import Wire
from bot.runtime.rate_limiter import Limiter
from tests.loopback import listening
from tests.telegram_api import TOKEN
from tests.telegram_messages import BOT

MESSAGE = {"message_id": 4, "date": 1, "chat": {"id": 7, "type": "private"}}
KEYS = InlineKeyboardMarkup([[InlineKeyboardButton("a", callback_data="a")]])
SIZES = [{"file_id": "f", "file_unique_id": "u", "width": 1, "height": 1}]


@asynccontextmanager
async def served(answer: Callable[[web.Request], Awaitable[web.Response]]) -> AsyncIterator[str]:
    """The address of a server that answers every request by *answer*."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with listening(app) as address:
        yield address


@asynccontextmanager
async def wired(reading: float = 5.0, limiter: Limiter | None = None) -> AsyncIterator[Wire]:
    wire = Wire(2, reading=reading, limiter=limiter)
    await wire.initialize()
    try:
        yield wire
    finally:
        await wire.shutdown()


def told(result: Any) -> web.Response:
    return web.json_response({"ok": True, "result": result})


async def test_values_go_as_a_form_and_files_as_its_parts():
    heard: list[dict[str, Any]] = []

    async def answer(request: web.Request) -> web.Response:
        if request.path.endswith("getMe"):
            return told(BOT)
        form = await request.post()
        heard.append({k: v if isinstance(v, str) else v.file.read() for k, v in form.items()})
        assert "python-telegram-bot" in request.headers["User-Agent"]
        return told({**MESSAGE, "photo": SIZES, "caption": "ñ", "reply_markup": KEYS.to_dict()})

    async with served(answer) as address:
        bot = Bot(TOKEN, f"{address}/bot", request=Wire(2), get_updates_request=Wire(1))
        async with bot:
            await bot.send_message(7, "ñ & =", reply_markup=KEYS)
            sent = await bot.send_photo(7, InputFile(b"PNG\0", filename="board.png"), "ñ")
    words, picture = heard
    assert (words["chat_id"], words["text"]) == ("7", "ñ & =")
    assert json.loads(words["reply_markup"]) == KEYS.to_dict()
    assert picture["caption"] == "ñ"
    assert b"PNG\0" in picture.values()
    # What we have written ourselves is not read once more.
    assert (sent.photo[0].file_id, sent.caption, sent.reply_markup) == ("f", None, None)


async def test_a_refusal_is_told_in_the_words_of_telegram():
    async def answer(_request: web.Request) -> web.Response:
        return web.json_response({"ok": False, "description": "no such chat"}, status=400)

    async with served(answer) as address, wired() as wire:
        with pytest.raises(BadRequest, match="no such chat"):
            await wire.post(f"{address}/sendMessage")


async def test_who_says_nothing_is_given_up_after_a_while():
    forever = asyncio.Event()

    async def answer(_request: web.Request) -> web.Response:
        await forever.wait()
        return told(True)

    async with served(answer) as address, wired(reading=0.05) as wire:
        with pytest.raises(TimedOut):
            await wire.post(f"{address}/getMe")
        forever.set()


async def test_an_asked_for_patience_goes_before_the_usual_one():
    async def answer(_request: web.Request) -> web.Response:
        await asyncio.sleep(0.1)
        return told(True)

    async with served(answer) as address, wired(reading=0.01) as wire:
        assert await wire.post(f"{address}/getUpdates", read_timeout=20) is True


async def test_nobody_at_the_address_and_a_broken_line_are_outages():
    async def answer(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return told(True)

    async with wired() as wire:
        with pytest.raises(NetworkError, match="ClientConnector"):
            await wire.post("http://127.0.0.1:9/getMe")
        async with served(answer) as address:
            with pytest.raises(NetworkError):
                await wire.post(f"{address}/getMe")


async def test_nothing_is_asked_before_it_is_opened_and_after_it_was_closed():
    wire = Wire(1)
    with pytest.raises(NetworkError, match="closed"):
        await wire.post("http://127.0.0.1:9/getMe")
    await wire.initialize()
    await wire.initialize()
    await wire.shutdown()
    await wire.shutdown()
    with pytest.raises(NetworkError, match="closed"):
        await wire.post("http://127.0.0.1:9/getMe")


async def test_a_call_goes_out_while_every_thread_paints():
    painted = threading.Event()

    async def answer(_request: web.Request) -> web.Response:
        return told(True)

    async with served(answer) as address, wired() as wire:
        busy = [asyncio.create_task(asyncio.to_thread(painted.wait, 60)) for _ in range(40)]
        await asyncio.sleep(0)
        try:
            assert await asyncio.wait_for(wire.post(f"{address}/answerCallbackQuery"), 20)
        finally:
            painted.set()
            await asyncio.gather(*busy)


async def test_the_proxy_of_the_environment_is_honoured(monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []

    async def proxied(request: web.Request) -> web.Response:
        asked.append(f"{request.host} {request.path}")
        return told(True)

    async def near(_request: web.Request) -> web.Response:
        return told(True)

    async with served(proxied) as address:
        monkeypatch.setenv("http_proxy", address)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        async with wired() as wire:
            assert await wire.post("http://telegram.invalid/getMe") is True
            assert asked == ["telegram.invalid /getMe"]
            async with served(near) as neighbour:
                assert await wire.post(f"{neighbour}/getMe") is True
    assert len(asked) == 1


async def test_the_bot_as_a_whole_keeps_to_what_telegram_takes():
    heard: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        heard.append(request.path)
        return told(True)

    limiter = Limiter(((1, 60.0),))
    async with served(answer) as address, wired(limiter=limiter) as wire:
        await wire.post(f"{address}/bot1:send/getMe")
        assert limiter.wait() == 0
        await wire.post(f"{address}/bot1:T/sendMessage")
        assert limiter.wait() > 0
        await wire.post(f"{address}/bot1:T/answerCallbackQuery")
        edited = asyncio.create_task(wire.post(f"{address}/bot1:T/editMessageText"))
        await wire.post(f"{address}/bot1:T/deleteMessage")
        assert len(heard) == 4
        edited.cancel()
        await asyncio.gather(edited, return_exceptions=True)


async def test_no_more_calls_are_under_way_than_there_are_connections_and_none_is_given_up():
    under_way, most, answered = 0, 0, asyncio.Event()

    async def answer(_request: web.Request) -> web.Response:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await answered.wait()
        under_way -= 1
        return told(True)

    async with served(answer) as address, wired() as wire:
        calls = [asyncio.create_task(wire.post(f"{address}/answerCallbackQuery")) for _ in range(6)]
        async with asyncio.timeout(20):
            while under_way < 2:
                await asyncio.sleep(0.01)
        answered.set()
        assert await asyncio.gather(*calls) == [True] * 6
    assert most == 2
