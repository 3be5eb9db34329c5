"""How the room starts, listens and stops: tokens, outages, menus, webhooks, logs."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
from pathlib import Path

import aiohttp
import pytest

from bot.app.logs import Redacted
from bot.chats.telegram import TelegramChat
from bot.chats.telegram.errors import TokenRefused
from bot.port import ChatError, Later, Ping, PublicAddress, Where
from storage import bot_settings
from storage.database import sqlite_driver
from tests import statements_in_the_loop
from tests.chats.telegram_room import NEREA, Hasty, refusing, room
from tests.chats.telegram_room import settings as settings_for
from tests.fakes import silence
from tests.houses import open_house
from tests.telegram_api import TOKEN, Api, Refusal, serving
from tests.telegram_messages import BOT, GROUP


async def test_a_wrong_token_is_one_sentence_without_the_token(tmp_path):
    async with serving(Api()) as api:
        facade = await open_house(tmp_path)
        wrong = settings_for(api).model_copy(
            update={"telegram_token": type(settings_for(api).telegram_token)("1:CANARY" * 6)}
        )
        chat = TelegramChat(facade, wrong)
        with pytest.raises(TokenRefused) as refused:
            await chat.start()
        assert "CANARY" not in str(refused.value)
        await chat.rest()
        await chat.stop()
        await facade.stop()


async def test_telegram_out_of_reach_is_one_line_and_found_later(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr("bot.chats.telegram.chat.RECONNECT", (0.05,))
    facade = await open_house(tmp_path)
    async with silence() as (address, heard):
        chat = Hasty(facade, settings_for(Api(url=address)))
        caplog.set_level(logging.INFO)
        await facade.start([chat])
        await Api().until(lambda: heard() >= 3)
        assert caplog.text.count("cannot be reached") == 1
        with pytest.raises(Later):
            await chat.ping(Where("telegram", "-1"), Ping((), "x", None, "1"))
        assert not [one for one in caplog.messages if "bot." in one and TOKEN in one]
        await facade.stop()


async def test_menus_of_commands_are_told_in_both_languages_and_once(tmp_path):
    api = Api()
    for _ in range(2):
        async with room(tmp_path, api=api):
            pass
    told = api.calls("setMyCommands")
    assert len(told) == 6
    menus = {
        (one.values["scope"]["type"], one.values.get("language_code")): one.values["commands"]
        for one in told
    }
    for scope in ("all_private_chats", "all_group_chats"):
        assert menus[scope, "es"][0]["command"] == menus[scope, None][0]["command"] == "jugar"
        assert menus[scope, "en"][0]["command"] == "play"


async def test_the_page_of_the_bot_says_what_it_is_in_both_languages_and_once(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    api = Api()
    for _ in range(2):
        async with room(tmp_path, api=api):
            pass
    long, short = api.calls("setMyDescription"), api.calls("setMyShortDescription")
    codes = [one.values.get("language_code") for one in long]
    assert codes == [one.values.get("language_code") for one in short] == [None, "es", "en"]
    assert all(0 < len(one.values["description"]) <= 512 for one in long)
    assert all(0 < len(one.values["short_description"]) <= 120 for one in short)
    assert "Storilljuðjorrayc" in short[0].values["short_description"]
    assert f"https://t.me/{BOT['username']}?startgroup=play" in caplog.text


async def test_the_webhook_takes_updates_with_its_secret_and_nothing_without(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/telegram"
    async with serving(Api()) as api:
        facade = await open_house(tmp_path)
        chat = Hasty(
            facade,
            settings_for(
                api,
                telegram_webhook_url=address,
                telegram_webhook_port=port,
                telegram_webhook_secret="canary-secret_1",
            ),
        )
        await facade.start([chat])
        (told,) = api.calls("setWebhook")
        assert told.values["secret_token"] == "canary-secret_1"
        message = {"message_id": 5, "date": 1, "chat": GROUP, "from": NEREA, "text": "/jugar niya"}
        update = {"update_id": 5, "message": message}
        name = "X-Telegram-Bot-Api-Secret-Token"
        async with aiohttp.ClientSession() as client:
            for secret, status in ((None, 403), ("guess", 403), ("canary-secret_1", 200)):
                headers = {name: secret} if secret else {}
                async with client.post(address, json=update, headers=headers) as heard:
                    assert heard.status == status
            unreadable = {**headers, "Content-Type": "application/json"}
            async with client.post(address, data="{", headers=unreadable) as heard:
                assert heard.status == 400
        assert await api.until(api.board)
        await facade.stop()


async def test_a_webhook_without_a_secret_of_ours_gets_one(tmp_path):
    async with serving(Api()) as api:
        facade = await open_house(tmp_path)
        chat = Hasty(
            facade, settings_for(api, telegram_webhook_url=f"{api.url}/x", telegram_webhook_port=0)
        )
        await chat.start()
        (told,) = api.calls("setWebhook")
        assert len(told.values["secret_token"]) >= 32
        await chat.rest()
        await chat.stop()
        await facade.stop()


async def test_a_busy_port_is_one_sentence(tmp_path):
    async with serving(Api()) as api:
        facade = await open_house(tmp_path)
        port = int(api.url.rpartition(":")[2])
        chat = TelegramChat(
            facade,
            settings_for(api, telegram_webhook_url=f"{api.url}/x", telegram_webhook_port=port),
        )
        with pytest.raises(ChatError, match=str(port)):
            await chat.start()
        await chat.rest()
        await chat.stop()
        await facade.stop()


async def test_a_webhook_that_telegram_refuses_is_one_sentence(tmp_path, caplog):
    async with serving(Api()) as api:
        facade = await open_house(tmp_path)
        address = f"{api.url}/x"
        chat = TelegramChat(
            facade, settings_for(api, telegram_webhook_url=address, telegram_webhook_port=0)
        )
        refused = Refusal(400, "Bad Request: bad webhook: an HTTPS URL must be provided")
        api.refuse = refusing("setWebhook", refused, 99)
        with pytest.raises(ChatError, match=r"(?i)TELEGRAM_WEBHOOK_URL: .*an https url"):
            await chat.start()
        assert "Traceback" not in caplog.text
        await chat.rest()
        await chat.stop()
        await facade.stop()


async def test_no_error_path_writes_the_token_into_the_log(tmp_path, monkeypatch):
    """Everything at DEBUG through the formatter of the real process, with canaries."""
    # What the driver of the database logs in its thread is part of it.
    monkeypatch.setattr(sqlite_driver, "connect", statements_in_the_loop.IN_A_THREAD)
    lines: list[str] = []
    formatter = Redacted([], "plain")

    class Kept(logging.Handler):
        def emit(self, record):
            lines.append(formatter.format(record))

    handler = Kept(logging.DEBUG)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        async with room(tmp_path) as at:
            board = await at.begun()
            for refusal in (
                Refusal(500, "Internal"),
                Refusal(429, "Too Many", retry_after=0),
                Refusal(401, "Unauthorized"),
                Refusal(409, "Conflict: terminated"),
            ):
                for method in ("sendMessage", "editMessageMedia", "getUpdates"):
                    at.api.refuse = refusing(method, refusal)
                    await at.api.say(NEREA, "/mover X9")
                    await asyncio.sleep(0.05)
            at.api.refuse = lambda asked: None
            del board
        facade = await open_house(tmp_path)
        await settings_canary(facade)
        await facade.stop()
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
    assert len(lines) > 100
    assert not [line for line in lines if "CANARY" in line]


async def settings_canary(facade) -> None:
    """Nothing of the token is in the database either."""
    async with facade.store.reading() as tx:
        assert await bot_settings.load_setting(tx, f"telegram-menus:{BOT['id']}")
        assert await bot_settings.load_setting(tx, TOKEN) is None


@pytest.mark.slow
async def test_the_process_ends_with_status_2_and_a_sentence_for_a_wrong_token(tmp_path):
    async with serving(Api()) as api:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot.app.main"),
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": str(Path(__file__).parents[2]),
                "TELEGRAM_TOKEN": "123456:CANARY-canary-canary-canary-canary-1",
                "TELEGRAM_API_URL": f"{api.url}/bot",
                "WEB_PORT": "0",
            },
            stderr=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
        )
        _, said = await asyncio.wait_for(process.communicate(), 120)
    assert process.returncode == 2
    assert said.decode().strip() == str(TokenRefused())


async def test_strangers_find_the_bot_by_its_name_and_never_by_a_table(tmp_path):
    async with room(tmp_path) as at:
        name = at.chat._app.bot.username
        assert at.chat.public_address() == PublicAddress(f"@{name}", f"https://t.me/{name}")
