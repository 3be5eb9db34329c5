"""Databases of earlier releases, and what is asked of one that was upgraded."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from storage import Store, schema
from storage.table import games
from tests.storage.rows import add_game, add_view, game

ORIGINS = ["0.1-house", "0.2.0", "0008"]
RELEASES = Path(__file__).resolve().parents[1] / "data" / "storage"


async def filled(url: str) -> None:
    store = await Store.open(url)
    async with store.transaction() as tx:
        await add_game(tx, version=3)
        await add_view(tx)
    await store.close()


async def filled_again(url: str) -> None:
    store = await Store.open(url)
    async with store.reading() as tx:
        assert await games.load_game(tx, "k7") == game(version=3)
    await store.close()


def ask(file: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


def dumped(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [*connection.iterdump()]


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return [*compare_metadata(context, schema.metadata)]


def restored(origin: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((RELEASES / f"{origin}.sql").read_text(encoding="utf-8"))


async def of_release(origin: str, url: str, file: Path) -> Store:
    restored(origin, file)
    return await Store.open(url)
