"""One table across platforms: ``python -m tests.drives.together``.

A player on an emulated Discord, one on an emulated Telegram, a watcher in the browser chat,
all on one real process: a whole game of Niya, then Storilljuðjorrayc with its hidden set-up.
"""

from __future__ import annotations

import asyncio
import random
import re
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp

from bot.session.fold import table_of
from bot.session.table import PLAYING, Table
from storage import games, people
from storage.store import Store
from tests.chats.pages import Page, Visitor
from tests.drives.minds import button_for, wanted
from tests.drives.stage import EMULATORS, ROOT, emulators

PATIENCE = 40.0

START = 120.0
"""For how many seconds the program may take to be connected: it shares a busy machine."""


@dataclass
class Together:
    """Both emulators, the process, and a page that watches."""

    discord: Any
    telegram: Any
    bot: Any
    store: Store
    page: Page
    rng: random.Random
    visitor: Visitor | None = None
    """Whose page that is."""

    async def table(self, code: str) -> Table:
        async with self.store.reading() as tx:
            row, events = await games.load_game(tx, code), await games.load_events(tx, code)
            assert row is not None
            table = table_of(code, events, row.parent)
            return table.called(await people.load_names(tx, sorted(table.people())))

    async def until(self, found: Any, what: str) -> Any:
        until = time.monotonic() + PATIENCE
        while not (answer := await found()):
            assert time.monotonic() < until, f"never: {what}"
            await asyncio.sleep(0.05)
        return answer

    async def play(self, code: str, on_discord: Any, most: int) -> int:
        """Press buttons until the game is over, at most *most*; how many were pressed."""
        presses, planned = 0, (0, ())
        while presses < most and (await self.table(code)).status == PLAYING:
            table = await self.table(code)
            (seat,) = table.actors()
            discordian = table.players[seat].name == "Alice"
            turn = table.turns[seat]

            async def buttons(here: bool = discordian, turn: int = turn) -> list[str]:
                found = await self._codes(code, on_discord, here)
                return [c for c in found if int(c.split(".")[2], 36) == turn]

            if planned[0] != table.version:
                planned = (table.version, await asyncio.to_thread(wanted, table, seat, self.rng))
            chosen = button_for(await self.until(buttons, "the mover's buttons"), planned[1])
            assert chosen, planned
            before = await self._codes(code, on_discord, discordian)
            if discordian:
                await self.discord.click(self.discord.A, on_discord, custom_id=chosen)
            else:
                message = self.on_telegram(code)
                button = {"text": "", "callback_data": chosen}
                await (await self.telegram.press(self.telegram.B, message, stale=button)).answered()

            async def changed(here: bool = discordian, old: list[str] = before) -> bool:
                return await self._codes(code, on_discord, here) != old

            await self.until(changed, "an answer on the board")
            presses += 1
        return presses

    def on_telegram(self, code: str) -> Any:
        shown = [m for m in self.telegram.messages.values() if self._codes_of(m, code)]
        return shown[-1]

    def _codes_of(self, message: Any, code: str) -> list[str]:
        found = [b.get("callback_data") or "" for b in message.buttons]
        return [one for one in found if f".{code}." in one]

    async def _codes(self, code: str, on_discord: Any, here: bool) -> list[str]:
        if here:
            found = [b.get("custom_id") or "" for b in on_discord.buttons]
        else:
            found = self._codes_of(self.on_telegram(code), code)
        return [one for one in found if one.startswith("m.")]


async def opened(
    stack: AsyncExitStack,
    folder: Path,
    command: Sequence[str] = (sys.executable, "-m", "bot.app.main"),
    environment: Mapping[str, str] | None = None,
    tongue: str = "",
) -> Together:
    """Both platforms, the program that *command* starts, and a page; all speak *tongue*."""
    from fake_discord import FakeDiscord
    from fake_telegram import FakeTelegram
    from harness_common import BotProcess

    discord = await stack.enter_async_context(FakeDiscord(folder / "d"))
    telegram = await FakeTelegram(folder / "t", human_delay=0).start()
    stack.push_async_callback(telegram.stop)
    if tongue:
        discord.locale = discord.guild["locale"] = discord_locale(tongue)
        for user in telegram.users.values():
            user["language_code"] = tongue
    address = f"sqlite+aiosqlite:///{folder}/games.db"
    settings = {
        "DISCORD_TOKEN": discord.token,
        "TELEGRAM_TOKEN": telegram.token,
        "TELEGRAM_API_URL": telegram.url,
        "DATABASE_URL": address,
        "WEB_PORT": "0",
        "PYTHONPATH": f"{EMULATORS}/inject:{ROOT}",
        **(environment or {}),
    }
    log = folder / "bot.log"
    bot = BotProcess([*command], discord, telegram, env=settings, cwd=folder, log=log)
    await bot.start()
    stack.push_async_callback(bot.stop, timeout=30)
    await discord.wait_ready(timeout=START, bot=bot)
    await telegram.wait_ready(timeout=START, bot=bot)
    found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text())
    entrance = re.search(r"http://127\.0\.0\.1:\S+", log.read_text())
    assert found
    assert entrance
    http = await stack.enter_async_context(aiohttp.ClientSession())
    visitor = Visitor(SimpleNamespace(http=http, url=found[0]))
    await visitor.enter(entrance[0])
    page = await stack.enter_async_context(visitor.open(language=tongue or "es"))
    await page.ask("name", name="Vera")
    store = await Store.open(address, readonly=True)
    stack.push_async_callback(store.close)
    return Together(discord, telegram, bot, store, page, random.Random(4), visitor)


def discord_locale(code: str) -> str:
    """The locale of Discord's clients for the language *code*."""
    return {"pt": "pt-BR"}.get(code, code)


async def joined(at: Together, wish: dict[str, str]) -> tuple[str, Any]:
    """A table opened on Discord, joined from Telegram, watched in the browser."""
    on_discord = await (await at.discord.slash(at.discord.A, "play", wish)).reply()
    code = on_discord.buttons[0]["custom_id"].split(".")[1]
    await at.telegram.say(at.telegram.B, f"/join {code}", at.telegram.group)

    async def playing() -> bool:
        return (await at.table(code)).status == PLAYING

    await at.until(playing, "the game")
    await at.page.type(f"/join {code}")
    await at.until(lambda: _there(at, code), "the board on Telegram")
    return code, on_discord


async def _there(at: Together, code: str) -> bool:
    return any(at._codes_of(message, code) for message in at.telegram.messages.values())


async def niya(folder: Path) -> str:
    async with AsyncExitStack() as stack:
        at = await opened(stack, folder)
        code, on_discord = await joined(at, {"game": "niya"})
        presses = await at.play(code, on_discord, 99)
        await at.page.board(code, lambda board: board["over"])
        await at.until(lambda: _over(at, code, on_discord), "the end on every board")
        return judged(at, f"{presses} presses to the end, seen in all three chats")


async def storill(folder: Path) -> str:
    async with AsyncExitStack() as stack:
        at = await opened(stack, folder)
        code, on_discord = await joined(at, {"game": "storilljudhjorrayc"})

        async def begun() -> bool:
            return any(button.get("label") == "Set up mine" for button in on_discord.buttons)

        await at.until(begun, "the board on Discord")
        setting = await at.discord.click(at.discord.A, on_discord, "Set up mine")
        mine = await setting.reply()
        ready = next(b for b in mine.buttons if "eady" in b["label"])
        await at.discord.click(at.discord.A, mine, custom_id=ready["custom_id"])
        await at.telegram.start_bot(at.telegram.B, code)

        async def arranged() -> bool:
            for message in list(at.telegram.messages.values()):
                for button in message.buttons:
                    if "eady" in button["text"]:
                        press = await at.telegram.press(at.telegram.B, message, button["text"])
                        await press.answered()
                        return True
            return False

        await at.until(arranged, "the private set-up on Telegram")

        async def battle() -> bool:
            return len((await at.table(code)).actors()) == 1

        await at.until(battle, "the battle")
        presses = await at.play(code, on_discord, 400)
        await at.until(lambda: _over(at, code, on_discord), "the end on both boards")
        return judged(at, f"hidden set-up on both, {presses} presses to the end")


async def _over(at: Together, code: str, on_discord: Any) -> bool:
    here = any(button["label"] == "Rematch" for button in on_discord.buttons)
    return here and any(m.text.startswith("★") for m in at.telegram.messages.values() if m.text)


def judged(at: Together, said: str) -> str:
    assert not at.discord.violations, at.discord.violations[:3]
    assert not at.telegram.violations, at.telegram.violations[:3]
    assert not at.telegram.unanswered, at.telegram.unanswered[:3]
    assert not at.bot.blocked_connections
    assert "Traceback" not in at.bot.output, at.bot.output[-2000:]
    return said


def main() -> None:
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    failed = False
    for name, drive in (("niya", niya), ("storilljudhjorrayc", storill)):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                said, mark = asyncio.run(drive(Path(folder))), "ok  "
            except AssertionError as wrong:
                failed, mark, said = True, "FAIL", str(wrong)
        print(f"{mark} {name}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
