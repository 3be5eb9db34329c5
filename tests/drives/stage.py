"""A real bot process, an emulated Telegram around it, and an eye on its database."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlalchemy import select

from bot.presenters.composer import Composer
from bot.presenters.viewers import Viewer
from bot.service.rating_rows import load_shifts
from bot.session.fold import table_of
from bot.session.table import PLAYING, Table
from storage import bot_settings, games, inbox, people, places
from storage import views as stored
from storage.records import ViewRow
from storage.schema import game
from storage.store import Store, Transaction
from tests.chat_capabilities import CAPABILITIES
from tests.drives.fork_server import forking
from tests.drives.kill_points import Switches

ROOT = Path(__file__).resolve().parents[2]
EMULATORS = ROOT.parent / "shared" / "emulators"

MANY = 10_000
"""More tables than a drive opens."""

PATIENCE = 70.0
"""How many seconds a board may wait in a busy group, which takes 18 calls a minute."""


def emulators() -> bool:
    """Whether the emulators are beside this checkout; they can be imported from then on."""
    if not EMULATORS.is_dir():
        return False
    if str(EMULATORS) not in sys.path:
        sys.path.insert(0, str(EMULATORS))
    return True


def looking_at(view: ViewRow, table: Table) -> Viewer:
    """Who looks at *view*, whatever look he has chosen."""
    return Viewer(
        table.seat_of(view.person),
        view.language,
        bottom=view.side,
        personal=view.person is not None,
        space=CAPABILITIES[view.platform].space,
    )


@dataclass
class Stage:
    """Telegram (emulated), the bot (a process of its own), and what must be true of both."""

    folder: Path
    fake: Any
    bot: Any = None
    latencies: list[float] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    env: Mapping[str, str] = field(default_factory=dict)
    _store: Store | None = None

    @classmethod
    async def open(
        cls, folder: Path, env: Mapping[str, str] | None = None, **options: Any
    ) -> Stage:
        """The bot in *folder*, told *env*, polling an emulator with *options*."""
        from fake_telegram import FakeTelegram

        fake = await FakeTelegram(folder / "out", human_delay=0, **options).start()
        stage = cls(folder, fake, env=env or {})
        await stage.begin()
        return stage

    async def begin(self) -> None:
        """Start the process, and wait until it asks for updates."""
        from harness_common import BotProcess

        if self.bot is None:
            environment = {
                **self.switches.environment(),
                "TELEGRAM_TOKEN": self.fake.token,
                "TELEGRAM_API_URL": self.fake.url,
                "DATABASE_URL": f"sqlite+aiosqlite:///{self.folder}/games.db",
                "WEB_PORT": "0",
                "PYTHONPATH": f"{EMULATORS}/inject:{ROOT}",
                **self.env,
            }
            log = self.folder / "bot.log"
            process = forking(BotProcess)
            self.bot = process([], self.fake, env=environment, cwd=self.folder, log=log)
        self.fake._poll = None
        await self.bot.start()
        await self.fake.wait_ready(bot=self.bot)
        if self._store is None:
            address = f"sqlite+aiosqlite:///{self.folder}/games.db"
            self._store = await Store.open(address, readonly=True)

    @property
    def switches(self) -> Switches:
        return Switches(self.folder / "switches")

    async def succeeded(self) -> float:
        """Wait until the process has killed itself, then start another; how long that takes."""
        await self.switches.died(self.bot)
        began = time.monotonic()
        await self.begin()
        return time.monotonic() - began

    async def close(self) -> tuple[int | None, float]:
        """End the bot by SIGTERM, then Telegram; answers its status and how long it took."""
        ended = await self.bot.stop(timeout=30)
        await self.bot.close()
        if self._store is not None:
            await self._store.close()
        await self.fake.stop()
        return ended

    # ---------------------------------------------------------------- what is true

    @property
    def store(self) -> Store:
        assert self._store is not None
        return self._store

    async def table(self, code: str) -> Table:
        """The table as it is on disk."""
        async with self.store.reading() as tx:
            row, events = await games.load_game(tx, code), await games.load_events(tx, code)
            assert row is not None
            table = table_of(code, events, row.parent)
            table = table.called(await people.load_names(tx, sorted(table.people())))
            return replace(table, shifts=await load_shifts(tx, table))

    async def codes(self, code: str) -> list[str]:
        """The codes of the moves that may be made at a table now."""
        table = await self.table(code)
        async with self.store.reading() as tx:
            rows = await stored.views_of_game(tx, code)
            key = bytes.fromhex(await bot_settings.load_setting(tx, "button-key") or "")
        rows_of = [Composer(table, looking_at(row, table), key).board().rows for row in rows]
        return [
            b.code for rows in rows_of for row in rows for b in row if b.style in ("move", "final")
        ]

    async def mover(self, code: str) -> dict:
        """Who is to move at a table."""
        table = await self.table(code)
        (seat,) = table.actors()
        name = table.players[seat].name
        return next(u for u in self.fake.users.values() if u["first_name"] == name)

    async def message(self, code: str) -> Any:
        """The message that shows a table, as people see it."""
        async with self.store.reading() as tx:
            row = (await stored.views_of_game(tx, code))[-1]
        return self.fake.messages.get((int(row.place), int(row.message or 0)))

    async def stale(self) -> list[str]:
        """The tables whose message is not what it should be, button by button."""
        async with self.store.reading() as tx:
            key = bytes.fromhex(await bot_settings.load_setting(tx, "button-key") or "")
            codes = sorted(self.known | set(await _playing(tx)))
            views = [row for code in codes for row in await stored.views_of_game(tx, code)]
            shut = {
                v.place
                for v in views
                if (await places.load_place(tx, "telegram", v.place)).suspended
            }
        wrong = []
        for view in views:
            if view.platform != "telegram" or view.place in shut:
                continue
            table = await self.table(view.game)
            screen = Composer(table, looking_at(view, table), key).board()
            wanted = [[button.code for button in row] for row in screen.rows]
            shown = self.fake.messages.get((int(view.place), int(view.message or 0)))
            there = shown and [[b.get("callback_data") for b in row] for row in shown.keyboard]
            # A board that calls somebody says so in place of its headline.
            said = (screen.headline[:20], *(player.name for player in table.players))
            if there != wanted or not shown.text.startswith(said):
                wrong.append(view.game)
        return wrong

    async def pending(self) -> int:
        """How many updates were received and never settled."""
        async with self.store.reading() as tx:
            return len(await inbox.pending_updates(tx, "telegram"))

    async def current(self, seconds: float = 10.0) -> float:
        """Wait until every board is the newest and every update settled; how long it took."""
        began = time.monotonic()
        # In this order: what is settled after the boards were looked at may have changed them.
        while self.fake.pending or await self.pending() or await self.stale():
            if time.monotonic() - began > seconds:
                stale, pending = await self.stale(), await self.pending()
                shown = [repr(await self.message(code)) for code in stale]
                raise TimeoutError(f"{len(stale)} stale, {pending} pending: {shown}")
            await asyncio.sleep(0.05)
        return time.monotonic() - began

    # ---------------------------------------------------------------- what people do

    async def opened(self, chat: dict, *, first: dict, second: dict) -> str:
        """A game of Niya between two people in *chat*; its table's code."""
        before = await self.played_in(chat)
        asked = await self.fake.say(first, "/play niya", chat)
        board = await asked.reply(PATIENCE, predicate=_open)
        await self.pressed(second, board, label="Sit down")
        return await self.begun(chat, before)

    async def begun(self, chat: dict, before: set[str]) -> str:
        """The code of the table that begins in *chat* besides those of *before*."""

        async def new() -> set[str]:
            return await self.played_in(chat) - before

        (code,) = await self.until(new, PATIENCE)
        self.known.add(code)
        return code

    async def played_in(self, chat: dict) -> set[str]:
        """The tables in *chat* that are being played at: others may begin elsewhere meanwhile."""
        async with self.store.reading() as tx:
            place = ("telegram", str(chat["id"]))
            rows = await games.list_games(tx, ("playing",), MANY, place=place)
        return {row.code for row in rows}

    async def playing(self) -> tuple[str, ...]:
        """The tables that are being played at."""
        async with self.store.reading() as tx:
            return await _playing(tx)

    async def until(self, found: Any, seconds: float = 10.0) -> Any:
        """What *found* answers, once it answers something."""
        async with asyncio.timeout(seconds):
            while not (what := await found()):
                await asyncio.sleep(0.02)
        return what

    async def press(self, who: dict, message: Any, *, label: str = "", code: str = "") -> Any:
        """A press, not waited for."""
        button = {"text": "", "callback_data": code} if code else None
        return await self.fake.press(who, message, label or None, stale=button)

    async def pressed(self, who: dict, message: Any, *, label: str = "", code: str = "") -> Any:
        """A press and its answer; the time it took is noted."""
        handle = await self.press(who, message, label=label, code=code)
        await handle.answered()
        self.latencies.append(handle.latency)
        return handle

    async def shown(self, code: str) -> Any:
        """The message of a table, once it shows a game."""

        async def there() -> Any:
            message = await self.message(code)
            if message is None or not message.photo:
                return None
            # An invitation has a picture as well.
            codes = [button.get("callback_data", "") for button in message.buttons]
            return None if any(one.startswith("j.") for one in codes) else message

        return await self.until(there, PATIENCE)

    async def over(self, code: str) -> bool:
        """Whether the game at a table is over."""
        return (await self.table(code)).status != PLAYING


@asynccontextmanager
async def staged(
    folder: Path, env: Mapping[str, str] | None = None, **options: Any
) -> AsyncIterator[Stage]:
    """A stage, gone afterwards whatever happens on it."""
    stage = await Stage.open(folder, env or {}, **options)
    try:
        yield stage
    finally:
        if stage.bot.alive:
            await stage.bot.kill()
        if stage._store is not None:
            await stage._store.close()


def _open(message: Any) -> bool:
    """Whether *message* invites to a table."""
    return any(button["text"] == "Sit down" for button in message.buttons)


async def _playing(tx: Transaction) -> tuple[str, ...]:
    """The tables that are being played at."""
    found = await tx.execute(select(game.c.code).where(game.c.status == "playing"))
    return tuple(found.scalars())
