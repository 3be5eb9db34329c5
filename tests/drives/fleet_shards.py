"""Processes on one PostgreSQL that divide the shards of one Discord, and are ended one by one.

    python -m tests.drives.fleet_shards [ROUNDS] [SHARDS] [PROCESSES]

A game is played in a server of each shard. Each round one process is ended, by SIGKILL or by
SIGTERM in turn: the servers of the others' shards play on, its own as soon as their shard has a
session again. Then the process is started anew and gets its portion back. Meanwhile somebody
presses in each server twice a second; a press that nobody answers in three seconds is lost.
"""

from __future__ import annotations

import asyncio
import random
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
from storage.server_cluster import KIND
from storage.store import Store
from tests import postgres
from tests.drives.bench import ROOT, Bench, available
from tests.drives.fork_server import forking
from tests.drives.kill_points import Switches

PRESSING = 0.5
"""Seconds between two presses in each server while processes come and go."""

ENDS = 40.0
"""Seconds in which an ended process must be gone, as the unit of systemd has it and ten more."""

LATE = 0.2
"""How many seconds the drive may note an identification later than another one."""


SHARES = text(
    "SELECT count(*) FROM lease JOIN pg_locks ON classid = :kind AND objid = holder "
    "WHERE name LIKE 'chat:discord/%' AND locktype = 'advisory' AND granted "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "GROUP BY holder"
)


def _evenly(shares: list[int], count: int, shards: int) -> bool:
    return len(shares) == count and sum(shares) == shards and max(shares) - min(shares) <= 1


@dataclass
class Divided:
    """The emulated Discord and its processes."""

    at: Bench
    bots: list[Any]
    shards: int
    guilds: dict[int, Any] = field(default_factory=dict)
    boards: dict[int, Any] = field(default_factory=dict)
    gaps: list[float] = field(default_factory=list)
    moved: int = 0
    presses: dict[str, list[Any]] = field(default_factory=dict)
    """What was pressed while a process was killed, ended or started."""
    store: Store | None = None

    def sessions(self) -> list[int]:
        """The shards that have a session, one that has two of them twice."""
        return sorted(session.shard[0] for session in self.at.fake.connected)

    async def whole(self) -> None:
        """Wait until every shard has one session."""
        every = list(range(self.shards))
        wait = 30.0 + SPACED * self.shards
        await self.at.until(lambda: self.sessions() == every, "a session for each shard", wait)

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
            if message is None or self.at.over(message):
                where = {"guild": guild, "channel": guild["channels"][0]}
                message = self.boards[shard] = await self.at.open(**where)
            await self.at.move(message)
            self.moved += 1

    async def divided(self, count: int) -> None:
        """Wait until *count* processes have divided all shards evenly and begun their sessions."""
        # What stands in a database tells no waiter that it has come.
        async with asyncio.timeout(120.0):
            while not _evenly(await self.shares(), count, self.shards):
                await asyncio.sleep(0.1)
        await self.whole()

    async def shares(self) -> list[int]:
        """How many shards each process that lives has, of those that have any."""
        assert self.store is not None
        async with self.store.reading() as tx:
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

    def lost(self) -> str:
        """How many presses were lost, by what happened meanwhile."""
        return ", ".join(
            f"{sum(one.latency is None for one in noted)} of {len(noted)} {during}"
            for during, noted in self.presses.items()
        )

    async def round(self, number: int) -> None:
        """End one, look at what becomes of its shards, and start it again."""
        which = number % len(self.bots)
        kills = (number + number // len(self.bots)) % 2
        ended, began = self.bots[which], time.monotonic()
        async with self.pressed("killed" if kills else "ended"):
            await ended.stop(signal.SIGKILL if kills else signal.SIGTERM, ENDS)
            await self.divided(len(self.bots) - 1)
            self.gaps.append(time.monotonic() - began)
        await self.moves()
        async with self.pressed("started"):
            await ended.start()
            await self.divided(len(self.bots))
        await self.moves()

    def wrong(self) -> list[str]:
        """Whatever may not be."""
        found = [f"violation {one}" for one in self.at.fake.violations[:3]]
        begun = [when for when, event, _ in self.at.fake.gateway_log if event == "IDENTIFY"]
        gaps = [later - earlier for earlier, later in pairwise(begun)]
        found += [f"sessions {gap:.1f} s apart" for gap in gaps if gap < IDENTIFYING - LATE]
        for bot in self.bots:
            at = bot.output.find("Traceback")
            found += [bot.output[max(0, at - 300) : at + 1500]] if at >= 0 else []
        return found


async def rounds(folder: Path, count: int, shards: int, processes: int) -> str:
    """*count* rounds; what came of them in a sentence."""
    from fake_discord import FakeDiscord
    from harness_common import BotProcess

    async with FakeDiscord(folder / "out", shards=shards) as fake:
        told = {
            "DISCORD_TOKEN": fake.token,
            "DISCORD_SHARDS": str(shards),
            "DATABASE_URL": postgres.database(str(folder)),
            "WEB_PORT": "0",
        }
        bots = [
            forking(BotProcess)([], fake, env=told, cwd=ROOT, log=folder / f"{number}.log")
            for number in range(processes)
        ]
        at = Bench(folder, fake, bots[0], Switches(folder / "switches"), random.Random(3))
        there = Divided(at, bots, shards)
        try:
            await there.settled()
            await bots[0].start()
            await there.whole()
            there.store = await Store.open(told["DATABASE_URL"], readonly=True)
            await there.moves()
            for living, bot in enumerate(bots[1:], 2):
                await bot.start()
                await there.divided(living)
            for number in range(count):
                await there.moves()
                await there.round(number)
            wrong = (there.wrong(), at.unanswered())
        finally:
            for bot in bots:
                with suppress(ProcessLookupError):
                    await bot.stop()
                await bot.close()
            if there.store is not None:
                await there.store.close()
    took = at.latencies()
    found = (
        f"{shards} shards, {processes} processes, {count} rounds, {there.moved} moves, "
        f"answers {took[len(took) // 2]:.3f} "
        f"s, worst {took[-1]:.2f}; all shards again after {sorted(there.gaps)[count // 2]:.1f} s, "
        f"worst {max(there.gaps):.1f}; presses lost: {there.lost()}"
    )
    assert not any(wrong), (wrong, found)
    return found


def main() -> None:
    if not available():
        sys.exit("there are no emulators beside this checkout")
    told = sys.argv[1:] + ["4", "2", "2"][len(sys.argv) - 1 :]
    with tempfile.TemporaryDirectory(prefix="fleet-shards-") as folder:
        print(asyncio.run(rounds(Path(folder), *map(int, told))))


if __name__ == "__main__":
    main()
