"""A connection of aiosqlite that makes one trip to its thread for each statement.

A trip takes longer than most statements, and SQLAlchemy makes five for a query: for a cursor, for
BEGIN, for the statement, for its rows and for the end of the cursor.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import aiosqlite

from storage.database import file as database_file

FIRST = 1000
"""Rows that come with the statement itself; more of them are fetched when somebody asks."""


class _Connection(sqlite3.Connection):
    begin: str | None = None
    """The statement that begins a transaction, if the next statement has to run it first."""


class _Cursor(sqlite3.Cursor):
    connection: _Connection

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self.first: list[Any] = []
        self.whole = True
        """Whether no rows of the statement are left but those in *first*."""

    def _begin(self) -> None:
        if self.connection.begin is not None:
            super().execute(self.connection.begin)
            self.connection.begin = (
                None  # not before: a statement after one that failed begins again
            )

    def execute(self, sql: str, parameters: Any = (), /) -> _Cursor:
        self._begin()
        super().execute(sql, parameters)
        self.first = super().fetchmany(FIRST) if self.description else []
        self.whole = len(self.first) < FIRST
        return self

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> _Cursor:
        self._begin()
        super().executemany(sql, parameters)
        return self

    def fetchmany(self, size: int | None = None) -> list[Any]:
        size = self.arraysize if size is None else size
        taken, self.first = self.first[:size], self.first[size:]
        if len(taken) < size and not self.whole:
            taken += super().fetchmany(size - len(taken))
        return taken

    def fetchone(self) -> Any:
        rows = self.fetchmany(1)
        return rows[0] if rows else None

    def fetchall(self) -> list[Any]:
        taken, self.first = self.first, []
        return taken if self.whole else taken + super().fetchall()


class DirectCursor(aiosqlite.Cursor):
    """A cursor that has the first rows of its statement, and is closed without a trip."""

    def __init__(self, connection: DirectConnection, cursor: _Cursor) -> None:
        super().__init__(connection, cursor)
        self._owner = connection
        self._direct = cursor

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> aiosqlite.Cursor:
        """Run *sql*; it goes on in the thread when the task is cancelled."""
        with self._owner.statement():
            return await super().execute(sql, parameters)

    async def executemany(self, sql: str, parameters: Iterable[Any]) -> aiosqlite.Cursor:
        """Run *sql* once for each of *parameters*; it goes on when the task is cancelled."""
        with self._owner.statement():
            return await super().executemany(sql, parameters)

    async def fetchall(self) -> Iterable[Any]:
        """All rows that were not yet taken."""
        if self._direct.whole:
            return self._direct.fetchall()
        with self._owner.statement():
            return await super().fetchall()

    async def close(self) -> None:
        """Close the cursor, behind its statement where that may still run."""
        if self._owner.running:
            await super().close()
        else:
            self._direct.close()


class DirectConnection(aiosqlite.Connection):
    """A connection to the SQLite file at a URI."""

    def __init__(self, address: str) -> None:
        super().__init__(self._open, iter_chunk_size=64)
        self._address = address
        self._direct: _Connection | None = None
        self.running = False
        """Whether a statement runs, or may still run because its task was cancelled."""

    def _open(self) -> sqlite3.Connection:
        self._direct = sqlite3.connect(
            self._address,
            uri=True,
            timeout=database_file.LOCK_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            factory=_Connection,
        )
        return self._direct

    def cursor(self) -> DirectCursor:  # type: ignore[override]
        """A new cursor; raises ``sqlite3.OperationalError`` on a closed connection."""
        if self._direct is None:
            raise sqlite3.OperationalError("Connection closed")  # as SQLAlchemy knows it
        return DirectCursor(self, self._direct.cursor(_Cursor))

    def begin_with_next(self, begin: str) -> None:
        """Begin a transaction by the statement *begin* when the next statement comes."""
        if self._direct is not None:
            self._direct.begin = begin

    @contextmanager
    def statement(self) -> Iterator[None]:
        """Note that a statement is running."""
        self.running = True
        try:
            yield
        except Exception:  # which the statement itself raised; a cancelled one may go on
            self.running = False
            raise
        self.running = False

    async def commit(self) -> None:
        """Commit the transaction, if there is one."""
        if self._is_begun():
            with self.statement():
                await super().commit()
            self._forget_begin()

    async def rollback(self) -> None:
        """Undo the transaction, if there is one."""
        if self._is_begun():
            with self.statement():
                await super().rollback()
            self._forget_begin()

    async def close(self) -> None:
        """Close the connection, behind what still runs on it."""
        await super().close()
        self._direct = None

    def _is_begun(self) -> bool:
        """Whether there may be a transaction; a begin that no statement has run is forgotten."""
        if self.running:
            return True
        self._forget_begin()
        return self._direct is not None and self._direct.in_transaction

    def _forget_begin(self) -> None:
        if self._direct is not None:
            self._direct.begin = None


async def connect(address: str) -> aiosqlite.Connection:
    """An open connection to *address*, which a process that ends does not wait for."""
    made: list[DirectConnection] = []
    # A thread that a daemon makes is a daemon, too.
    maker = Thread(target=lambda: made.append(DirectConnection(address)), daemon=True)
    maker.start()
    maker.join()
    return await made[0]
