"""Moving a database: every row, in both directions, or nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import select

from storage import Store, inbox, transfer_database
from storage.errors import CorruptDatabase, DatabaseUnavailable, SecondProcess, UnsupportedDatabase
from storage.person import people
from storage.place import places
from storage.records import GameRow
from storage.schema import metadata
from storage.table import games, views
from tests import postgres
from tests.storage.rows import NOON, add_game, add_view, game, one_sentence, seats
from tests.storage.test_portable import every_function

FILES = True  # the addresses are this module's own


@pytest.fixture
def other(tmp_path: Path) -> str:
    """The address of an empty database on a server."""
    if postgres.programs() is None:
        pytest.skip(postgres.ABSENT)
    return postgres.database(str(tmp_path))


async def rows_of(url: str) -> dict[str, list[tuple[object, ...]]]:
    """All rows of the database at *url*, by tables, but for its lease and its schema."""
    store = await Store.open(url, readonly=True)
    async with store.reading() as tx:
        found = {
            table.name: sorted(map(tuple, await tx.execute(select(table))), key=repr)
            for table in metadata.sorted_tables
        }
    await store.close()
    found["setting"] = [
        row for row in found["setting"] if row[0] not in ("lease", "schema-accepts")
    ]
    return found


async def filled(url: str) -> None:
    """Rows in every table that the functions fill, a rematch, names of all scripts, lost ids."""
    store = await Store.open(url)
    await every_function(store)
    async with store.transaction() as tx:
        eva = await people.ensure_person(tx, "web", "e", "Eva ñ 🎲 محمد '\"\\", NOON)
        await games.create_game(tx, game("a1", version=0), (), seats(eva.id))
        child = GameRow("a0", "niya", "ended", 0, NOON, NOON, None, "a1")
        await games.create_game(tx, child, (), ())
        await places.put_place(tx, "web", "e", settings={"quiet": [23, 8.5], "nothing": None})
        await inbox.receive_update(tx, "discord", "9", '{"a": "\\u00f1"}', NOON)
        gone = await add_view(tx, "a1", place="p", message=None)
        await views.delete_view(tx, gone.id)
    await store.close()


@pytest.mark.slow
async def test_every_row_goes_to_a_server_and_comes_back(
    url: str, other: str, tmp_path: Path
) -> None:
    await filled(url)
    before = await rows_of(url)
    assert sum(bool(rows) for rows in before.values()) > 8
    moved = await transfer_database(url, other)
    assert moved == {name: len(rows) for name, rows in before.items()}
    assert await rows_of(other) == before
    again = f"sqlite+aiosqlite:///{tmp_path}/again.db"
    await transfer_database(other, again)
    assert await rows_of(again) == before
    assert await rows_of(url) == before


@pytest.mark.slow
async def test_ids_that_were_given_are_not_given_again(
    url: str, other: str, tmp_path: Path
) -> None:
    await filled(url)
    again = f"sqlite+aiosqlite:///{tmp_path}/again.db"
    ids = []
    await transfer_database(url, other)
    await transfer_database(other, again)
    for address in (url, other, again):
        store = await Store.open(address)
        async with store.transaction() as tx:
            ids.append(
                (
                    (await add_view(tx, "a1", place="q", message=None)).id,
                    (await people.ensure_person(tx, "web", "new", "New", NOON)).id,
                )
            )
        await store.close()
    assert ids[0] == ids[1] == ids[2]


@pytest.mark.slow
async def test_more_rows_than_one_portion(url: str, tmp_path: Path) -> None:
    store = await Store.open(url)
    async with store.transaction() as tx:
        await add_game(tx, version=2500)
    await store.close()
    again = f"sqlite+aiosqlite:///{tmp_path}/again.db"
    assert (await transfer_database(url, again))["event"] == 2500
    assert await rows_of(again) == await rows_of(url)


async def test_a_database_with_rows_is_not_moved_into(url: str, tmp_path: Path) -> None:
    await filled(url)
    again = f"sqlite+aiosqlite:///{tmp_path}/again.db"
    await filled(again)
    before = await rows_of(again)
    with pytest.raises(UnsupportedDatabase) as refused:
        await transfer_database(url, again)
    assert "empty one" in one_sentence(refused)
    assert await rows_of(again) == before


async def test_a_database_is_not_moved_into_itself_or_from_under_a_bot(
    url: str, tmp_path: Path
) -> None:
    await filled(url)
    with pytest.raises(SecondProcess):
        await transfer_database(url, url)
    running = await Store.open(url)
    with pytest.raises(SecondProcess):
        await transfer_database(url, f"sqlite+aiosqlite:///{tmp_path}/again.db")
    await running.close()


@pytest.mark.slow
async def test_a_row_that_cannot_be_read_lets_nothing_be_moved(
    url: str, file: Path, tmp_path: Path
) -> None:
    await filled(url)
    damaged = sqlite3.connect(file)
    damaged.execute("UPDATE event SET data = '{' WHERE number = 2")
    damaged.commit()
    damaged.close()
    again = f"sqlite+aiosqlite:///{tmp_path}/again.db"
    with pytest.raises(CorruptDatabase) as refused:
        await transfer_database(url, again)
    assert "event" in one_sentence(refused)
    assert not any((await rows_of(again)).values())


async def test_a_file_that_is_not_there_is_not_moved(url: str, tmp_path: Path) -> None:
    absent = tmp_path / "mistyped.db"
    with pytest.raises(DatabaseUnavailable, match="There is no database"):
        await transfer_database(f"sqlite+aiosqlite:///{absent}", url)
    assert not absent.exists()
