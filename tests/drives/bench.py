"""A table between two people of an emulated Discord, and the process that serves it."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.session.fold import table_of
from bot.session.table import Table
from storage.records import EPOCH, MILLISECOND, EventRow, PersonName
from tests.drives.fork_server import forking
from tests.drives.kill_points import Switches

ROOT = Path(__file__).resolve().parents[2]
EMULATORS = ROOT.parent / "shared" / "emulators"

MOVE = "m."
"""How the code of a button begins that moves."""


def available() -> bool:
    """Whether the emulators are there; puts them on the path."""
    if not EMULATORS.is_dir():
        return False
    sys.path.insert(0, str(EMULATORS))
    return True


@dataclass
class Bench:
    """One emulated Discord and one bot process on a database in *folder*."""

    folder: Path
    fake: Any
    bot: Any
    switches: Switches
    rng: random.Random
    handles: list[Any] = field(default_factory=list)

    # ---------------------------------------------------------------- at a table

    async def open(
        self, a: Any = None, b: Any = None, game: str = "niya", options: str = "", **where: Any
    ) -> Any:
        """A game between two people; the message that shows it."""
        fake = self.fake
        a, b = a or fake.A, b or fake.B
        wish = {"game": game, "opponent": b} | ({"options": options} if options else {})
        handle = self.kept(await fake.slash(a, "play", wish, **where))
        message = await handle.reply()
        await self.until(lambda: message.buttons, "the invitation")
        await self.click(b, message, label="Accept")
        await self.until(lambda: self.moves(message), "the first board")
        return message

    async def click(self, who: Any, message: Any, **what: Any) -> Any:
        """A press and its first answer; one that comes too late is counted as unanswered."""
        handle = self.kept(await self.fake.click(who, message, **what))
        with suppress(TimeoutError):
            await handle.acked()
        return handle

    def kept(self, handle: Any) -> Any:
        self.handles.append(handle)
        return handle

    def moves(self, message: Any) -> list[Any]:
        buttons = [one for one in message.buttons if not one.get("disabled")]
        return [one for one in buttons if one["custom_id"].startswith(MOVE)]

    def mover(self, message: Any) -> Any:
        """Whose turn the headline names."""
        head = message.text.split("\n")[0]
        found = [u for u in self.fake.users.values() if str(u["global_name"]) in head]
        return found[0]

    def other(self, message: Any, among: Iterable[Any]) -> Any:
        return next(one for one in among if one is not self.mover(message))

    def over(self, message: Any) -> bool:
        return any(button["label"] == "Rematch" for button in message.buttons)

    async def move(self, message: Any) -> float:
        """One move by a button; seconds from the press to the new board."""
        edits, began = message.edits, time.monotonic()
        code = self.rng.choice(self.moves(message))["custom_id"]
        await self.click(self.mover(message), message, custom_id=code)
        await self.until(lambda: message.edits > edits, "the next board")
        return time.monotonic() - began

    async def until(self, condition: Any, what: str, seconds: float = 20.0) -> Any:
        return await self.fake.w.until(condition, seconds, what)

    # ---------------------------------------------------------------- the process

    async def killed(self) -> None:
        """SIGKILL, and a successor."""
        await self.bot.restart(signal.SIGKILL)
        await self.ready()

    async def succeeded(self) -> float:
        """Wait until the process has killed itself, then start another; how long that takes."""
        await self.switches.died(self.bot)
        began = time.monotonic()
        await self.bot.start()
        await self.ready()
        return time.monotonic() - began

    async def ready(self) -> None:
        await self.fake.wait_ready(bot=self.bot, quiet=0.1)

    # ---------------------------------------------------------------- what is stored

    def rows(self, query: str, *values: object) -> list[tuple]:
        with sqlite3.connect(f"file:{self.folder}/games.db?mode=ro", uri=True) as db:
            return db.execute(query, values).fetchall()

    def code(self, message: Any) -> str:
        """The table that *message* shows."""
        return message.buttons[0]["custom_id"].split(".")[1]

    def log_length(self, message: Any) -> int:
        """The number of moves at the table that *message* shows."""
        query = "select count(*) from event where game = ? and kind = 'move'"
        return self.rows(query, self.code(message))[0][0]

    def table(self, code: str) -> Table:
        """The table as it is on disk."""
        query = (
            "select number, at, kind, seat, text, data from event where game = ? order by number"
        )
        events = [
            EventRow(number, EPOCH + at * MILLISECOND, kind, seat, text, json.loads(data))
            for number, at, kind, seat, text, data in self.rows(query, code)
        ]
        return table_of(code, events).called(
            {one: PersonName(one, name) for one, name in self.rows("select id, name from person")}
        )

    def current(self, message: Any, turns: tuple[int, ...]) -> bool:
        """Whether the buttons of *message* are of the present turn, or the game is over."""
        codes = [button["custom_id"] for button in self.moves(message)]
        return self.over(message) or any(int(c.split(".")[2], 36) in turns for c in codes)

    def owed(self) -> int:
        """The views that are behind."""
        return self.rows("select count(*) from view where shown < owed")[0][0]

    async def nothing_owed(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while self.owed():
            if time.monotonic() > until:
                return False
            await asyncio.sleep(0.02)
        return True

    # ---------------------------------------------------------------- what was seen

    def latencies(self) -> list[float]:
        return sorted(h.latency for h in self.handles if h.latency is not None)

    def unanswered(self) -> int:
        return sum(h.latency is None for h in self.handles)

    def faults(self) -> list[str]:
        """Whatever a drive may never see."""
        found = [f"violation {v}" for v in self.fake.violations]
        found += [f"blocked {line}" for line in self.bot.blocked_connections]
        if "Traceback" in self.bot.output:
            found.append(f"a traceback in {self.bot.log}")
        return found


@asynccontextmanager
async def bench(
    folder: Path,
    rng: random.Random | None = None,
    env: dict[str, str] | None = None,
    command: tuple[str, ...] = (),
    **wanted: Any,
) -> AsyncIterator:
    """An emulated Discord and the bot on it, both gone afterwards.

    The bot is the drives' own, forked at each start, unless there is another *command*.
    """
    from fake_discord import FakeDiscord
    from harness_common import BotProcess

    folder.mkdir(parents=True, exist_ok=True)
    async with FakeDiscord(folder / "out", **wanted) as fake:
        switches = Switches(folder / "switches")
        settings = {
            **switches.environment(),
            "DISCORD_TOKEN": fake.token,
            "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/games.db",
            "WEB_PORT": "0",
            **(env or {}),
        }
        started = BotProcess if command else forking(BotProcess)
        log = folder / "bot.log"
        bot = started([sys.executable, *command], fake, env=settings, cwd=ROOT, log=log)
        await bot.start()
        opened = Bench(folder, fake, bot, switches, rng or random.Random(5))
        try:
            await opened.ready()
            yield opened
        finally:
            await bot.stop()
            if not command:
                await bot.close()
