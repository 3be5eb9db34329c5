"""A database on a server: who may run on it, what its errors mean, and what it keeps."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest
from sqlalchemy import text

from storage import Store, bot_settings, check_database, restore_backup, write_backup
from storage.database import postgresql
from storage.errors import (
    Conflict,
    DatabaseBusy,
    DatabaseFull,
    DatabaseUnavailable,
    SecondProcess,
    UnsupportedDatabase,
)
from storage.table import games
from tests import postgres
from tests.storage.rows import NOON, PLAYING, add_game, event, one_sentence

FILES = True  # the addresses are this module's own

pytestmark = pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who finds the lease taken waits a second for it, not five."""
    monkeypatch.setattr(postgresql, "LEASE_SECONDS", 1)


@pytest.mark.usefixtures("hurried")
async def test_a_second_process_is_refused_until_the_first_has_closed(address: str) -> None:
    first = await Store.open(address)
    with pytest.raises(SecondProcess) as refused:
        await Store.open(address)
    assert "stop it first" in one_sentence(refused)
    await first.close()
    second = await Store.open(address)
    await second.close()


@pytest.mark.usefixtures("hurried")
async def test_who_is_broken_off_is_let_in_again(address: str) -> None:
    store = await Store.open(address)
    async with store.transaction() as tx:
        await bot_settings.put_setting(tx, "key", "value")
        (me,) = (await tx.execute(text("SELECT pg_backend_pid()"))).scalars()
    postgres.spoken(f"SELECT pg_terminate_backend({me})")
    with pytest.raises(DatabaseUnavailable):
        await store.read(bot_settings.load_setting, "key")
    assert await store.read(bot_settings.load_setting, "key") == "value"
    with pytest.raises(SecondProcess):  # it has its lease again
        await Store.open(address)
    await store.close()


async def test_a_connection_that_the_server_has_ended_is_made_anew_before_it_is_used(
    address: str,
) -> None:
    store = await Store.open(address)
    async with store.transaction() as tx:
        await bot_settings.put_setting(tx, "key", "value")
        (me,) = (await tx.execute(text("SELECT pg_backend_pid()"))).scalars()
    await asyncio.to_thread(postgres.spoken, f"SELECT pg_terminate_backend({me})")
    await asyncio.sleep(0.1)
    assert await store.read(bot_settings.load_setting, "key") == "value"
    await store.close()


FAILING = """
create function fails() returns trigger language plpgsql as
$$ begin raise exception using errcode = '{state}', message = '{told}'; end $$;
create constraint trigger at_commit after insert on setting deferrable initially deferred
for each row execute function fails()
"""


@pytest.mark.parametrize(
    ("state", "told", "error", "words"),
    [
        ("54000", "too many notifications in the NOTIFY queue", DatabaseBusy, "takes no news: too"),
        ("53100", "could not extend file", DatabaseFull, "its disk is full"),
    ],
)
async def test_what_fails_at_the_commit_is_told_in_a_sentence_and_changes_nothing(
    address: str, state: str, told: str, error: type[DatabaseUnavailable], words: str
) -> None:
    store = await Store.open(address)
    await asyncio.to_thread(postgres.spoken_in, address, FAILING.format(state=state, told=told))
    with pytest.raises(error) as refused:
        await store.write(bot_settings.put_setting, "key", "value")
    assert words in one_sentence(refused)
    assert await store.read(bot_settings.load_setting, "key") is None
    await asyncio.to_thread(postgres.spoken_in, address, "drop trigger at_commit on setting")
    await store.write(bot_settings.put_setting, "key", "value")
    assert await store.read(bot_settings.load_setting, "key") == "value"
    await store.close()


async def test_nobody_listens_where_the_address_points() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(DatabaseUnavailable) as refused:
        await Store.open(f"postgresql+asyncpg://house:s3cret@127.0.0.1:{port}/ludoteca")
    assert "cannot be reached" in one_sentence(refused)
    assert "s3cret" not in str(refused.value)


async def test_a_database_that_is_not_there_and_one_of_somebody_else(address: str) -> None:
    with pytest.raises(DatabaseUnavailable) as refused:
        await Store.open(f"{postgres.server()}/nowhere")
    assert "does not exist" in one_sentence(refused)
    postgres.spoken(f"CREATE DATABASE of_others_{address[-8:]}")
    there = f"{postgres.server()}/of_others_{address[-8:]}"
    postgres.spoken_in(there, "CREATE TABLE recipe (name text)")
    with pytest.raises(UnsupportedDatabase) as foreign:
        await Store.open(there)
    assert "another program" in one_sentence(foreign)


async def test_an_address_without_a_database_is_refused() -> None:
    with pytest.raises(UnsupportedDatabase) as refused:
        await Store.open("postgresql+asyncpg://house:s3cret@db")
    assert "names no database" in one_sentence(refused)
    assert "s3cret" not in str(refused.value)


async def test_two_at_once_one_of_whom_lost(address: str) -> None:
    store = await Store.open(address)
    async with store.transaction() as tx:
        await add_game(tx)
        await games.append_events(tx, "k7", 1, [event(2)], standing=PLAYING, at=NOON)
    with pytest.raises(Conflict):
        async with store.transaction() as tx:
            await games.append_events(tx, "k7", 1, [event(2)], standing=PLAYING, at=NOON)
    await store.close()


async def test_what_only_reads_writes_nothing_and_runs_beside_a_bot(address: str) -> None:
    store = await Store.open(address)
    beside = await Store.open(address, readonly=True)
    with pytest.raises(DatabaseUnavailable):
        async with beside.transaction() as tx:
            await bot_settings.put_setting(tx, "key", "value")
    await beside.close()
    await store.close()


async def test_the_checkup_counts_as_it_does_in_a_file(address: str) -> None:
    assert [one.check for one in await check_database(address)] == ["schema"]  # it is empty still
    store = await Store.open(address)
    async with store.transaction() as tx:
        await add_game(tx)
    found = {one.check: one.level for one in await check_database(address)}
    assert found["schema"] == "fine"
    assert found["events"] == "fine"
    async with store.transaction() as tx:
        await tx.execute(text("DELETE FROM event"))
    found = {one.check: one.level for one in await check_database(address)}
    assert found["events"] == "error"
    await store.close()


async def test_copies_are_the_server_s_own_affair(address: str, tmp_path: Path) -> None:
    for refused in (
        write_backup(address, tmp_path / "copy.db"),
        restore_backup(address, tmp_path / "copy.db"),
    ):
        with pytest.raises(UnsupportedDatabase) as told:
            await refused
        assert "pg_dump" in one_sentence(told)


@pytest.mark.slow
async def test_cancelled_at_any_moment_a_click_is_whole_or_absent(address: str) -> None:
    store = await Store.open(address)
    async with store.transaction() as tx:
        await add_game(tx)

    async def click(version: int) -> None:
        async with store.transaction() as tx:
            moves = [event(version + 1), event(version + 2)]
            await games.append_events(tx, "k7", version, moves, standing=PLAYING, at=NOON)

    version, cancelled = 1, 0
    for steps in range(60):
        task = asyncio.create_task(click(version))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        cancelled += task.cancelled()
        async with store.transaction() as tx:
            row = await games.load_game(tx, "k7")
            assert row is not None
            assert row.version in (version, version + 2)
            assert len(await games.load_events(tx, "k7")) == row.version
            version = row.version
    assert cancelled
    await store.close()


@pytest.mark.parametrize(("many", "seconds"), [(False, "1s"), (True, "4s")])
async def test_one_of_many_waits_longer_for_a_lock_than_who_meets_nobody(
    address: str, many: bool, seconds: str
) -> None:
    store = await Store.open(address, shared=many)
    async with store.transaction() as tx:
        assert (await tx.execute(text("SHOW lock_timeout"))).scalar_one() == seconds
    await store.close()


async def test_who_writes_beside_a_slow_process_waits_for_it(address: str) -> None:
    slow, other = [await Store.open(address, shared=True) for _ in range(2)]
    async with slow.transaction() as tx:
        await bot_settings.put_setting(tx, "key", "first")
        waiting = asyncio.create_task(other.write(bot_settings.put_setting, "key", "second"))
        await asyncio.sleep(1.2)  # longer than who is alone would wait
        assert not waiting.done()
    await waiting
    assert await slow.read(bot_settings.load_setting, "key") == "second"
    for one in (slow, other):
        await one.close()
