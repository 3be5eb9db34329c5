"""The page within an emulated Discord client, in Chromium: people of one channel at one table.

``python -m tests.drives.activity FOLDER`` plays; pictures of what was seen stand in FOLDER. The
emulators stand beside this tree.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tests.fakes  # noqa: F401  # facades keep what they are made of
from bot.app.settings import Settings
from bot.chats.discord import DiscordChat
from bot.chats.telegram import TelegramChat
from bot.chats.web import DiscordApp, WebChat
from bot.facade import Facade
from bot.session.table import ENDED, PLAYING, Table
from bot.session.visibility import hides
from tests.drives.browsing import CHROMIUM
from tests.drives.discord_house import library_at
from tests.drives.world import emulators
from tests.houses import open_house

PUBLIC = "https://play.example.org"
NAME = "play.example.org"


@dataclass
class Inside:
    """An emulated Discord with its client and proxy, and the house behind both."""

    fake: Any
    act: Any
    facade: Facade
    web: WebChat
    telegram: Any
    tina: Any
    """Somebody on Telegram."""
    told: list[str]
    """The addresses that the page told."""

    def faults(self) -> list[str]:
        """What the emulators and the clients' consoles complain of."""
        told = [f"violation {one}" for one in (*self.act.violations, *self.fake.violations)]
        for client in self.act.clients:
            told += [
                f"console {line}"
                for line in client.console
                if not line.startswith(("info", "verbose"))
            ]
        return told


@asynccontextmanager
async def inside(folder: Path, **options: Any) -> AsyncIterator[Inside]:
    """A house on a database in *folder*, whose page is the Activity of an emulated Discord."""
    assert emulators(), "the emulators are not beside this tree"
    from fake_activity import FakeActivity
    from fake_discord import FakeDiscord
    from fake_telegram import FakeTelegram

    async with (
        FakeDiscord(folder / "out", human_delay=0, spec=False, activities=True) as fake,
        FakeTelegram(folder / "out-t", human_delay=0) as telegram,
    ):
        facade = await open_house(folder, seconds=0.2)
        app = DiscordApp(fake.token, fake.client_secret, f"{fake.url}/api/v10")
        told: list[str] = []
        web = WebChat(facade, "127.0.0.1", 0, told.append, public=PUBLIC, discord=app)
        keys = {"telegram_token": telegram.token, "telegram_api_url": telegram.url}
        settings = Settings(_env_file=None, **keys)  # type: ignore[arg-type,call-arg]
        with library_at(fake):
            try:
                chats = [web, DiscordChat(facade, fake.token), TelegramChat(facade, settings)]
                await facade.start(chats)
                await telegram.wait_ready()
                await fake.wait_ready(quiet=0.05)
                hosts = {NAME: f"127.0.0.1:{web.port}"}
                mapped = {"/": f"{NAME}/d"}
                async with FakeActivity(
                    fake, mapped, hosts=hosts, outdir=folder / "act", client_port=0, **options
                ) as act:
                    tina = telegram.add_user("Tina", started=True)
                    yield Inside(fake, act, facade, web, telegram, tina, told)
            finally:
                await facade.stop()


@dataclass
class Party:
    """Who plays and looks on, and how each of them acts: by a page, a message or a chat."""

    at: Inside
    browser: Any
    pages: dict[str, Any] = field(default_factory=dict)
    """The pages by their people's names: frames within Discord, and one on its own."""
    clients: dict[str, Any] = field(default_factory=dict)
    moves: int = 0

    async def table(self, code: str) -> Table:
        return await self.at.facade.services.tables.get(code)

    async def come(self, user: Any, **how: Any) -> Any:
        """Open the Activity of the channel as *user*; their client."""
        client = await self.at.act.open(self.browser, user, timeout=60, **how)
        client.page.set_default_timeout(90_000)  # a busy machine is no fault
        await client.did("AUTHENTICATE", timeout=60)
        await client.frame.wait_for_selector("body:not(.nameless)", timeout=60_000)
        self.pages[user["global_name"]], self.clients[user["global_name"]] = client.frame, client
        return client

    async def type(self, name: str, line: str) -> None:
        page = self.pages[name]
        if not await page.is_visible("#input"):
            await page.click("#to-talk")  # as on phones
        await page.fill("#input", line)
        await page.press("#input", "Enter")

    async def open(self, name: str, line: str) -> str:
        """A table that *name* opens on their page."""
        before = await self.hash(name)
        await self.type(name, line)
        return await self.until(lambda: self._other(name, before), f"a table by {line}")

    async def _other(self, name: str, before: str) -> str:
        now = await self.hash(name)
        return now if now != before else ""

    async def hash(self, name: str) -> str:
        told = await self.pages[name].evaluate("location.hash.slice(1)")
        return str(told).removeprefix("t/")

    async def view(self, name: str, code: str) -> None:
        """Turn the page of *name* to the table *code*."""

        async def there() -> bool:
            if await self.hash(name) != code:
                await self.pages[name].evaluate(f"location.hash = '{code}'")
                await asyncio.sleep(0.2)
            return await self.hash(name) == code

        await self.until(there, f"{name} at {code}")

    async def until(self, found: Any, what: str, seconds: float = 90.0) -> Any:
        until = time.monotonic() + seconds
        while not (answer := await found()):
            assert time.monotonic() < until, f"never: {what}"
            await asyncio.sleep(0.05)
        return answer

    async def act(self, name: str, code: str, move: str) -> None:
        """Play *move* as *name* does."""
        fake, telegram = self.at.fake, self.at.telegram
        if name in self.pages:
            await self.view(name, code)
            await self.type(name, move)
        elif name == "Bob":
            handle = await fake.slash(fake.B, "move", {"move": move, "table": code})
            await handle.acked()
        else:
            await telegram.say(self.at.tina, f"/move {move}")

    async def play(self, code: str, most: int) -> int:
        """At most *most* moves at the table *code*; how many were played."""
        played = 0
        while played < most and (table := await self.table(code)).status == PLAYING:
            seat = min(table.actors())
            name, position = table.players[seat].name, table.present
            legal = position.legal_moves(seat)
            move = table.game.notation.written(position, legal[played * 7 % len(legal)])
            await self.act(name, code, move)
            try:
                await self.until(lambda v=table.version: self._newer(code, v), f"{name}: {move}")
            except AssertionError:
                if name in self.pages:
                    print(await self.pages[name].evaluate("document.body.innerText"))
                raise
            played += 1
        self.moves += played
        return played

    async def _newer(self, code: str, version: int) -> bool:
        return (await self.table(code)).version > version

    async def shown(self, code: str, *names: str) -> None:
        """Wait until the pages of *names* show the newest board of the table *code*."""
        version = (await self.table(code)).version

        async def newest() -> bool:
            open_now = self.at.web._visits.values()
            found = [page.versions.get(code) for one in open_now for page in one.pages]
            return sum(one == version for one in found) >= len(names)

        await self.until(newest, f"the board {version} of {code} on {names}")

    async def look(self, folder: Path, name: str) -> None:
        for who, client in self.clients.items():
            await client.page.screenshot(path=str(folder / f"{name}-{who}.png"))


async def main(folder: Path) -> None:
    from playwright.async_api import async_playwright

    began = time.monotonic()
    async with inside(folder) as at, async_playwright() as play:
        browser = await play.chromium.launch(executable_path=CHROMIUM, args=at.act.browser_args)
        party, fake = Party(at, browser), at.fake
        await _niya(party, browser, folder)
        await _parchis(party, folder)
        for game in ("cirya", "shogi", "storilljudhjorrayc"):
            await _of_two(party, game, folder)
        await _small(party, folder)
        await _bad_days(party)
        faults = at.faults()
        print(f"{party.moves} moves in {time.monotonic() - began:.0f} s, faults: {len(faults)}")
        print("\n".join(faults), at.act.notes, sep="\n")
        await browser.close()
        assert not faults
        assert not fake.violations


async def _niya(party: Party, browser: Any, folder: Path) -> None:
    """A whole game: Alice in the Activity against Bob in the channel; all others look on."""
    at, fake = party.at, party.at.fake
    handle = await fake.slash(fake.A, "play", {"game": "niya", "opponent": fake.B})
    message = await handle.reply(timeout=90)
    await fake.w.until(lambda: message.buttons, 30, "the invitation")
    await (await fake.click(fake.B, message, label="Accept")).acked()
    await fake.w.until(lambda: any(b["custom_id"].startswith("m.") for b in message.buttons), 30)
    opened = await fake.click(fake.A, message, label="Open the board")
    await opened.acked()
    assert opened.activity
    code = str(message.buttons[0]["custom_id"].split(".")[1])
    await party.come(fake.A)
    assert await party.hash("Alice") == code, "the button's table is in view"
    phone = await browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    await party.come(fake.C)
    dora = fake.add_user("dora")
    await party.come(dora, platform="mobile", context=phone)
    for name in ("Carol", dora["global_name"]):
        await party.pages[name].click(f"[data-table='{code}']")
    page = await browser.new_page()
    token = at.told[-1].partition("?")[2]
    await page.goto(f"http://127.0.0.1:{at.web.port}/?{token}")
    await page.wait_for_selector("#name", timeout=60_000)
    await page.fill("#name", "Vera")
    await page.press("#name", "Enter")
    await page.wait_for_selector("#games", timeout=60_000)
    party.pages["Vera"] = page
    await party.type("Vera", f"/board {code}")
    await at.telegram.say(at.tina, f"/board {code}")
    played = await party.play(code, 60)
    table = await party.table(code)
    assert table.status == ENDED, table.status
    await party.shown(code, "Alice", "Carol", "Dora", "Vera")
    for name in party.pages:
        await party.pages[name].wait_for_selector("main.board.over", timeout=60_000)
    await party.look(folder, "niya")
    print(f"Niya: {played} moves to the end, seen by {', '.join(party.pages)}")


async def _parchis(party: Party, folder: Path) -> None:
    """Four at one table: in the Activity, in the channel, on Telegram and on the page."""
    at, fake = party.at, party.at.fake
    code = await party.open("Alice", "/play parchis seats=4")
    handle = await fake.slash(fake.B, "join", {"table": code})
    await handle.acked()
    await at.telegram.say(at.tina, f"/join {code}")
    await party.type("Vera", f"/join {code}")

    async def begun() -> bool:
        return (await party.table(code)).status == PLAYING

    await party.until(begun, "four at the table of Parchís")
    names = [one.name for one in (await party.table(code)).players]
    print(f"Parchís: {await party.play(code, 10)} moves by {', '.join(names)}")
    await party.look(folder, "parchis")


async def _of_two(party: Party, game: str, folder: Path) -> None:
    """Alice invites Carol by name, both in the Activity."""
    code = await party.open("Alice", f"/play {game}")
    await party.pages["Alice"].click("text=Invite Carol")
    await party.until(lambda: _has_sat(party, code), f"Carol at {code}")
    print(f"{game}: {await party.play(code, 10)} moves")
    # What is set up in secret changes no board but one's own.
    seen = ("Alice",) if hides(await party.table(code), 0, 1) else ("Alice", "Carol")
    await party.shown(code, *seen)
    await party.look(folder, game)


async def _has_sat(party: Party, code: str) -> bool:
    if (await party.table(code)).status == PLAYING:
        return await party.hash("Carol") == code
    await party.type("Carol", f"/join {code}")
    await asyncio.sleep(0.5)
    return False


async def _small(party: Party, folder: Path) -> None:
    """Picture in picture and grid: the board alone, and whose turn it is."""
    for mode in ("pip", "grid"):
        await party.at.act.layout(party.clients["Alice"], mode)
        await party.pages["Alice"].wait_for_selector(f"html[data-layout={mode}] .pic")
        hidden = await party.pages["Alice"].evaluate(
            "[...document.querySelectorAll('.pane, .around, .tables')]"
            ".every((one) => !one.offsetParent)"
        )
        assert hidden, mode
        await asyncio.sleep(0.3)
        await party.clients["Alice"].page.screenshot(path=str(folder / f"{mode}.png"))
    await party.at.act.layout(party.clients["Alice"], "focused")


async def _bad_days(party: Party) -> None:
    """Who refuses reads why; a reload signs in again; an ended instance is left."""
    at, fake = party.at, party.at.fake
    eve = fake.add_user("eve")
    client = await at.act.open(party.browser, eve, consent="refuse")
    await client.did("AUTHORIZE", error=True, timeout=60)
    await client.frame.wait_for_selector("#entering button")
    await at.act.close(client)
    alice = party.clients["Alice"]
    before = len([one for one in alice.answers if one[0] == "AUTHENTICATE"])
    await alice.frame.evaluate("location.reload()")

    async def again() -> bool:
        return len([one for one in alice.answers if one[0] == "AUTHENTICATE"]) > before

    await party.until(again, "a second sign-in after a reload")
    await alice.frame.wait_for_selector("body:not(.nameless)", timeout=60_000)
    print("A refusal is told, and a reload signs in again.")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
