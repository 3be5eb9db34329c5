"""The log names what is damaged: afterwards, in portions, and each table once."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, select

from storage import Store, damaged_cell_scan
from storage.damaged_cell_scan import find_damaged_after
from storage.database import damage_log
from storage.person import people
from storage.schema import metadata
from tests.storage.rows import NOON
from tests.storage.test_transfer import filled


class Looks:
    """Counts the portions that are looked through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0

        def counted(*asked):
            self.count += 1
            return find_damaged_after(*asked)

        monkeypatch.setattr(damage_log, "find_damaged_after", counted)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Looks:
    return Looks(monkeypatch)


async def crowded(url: str, file: Path, *damage: tuple[str, int, object]) -> Store:
    """A store of 25 people, three portions, with these cells of theirs damaged."""
    store = await Store.open(url)
    async with store.transaction() as tx:
        for number in range(25):
            await people.ensure_person(tx, "web", str(number), f"Guest {number}", NOON)
    await store.close()
    with closing(sqlite3.connect(file)) as database, database:
        for column, person, value in damage:
            database.execute(f"update person set {column} = ? where id = ?", (value, person))
    return await Store.open(url)


async def named(store: Store) -> None:
    """Wait until all is named of which that was wanted."""
    for _ in range(1000):
        task = store._damage._naming
        if task is None or task.done():
            return
        await asyncio.sleep(0.001)


async def test_each_damaged_cell_of_a_table_is_named_once_in_portions(
    url: str,
    file: Path,
    looks: Looks,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(damaged_cell_scan, "PORTION", 10)
    damage = ("settings", 3, "nonsense"), ("settings", 24, "[1]"), ("language", 2, b"\xff")
    store = await crowded(url, file, *damage)
    with caplog.at_level(logging.ERROR):
        await store.read(people.load_person, 3)
        assert looks.count == 0  # nobody waits for it
        await named(store)
        assert looks.count == 3
        await store.read(people.load_person, 24)
        await store.read(people.load_person, 2)
        await named(store)
    assert looks.count == 3
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "table person, row 2, column language",
        "table person, row 3, column settings",
        "table person, row 24, column settings",
    ]
    await store.close()


async def test_who_has_a_turn_meanwhile_does_not_wait_for_the_whole_table(
    url: str, file: Path, looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(damaged_cell_scan, "PORTION", 1)
    store = await crowded(url, file, ("settings", 3, "nonsense"))
    await store.read(people.load_person, 3)
    before = looks.count
    await asyncio.wait_for(store.read(people.load_person, 4), 5)
    assert looks.count - before <= 2
    await store.close()


async def test_a_store_is_closed_while_it_names(
    url: str, file: Path, looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(damaged_cell_scan, "PORTION", 1)
    store = await crowded(url, file, ("settings", 3, "nonsense"))
    await store.read(people.load_person, 3)
    await store.close()
    await named(store)
    assert looks.count < 25


@pytest.mark.sampled
async def test_every_row_of_every_table_comes_in_a_portion_once(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(url)
    monkeypatch.setattr(damaged_cell_scan, "PORTION", 1)
    store = await Store.open(url, readonly=True)
    async with store.reading() as tx:
        for table in metadata.sorted_tables:
            count = (await tx.execute(select(func.count()).select_from(table))).scalar_one()
            keys: list[object] = []
            last: object = ()
            while True:
                found, last = await tx.run_sync(find_damaged_after, table, last)
                assert found == []
                if not last:
                    break
                keys.append(last)
            assert len(keys) == len(set(keys)) == count
    await store.close()
