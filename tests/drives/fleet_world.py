"""Several real processes on one PostgreSQL, an emulated Telegram, and people on pages and in it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import socket
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
from sqlalchemy import text

from storage.database.server_process_cluster import KIND
from storage.table import games, views
from storage.transfer import transfer_database
from tests import postgres
from tests.benchmarks.growth import ended
from tests.bot.many_tables import copied
from tests.chats.pages import Visitor
from tests.drives.fleet_pages import Guest, Pair
from tests.drives.report import Report
from tests.drives.world import Telegram, bot_process
from tests.storage.later import NEXT

LINK = re.compile(r"(http://127\.0\.0\.1:\d+)/\?t=(\S+)")

HELD = text(
    "SELECT count(*) FROM lease JOIN pg_locks ON classid = :kind AND objid = holder "
    "WHERE locktype = 'advisory' AND granted "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
DUTIES = 3
"""The clock, Telegram and the page."""

MOVES = text("SELECT count(*) FROM event WHERE game = :code AND kind = 'move' AND seat IS NOT NULL")
VERSION = text("SELECT version FROM game WHERE code = :code")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@dataclass
class Process:
    """One of the processes: its page, and whether it takes presses."""

    bot: Any
    port: int
    metrics: int
    http: aiohttp.ClientSession
    later: bool = False
    ready: bool = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start it, and wait until it takes presses."""
        await self.bot.start()
        async with asyncio.timeout(90.0):
            while not await self._is_ready():
                if not self.bot.alive:
                    raise RuntimeError(self.bot.output[-3000:])
                await asyncio.sleep(0.05)
        self.ready = True

    async def _is_ready(self) -> bool:
        with contextlib.suppress(aiohttp.ClientError, OSError):
            async with self.http.get(f"http://127.0.0.1:{self.metrics}/readyz") as answer:
                return answer.status == 200
        return False

    async def kill(self) -> None:
        self.ready = False
        await self.bot.kill()

    async def end(self, seconds: float = 30.0) -> tuple[int | None, float]:
        """End it by SIGTERM."""
        self.ready = False
        ended: tuple[int | None, float] = await self.bot.stop(timeout=seconds)
        return ended


@dataclass
class Fleet(Telegram):
    """All of it."""

    address: str = ""
    processes: list[Process] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    last: str = ""
    """Who waited for what when somebody last waited for anything."""
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    http: aiohttp.ClientSession = field(default_factory=aiohttp.ClientSession)

    @property
    def serving(self) -> list[Process]:
        return [one for one in self.processes if one.ready]

    def process(self, number: int, *, later: bool = False) -> Process:
        """One more process, not started, of this release or of the next."""
        port, metrics = free_port(), free_port()
        folder = self.folder / f"process-{number}"
        folder.mkdir()
        environment = {
            "DATABASE_URL": self.address,
            "WEB_PORT": str(port),
            "METRICS_PORT": str(metrics),
            "LUDOTECA_LANGUAGE": "en",
        }
        if later:
            environment[NEXT] = str(folder)
        made = bot_process(folder, self.fake, **environment)
        one = Process(made, port, metrics, self.http, later)
        self.processes.append(one)
        return one

    async def first_guest(self) -> Guest:
        """Whoever follows the link that the first process has printed."""
        (url, token) = LINK.findall(self.processes[0].bot.output)[0]
        guest = self._guest()
        assert await guest.visitor.enter(f"{url}/?t={token}") == 200
        await self._named(guest, "Host")
        return guest

    def _guest(self) -> Guest:
        visitor = Visitor(self.processes[0])  # type: ignore[arg-type]
        return Guest(visitor, lambda: self.serving, random.Random(self.rng.random()))

    async def _named(self, guest: Guest, name: str) -> None:
        guest.start()
        answer = await guest.ask("name", name=name)
        assert answer["good"], answer

    async def invited(self, host: Guest, name: str) -> Guest:
        """Somebody whom *host* invites to a table that is then left."""
        table = ""
        while not table:  # asked again after a break, it says no more than that it was done
            table = (await host.ask("call", line="/play niya", table="")).get("open", "")
        link = (await host.ask("invite", table=table))["link"]
        guest = self._guest()
        assert (
            await guest.visitor.enter(f"{self.processes[0].url}{link[link.index('/i/') :]}") == 200
        )
        await self._named(guest, name)
        return guest

    async def asked(self, statement: Any, **values: Any) -> Any:
        async with self.store.reading() as tx:
            return (await tx.execute(statement, values)).scalar()

    def starved(self) -> dict[str, float]:
        """How many seconds the loops of the processes, and the drive's own, waited for a processor.

        Of a process that was started anew since it is less than before.
        """
        found = {"drive": _run_delay(os.getpid())}
        for number, one in enumerate(self.processes):
            if one.ready and one.bot.alive:
                found[f"process {number}"] = _run_delay(one.bot.proc.pid)
        return found

    # ---------------------------------------------------------------- what must be true

    async def leases_held(self, seconds: float) -> float:
        """How long it takes until every duty is one of a process that lives."""
        began = time.monotonic()
        if self.address.startswith("sqlite"):
            return 0.0  # nobody else could hold one
        while await self.asked(HELD, kind=KIND) < DUTIES:
            if time.monotonic() - began > seconds:
                raise TimeoutError("a lease is not free")
            await asyncio.sleep(0.05)
        return time.monotonic() - began

    async def pages_stale(self) -> list[str]:
        """Which pages do not show the newest version of the table that is played on them."""
        stale = []
        for pair in self.pairs:
            if not pair.tables:
                continue
            version = await self.asked(VERSION, code=pair.tables[-1])
            for guest in (pair.first, pair.second):
                shown = guest.boards.get(pair.tables[-1], {}).get("version")
                if shown != version:
                    stale.append(f"{pair.tables[-1]}: {shown}, not {version}")
        return stale

    async def told_of_stale(self) -> list[str]:
        """What is stored of the tables of which a page shows something older."""
        found = []
        for code in (line.partition(":")[0] for line in await self.pages_stale()):
            last = (await self.store.read(games.load_events, code))[-2:]
            shown = await self.store.read(views.views_of_game, code)
            told = [(one.number, one.kind, one.text) for one in last]
            found.append(f"{code}: {told}, {[(v.place, v.shown, v.owed) for v in shown]}")
        return found

    async def all_current(self, seconds: float) -> float:
        """How long it takes until nobody waits and every board everywhere is the newest."""
        began = time.monotonic()
        # Whoever was let through the gate just before it closed is busy once we have waited.
        while last := await self._waits():
            self.last = last
            if time.monotonic() - began > seconds:
                raise TimeoutError(last)
            await asyncio.sleep(0.05)
        return time.monotonic() - began

    async def _waits(self) -> str:
        """Who waits for what, nothing where nobody does."""
        found = {
            "updates taken": await self.pending(),
            "updates": [one.get("update_id") for one in self.fake.pending],
            "pages": await self.pages_stale(),
            "chats": await self.stale(),
            "busy": [pair.tables[-1:] for pair in self.pairs if pair.busy],
        }
        return ", ".join(f"{what} {which}" for what, which in found.items() if which)

    async def judge(self, report: Report) -> None:
        """Compare the moves that were told to be done with those that are stored."""
        lost = doubled = 0
        for pair in self.pairs:
            for table in pair.tables:
                found, told = await self.asked(MOVES, code=table), pair.moves.get(table, 0)
                lost, doubled = lost + max(0, told - found), doubled + max(0, found - told)
                if found != told:
                    report.lines.append(f"{table}: {found} moves stored, {told} told")
            report.breaches += pair.refused
            report.counts["presses"] += len(pair.took)
            report.counts["asked again"] += pair.first.again + pair.second.again
            report.times.setdefault("a press", []).extend(pair.took)
        report.forbid(lost, "moves lost")
        report.forbid(doubled, "moves done twice")
        for one in self.processes:
            self.bot = one.bot
            report.breaches += self.breaches()


async def settled(tables: int) -> str:
    """The address of a new database with so many finished *tables* in it."""
    key = uuid4().hex
    if not tables:
        return postgres.database(key)
    full = postgres.database(f"{tables} tables")
    if full not in _SETTLED:
        with tempfile.TemporaryDirectory(prefix="fleet-tables-") as kept:
            folder = Path(kept)
            code, _ = await ended(folder)
            copied(folder, code, range(tables - 1), views=True)
            await transfer_database(f"sqlite+aiosqlite:///{folder}/games.db", full)
        _SETTLED.add(full)
    return postgres.database(key, like=full)


_SETTLED: set[str] = set()
"""Which databases have their tables."""


def _run_delay(pid: int) -> float:
    """Seconds in which the first thread of a process could have run and did not (Linux)."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


@asynccontextmanager
async def fleet(
    folder: Path, address: str, count: int, pairs: int, seed: int = 1
) -> AsyncIterator[Fleet]:
    """*count* processes and *pairs* of people on pages, gone afterwards whatever happens."""
    from fake_telegram import FakeTelegram

    async with FakeTelegram(folder / "out", human_delay=0) as fake:
        there = Fleet(folder, fake, address=address, rng=random.Random(seed))
        try:
            for number in range(count):
                await there.process(number).start()
            await there.look_into(address)
            host = await there.first_guest()
            for number in range(pairs):
                two = [await there.invited(host, f"{side}{number}") for side in ("Ana", "Ben")]
                there.pairs.append(Pair(*two, random.Random(there.rng.random()), there.gate))
            await host.close()
            yield there
        finally:
            for pair in there.pairs:
                await asyncio.gather(pair.first.close(), pair.second.close())
            for one in there.processes:
                with contextlib.suppress(ProcessLookupError):  # it has just ended
                    await one.bot.kill()
                await one.bot.close()
            if there._store is not None:
                await there.store.close()
            await there.http.close()
