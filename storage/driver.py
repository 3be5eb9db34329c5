"""The driver of SQLite with as few trips to its thread as a transaction allows.

SQLAlchemy's adapter of aiosqlite goes there for a cursor, for the statement, for its rows and to
close the cursor, and once for each BEGIN, COMMIT and ROLLBACK. Each trip wakes two threads, and
each time one of them waits for the interpreter. Here a statement is one trip, all its rows fetched
at once, as that adapter does as well; BEGIN goes with the first statement, what nobody waits for
(``storage.prepared``) with the next one or with COMMIT, and nothing is undone where nothing has
begun.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

import aiosqlite
from sqlalchemy.connectors.asyncio import AsyncIODBAPIConnection, AsyncIODBAPICursor
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
    AsyncAdapt_aiosqlite_dbapi,
)
from sqlalchemy.util.concurrency import await_

Row = tuple[Any, ...]


@dataclass(eq=False)
class Statement:
    """One that goes to the driver's thread; what it leaves there stays here: rows and counts.

    *otherwise* is raised where it meets no row.
    """

    how: str
    operation: str
    parameters: Sequence[Any] = ()
    otherwise: Exception | None = None
    rows: list[Row] | None = None
    description: Any = None
    rowcount: int = -1
    lastrowid: int | None = None

    def run(self, connection: sqlite3.Connection) -> None:
        """Run it in that thread, all its rows fetched."""
        cursor: sqlite3.Cursor = getattr(connection, self.how)(self.operation, self.parameters)
        try:
            self.description = cursor.description
            self.rows = cursor.fetchall() if cursor.description else []
            # RETURNING counts its rows only as they are fetched
            self.rowcount, self.lastrowid = cursor.rowcount, cursor.lastrowid
        finally:
            cursor.close()
        if self.otherwise is not None and not self.rowcount:
            raise self.otherwise


class _Trip:
    """A cursor that lives in the driver's thread for as long as one statement takes."""

    arraysize = 1

    def __init__(self, connection: DriverConnection) -> None:
        self._connection = connection
        self._rows: list[Row] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, operation: str, parameters: Sequence[Any] = ()) -> Self:
        return await self._gone(Statement("execute", operation, parameters))

    async def executemany(self, operation: str, parameters: Sequence[Sequence[Any]]) -> Self:
        return await self._gone(Statement("executemany", operation, parameters))

    async def fetchall(self) -> list[Row]:
        return self._rows

    async def close(self) -> None:
        self._rows = []

    async def _gone(self, statement: Statement) -> Self:
        await self._connection.gone(statement.run)
        self._rows = statement.rows or []
        self.description, self.rowcount = statement.description, statement.rowcount
        self.lastrowid = statement.lastrowid
        return self


class _Cursor(AsyncAdapt_aiosqlite_cursor):
    __slots__ = ()

    def _make_new_cursor(self, connection: AsyncIODBAPIConnection) -> AsyncIODBAPICursor:
        del connection
        return cast(AsyncIODBAPICursor, _Trip(cast(DriverConnection, self._adapt_connection)))


class DriverConnection(AsyncAdapt_aiosqlite_connection):
    """A connection that knows what goes with its next trip."""

    __slots__ = ("_beginning", "_begun", "next_trip")
    _cursor_cls = _Cursor

    def __init__(self, dbapi: Any, connection: Any) -> None:
        super().__init__(dbapi, connection)
        self.next_trip: list[Statement] = []
        self._beginning: list[Statement] = []
        self._begun = False
        """Whether a transaction may have begun, seen from the driver's thread."""

    def begin(self, operation: str) -> None:
        """Begin a transaction as soon as something is done in it."""
        self._beginning = [Statement("execute", operation)]

    async def gone(self, work: Callable[[sqlite3.Connection], object] | None = None) -> None:
        """Do in the driver's thread what has waited for that, and then *work*."""
        before = self._beginning + self.next_trip
        self._begun = self._begun or bool(self._beginning)
        self._beginning, self.next_trip = [], []
        driver: Any = self._connection  # whose way to its thread has no public name
        await driver._execute(_together, driver, before, work)

    def commit(self) -> None:
        """Run what has waited, and commit it all, where there is anything."""
        if (self._begun or self.next_trip) and self._connection._connection:
            try:
                await_(self.gone(sqlite3.Connection.commit))
            except Exception as error:
                self._handle_exception(error)
        self._beginning, self._begun = [], False

    def rollback(self) -> None:
        """Forget what has waited, and undo what was begun."""
        self._beginning, self.next_trip = [], []
        if self._begun:
            super().rollback()
            self._begun = False


def _together(
    driver: Any, before: Sequence[Statement], work: Callable[[sqlite3.Connection], object] | None
) -> None:
    connection: sqlite3.Connection = driver._conn
    for statement in before:
        statement.run(connection)
    if work is not None:
        work(connection)


class Driver(AsyncAdapt_aiosqlite_dbapi):
    """aiosqlite as SQLAlchemy takes it for ``create_async_engine(module=…)``."""

    def __init__(self) -> None:
        super().__init__(aiosqlite, sqlite3)

    def connect(self, *args: Any, **options: Any) -> AsyncAdapt_aiosqlite_connection:
        """A connection with as few trips as may be; raises what ``sqlite3`` raises."""
        adapted = super().connect(*args, **options)
        return DriverConnection(self, adapted._connection)
