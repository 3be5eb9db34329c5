"""The store: one database, one connection, and the transactions on it, which take turns."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import (
    AbstractAsyncContextManager,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from contextvars import ContextVar
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import Connection, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from storage.column_types import collect_damage
from storage.database import file as database_file
from storage.database.availability import SAID_ONCE, Availability
from storage.database.backend import Backend
from storage.database.damage_log import DamageLog
from storage.database.postgresql import PostgresBackend
from storage.database.sqlite import SqliteBackend
from storage.errors import (
    DatabaseBusy,
    DatabaseReplaced,
    DatabaseUnavailable,
    StorageError,
    UnsupportedDatabase,
)
from storage.schema import Transaction as Transaction
from storage.upgrade import newest_revision, revision_of

P = ParamSpec("P")
T = TypeVar("T")
K = TypeVar("K")
Work: TypeAlias = Callable[Concatenate[Transaction, P], Awaitable[T]]
"""A function of ``storage``."""

TURN = 30.0
"""Seconds that a transaction waits for earlier ones: only a fault of ours takes so long."""

TRANSACTIONS: Final = "transactions"
"""The user of the database, as ``Availability`` knows us."""

LONGEST_WAIT: Final = 0.1
"""Seconds after which one transaction of low priority gets a turn before the others."""

_patient: ContextVar[bool] = ContextVar("patient", default=False)


def backend_at(url: str) -> Backend:
    """The database at *url*; raises ``UnsupportedDatabase`` for what is neither of our two.

    The message never repeats the address, which may hold a password.

    >>> type(backend_at("sqlite+aiosqlite:///ludoteca.db")).__name__
    'SqliteBackend'
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        return SqliteBackend.at(url)  # which says what it cannot read
    if parsed.get_backend_name() != "postgresql":
        return SqliteBackend.at(url)
    if not parsed.database:
        raise UnsupportedDatabase(
            "The database address names no database; use an address like "
            "postgresql+asyncpg://user:password@host/ludoteca."
        )
    if find_spec("asyncpg") is None:
        raise UnsupportedDatabase(
            "The driver of PostgreSQL is not installed: install asyncpg where this program is."
        )
    return PostgresBackend(parsed.set(drivername="postgresql+asyncpg"))


@contextmanager
def low_priority() -> Iterator[None]:
    """Gives transactions in here, and in tasks begun in here, low priority.

    It is for work that no person waits for, of which there may be much at once.
    """
    before = _patient.set(True)
    try:
        yield
    finally:
        _patient.reset(before)


class TransactionQueue:
    """Gives one turn at a time in the order of asking, first to those of normal priority."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()
        self._others_since = 0.0
        """When those of low priority began to wait, or had their last turn."""

    async def acquire(self) -> None:
        """Wait for a turn."""
        if not self._taken:
            self._taken = True
            return
        loop = asyncio.get_running_loop()
        given = loop.create_future()
        if _patient.get():
            self._others_since = self._others_since if self._patient else loop.time()
            self._patient.append(given)
        else:
            self._waiting.append(given)
        try:
            await given
        except asyncio.CancelledError:
            if given.done() and not given.cancelled():
                self.release()
            raise

    def release(self) -> None:
        """End the turn; the next one begins."""
        while self._waiting or self._patient:
            given = self._next()
            if not given.done():  # else cancelled while it waited
                given.set_result(None)
                return
        self._taken = False

    def _next(self) -> asyncio.Future[None]:
        now = asyncio.get_running_loop().time()
        long = now - self._others_since >= LONGEST_WAIT
        if not self._patient or (self._waiting and not long):
            return self._waiting.popleft()
        self._others_since = now
        return self._patient.popleft()


class Store:
    """An open database.

    Transactions take turns in the order of their coming; inside one, nothing but the database may
    be awaited. They are given to the functions of the modules ``games``, ``views`` and so on.
    """

    def __init__(
        self,
        backend: Backend,
        engine: AsyncEngine,
        release: Callable[[], None] | None,
        availability: Availability | None = None,
    ) -> None:
        self.backend = backend
        self._engine = engine
        self._reader = engine.execution_options(**backend.reading)
        self._release = release
        self._closed = False
        self._leased = False
        self._found_locked = False
        self._files: Mapping[str, tuple[int, int]] = {}
        """The files as they were found on the present connection."""
        self._replaced: DatabaseReplaced | None = None
        event.listen(engine.sync_engine, "connect", self._on_connect)
        self._free = TransactionQueue()
        self._kept: AsyncConnection | None = None
        self._damage = DamageLog(self.reading)
        self.availability = availability or Availability()
        self.cluster = backend.cluster(self._wait_for_transactions, self.availability)
        self.copy: Path | None = None
        """The copy that was made before the schema was changed."""
        self.noted: Callable[[str, float], None] = lambda _kind, _seconds: None
        """Called for every transaction with ``write`` or ``read`` and its seconds."""

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        readonly: bool = False,
        shared: bool = False,
        copied: bool = False,
        availability: Availability | None = None,
    ) -> Store:
        """The store at *url*, its schema brought up to this release.

        With *readonly* nothing is written, no lock is taken, and it may run beside a bot. A
        *shared* one on a server may run beside other shared ones (``cluster``). Before the schema
        is changed the database is copied; where that cannot be done, the operator must have
        *copied* it. What transactions find is told to *availability*. Raises
        ``UnsupportedDatabase``, ``DatabaseUnavailable``, ``SecondProcess``, ``CorruptDatabase``
        or ``NewerDatabase``, and leaves the database as it was.
        """
        backend = backend_at(url).for_several() if shared else backend_at(url)
        backend = backend.without_copies() if copied else backend
        release = None
        if readonly:
            backend.refuse_absent()
        else:
            release = await backend.claim()
        store = cls(backend, backend.connect(readonly=readonly), release, availability)
        try:
            store.copy = await store._check(store._refuse_older if readonly else backend.prepare)
            store._leased = not readonly
        except BaseException:
            await store.close()
            raise
        return store

    def _refuse_older(self, connection: Connection) -> None:
        with connection.begin():
            found = revision_of(connection, self.backend.name)
        if found != newest_revision():
            raise UnsupportedDatabase(
                f"The database {self.backend.name} is of an earlier release; start the bot once "
                "to bring it up to date."
            )

    async def _check(self, check: Callable[[Connection], Path | None]) -> Path | None:
        engine = self._reader if check == self._refuse_older else self._engine
        with self.backend.translate_errors():
            async with engine.connect() as connection:
                return await connection.run_sync(check)

    def transaction(self, *, beside: bool = False) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction that may write; it is committed at the end, or undone by an exception.

        No other process writes meanwhile, unless both write *beside* each other. Such a
        transaction must be right whatever another one commits between its statements: it locks
        the rows that it reads to change them, or changes them only if they are as they were read.

        A task that is cancelled while it commits cannot know whether it did: it must read its
        objects again. A database in memory does not survive a cancelled statement.
        """
        return self._begin(self._engine, beside=beside)

    def reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction that only reads, all of it the same state."""
        return self._begin(self._reader)

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run *work* in a transaction of its own that may write."""
        async with self.transaction() as tx:
            return await work(tx, *args, **kwargs)

    async def write_beside(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same *beside* other processes, as ``transaction`` says."""
        async with self.transaction(beside=True) as tx:
            return await work(tx, *args, **kwargs)

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run *work* in a transaction of its own that only reads."""
        async with self.reading() as tx:
            return await work(tx, *args, **kwargs)

    async def read_once(
        self, known: MutableMapping[K, Any], key: K, work: Work[P, T], *args: P.args, **kw: P.kwargs
    ) -> T:
        """What is *known* by *key*, else what *work* reads, which is known then if it is anything.

        It is noted within the transaction, so that no writer comes in between.
        """
        found: T | None = known.get(key)
        if found is not None:
            return found
        async with self.reading() as tx:
            read = await work(tx, *args, **kw)
            if read is not None:
                known[key] = read
        return read

    @asynccontextmanager
    async def _begin(
        self, engine: AsyncEngine, *, beside: bool = False
    ) -> AsyncIterator[AsyncConnection]:
        begun = perf_counter()
        try:
            async with self._in_turn(engine) as tx:
                if engine is self._engine:
                    await self.backend.wait_to_write(tx, beside=beside)
                with collect_damage() as damaged:
                    yield tx
            if damaged:
                with low_priority():
                    self._damage.note(damaged)
            if self.availability.waiting:
                self.availability.note_answer(TRANSACTIONS, wrote=engine is self._engine)
        except SAID_ONCE as wrong:
            self.availability.note_failure(TRANSACTIONS, wrong)
            raise
        finally:
            self.noted("write" if engine is self._engine else "read", perf_counter() - begun)

    @asynccontextmanager
    async def _in_turn(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        async with self._turn():
            if self._closed:
                raise DatabaseUnavailable(f"The database {self.backend.name} is closed.")
            if self._replaced is not None and engine is self._engine:
                raise self._replaced
            try:
                with self.backend.translate_errors():
                    if self._found_locked and engine is self._engine:
                        await self._wait_for_locks(0)
                    if self._kept is not None and self.backend.is_closed(self._kept):
                        # The server has ended it since the last transaction.
                        await self._kept.invalidate()
                        await self._let_go()
                    if self._kept is None or self._kept.engine is not engine:
                        # The pool takes longer to give and take one than most transactions.
                        await self._let_go()
                        self._kept = await engine.connect()
                    try:
                        async with self._kept.begin():
                            yield self._kept
                    except BaseException:
                        await asyncio.shield(self._let_go())
                        raise
            except DatabaseBusy:
                # The next ones must not wait as well: many would, one after the other.
                self._found_locked = True
                raise
            if self._found_locked and engine is self._engine:
                await self._wait_for_locks(database_file.LOCK_SECONDS)
                self._found_locked = False

    async def _let_go(self) -> None:
        kept, self._kept = self._kept, None
        if kept is not None:
            await kept.close()

    async def _wait_for_locks(self, seconds: float) -> None:
        await self._let_go()
        async with self._engine.connect() as connection:
            await connection.run_sync(self.backend.wait_for_locks, seconds)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(TURN):
                await self._free.acquire()
        except TimeoutError as error:
            raise DatabaseUnavailable(
                f"The database {self.backend.name} is still busy with work of {TURN:.0f} seconds "
                "ago."
            ) from error
        try:
            yield
        finally:
            self._free.release()

    async def _wait_for_transactions(self) -> None:
        """Wait until the transactions that have begun are over."""
        async with self._turn():
            pass

    def _on_connect(self, *_: object) -> None:
        # The last connection takes the journal with it; the next one makes another.
        self._files = {name: one for name, one in self._files.items() if not name.endswith("-wal")}

    async def check_files(self) -> None:
        """Raise ``DatabaseReplaced``, now and at each later write, where a file is another one.

        A file that was moved or deleted is written to all the same, and lost at the end.
        """
        async with self.reading():  # so that the connection is open, and with it the journal
            found = self.backend.files()
        gone = next((name for name, one in self._files.items() if found.get(name) != one), None)
        self._files = found
        if self._replaced is None and gone is not None:
            self._replaced = DatabaseReplaced(
                f"The file {gone} was replaced or removed while the bot was running: nothing is "
                "saved any more. Stop the bot, put the right files in their place and start it "
                "again."
            )
        if self._replaced is not None:
            raise self._replaced

    async def sweep(self) -> None:
        """Removes deleted rows from the file's journal."""
        async with self._turn():
            with self.backend.translate_errors():
                await self._let_go()
                async with self._engine.connect() as connection:
                    await connection.run_sync(self.backend.sweep)

    async def __aenter__(self) -> Store:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Waits for the running transaction, then lets go of the file and its lock.

        Those that wait for a turn get ``DatabaseUnavailable``. May be called twice.
        """
        self._damage.close()
        async with self._turn():
            self._closed = True
            try:
                await self._let_go()
                with suppress(StorageError):
                    await self._give_lease_back()
                await self._engine.dispose()
            finally:
                if self._release is not None:
                    self._release()

    async def _give_lease_back(self) -> None:
        if self._leased:
            self._leased = False
            with self.backend.translate_errors():
                async with self._engine.begin() as tx:
                    await tx.run_sync(self.backend.release)
