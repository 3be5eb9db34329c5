"""Two processes on one database: who comes in by one of them is in by the other, and once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.chats.web import DiscordApp, DoorKeys, WebChat, chat
from tests import postgres
from tests.chats import fleets
from tests.chats.doors import PUBLIC, Browser
from tests.chats.fake_discord_sign_in import ANA, BEA, SECRET, TOKEN, DiscordApi
from tests.chats.pages import Server
from tests.chats.test_web_activity import CHANNEL, opened, page_of, played

pytestmark = pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)

Opened = Callable[[], AbstractAsyncContextManager[Any]]


@pytest.fixture(name="process")
def process_fixture(discord: DiscordApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Opens one more process: its page is an Activity, and has the door of Discord."""

    def made(*wishes: Any, **more: Any) -> WebChat:
        app = DiscordApp(TOKEN, SECRET, discord.url)
        return WebChat(*wishes, **more, public=PUBLIC, discord=app, doors=DoorKeys(discord=app))

    monkeypatch.setattr(fleets, "WebChat", made)
    address = postgres.database(str(tmp_path))
    return lambda: fleets.process(address)


def reached(*servers: Server) -> None:
    for one in servers:
        one.here = f"http://127.0.0.1:{one.chat.port}"  # type: ignore[attr-defined]


@pytest.mark.slow
async def test_who_enters_the_activity_by_one_process_plays_by_the_other(
    process: Opened, discord: DiscordApi
) -> None:
    async with process() as one, process() as two:
        reached(one, two)
        table = await played(one)
        path = await page_of(one, discord, BEA, discord.opened(CHANNEL, ANA, BEA))
        async with opened(two, path) as page:
            assert [found["table"] for found in (await page.ask("lobby"))["lobby"]] == [table]
            assert (await page.type(f"/join {table}"))["good"]
            assert (await one.facade.services.tables.get(table)).status == "playing"
            # A device that is ended by one process is out of the other.
            guest = await one.chat._guests.get(path.split("/")[1].split("-")[0])
            await one.chat._guests.end(guest, guest.devices[-1].id)
            while (message := await page.socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
            assert message.data == chat.ENDED


async def test_a_visit_to_a_door_goes_on_by_any_process_and_is_spent_in_all(
    process: Opened, discord: DiscordApi
) -> None:
    async with process() as one, process() as two:
        reached(one, two)
        browser = Browser(one)
        asked = await browser.begin("discord")
        code = discord.code_for(ANA, asked["code_challenge"], asked["redirect_uri"])
        again = dict(browser.cookies)
        browser.at = two
        came = await browser.back("discord", code=code, state=asked["state"])
        assert came.onward == "/door/go"
        ticket = dict(browser.cookies)
        browser.at = one
        assert (await browser.follow(came)).onward.startswith("/p/")
        for server, cookies, path in (
            (one, again, f"/door/discord/back?code={code}&state={asked['state']}"),
            (two, ticket, "/door/go?as=switch"),
        ):
            thief = Browser(server, cookies)
            assert (await thief.get(path)).status == 403
