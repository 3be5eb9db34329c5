"""The store: one database, one connection, and the transactions on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar

from filelock import FileLock
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from storage import lease, sqlite
from storage.errors import DatabaseBusy, DatabaseUnavailable, StorageError, UnsupportedDatabase
from storage.lock import locked
from storage.restoring import finish
from storage.sqlite import Location, located, translated
from storage.upgrade import newest, revision, upgraded

Transaction: TypeAlias = AsyncConnection
"""What ``transaction`` and ``reading`` hand out, and what the functions of the store take."""

P = ParamSpec("P")
T = TypeVar("T")
Work: TypeAlias = Callable[Concatenate[AsyncConnection, P], Awaitable[T]]
"""A function of the store."""

TURN = 30.0
"""Seconds that a transaction waits for the ones before it: only a fault of ours takes so long."""

SMALL = 8 * 1024 * 1024
"""Bytes of a file that is read to its end at every start; a larger one only before an upgrade.

``ludoteca doctor`` reads the whole of any.
"""


class Store:
    """An open database.

    Its functions are in the modules named after what they keep (``games``, ``views``, …); they
    take the connection that ``transaction`` or ``reading`` hands out. Transactions take turns, in
    the order of their coming; inside one, nothing but the database may be awaited.
    """

    def __init__(self, location: Location, engine: AsyncEngine, lock: FileLock | None) -> None:
        self._location = location
        self._engine = engine
        self._reader = engine.execution_options(**{sqlite.BEGIN: "BEGIN"})
        self._lock = lock
        self._closed = False
        self._leased = False
        self._found_locked = False
        self._free = asyncio.Lock()

    @classmethod
    async def open(cls, url: str, *, readonly: bool = False) -> Store:
        """The store at *url*, its schema brought up to this release.

        With *readonly* nothing is written, no lock is taken, and it may run beside a bot. Raises
        ``UnsupportedDatabase``, ``DatabaseUnavailable``, ``SecondProcess``, ``CorruptDatabase``
        or ``NewerDatabase``, and leaves the file as it was.
        """
        location = located(url)
        if readonly and location.path is not None and not location.path.is_file():
            raise DatabaseUnavailable(f"There is no database {location.name} yet.")
        lock = None
        if not readonly and location.path is not None:
            lock = locked(location.path)
            try:
                finish(location.path)
                sqlite.prepared(location.path)
                await cls._refuse_foreign(location)
            except BaseException:
                lock.release()
                raise
        store = cls(location, sqlite.connected(location, readonly=readonly), lock)
        try:
            await store._check(_readable if readonly else _writable)
            store._leased = not readonly and location.path is not None
        except BaseException:
            await store.close()
            raise
        return store

    @classmethod
    async def _refuse_foreign(cls, location: Location) -> None:
        """Refuses a file that is not ours, or newer, before a connection may change its head."""
        if location.path is None or not location.path.stat().st_size:
            return
        probe = cls(location, sqlite.connected(location, readonly=True), None)
        try:
            await probe._check(_ours)
        finally:
            await probe.close()

    async def _check(self, check: Callable[[Connection, Location], None]) -> None:
        engine = self._engine if check is _writable else self._reader
        with translated(self._location):
            async with engine.connect() as connection:
                await connection.run_sync(check, self._location)

    def transaction(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction that may write; it is committed at the end, or undone by an exception.

        A task that is cancelled while it commits cannot know whether it did: what it held in
        memory must be read again. A database in memory does not survive a cancelled statement.
        """
        return self._begun(self._engine)

    def reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction that only reads, all of it the same state."""
        return self._begun(self._reader)

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What *work* answers in a transaction of its own that may write."""
        async with self.transaction() as tx:
            return await work(tx, *args, **kwargs)

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What *work* answers in a transaction of its own that only reads."""
        async with self.reading() as tx:
            return await work(tx, *args, **kwargs)

    @asynccontextmanager
    async def _begun(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        async with self._turn():
            if self._closed:
                raise DatabaseUnavailable(f"The database {self._location.name} is closed.")
            try:
                with translated(self._location):
                    if self._found_locked and engine is self._engine:
                        await self._wait_for_locks(0)
                    async with engine.begin() as tx:
                        yield tx
            except DatabaseBusy:
                # Whoever comes next must not wait as well: many would, one after the other.
                self._found_locked = True
                raise
            if self._found_locked and engine is self._engine:
                await self._wait_for_locks(sqlite.PATIENCE)
                self._found_locked = False

    async def _wait_for_locks(self, seconds: float) -> None:
        async with self._engine.connect() as connection:
            await connection.run_sync(sqlite.wait_for_locks, seconds)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(TURN):
                await self._free.acquire()
        except TimeoutError as error:
            raise DatabaseUnavailable(
                f"The database {self._location.name} is still busy with work of {TURN:.0f} seconds "
                "ago."
            ) from error
        try:
            yield
        finally:
            self._free.release()

    async def sweep(self) -> None:
        """Lets nothing of what was deleted stay in the file's journal."""
        async with self._turn():
            with translated(self._location):
                async with self._engine.connect() as connection:
                    await connection.run_sync(sqlite.sweep)

    async def close(self) -> None:
        """Waits for the transaction that has begun, then lets go of the file and its lock.

        Whoever still waits for a turn gets ``DatabaseUnavailable``. May be called twice.
        """
        async with self._turn():
            self._closed = True
            try:
                with suppress(StorageError):
                    await self._give_lease_back()
                await self._engine.dispose()
            finally:
                if self._lock is not None:
                    self._lock.release()

    async def _give_lease_back(self) -> None:
        if self._leased:
            self._leased = False
            with translated(self._location):
                async with self._engine.begin() as tx:
                    await tx.run_sync(lease.give_back)


def _writable(connection: Connection, location: Location) -> None:
    small = location.path is not None and location.path.stat().st_size < SMALL
    with connection.begin():
        older = revision(connection, location) != newest()
        # A damaged file is refused before anything is written to it.
        if (older or small) and sqlite.faults(connection, quick=True):
            raise sqlite.damaged(location)
    upgraded(connection, location)
    if location.path is not None:
        with connection.begin():
            lease.take(connection, location.path)


def _ours(connection: Connection, location: Location) -> None:
    with connection.begin():
        revision(connection, location)


def _readable(connection: Connection, location: Location) -> None:
    with connection.begin():
        found = revision(connection, location)
    if found != newest():
        raise UnsupportedDatabase(
            f"The database {location.name} is of an earlier release; start the bot once to bring "
            "it up to date."
        )
