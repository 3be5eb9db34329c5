"""Opening, taking turns, and what is said when the database cannot be used."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import text

from storage import (
    Conflict,
    CorruptDatabase,
    DatabaseUnavailable,
    SecondProcess,
    StorageError,
    Store,
    UnsupportedDatabase,
    engine,
    games,
    settings,
    sqlite,
)
from tests.storage.rows import NOON, add_game, event


class Trips:
    """Cancels a task while its n-th call of the driver, counted from 0, is on its way."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._task: asyncio.Task[None] | None = None
        self._left = 0
        made = aiosqlite.Connection._execute

        async def execute(connection: Any, *args: Any, **options: Any) -> object:
            if self._task is asyncio.current_task() and self._task is not None:
                if self._left == 0:
                    asyncio.get_running_loop().call_soon(self._task.cancel)
                self._left -= 1
            return await made(connection, *args, **options)

        monkeypatch.setattr(aiosqlite.Connection, "_execute", execute)

    def cancel(self, task: asyncio.Task[None], trip: int) -> None:
        """From now on, watches *task*."""
        self._task, self._left = task, trip


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)


@pytest.fixture
def other(file: Path) -> Iterator[sqlite3.Connection]:
    """Another program that has the file open."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as connection:
        yield connection


def one_sentence(error: pytest.ExceptionInfo[BaseException]) -> str:
    said = str(error.value)
    assert said.endswith(".")
    assert "\n" not in said
    assert "Traceback" not in said
    return said


async def pragma(store: Store, name: str) -> object:
    async with store.reading() as tx:
        return (await tx.execute(text(f"PRAGMA {name}"))).scalar_one()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),  # FULL
        ("foreign_keys", 1),
        ("busy_timeout", 5000),
    ],
)
async def test_a_connection_is_set_up_for_safety(store: Store, name: str, value: object) -> None:
    assert await pragma(store, name) == value


async def test_what_was_committed_is_there_after_closing_and_opening(url: str) -> None:
    store = await Store.open(url)
    async with store.transaction() as tx:
        await settings.put(tx, "key", "value")
    await store.close()
    store = await Store.open(url)
    async with store.reading() as tx:
        assert await settings.get(tx, "key") == "value"
    await store.close()


async def test_the_database_is_for_its_owner_only(store: Store, file: Path) -> None:
    async with store.transaction() as tx:
        await settings.put(tx, "key", "value")
    kept = [path for path in file.parent.iterdir() if path.suffix != ".lock"]
    assert len(kept) == 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


async def test_closing_leaves_one_file_and_no_journal(url: str, file: Path) -> None:
    store = await Store.open(url)
    async with store.transaction() as tx:
        await settings.put(tx, "key", "value")
    await store.close()
    await store.close()
    assert {path.name for path in file.parent.iterdir()} <= {file.name, f"{file.name}.lock"}


async def test_closing_ends_the_thread_of_the_connection(url: str) -> None:
    others = {*threading.enumerate()}
    store = await Store.open(url)
    (worker,) = {*threading.enumerate()} - others
    await store.close()
    worker.join(timeout=5)
    assert not worker.is_alive()


async def test_a_database_in_memory_lives_as_long_as_its_store() -> None:
    for _ in range(2):
        store = await Store.open("sqlite+aiosqlite://")
        async with store.transaction() as tx:
            assert await settings.get(tx, "key") is None
            await settings.put(tx, "key", "value")
        async with store.reading() as tx:
            assert await settings.get(tx, "key") == "value"
        await store.close()


async def test_an_exception_undoes_the_transaction(store: Store) -> None:
    async def fails() -> None:
        async with store.transaction() as tx:
            await settings.put(tx, "key", "value")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fails()
    async with store.reading() as tx:
        assert await settings.get(tx, "key") is None


async def test_a_cancelled_transaction_is_undone_and_the_next_one_works(store: Store) -> None:
    written = asyncio.Event()

    async def forever() -> None:
        async with store.transaction() as tx:
            await settings.put(tx, "key", "cancelled")
            written.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(forever())
    await written.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with store.transaction() as tx:
        assert await settings.get(tx, "key") is None
        await settings.put(tx, "key", "next")


async def test_cancelled_at_any_trip_to_the_driver_a_click_is_whole_or_absent(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    trips = Trips(monkeypatch)

    async def click(version: int) -> None:
        async with store.transaction() as tx:
            moves = [event(version + 1), event(version + 2)]
            await games.append(tx, "k7", version, moves, status="playing", summary="", at=NOON)

    version, cancelled, kept = 1, 0, []
    for trip in range(100):
        task = asyncio.create_task(click(version))
        trips.cancel(task, trip)
        await asyncio.wait([task])
        kept.append(task)  # its traceback keeps the cursor it was cancelled at
        async with store.transaction() as tx:
            row = await games.load(tx, "k7")
            assert row is not None
            assert row.version in (version, version + 2)
            assert len(await games.events(tx, "k7")) == row.version
            version = row.version
        if not task.cancelled():
            break
        cancelled += 1
    assert cancelled >= 6  # begin, advance, events, commit and what lies between
    assert version >= 3
    assert not kept[-1].cancelled()


async def test_transactions_take_turns_in_the_order_of_their_coming(store: Store) -> None:
    order: list[int] = []

    async def write(number: int) -> None:
        async with store.transaction() as tx:
            await settings.put(tx, "last", str(number))
            order.append(number)

    await asyncio.gather(*map(write, range(20)))
    assert order == [*range(20)]
    async with store.reading() as tx:
        assert await settings.get(tx, "last") == "19"


async def test_a_transaction_inside_a_transaction_is_an_error_not_a_standstill(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "TURN", 0.05)
    async with store.transaction():
        with pytest.raises(DatabaseUnavailable):
            async with store.transaction():
                pass


async def test_closing_waits_for_what_has_begun_and_refuses_what_comes_after(url: str) -> None:
    store = await Store.open(url)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with store.transaction() as tx:
            begun.set()
            await go_on.wait()
            await settings.put(tx, "key", "value")

    async def late() -> None:
        async with store.transaction() as tx:
            await settings.put(tx, "key", "late")

    first = asyncio.create_task(write())
    await begun.wait()
    closing_ = asyncio.create_task(store.close())
    await asyncio.sleep(0)
    second = asyncio.create_task(late())
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(first, closing_)
    with pytest.raises(DatabaseUnavailable, match="closed"):
        await second
    store = await Store.open(url)
    async with store.reading() as tx:
        assert await settings.get(tx, "key") == "value"
    await store.close()


async def test_f11_a_second_process_is_kept_out_until_the_first_one_ends(
    url: str, file: Path
) -> None:
    store = await Store.open(url)
    with pytest.raises(SecondProcess) as refused:
        await Store.open(url)
    assert str(file) in one_sentence(refused)
    async with store.transaction() as tx:  # the first one notices nothing
        await settings.put(tx, "key", "value")
    await store.close()
    await (await Store.open(url)).close()


async def test_f11_a_link_to_the_file_does_not_let_a_second_process_in(
    store: Store, file: Path
) -> None:
    link = file.with_name("link.db")
    link.symlink_to(file)
    with pytest.raises(SecondProcess):
        await Store.open(f"sqlite+aiosqlite:///{link}")


async def test_a_failed_opening_leaves_no_lock_and_no_thread(url: str, file: Path) -> None:
    file.write_bytes(b"no database" * 1000)
    others = {*threading.enumerate()}
    for _ in range(3):
        with pytest.raises(CorruptDatabase):
            await Store.open(url)
    for worker in {*threading.enumerate()} - others:
        worker.join(timeout=5)
        assert not worker.is_alive()


@pytest.mark.parametrize("seed", [0, 1])
async def test_f11_a_file_of_random_bytes_is_refused_and_left_as_it_is(
    url: str, file: Path, seed: int
) -> None:
    noise = os.urandom(40_000)
    file.write_bytes(noise if seed else b"SQLite format 3\x00" + noise)
    before = file.read_bytes()
    with pytest.raises(CorruptDatabase) as refused:
        await Store.open(url)
    assert "ludoteca backup" in one_sentence(refused)
    assert file.read_bytes() == before


async def test_f11_a_damaged_page_is_noticed_at_the_start(url: str, file: Path) -> None:
    store = await Store.open(url)
    async with store.transaction() as tx:
        await add_game(tx, version=300)
    await store.close()
    content = bytearray(file.read_bytes())
    content[-4096:] = os.urandom(4096)
    file.write_bytes(content)
    with pytest.raises(CorruptDatabase):
        await Store.open(url)


async def test_f11_a_truncated_file_is_noticed_at_the_start(url: str, file: Path) -> None:
    store = await Store.open(url)
    async with store.transaction() as tx:
        await add_game(tx, version=300)
    await store.close()
    os.truncate(file, file.stat().st_size - 3 * 4096)
    with pytest.raises(CorruptDatabase):
        await Store.open(url)


async def test_f11_a_missing_folder_is_named_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailable) as refused:
        await Store.open(f"sqlite+aiosqlite:///{tmp_path}/missing/ludoteca.db")
    assert f"{tmp_path}/missing" in one_sentence(refused)
    assert [*tmp_path.iterdir()] == []


async def test_f11_a_folder_in_the_place_of_the_file(url: str, file: Path) -> None:
    file.mkdir()
    with pytest.raises(DatabaseUnavailable) as refused:
        await Store.open(url)
    assert str(file) in one_sentence(refused)


async def test_f11_a_folder_that_takes_no_files() -> None:
    if not Path("/proc/self").is_dir():
        pytest.skip("only Linux has a folder where even root makes no file")
    with pytest.raises(DatabaseUnavailable) as refused:
        await Store.open("sqlite+aiosqlite:////proc/ludoteca.db")
    assert "/proc/ludoteca.db" in one_sentence(refused)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("what", ["folder", "file", "lock"])
async def test_f11_without_the_right_to_write(url: str, file: Path, what: str) -> None:
    await (await Store.open(url)).close()
    lock = file.with_name(f"{file.name}.lock")
    lock.touch()
    target, mode = {"folder": (file.parent, 0o500), "file": (file, 0o400), "lock": (lock, 0o400)}[
        what
    ]
    if what == "folder":
        file.unlink()
    target.chmod(mode)
    try:
        with pytest.raises(DatabaseUnavailable) as refused:
            await Store.open(url)
    finally:
        target.chmod(0o700)
    one_sentence(refused)


async def test_f11_a_lock_file_that_cannot_be_written(url: str, file: Path) -> None:
    file.with_name(f"{file.name}.lock").mkdir()
    with pytest.raises(DatabaseUnavailable) as refused:
        await Store.open(url)
    assert ".lock" in one_sentence(refused)


async def test_f11_a_full_disk_loses_nothing_acknowledged_and_the_store_goes_on(
    store: Store,
) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    pages = int(str(await pragma(store, "page_count")))
    await pragma(store, f"max_page_count={pages + 20}")
    acknowledged = 1

    async def fill() -> None:
        nonlocal acknowledged
        while True:
            async with store.transaction() as tx:
                move = event(acknowledged + 1, "x" * 3000)
                await games.append(
                    tx, "k7", acknowledged, [move], status="playing", summary="", at=NOON
                )
            acknowledged += 1

    with pytest.raises(DatabaseUnavailable) as refused:
        await fill()
    assert "disk is full" in one_sentence(refused)
    assert acknowledged > 5
    async with store.reading() as tx:
        row = await games.load(tx, "k7")
        assert row is not None
        assert row.version == acknowledged
        assert len(await games.events(tx, "k7")) == acknowledged
    await pragma(store, "max_page_count=1000000")
    async with store.transaction() as tx:
        await games.append(
            tx, "k7", acknowledged, [event(acknowledged + 1)], status="ended", summary="", at=NOON
        )


async def test_f11_a_locked_database_is_waited_for(store: Store, other: sqlite3.Connection) -> None:
    other.execute("BEGIN IMMEDIATE")

    async def write() -> None:
        async with store.transaction() as tx:
            await settings.put(tx, "key", "value")

    task = asyncio.create_task(write())
    await asyncio.sleep(0.1)
    assert not task.done()
    other.execute("COMMIT")
    await task


@pytest.mark.usefixtures("impatient")
async def test_f11_a_database_that_stays_locked_is_a_polite_refusal(
    url: str, file: Path, other: sqlite3.Connection
) -> None:
    store = await Store.open(url)
    other.execute("BEGIN IMMEDIATE")
    for _ in range(3):
        with pytest.raises(DatabaseUnavailable) as refused:
            async with store.transaction() as tx:
                await settings.put(tx, "key", "never")
        assert "locked" in one_sentence(refused)
    async with store.reading() as tx:  # reading goes on
        assert await settings.get(tx, "key") is None
    other.execute("ROLLBACK")
    async with store.transaction() as tx:
        await settings.put(tx, "key", "value")
    await store.close()


@pytest.mark.usefixtures("impatient")
async def test_f11_a_database_locked_at_the_start_is_a_polite_refusal(
    url: str, other: sqlite3.Connection
) -> None:
    other.execute("CREATE TABLE mine (x)")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(DatabaseUnavailable) as refused:
        await Store.open(url)
    assert "locked" in one_sentence(refused)


async def test_a_file_of_another_program_is_left_alone(url: str, other: sqlite3.Connection) -> None:
    other.execute("CREATE TABLE recipe (name)")
    with pytest.raises(UnsupportedDatabase) as refused:
        await Store.open(url)
    assert "another program" in one_sentence(refused)
    assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("recipe",)]


@pytest.mark.parametrize(
    "address",
    [
        "postgresql+asyncpg://house:s3cret@db/ludoteca",
        "postgresql://house:s3cret@db/ludoteca",
        "mysql://house:s3cret@db/ludoteca",
        "ludoteca.db",
        "",
        "sqlite+aiosqlite:///ludoteca.db?mode=memory",
    ],
)
async def test_an_address_that_is_not_a_sqlite_file_is_refused_without_its_password(
    address: str,
) -> None:
    with pytest.raises(UnsupportedDatabase) as refused:
        await Store.open(address)
    assert "sqlite+aiosqlite:///ludoteca.db" in one_sentence(refused)
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("name", ["a b.db", "ñandú #1.db", "100%.db", "file:x.db", "'q'.db"])
async def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / name}"
    store = await Store.open(url)
    async with store.transaction() as tx:
        await settings.put(tx, "key", name)
    beside = await Store.open(url, readonly=True)
    async with beside.reading() as tx:
        assert await settings.get(tx, "key") == name
    await beside.close()
    await store.close()
    assert (tmp_path / name).is_file()


async def test_a_readonly_store_reads_beside_a_bot_and_writes_nothing(
    store: Store, url: str
) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    beside = await Store.open(url, readonly=True)
    async with store.transaction() as tx:
        await settings.put(tx, "key", "uncommitted")
        async with beside.reading() as there:
            assert await games.exists(there, "k7")
            assert await settings.get(there, "key") is None
    with pytest.raises(DatabaseUnavailable):
        async with beside.transaction() as tx:
            await settings.put(tx, "key", "no")
    with pytest.raises(DatabaseUnavailable):
        async with beside.reading() as tx:
            await settings.put(tx, "key", "no")
    await beside.close()
    async with store.transaction() as tx:
        assert await settings.get(tx, "key") == "uncommitted"


async def test_a_readonly_store_makes_no_database(url: str, file: Path) -> None:
    with pytest.raises(DatabaseUnavailable) as refused:
        await Store.open(url, readonly=True)
    assert str(file) in one_sentence(refused)
    assert not file.exists()


def test_a_conflict_is_not_the_operators_business() -> None:
    assert not issubclass(Conflict, StorageError)
