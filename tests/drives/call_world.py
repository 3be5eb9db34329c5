"""Both emulated platforms around one process, and what the drive of calls finds there."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.session.fold import table_of
from bot.session.table import Table
from storage import games, people
from storage import views as stored
from storage.records import ViewRow
from storage.store import Store
from tests.drives.fork_server import forking
from tests.drives.kill_points import Switches
from tests.drives.patched_main import AS_PEOPLE
from tests.drives.stage import EMULATORS, ROOT

PATIENCE = 20.0
"""Seconds that anything may take which is to happen at once."""

REMOVED = 45.0
"""The same for a call that goes: it comes after all that is said, and a group takes 18 a minute."""


@dataclass(frozen=True)
class Heard:
    """A new message that notified somebody, at an instant of the monotonic clock."""

    at: float
    place: Any
    message: Any
    answers: Any
    """The id of the message to which it is a reply, if it is one."""
    boards: bool
    """Whether it is a board."""

    @property
    def text(self) -> str:
        """Its first line."""
        return self.message.text.split("\n")[0]


@dataclass(frozen=True)
class Deed:
    """What was driven and what came of it: a line of the report."""

    where: str
    what: str
    who: str
    after: float | None
    form: str
    said: str
    wrong: str = ""

    def line(self) -> str:
        """All of it."""
        after = "     –" if self.after is None else f"{self.after:4.1f} s"
        mark = f"FAIL {self.wrong}: " if self.wrong else ""
        parts = (f"{self.where:8}", mark + self.what, self.who, after, self.form, self.said)
        return " | ".join(parts)


@dataclass
class World:
    """Both emulators, the process between them, and what the drive has found."""

    folder: Path
    discord: Any
    telegram: Any
    bot: Any
    switches: Switches
    deeds: list[Deed] = field(default_factory=list)
    _store: Store | None = None

    @property
    def store(self) -> Store:
        """Its database, to be read."""
        assert self._store is not None
        return self._store

    async def ready(self) -> None:
        """Wait until both platforms are served."""
        await self.discord.wait_ready(bot=self.bot, quiet=0.2)
        await self.telegram.wait_ready(bot=self.bot)
        if self._store is None:
            address = f"sqlite+aiosqlite:///{self.folder}/games.db"
            self._store = await Store.open(address, readonly=True)

    async def succeeded(self) -> float:
        """Wait until the process has killed itself, and start another; when that one served."""
        await self.switches.died(self.bot)
        self.telegram._poll = None
        await self.bot.start()
        await self.ready()
        return time.monotonic()

    async def table(self, code: str) -> Table:
        """The table as it is on disk."""
        async with self.store.reading() as tx:
            row, events = await games.load_game(tx, code), await games.load_events(tx, code)
            assert row is not None
            table = table_of(code, events, row.parent)
            return table.called(await people.load_names(tx, sorted(table.people())))

    async def views(self, code: str) -> tuple[ViewRow, ...]:
        """Where the table is shown."""
        async with self.store.reading() as tx:
            return tuple(await stored.views_of_game(tx, code))

    def forgotten(self, code: str) -> None:
        """Let the time be over in which the invitation to a table may be answered."""
        with closing(sqlite3.connect(f"{self.folder}/games.db", timeout=10.0)) as db, db:
            db.execute("update deadline set at = 0 where game = ? and kind = 'invitation'", (code,))

    async def until(
        self, found: Callable[[], Awaitable[Any]], what: str, seconds: float = PATIENCE
    ) -> Any:
        """What *found* answers, once it answers something."""
        until = time.monotonic() + seconds
        while not (answer := await found()):
            if time.monotonic() > until:
                raise TimeoutError(f"never: {what}")
            await asyncio.sleep(0.1)
        return answer

    def faults(self) -> list[str]:
        """Whatever a drive may never see."""
        found = [f"violation {v}" for v in (*self.discord.violations, *self.telegram.violations)]
        found += [f"outside: {line}" for line in self.bot.blocked_connections]
        if "Traceback" in self.bot.output:
            found.append("a traceback in the log: " + self.bot.output[-2000:])
        return found


@asynccontextmanager
async def world(folder: Path) -> AsyncIterator[World]:
    """Both emulators and the process, gone afterwards; people's limits are as they are."""
    from fake_discord import FakeDiscord
    from fake_telegram import FakeTelegram
    from harness_common import BotProcess

    async with AsyncExitStack() as stack:
        discord = await stack.enter_async_context(FakeDiscord(folder / "d"))
        telegram = await FakeTelegram(folder / "t", human_delay=0, flood=True).start()
        stack.push_async_callback(telegram.stop)
        switches = Switches(folder / "switches")
        environment = {
            **switches.environment(),
            "DISCORD_TOKEN": discord.token,
            "TELEGRAM_TOKEN": telegram.token,
            "TELEGRAM_API_URL": telegram.url,
            "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/games.db",
            "WEB_PORT": "0",
            "PYTHONPATH": f"{EMULATORS}/inject:{ROOT}",
            AS_PEOPLE: "1",
        }
        log = folder / "bot.log"
        bot = forking(BotProcess)([], discord, telegram, env=environment, cwd=folder, log=log)
        await bot.start()
        stack.push_async_callback(bot.close)
        stack.push_async_callback(bot.stop, timeout=30)
        at = World(folder, discord, telegram, bot, switches)
        await at.ready()
        stack.push_async_callback(at.store.close)
        yield at
