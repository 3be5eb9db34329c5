"""A connection of aiosqlite whose cursors cost no trip to its thread to be made and closed.

SQLAlchemy makes a cursor for each statement and closes it after that. Each trip takes longer than
most statements do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from threading import Thread
from typing import Any

import aiosqlite

from storage.database_file import PATIENCE


class DirectCursor(aiosqlite.Cursor):
    """A cursor that is closed at once where no statement of it runs."""

    def __init__(self, connection: aiosqlite.Connection, cursor: sqlite3.Cursor) -> None:
        super().__init__(connection, cursor)
        self._direct = cursor
        self._running = False

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> aiosqlite.Cursor:
        """Run *sql*; it goes on in the thread when the task is cancelled."""
        self._running = True
        cursor = await super().execute(sql, parameters)
        self._running = False
        return cursor

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> aiosqlite.Cursor:
        """Run *sql* once for each of *parameters*; a cancelled task leaves it running."""
        self._running = True
        cursor = await super().executemany(sql, parameters)
        self._running = False
        return cursor

    async def close(self) -> None:
        """Close the cursor, behind its statement where that may still run."""
        if self._running:
            await super().close()
        else:
            self._direct.close()


class DirectConnection(aiosqlite.Connection):
    """A connection to the SQLite file at a URI."""

    def __init__(self, address: str) -> None:
        super().__init__(self._open, iter_chunk_size=64)
        self._address = address
        self._direct: sqlite3.Connection  # from the moment on when it is open

    def _open(self) -> sqlite3.Connection:
        self._direct = sqlite3.connect(
            self._address,
            uri=True,
            timeout=PATIENCE,
            isolation_level=None,
            check_same_thread=False,
        )
        return self._direct

    def cursor(self) -> DirectCursor:  # type: ignore[override]
        """A new cursor; raises ``sqlite3.ProgrammingError`` on a closed connection."""
        return DirectCursor(self, self._direct.cursor())


async def connect(address: str) -> aiosqlite.Connection:
    """An open connection to *address*, which a process that ends does not wait for."""
    made: list[DirectConnection] = []
    # A thread that a daemon makes is a daemon, too.
    maker = Thread(target=lambda: made.append(DirectConnection(address)), daemon=True)
    maker.start()
    maker.join()
    return await made[0]
