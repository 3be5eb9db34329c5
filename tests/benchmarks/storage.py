"""What a stored move costs: all statements of one click against the same rows by the bare driver.

Run by hand: ``python -m tests.benchmarks.storage [FOLDER]``. Both write to files in one folder, in
turns, with the same pragmas, so that the disk and the neighbours weigh on both alike. ``server`` in
place of a folder measures both on a PostgreSQL of its own, which syncs nothing to the disk: what
is left is our part of the time.
"""

from __future__ import annotations

import asyncio
import platform
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter

import aiosqlite
import asyncpg

from storage import Store, inbox
from storage.person import people
from storage.records import NotificationRow
from storage.table import games, notifications, views
from tests import postgres
from tests.storage.rows import NOON, PLAYING, add_game, add_view, event

CLICKS = 2000
WARMING = 200
TARGET, SERVER_TARGET = 3.5, 6.0

FINISH = """
    INSERT INTO inbox (platform, "update", payload, state, attempts, at)
    VALUES (?, ?, NULL, 'done', 0, ?)
    ON CONFLICT (platform, "update")
    DO UPDATE SET state = 'done', payload = NULL, at = excluded.at WHERE inbox.state = 'pending'
"""
ADVANCE = """
    UPDATE game SET version = ?, status = ?, touched = ?, to_move = ? WHERE code = ? AND version = ?
"""
ADD_EVENT = """
    INSERT INTO event (game, number, at, kind, seat, text, data) VALUES (?, ?, ?, ?, ?, ?, ?)
"""
CALLS = """
    SELECT game, person, kind, turn, due, platform, place, thread, message
    FROM call WHERE game = ? ORDER BY person
"""
ANSWER = "DELETE FROM call WHERE game = ? AND person = ?"
CALL = """
    INSERT INTO call (game, person, kind, turn, due) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (game, person) DO UPDATE
    SET kind = excluded.kind, turn = excluded.turn, due = excluded.due
"""
OWE = "UPDATE view SET owed = ? WHERE subject = ? AND owed < ?"
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000")

LATER = timedelta(seconds=30)
"""When somebody is called who looked on."""

Click = Callable[[int, int], Awaitable[None]]


def movers(version: int) -> tuple[int, int]:
    """Who has moved, whose call that answers, and who is called for it."""
    return (1, 2) if version // 2 % 2 else (2, 1)


def by_store(store: Store) -> Click:
    """A click as the bot stores it, *count* events on top of *version*."""

    async def click(version: int, count: int) -> None:
        now = datetime.now(UTC)
        moves = [event(version + 1 + n) for n in range(count)]
        async with store.transaction() as tx:
            assert await inbox.finish_update(tx, "telegram", str(version), now)
            await games.append_events(tx, "k7", version, moves, standing=PLAYING, at=now)
            called = await notifications.notifications_of_game(tx, "k7")
            await views.owe_views(tx, "k7", version + count)
            mover, other = movers(version)
            await notifications.delete_notifications(
                tx, [row for row in called if row.person == mover]
            )
            await notifications.put_notifications(
                tx, [NotificationRow("k7", other, "turn", version + count, now + LATER)]
            )

    return click


def events(version: int, count: int, now: int) -> list[tuple[str, int, int, str, int, str, str]]:
    """The rows of *count* moves after *version*."""
    return [
        ("k7", version + 1 + n, now, "move", 0, "b3", '{"draw": null, "tags": ["a", 1]}')
        for n in range(count)
    ]


def by_hand(connection: aiosqlite.Connection) -> Click:
    """The same rows with nothing but the driver."""

    async def click(version: int, count: int) -> None:
        now = int(datetime.now(UTC).timestamp() * 1000)
        rows = events(version, count, now)
        last = version + count
        await connection.execute("BEGIN IMMEDIATE")
        finished = await connection.execute(FINISH, ("telegram", str(version), now))
        assert finished.rowcount == 1
        advanced = await connection.execute(ADVANCE, (last, "playing", now, 1, "k7", version))
        assert advanced.rowcount == 1
        await connection.executemany(ADD_EVENT, rows)
        await connection.execute(OWE, (last, "k7", last))
        mover, other = movers(version)
        found = await connection.execute_fetchall(CALLS, ("k7",))
        if any(row[1] == mover for row in found):
            await connection.execute(ANSWER, ("k7", mover))
        due = now + int(LATER.total_seconds() * 1000)
        await connection.execute(CALL, ("k7", other, "turn", last, due))
        await connection.commit()

    return click


def numbered(statement: str) -> str:
    """The *statement* with its parameters as PostgreSQL counts them."""
    parts = statement.split("?")
    return "".join(f"{part}${n}" for n, part in enumerate(parts[:-1], 1)) + parts[-1]


def by_asyncpg(connection: asyncpg.Connection[asyncpg.Record]) -> Click:
    """The same rows with nothing but the driver of PostgreSQL."""
    finish, advance, add, owe = map(numbered, (FINISH, ADVANCE, ADD_EVENT, OWE))
    calls_of, answer, put = map(numbered, (CALLS, ANSWER, CALL))

    async def click(version: int, count: int) -> None:
        now = int(datetime.now(UTC).timestamp() * 1000)
        rows = events(version, count, now)
        last = version + count
        async with connection.transaction():
            assert await connection.execute(finish, "telegram", str(version), now) == "INSERT 0 1"
            advanced = await connection.execute(advance, last, "playing", now, 1, "k7", version)
            assert advanced == "UPDATE 1"
            await connection.executemany(add, rows)
            await connection.execute(owe, last, "k7", last)
            mover, other = movers(version)
            found = await connection.fetch(calls_of, "k7")
            if any(row["person"] == mover for row in found):
                await connection.execute(answer, "k7", mover)
            due = now + int(LATER.total_seconds() * 1000)
            await connection.execute(put, "k7", other, "turn", last, due)

    return click


async def prepared(url: str) -> Store:
    """A game shown in two places, as in a duel between two chats."""
    store = await Store.open(url)
    async with store.transaction() as tx:
        await add_game(tx)
        for external in ("1", "2"):
            await people.ensure_person(tx, "telegram", external, external, NOON)
        await add_view(tx, place="-100", message="1")
        await add_view(tx, place="9", message="2", platform="discord")
    return store


async def measured(folder: Path) -> tuple[list[float], list[float]]:
    """Seconds for each click by the store, and by hand."""
    hand = folder / "hand.db"
    await (await prepared(f"sqlite+aiosqlite:///{hand}")).close()
    store = await prepared(f"sqlite+aiosqlite:///{folder / 'store.db'}")
    async with aiosqlite.connect(hand, isolation_level=None) as connection:
        for pragma in PRAGMAS:
            await connection.execute(f"PRAGMA {pragma}")
        return await in_turns(store, by_hand(connection))


async def measured_on_server() -> tuple[list[float], list[float]]:
    """The same on a PostgreSQL, in two databases."""
    mine, hand = postgres.database("store"), postgres.database("hand")
    await (await prepared(hand)).close()
    connection = await asyncpg.connect(hand.replace("+asyncpg", ""))
    try:
        return await in_turns(await prepared(mine), by_asyncpg(connection))
    finally:
        await connection.close()


async def in_turns(store: Store, bare: Click) -> tuple[list[float], list[float]]:
    """Seconds for each click by the *store*, which is closed then, and by the *bare* driver."""
    times: tuple[list[float], list[float]] = ([], [])
    version = 1
    for number in range(WARMING + CLICKS):
        count = 1 + number % 2  # a move, or a move and what chance answers
        for click, kept in zip((by_store(store), bare), times, strict=True):
            begun = perf_counter()
            await click(version, count)
            kept.append(perf_counter() - begun)
        version += count
    async with store.reading() as tx:
        assert len(await games.load_events(tx, "k7")) == version
    await store.close()
    return times[0][WARMING:], times[1][WARMING:]


def main() -> None:
    """Prints the table."""
    where, target = sys.argv[1] if len(sys.argv) > 1 else None, TARGET
    if where == "server":
        target = SERVER_TARGET
        store, hand = asyncio.run(measured_on_server())
    else:
        with tempfile.TemporaryDirectory(dir=where) as folder:
            store, hand = asyncio.run(measured(Path(folder)))
    print(f"{CLICKS} clicks, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}")
    print(f"{'milliseconds':<16}{'store':>9}{'by hand':>9}{'ratio':>8}")
    for name, share in (("median", 0.5), ("p90", 0.9), ("p99", 0.99)):
        mine, bare = (
            statistics.quantiles(times, n=1000)[int(share * 1000) - 1] for times in (store, hand)
        )
        print(f"{name:<16}{mine * 1e3:>9.3f}{bare * 1e3:>9.3f}{mine / bare:>8.2f}")
    print(f"target: a median of at most {target:g} times")


if __name__ == "__main__":
    main()
