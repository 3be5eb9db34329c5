"""Killed at the end of rated games: each counts once, none is lost, and the journal agrees.

    python -m tests.drives.rating_kills 300
    python -m tests.drives.rating_kills 300 --processes 2

A child plays rated games on a file of SQLite and is killed by SIGKILL within some hundredths of a
second after a game was about to end, at an instant drawn by lot; with several *processes* they play
on one PostgreSQL with the same people, and one of them is killed. After every few kills the
database is opened as after a restart: every table that has ended with a game that counts must have
exactly one entry, no other table one, and the rows must be what the journal makes.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import tempfile
from contextlib import suppress
from pathlib import Path

from sqlalchemy import func, select

from bot.app.runner import WAITED_FOR
from bot.facade import Audit, Facade, Thinkers, open_facade
from storage import schema
from storage.errors import DatabaseBusy
from storage.store import Store
from tests import postgres
from tests.drives.kill_loop import KillLoop
from tests.fakes import Desk, FakeChat
from tests.standing.simulated import Hall

PEOPLE = 6
LONGEST = 0.06
"""Within how many seconds after a game is about to end the kill falls."""


async def play(url: str, slot: int, serial: int, ready: int, *, shared: bool) -> None:
    """Play games for ever; a byte is written to *ready* before each one ends."""
    store = await opened(url, shared=shared)
    facade = await begun_facade(store, f"fake{slot}")
    hall = Hall(Desk(facade, FakeChat(platform=f"fake{slot}")))
    rng = random.Random(serial)
    # Every child has codes of its own.
    hall.codes = itertools.count(serial * 10_000)
    while len(hall.people) < PEOPLE:
        with suppress(DatabaseBusy):  # as a player, who is told to try again
            await hall.invite(1)
    people = [one.id for one in hall.people]
    while True:
        persons = rng.sample(people, 2)
        with suppress(DatabaseBusy):
            table = await hall.seat("niya", persons)
            await hall.open(table)
            os.write(ready, b".")
            await hall.end(table, [[persons[0]], [persons[1]]])


async def opened(url: str, *, shared: bool) -> Store:
    """The store, as a start opens it, which waits where another one makes the schema just now."""
    while True:
        try:
            return await Store.open(url, shared=shared)
        except WAITED_FOR:
            await asyncio.sleep(0.5)


async def begun_facade(store: Store, platform: str) -> Facade:
    """A facade that runs; its start waits as that of the bot does."""
    while True:
        try:
            facade = await open_facade(store, Thinkers(seconds=0.5), "es")
            await facade.start([FakeChat(platform=platform)])
        except WAITED_FOR:
            await asyncio.sleep(0.5)
        else:
            return facade


async def look(url: str) -> tuple[int, int, int]:
    """How many rated games have ended, entries that are missing or too many, wrong rows."""
    store = await Store.open(url)
    try:
        async with store.reading() as tx:
            game, entry = schema.game, schema.rating_entry
            ended = select(game.c.code).where(game.c.status == "ended", game.c.rated)
            codes = set((await tx.execute(ended)).scalars())
            counted = select(entry.c.game, func.count()).group_by(entry.c.game)
            entries = {row[0]: row[1] for row in await tx.execute(counted)}
            wrong = len(codes ^ entries.keys()) + sum(one - 1 for one in entries.values())
            return len(codes), wrong, len(await Audit().run(tx))
    finally:
        await store.close()


def killed(url: str, kills: int, processes: int, rng: random.Random) -> bool:
    """Whether nothing was lost or counted twice in so many *kills*."""
    games = wrong = rows = 0

    async def work(slot: int, serial: int, ready: int) -> None:
        await play(url, slot, serial, ready, shared=processes > 1)

    def looked(number: int) -> None:
        nonlocal games, wrong, rows
        games, missing, differing = asyncio.run(look(url))
        wrong, rows = wrong + missing, rows + differing
        print(f"{number} kills, {processes} processes: {games} games that count,", flush=True)
        print(
            f"{wrong} lost or counted twice, {rows} rows that the journal does not make", flush=True
        )

    KillLoop(work, looked, processes, LONGEST, rng).run(kills)
    return games > 0 == wrong == rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=38)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if asked.processes > 1:
            url = postgres.database(folder)
        else:
            url = f"sqlite+aiosqlite:///{Path(folder)}/games.db"
        good = killed(url, asked.kills, asked.processes, random.Random(asked.seed))
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
