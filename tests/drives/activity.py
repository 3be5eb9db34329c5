"""The page within an emulated Discord client, in Chromium: people of one channel at one table.

``python -m tests.drives.activity FOLDER`` plays; pictures of what was seen stand in FOLDER. The
emulators stand beside this tree.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
import discord.gateway
from yarl import URL

from bot.chats.discord import DiscordChat
from bot.chats.discord.emojis import Emojis
from bot.chats.web import DiscordApp, WebChat
from bot.facade import Facade, open_facade
from bot.service.computers.pool import Thinkers
from storage.store import Store
from tests.databases import database_in
from tests.drives.bench import available

PUBLIC = "https://play.example.org"
NAME = "play.example.org"


@dataclass
class Inside:
    """An emulated Discord with its client and proxy, and the house behind both."""

    fake: Any
    act: Any
    facade: Facade
    web: WebChat
    folder: Path
    seen: list[str] = field(default_factory=list)

    def faults(self) -> list[str]:
        """What the emulators and the clients' consoles complain of."""
        told = [f"violation {one}" for one in (*self.act.violations, *self.fake.violations)]
        for client in self.act.clients:
            told += [f"console {line}" for line in client.console if not line.startswith("info")]
        return told


@asynccontextmanager
async def inside(folder: Path, **options: Any) -> AsyncIterator[Inside]:
    """A house on a database in *folder*, whose page is the Activity of an emulated Discord."""
    assert available(), "the emulators are not beside this tree"
    from fake_activity import FakeActivity
    from fake_discord import FakeDiscord

    route, websocket = discord.http.Route, discord.gateway.DiscordWebSocket
    before = route.BASE, websocket.DEFAULT_GATEWAY, Emojis.upload
    async with FakeDiscord(folder / "out", human_delay=0, spec=False, activities=True) as fake:
        route.BASE = f"{fake.url}/api/v10"
        websocket.DEFAULT_GATEWAY = URL(fake.url.replace("http", "ws", 1)).with_path("/gateway")
        Emojis.upload = _nothing  # type: ignore[method-assign]
        store = await Store.open(database_in(folder))
        facade = await open_facade(store, Thinkers(seconds=0.2), "es")
        app = DiscordApp(fake.token, fake.client_secret, f"{fake.url}/api/v10")
        web = WebChat(facade, "127.0.0.1", 0, _quiet, public=PUBLIC, discord=app)
        try:
            await facade.start([web, DiscordChat(facade, fake.token)])
            await fake.wait_ready(quiet=0.05)
            hosts = {NAME: f"127.0.0.1:{web.port}"}
            mapped = {"/": f"{NAME}/d"}
            async with FakeActivity(
                fake, mapped, hosts=hosts, outdir=folder / "act", client_port=0, **options
            ) as act:
                yield Inside(fake, act, facade, web, folder)
        finally:
            await facade.stop()
            route.BASE, websocket.DEFAULT_GATEWAY, Emojis.upload = before  # type: ignore[method-assign]


def _quiet(_: str) -> None:
    """Tell no address."""


async def _nothing(*_: object) -> None:
    """Upload no emoji."""


async def main(folder: Path) -> None:
    from playwright.async_api import async_playwright

    async with inside(folder) as at, async_playwright() as play:
        browser = await play.chromium.launch(
            executable_path="/usr/bin/chromium", args=at.act.browser_args
        )
        fake = at.fake
        handle = await fake.slash(fake.A, "play", {"game": "niya", "opponent": fake.B})
        message = await handle.reply()
        await fake.w.until(lambda: message.buttons, 5, "buttons")
        click = await fake.click(fake.A, message, label="Open the board")
        await click.acked()
        a = await at.act.accept(browser, click)
        await a.did("AUTHENTICATE")
        context = await browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        b = await at.act.open(browser, at.fake.B, platform="mobile", context=context)
        await b.did("AUTHENTICATE")
        c = await at.act.open(browser, at.fake.C, consent="refuse")
        await c.did("AUTHORIZE", error=True)
        await asyncio.sleep(2)
        for name, one in (("a", a), ("b", b), ("c", c)):
            await one.page.screenshot(path=str(folder / f"{name}.png"))
        await fake.click(fake.B, message, label="Accept")
        await a.frame.wait_for_selector("#acts .acts button, .pic img", timeout=9000)
        await asyncio.sleep(1)
        for name, one in (("a2", a), ("b2", b)):
            await one.page.screenshot(path=str(folder / f"{name}.png"))
        await at.act.layout(a, "pip")
        await at.act.layout(b, "grid")
        await asyncio.sleep(1)
        for name, one in (("pip", a), ("grid", b)):
            await one.page.screenshot(path=str(folder / f"{name}.png"))
        print("\n".join(at.faults()))
        print(at.act.notes, [c.answers for c in at.act.clients][1][-3:])
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
