"""Opening, closing and taking turns."""

from __future__ import annotations

import asyncio
import stat
import threading
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from storage import StorageError, Store, bot_settings
from storage.errors import Conflict, DatabaseUnavailable
from storage.table import games
from tests.storage.rows import NOON, PLAYING, add_game, event, one_sentence, pragma


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


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),  # FULL
        ("foreign_keys", 1),
        ("busy_timeout", 1000),
    ],
)
async def test_a_connection_is_set_up_for_safety(
    store: Store, file: Path, name: str, value: object
) -> None:
    assert await pragma(store, name) == value


async def test_what_was_committed_is_there_after_closing_and_opening(url: str) -> None:
    store = await Store.open(url)
    async with store.transaction() as tx:
        await bot_settings.put_setting(tx, "key", "value")
    await store.close()
    store = await Store.open(url)
    async with store.reading() as tx:
        assert await bot_settings.load_setting(tx, "key") == "value"
    await store.close()


async def test_the_database_is_for_its_owner_only(store: Store, file: Path) -> None:
    async with store.transaction() as tx:
        await bot_settings.put_setting(tx, "key", "value")
    kept = [path for path in file.parent.iterdir() if path.suffix != ".lock"]
    assert len(kept) == 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


async def test_closing_leaves_one_file_and_no_journal(url: str, file: Path) -> None:
    store = await Store.open(url)
    async with store.transaction() as tx:
        await bot_settings.put_setting(tx, "key", "value")
    await store.close()
    await store.close()
    assert {path.name for path in file.parent.iterdir()} <= {file.name, f"{file.name}.lock"}


async def test_closing_ends_the_thread_of_the_connection(url: str, file: Path) -> None:
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
            assert await bot_settings.load_setting(tx, "key") is None
            await bot_settings.put_setting(tx, "key", "value")
        async with store.reading() as tx:
            assert await bot_settings.load_setting(tx, "key") == "value"
        await store.close()


async def test_an_exception_undoes_the_transaction(store: Store) -> None:
    async def fails() -> None:
        async with store.transaction() as tx:
            await bot_settings.put_setting(tx, "key", "value")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fails()
    async with store.reading() as tx:
        assert await bot_settings.load_setting(tx, "key") is None


async def test_a_cancelled_transaction_is_undone_and_the_next_one_works(store: Store) -> None:
    written = asyncio.Event()

    async def forever() -> None:
        async with store.transaction() as tx:
            await bot_settings.put_setting(tx, "key", "cancelled")
            written.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(forever())
    await written.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with store.transaction() as tx:
        assert await bot_settings.load_setting(tx, "key") is None
        await bot_settings.put_setting(tx, "key", "next")


async def test_cancelled_at_any_trip_to_the_driver_a_click_is_whole_or_absent(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with store.transaction() as tx:
        await add_game(tx)
    trips = Trips(monkeypatch)

    async def click(version: int) -> None:
        async with store.transaction() as tx:
            moves = [event(version + 1), event(version + 2)]
            await games.append_events(tx, "k7", version, moves, standing=PLAYING, at=NOON)

    version, cancelled, kept = 1, 0, []
    for trip in range(100):
        task = asyncio.create_task(click(version))
        trips.cancel(task, trip)
        await asyncio.wait([task])
        kept.append(task)  # its traceback keeps the cursor it was cancelled at
        async with store.transaction() as tx:
            row = await games.load_game(tx, "k7")
            assert row is not None
            assert row.version in (version, version + 2)
            assert len(await games.load_events(tx, "k7")) == row.version
            version = row.version
        if not task.cancelled():
            break
        cancelled += 1
    assert cancelled >= 3  # at both statements and at COMMIT
    assert version >= 3
    assert not kept[-1].cancelled()


async def test_transactions_take_turns_in_the_order_of_their_coming(store: Store) -> None:
    order: list[int] = []

    async def write(number: int) -> None:
        async with store.transaction() as tx:
            await bot_settings.put_setting(tx, "last", str(number))
            order.append(number)

    await asyncio.gather(*map(write, range(20)))
    assert order == [*range(20)]
    async with store.reading() as tx:
        assert await bot_settings.load_setting(tx, "last") == "19"


async def test_a_transaction_inside_a_transaction_is_an_error_not_a_standstill(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.store.TURN", 0.05)
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
            await bot_settings.put_setting(tx, "key", "value")

    async def late() -> None:
        async with store.transaction() as tx:
            await bot_settings.put_setting(tx, "key", "late")

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
        assert await bot_settings.load_setting(tx, "key") == "value"
    await store.close()


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["a b.db", "ñandú #1.db", "100%.db", "file:x.db", "'q'.db"])
async def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / name}"
    store = await Store.open(url)
    async with store.transaction() as tx:
        await bot_settings.put_setting(tx, "key", name)
    beside = await Store.open(url, readonly=True)
    async with beside.reading() as tx:
        assert await bot_settings.load_setting(tx, "key") == name
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
        await bot_settings.put_setting(tx, "key", "uncommitted")
        async with beside.reading() as there:
            assert await games.load_game(there, "k7") is not None
            assert await bot_settings.load_setting(there, "key") is None
    with pytest.raises(DatabaseUnavailable):
        async with beside.transaction() as tx:
            await bot_settings.put_setting(tx, "key", "no")
    with pytest.raises(DatabaseUnavailable):
        async with beside.reading() as tx:
            await bot_settings.put_setting(tx, "key", "no")
    await beside.close()
    async with store.transaction() as tx:
        assert await bot_settings.load_setting(tx, "key") == "uncommitted"


async def test_a_readonly_store_makes_no_database(url: str, file: Path) -> None:
    with pytest.raises(DatabaseUnavailable) as refused:
        await Store.open(url, readonly=True)
    assert str(file) in one_sentence(refused)
    assert not file.exists()


def test_a_conflict_is_not_the_operators_business() -> None:
    assert not issubclass(Conflict, StorageError)
