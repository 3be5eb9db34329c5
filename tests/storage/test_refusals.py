"""What is said when the database cannot be used, and that nothing is lost by it (F11)."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from storage import Store, bot_settings
from storage.database import file as database_file
from storage.database import file_lock
from storage.database.sqlite import SqliteBackend
from storage.errors import (
    CorruptDatabase,
    DatabaseBusy,
    DatabaseFull,
    DatabaseUnavailable,
    SecondProcess,
    UnsupportedDatabase,
)
from storage.table import games
from tests.storage.rows import ENDED, NOON, PLAYING, add_game, event, one_sentence, pragma

FILES = True


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_file, "LOCK_SECONDS", 0.05)


@pytest.fixture
def other(file: Path) -> Iterator[sqlite3.Connection]:
    """Another program that has the file open."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as connection:
        yield connection


async def test_f11_a_second_process_is_kept_out_until_the_first_one_ends(
    url: str, file: Path
) -> None:
    store = await Store.open(url)
    with pytest.raises(SecondProcess) as refused:
        await Store.open(url)
    assert str(file) in one_sentence(refused)
    async with store.transaction() as tx:  # the first one notices nothing
        await bot_settings.put_setting(tx, "key", "value")
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
    assert "ludoteca restore" in one_sentence(refused)
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
    if os.access(target, os.W_OK):
        pytest.skip("root may write everywhere")
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
                await games.append_events(tx, "k7", acknowledged, [move], standing=PLAYING, at=NOON)
            acknowledged += 1

    with pytest.raises(DatabaseFull) as refused:
        await fill()
    assert "disk is full" in one_sentence(refused)
    assert acknowledged > 5
    async with store.reading() as tx:
        row = await games.load_game(tx, "k7")
        assert row is not None
        assert row.version == acknowledged
        assert len(await games.load_events(tx, "k7")) == acknowledged
    await pragma(store, "max_page_count=1000000")
    async with store.transaction() as tx:
        await games.append_events(
            tx, "k7", acknowledged, [event(acknowledged + 1)], standing=ENDED, at=NOON
        )


async def test_f11_a_locked_database_is_waited_for(store: Store, other: sqlite3.Connection) -> None:
    other.execute("BEGIN IMMEDIATE")

    async def write() -> None:
        async with store.transaction() as tx:
            await bot_settings.put_setting(tx, "key", "value")

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
                await bot_settings.put_setting(tx, "key", "never")
        assert "locked" in one_sentence(refused)
    async with store.reading() as tx:  # reading goes on
        assert await bot_settings.load_setting(tx, "key") is None
    other.execute("ROLLBACK")
    async with store.transaction() as tx:
        await bot_settings.put_setting(tx, "key", "value")
    await store.close()


async def test_f11_who_comes_after_the_first_to_find_it_locked_does_not_wait_as_well(
    store: Store, other: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    wait_for_locks = SqliteBackend.wait_for_locks

    def noted(self: SqliteBackend, connection: Connection, seconds: float) -> None:
        waits.append(seconds)
        wait_for_locks(self, connection, seconds)

    monkeypatch.setattr(SqliteBackend, "wait_for_locks", noted)
    other.execute("BEGIN IMMEDIATE")
    writing = [store.write(bot_settings.put_setting, "key", str(number)) for number in range(8)]
    refused = await asyncio.gather(*writing, return_exceptions=True)
    assert [type(one) for one in refused] == [DatabaseBusy] * 8
    assert waits == [0] * 7
    other.execute("ROLLBACK")
    await store.write(bot_settings.put_setting, "key", "value")
    await store.write(bot_settings.put_setting, "key", "again")
    assert waits == [0] * 8 + [database_file.LOCK_SECONDS]
    assert database_file.LOCK_SECONDS < 2
    assert await pragma(store, "busy_timeout") == round(database_file.LOCK_SECONDS * 1000)


async def test_f11_a_second_process_by_a_hard_link_is_refused(store: Store, file: Path) -> None:
    link = file.with_name("link.db")
    link.hardlink_to(file)
    with pytest.raises(SecondProcess) as refused:
        await Store.open(f"sqlite+aiosqlite:///{link}")
    assert "2 names" in one_sentence(refused)
    link.unlink()
    await store.write(bot_settings.put_setting, "key", "value")


async def test_f11_a_second_process_with_the_lock_file_renamed_is_refused(
    store: Store, url: str, file: Path
) -> None:
    lock = file.with_name(f"{file.name}.lock")
    for away in (lambda: lock.rename(f"{lock}.old"), lock.unlink):
        away()
        with pytest.raises(SecondProcess) as refused:
            await Store.open(url)
        assert "another process" in one_sentence(refused).lower()
    await store.write(bot_settings.put_setting, "key", "value")
    await store.close()
    await (await Store.open(url)).close()


@pytest.mark.parametrize(
    "change", [{"pid": 1 << 22}, {"started": "1"}, {"boot": "another"}, {"inode": 1}]
)
async def test_f11_the_lease_of_a_process_that_is_gone_or_of_another_file_counts_for_nothing(
    url: str, file: Path, change: dict[str, object]
) -> None:
    store = await Store.open(url)
    held = json.loads(str(await store.read(bot_settings.load_setting, "lease")))
    await store.close()
    with closing(sqlite3.connect(file)) as connection, connection:
        put = "INSERT INTO setting (key, value) VALUES ('lease', ?)"
        connection.execute(put, (json.dumps({**held, **change}),))
    store = await Store.open(url)
    assert json.loads(str(await store.read(bot_settings.load_setting, "lease"))) == held
    await store.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only /proc tells when a process began")
async def test_f11_a_killed_bot_that_nobody_has_buried_holds_no_lease(url: str, file: Path) -> None:
    killed = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    store = await Store.open(url)
    held = json.loads(str(await store.read(bot_settings.load_setting, "lease")))
    await store.close()
    mine = {**held, "pid": killed.pid, "started": file_lock._start(killed.pid)}
    with closing(sqlite3.connect(file)) as connection, connection:
        put = "INSERT INTO setting (key, value) VALUES ('lease', ?)"
        connection.execute(put, (json.dumps(mine),))
    with pytest.raises(SecondProcess):
        await Store.open(url)
    killed.kill()
    os.waitid(os.P_PID, killed.pid, os.WEXITED | os.WNOWAIT)  # it is dead, and still to be seen
    await (await Store.open(url)).close()
    killed.communicate()


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
