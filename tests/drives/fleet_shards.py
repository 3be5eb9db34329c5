"""Processes on one PostgreSQL that divide the shards of one Discord, and are ended one by one.

    python -m tests.drives.fleet_shards [ROUNDS] [SHARDS] [PROCESSES]

With one shard one process has it, and the others wait. A game is played in a server of each
shard. Each round one process is ended, by SIGKILL or by
SIGTERM in turn: the servers of the others' shards play on, its own as soon as their shard has a
session again. Then the process is started anew and gets its portion back. Meanwhile somebody
presses in each server twice a second; a press that nobody answers in three seconds is lost.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from sqlalchemy import text

from bot.chats.discord.client import IDENTIFYING, SPACED, shard_of
from bot.chats.discord.reading import SERVER
from storage.database.server_process_cluster import KIND
from tests import postgres
from tests.drives.report import Report
from tests.drives.world import Discord, bot_process, require_emulators

PRESSING = 0.5
"""Seconds between two presses in each server while processes come and go."""

ENDS = 40.0
"""Seconds in which an ended process must be gone, as the unit of systemd has it and ten more."""

LATE = 0.2
"""How many seconds the drive may note an identification later than another one."""


SHARES = text(
    "SELECT count(*) FROM lease JOIN pg_locks ON classid = :kind AND objid = holder "
    "WHERE name LIKE 'chat:discord%' AND locktype = 'advisory' AND granted "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "GROUP BY holder"
)


def _evenly(shares: list[int], count: int, shards: int) -> bool:
    all_taken = sum(shares) == shards and len(shares) == min(count, shards)
    return all_taken and max(shares) - min(shares) <= 1


@dataclass
class Divided:
    """The emulated Discord and its processes."""

    at: Discord
    bots: list[Any]
    shards: int
    guilds: dict[int, Any] = field(default_factory=dict)
    boards: dict[int, Any] = field(default_factory=dict)
    report: Report = field(default_factory=Report)
    presses: dict[str, list[Any]] = field(default_factory=dict)
    """What was pressed while a process was killed, ended or started."""

    def sessions(self) -> list[int]:
        """The shards that have a session, one that has two of them twice."""
        return sorted((one.shard or [0])[0] for one in self.at.fake.connected)

    async def whole(self) -> None:
        """Wait until every shard has one session."""
        every = list(range(self.shards))
        wait = 30.0 + SPACED * self.shards
        await self.at.shown(lambda: self.sessions() == every, "a session for each shard", wait)

    async def settled(self) -> None:
        """Find a server on each shard: their numbers are the instants at which they were made."""
        while len(self.guilds) < self.shards:
            made = self.at.fake.add_guild("A club")
            self.guilds.setdefault(shard_of(f"{SERVER}{made['id']}", self.shards), made)
            await asyncio.sleep(0.001)

    async def moves(self) -> None:
        """A move in each server."""
        for shard, guild in self.guilds.items():
            message = self.boards.get(shard)
            if message is None or self.at.is_over(message):
                where = {"guild": guild, "channel": guild["channels"][0]}
                message = self.boards[shard] = await self.at.open(**where)
            await self.at.move(message)
            self.report.counts["moves"] += 1

    async def divided(self, count: int) -> None:
        """Wait until *count* processes have divided all shards evenly and begun their sessions."""
        # What stands in a database tells no waiter that it has come.
        async with asyncio.timeout(120.0):
            while not _evenly(await self.shares(), count, self.shards):
                await asyncio.sleep(0.1)
        await self.whole()

    async def shares(self) -> list[int]:
        """How many shards each process that lives has, of those that have any."""
        async with self.at.store.reading() as tx:
            return list((await tx.execute(SHARES, {"kind": KIND})).scalars())

    @asynccontextmanager
    async def pressed(self, during: str) -> AsyncIterator[None]:
        """Presses in every server meanwhile, noted under *during*."""
        noted = self.presses.setdefault(during, [])

        async def press() -> None:
            while True:
                for message in self.boards.values():
                    with suppress(IndexError):  # no move, or a headline that names nobody now
                        code, who = self.at.moves(message)[0]["custom_id"], self.at.mover(message)
                        noted.append(await self.at.fake.click(who, message, custom_id=code))
                await asyncio.sleep(PRESSING)

        pressing = asyncio.create_task(press())
        try:
            yield
        finally:
            pressing.cancel()
            with suppress(asyncio.CancelledError):
                await pressing
            await asyncio.sleep(self.at.fake.ack_deadline)  # the last ones are answered as well

    async def round(self, number: int) -> None:
        """End one, look at what becomes of its shards, and start it again."""
        which = number % len(self.bots)
        kills = (number + number // len(self.bots)) % 2
        ended, began = self.bots[which], time.monotonic()
        async with self.pressed("killed" if kills else "ended"):
            await ended.stop(signal.SIGKILL if kills else signal.SIGTERM, ENDS)
            await self.divided(len(self.bots) - 1)
            self.report.took("all shards again after", time.monotonic() - began)
        await self.moves()
        async with self.pressed("started"):
            await ended.start()
            await self.divided(len(self.bots))
        await self.moves()

    def judge(self) -> None:
        """Count the presses, and find what may not be."""
        for during, noted in self.presses.items():
            lost = sum(one.latency is None for one in noted)
            self.report.counts[f"of {len(noted)} presses lost while one {during}"] = lost
        self.report.times["an answer"] = self.at.latencies()
        self.report.forbid(self.at.unanswered(), "moves unanswered")
        begun = [when for when, event, _ in self.at.fake.gateway_log if event == "IDENTIFY"]
        gaps = [later - earlier for earlier, later in pairwise(begun)]
        close = [f"sessions {gap:.1f} s apart" for gap in gaps if gap < IDENTIFYING - LATE]
        self.report.breaches += close if self.shards > 1 else []
        for bot in self.bots:
            self.at.bot = bot
            self.report.breaches += self.at.breaches()


async def rounds(folder: Path, count: int, shards: int, processes: int) -> Report:
    """What came of *count* rounds."""
    from fake_discord import FakeDiscord

    async with FakeDiscord(folder / "out", shards=shards) as fake:
        env = {"DATABASE_URL": postgres.database(str(folder))}
        if shards > 1:
            env["DISCORD_SHARDS"] = str(shards)
        bots = []
        for number in range(processes):
            (folder / str(number)).mkdir()
            bots.append(bot_process(folder / str(number), fake, **env))
        at = Discord(folder, fake, bots[0])
        there = Divided(at, bots, shards)
        try:
            await there.settled()
            await bots[0].start()
            await there.whole()
            await at.look_into(env["DATABASE_URL"])
            await there.moves()
            for living, bot in enumerate(bots[1:], 2):
                await bot.start()
                await there.divided(living)
            for number in range(count):
                await there.moves()
                await there.round(number)
                there.report.counts["rounds"] += 1
            there.judge()
        finally:
            for bot in bots:
                with suppress(ProcessLookupError, AttributeError):  # ended, or never begun
                    await bot.stop()
                await bot.close()
            if at._store is not None:
                await at.store.close()
    return there.report


def main() -> int:
    """Drive what the command line asks for."""
    require_emulators()
    told = sys.argv[1:] + ["4", "2", "2"][len(sys.argv) - 1 :]
    with tempfile.TemporaryDirectory(prefix="fleet-shards-") as folder:
        return asyncio.run(rounds(Path(folder), *map(int, told))).conclude()


if __name__ == "__main__":
    sys.exit(main())
