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

import asyncio
import itertools
import os
import random
from contextlib import suppress

from sqlalchemy import func, select

from bot.facade import RatingCheck
from storage import schema
from storage.errors import DatabaseBusy
from storage.store import Store
from tests.drives.kill_loop import KillLoop, begun_facade, drive_kills
from tests.drives.report import Report
from tests.fakes import Desk, FakeChat
from tests.standing.simulated import Hall

PEOPLE = 6
LONGEST = 0.06
"""Within how many seconds after a game is about to end the kill falls."""


async def play(url: str, slot: int, serial: int, ready: int, *, shared: bool) -> None:
    """Play games for ever; a byte is written to *ready* before each one ends."""
    facade = await begun_facade(url, slot, shared=shared)
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


async def look(url: str) -> Report:
    """Compare the entries of games that count with the tables, and the rows with the journal."""
    store, report = await Store.open(url), Report()
    try:
        async with store.reading() as tx:
            game, entry = schema.game, schema.rating_entry
            ended = select(game.c.code).where(game.c.status == "ended", game.c.rated)
            codes = set((await tx.execute(ended)).scalars())
            counted = select(entry.c.game, func.count()).group_by(entry.c.game)
            entries = {row[0]: row[1] for row in await tx.execute(counted)}
            wrong = len(codes ^ entries.keys()) + sum(one - 1 for one in entries.values())
            report.counts["games that count"] = len(codes)
            report.forbid(wrong, "lost or counted twice")
            report.forbid(len(await RatingCheck().run(tx)), "rows that the journal does not make")
    finally:
        await store.close()
    return report


def killed(url: str, kills: int, processes: int, rng: random.Random) -> Report:
    """What is lost or counted twice in so many *kills*."""

    async def work(slot: int, serial: int, ready: int) -> None:
        await play(url, slot, serial, ready, shared=processes > 1)

    report = KillLoop(work, lambda: asyncio.run(look(url)), processes, LONGEST, rng).run(kills)
    report.forbid(not report.counts["games that count"], "times nothing was played")
    return report


if __name__ == "__main__":
    raise SystemExit(drive_kills(__doc__, killed, seed=38))
