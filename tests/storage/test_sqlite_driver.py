"""The connection of SQLite: its trips, its rows and its transactions."""

import asyncio
import sqlite3

import pytest
from sqlalchemy import text

from storage import Store
from storage.database.sqlite_driver import FIRST, connect

NUMBERS = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ?) SELECT x FROM n"
)


@pytest.fixture
async def connection(tmp_path):
    opened = await connect(f"file:{tmp_path}/a.db?mode=rwc")
    yield opened
    await opened.close()


@pytest.mark.parametrize("count", [1, FIRST - 1, FIRST, FIRST + 1, 2 * FIRST + 7])
@pytest.mark.parametrize("portion", [0, 1, 300])
async def test_every_row_comes_once_and_in_order(connection, count, portion):
    cursor = connection.cursor()
    await cursor.execute(NUMBERS, (count,))
    rows = list(await cursor.fetchmany(portion)) if portion else []
    rows += await cursor.fetchall()
    assert [number for (number,) in rows] == list(range(1, count + 1))
    assert not await cursor.fetchall()
    await cursor.close()


async def test_portions_end_with_an_empty_one(connection):
    cursor = connection.cursor()
    await cursor.execute(NUMBERS, (FIRST + 5,))
    portions = []
    while portion := list(await cursor.fetchmany(400)):
        portions.append(portion)
    assert [number for portion in portions for (number,) in portion] == [*range(1, FIRST + 6)]
    await cursor.close()


async def test_a_transaction_begins_with_its_first_statement(connection, tmp_path):
    connection.begin_with_next("BEGIN IMMEDIATE")
    assert not connection.in_transaction
    await connection.cursor().execute("CREATE TABLE t (x)")
    assert connection.in_transaction
    await connection.rollback()
    assert not connection.in_transaction


@pytest.mark.parametrize("end", ["commit", "rollback"])
async def test_a_transaction_without_a_statement_is_none_and_the_next_one_is_not_begun(
    connection, end
):
    connection.begin_with_next("BEGIN IMMEDIATE")
    await getattr(connection, end)()
    await connection.cursor().execute("SELECT 1")
    assert not connection.in_transaction


async def test_after_a_statement_that_fails_the_transaction_can_be_undone(connection):
    connection.begin_with_next("BEGIN IMMEDIATE")
    await connection.cursor().execute("CREATE TABLE t (x)")
    with pytest.raises(sqlite3.OperationalError):
        await connection.cursor().execute("SELECT y FROM t")
    await connection.rollback()
    assert not connection.in_transaction


async def test_a_statement_of_a_cancelled_task_is_undone_behind_it(connection):
    await connection.cursor().execute("CREATE TABLE t (x)")
    connection.begin_with_next("BEGIN IMMEDIATE")
    cursor = connection.cursor()
    filled = f"INSERT INTO t {NUMBERS}"
    task = asyncio.create_task(cursor.execute(filled, (200_000,)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await cursor.close()
    await connection.rollback()
    assert not connection.in_transaction
    kept = connection.cursor()
    await kept.execute("SELECT count(*) FROM t")
    assert list(await kept.fetchall()) == [(0,)]


async def test_rows_come_one_by_one_and_the_last_is_none(connection):
    cursor = connection.cursor()
    await cursor.execute(NUMBERS, (FIRST + 1,))
    assert [await cursor.fetchone() for _ in range(FIRST + 2)] == [
        *((n,) for n in range(1, FIRST + 2)),
        None,
    ]


async def test_a_stream_has_every_row(tmp_path):
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/b.db")
    async with store.reading() as tx:
        found = await tx.stream(text(NUMBERS.replace("?", ":n")), {"n": 3 * FIRST})
        assert (await found.fetchone()) == (1,)
        assert len(await found.all()) == 3 * FIRST - 1
    await store.close()


async def test_where_a_transaction_cannot_begin_nothing_is_written_outside_of_one(tmp_path):
    address = f"file:{tmp_path}/c.db?mode=rwc"
    holder, waiting = await connect(address), await connect(address)
    try:
        await holder.cursor().execute("CREATE TABLE t (x)")
        holder.begin_with_next("BEGIN IMMEDIATE")
        await holder.cursor().execute("INSERT INTO t VALUES (1)")
        await waiting.cursor().execute("PRAGMA busy_timeout=10")
        waiting.begin_with_next("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            await waiting.cursor().execute("SELECT 1")
        await holder.rollback()
        await waiting.cursor().execute("INSERT INTO t VALUES (2)")
        await waiting.rollback()
        cursor = holder.cursor()
        await cursor.execute("SELECT x FROM t")
        assert not await cursor.fetchall()
    finally:
        await holder.close()
        await waiting.close()


async def test_a_closed_connection_is_said_to_be_closed(tmp_path):
    connection = await connect(f"file:{tmp_path}/d.db?mode=rwc")
    await connection.close()
    with pytest.raises(sqlite3.OperationalError, match="Connection closed"):
        connection.cursor()
