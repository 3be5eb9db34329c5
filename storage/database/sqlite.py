"""A database of SQLite: a file, or memory, and all that is true of SQLite alone.

Every other module of ``storage`` writes statements that PostgreSQL could run as well.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast
from urllib.parse import quote

from sqlalchemy import AdaptedConnection, Column, Connection, event, func, make_url, select, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry, PoolProxiedConnection

from storage.database import file_lock, sqlite_driver
from storage.database.backend import Backend
from storage.database.file import copy_file, create_file, finish_restore, roll_back
from storage.database.sqlite_driver import DirectConnection
from storage.errors import (
    CorruptDatabase,
    DatabaseBusy,
    DatabaseFull,
    DatabaseUnavailable,
    StorageError,
    UnsupportedDatabase,
)
from storage.upgrade import newest_revision, revision_of, upgrade_schema

log = logging.getLogger(__name__)

SMALL = 8 * 1024 * 1024
"""Bytes of a file that is read to its end at every start; a larger one only before an upgrade.

``ludoteca doctor`` reads the whole of any.
"""

BEGIN = "ludoteca_begin"
"""The execution option that says how a connection begins; without it, ``BEGIN IMMEDIATE``."""

READING = {BEGIN: "BEGIN"}
"""The options of a transaction that only reads."""

# https://sqlite.org/rescode.html: the primary code is the low byte of the extended one
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_EXAMPLE = "use an address like sqlite+aiosqlite:///ludoteca.db"
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_UNAVAILABLE = {
    sqlite3.SQLITE_IOERR: "cannot be read or written because the disk fails",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened",
    sqlite3.SQLITE_READONLY: "cannot be written",
    sqlite3.SQLITE_PERM: "may not be opened",
    sqlite3.SQLITE_AUTH: "may not be opened",
    sqlite3.SQLITE_NOMEM: "does not fit into the memory that is left",
    sqlite3.SQLITE_INTERRUPT: "was interrupted",
}


@dataclass(frozen=True, slots=True)
class SqliteBackend(Backend):
    """The database in the file *path*, or in memory where that is None, for one process."""

    path: Path | None
    reading = READING

    @classmethod
    def at(cls, url: str) -> SqliteBackend:
        """The database that *url* names; raises ``UnsupportedDatabase`` for one that is no file.

        The message never repeats the address, which may hold a password.
        """
        try:
            parsed = make_url(url)
        except ArgumentError as error:
            text = f"The database address cannot be read; {_EXAMPLE}."
            raise UnsupportedDatabase(text) from error
        if parsed.get_backend_name() == "postgresql":
            raise UnsupportedDatabase(
                "A database of PostgreSQL is copied and put back by its own pg_dump and pg_restore."
            )
        if parsed.get_backend_name() != "sqlite":
            raise UnsupportedDatabase(
                f"Games are kept in SQLite or PostgreSQL, not in {parsed.get_backend_name()}; "
                f"{_EXAMPLE}."
            )
        if parsed.query:
            text = f"The database address takes no options after '?'; {_EXAMPLE}."
            raise UnsupportedDatabase(text)
        in_memory = parsed.database in (None, "", ":memory:")
        return cls(None if in_memory else Path(str(parsed.database)).resolve())

    @property
    def name(self) -> str:
        """The file's path."""
        return "in memory" if self.path is None else str(self.path)

    def connect(self, *, readonly: bool) -> AsyncEngine:
        """An engine of exactly one connection.

        One, because then every transaction sees the one before it, and because SQLite before
        3.51.3 can lose pages when several connections checkpoint (https://sqlite.org/wal.html,
        section 12).
        """
        engine = create_async_engine(
            "sqlite+aiosqlite://",
            poolclass=AsyncAdaptedQueuePool,
            pool_size=1,
            max_overflow=0,
            async_creator=partial(sqlite_driver.connect, self._address(readonly=readonly)),
        )
        listeners = {
            "connect": _set_up if readonly else _set_up_to_write,
            "begin": _begin if readonly else _begin_to_write,
            "invalidate": _undo,
        }
        for name, listener in listeners.items():
            event.listen(engine.sync_engine, name, listener)
        return engine

    def _address(self, *, readonly: bool) -> str:
        if self.path is None:
            return ":memory:"
        return f"file:{quote(str(self.path))}?mode={'ro' if readonly else 'rwc'}"

    async def claim(self) -> Callable[[], None]:
        """Takes the lock of the file, finishes a restore that was broken off, makes a new file."""
        if self.path is None:
            return lambda: None
        lock = file_lock.acquire_file_lock(self.path)
        try:
            finish_restore(self.path)
            if not create_file(self.path):
                with self.translate_errors():
                    roll_back(self.path)
                # Refuse one that is not ours, or newer, before a connection may change its head.
                await self.examine(revision_of, self.name)
        except BaseException:
            lock.release()
            raise
        return lock.release

    async def lineage(self, _tx: AsyncConnection) -> str:
        """The number of the file: a copy that is put in its place is another file."""
        return "" if self.path is None else str(self.path.stat().st_ino)

    def files(self) -> Mapping[str, tuple[int, int]]:
        """The file and its journal, by device and inode."""
        found = {}
        for end in () if self.path is None else ("", "-wal"):
            with suppress(FileNotFoundError):
                one = Path(f"{self.path}{end}").stat()
                found[f"{self.path}{end}"] = (one.st_dev, one.st_ino)
        return found

    def refuse_absent(self) -> None:
        """Raises ``DatabaseUnavailable`` where there is no file."""
        if self.path is not None and not self.path.is_file():
            raise DatabaseUnavailable(f"There is no database {self.name} yet.")

    def prepare(self, connection: Connection) -> Path | None:
        """Checks the file, upgrades its schema, takes the lease."""
        small = self.path is not None and self.path.stat().st_size < SMALL
        with connection.begin():
            older = revision_of(connection, self.name) != newest_revision()
            # A damaged file is refused before anything is written to it.
            if (older or small) and find_faults(connection, quick=True):
                raise self.damaged()
        copy = upgrade_schema(connection, self)
        if self.path is not None:
            try:
                with self.translate_errors(), connection.begin():
                    file_lock.take_lease(connection, self.path)
            except DatabaseFull as full:
                # The lock file keeps others out as well, and reading goes on.
                log.warning("%s Until there is room, games can only be looked at.", full)
        return copy

    @contextmanager
    def migration(self, connection: Connection) -> Iterator[None]:
        """A transaction without foreign keys, which batch mode needs.

        They go off before BEGIN, since inside a transaction the switch does nothing
        (https://sqlite.org/pragma.html#pragma_foreign_keys). Raises ``CorruptDatabase`` where a
        row would refer to nothing.
        """
        _set_pragmas(connection.connection, "foreign_keys=OFF")
        try:
            with connection.begin():
                yield
                broken = find_orphans(connection)
                if broken:
                    raise CorruptDatabase(
                        f"The database was left as it was, because {len(broken)} of its rows refer "
                        "to rows that are gone; report this with the output of ludoteca doctor."
                    )
        finally:
            _set_pragmas(connection.connection, "foreign_keys=ON")

    def last_id(self, connection: Connection, column: Column[int]) -> int:
        """The highest id that is there or, for a table with AUTOINCREMENT, that SQLite notes."""
        highest = connection.execute(select(func.max(column))).scalar()
        noted = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        found = connection.execute(noted, {"name": column.table.name}).scalar()
        return max(highest or 0, found or 0)

    def set_last_id(self, connection: Connection, column: Column[int], last: int) -> None:
        """Notes the last id of a table with AUTOINCREMENT; others go on after their last row."""
        table = column.table
        if table.dialect_options["sqlite"]["autoincrement"]:
            of = {"name": table.name, "last": last}
            connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), of)
            connection.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), of)

    def keep_copy(self, revision: str) -> Path | None:
        """Makes a copy of the file beside it, named after its *revision*."""
        if self.path is None:
            return None
        return copy_file(self.path, self.path.with_name(f"{self.path.name}.schema-{revision}"))

    @contextmanager
    def exact_text(self, connection: Connection) -> Iterator[None]:
        """Lets the connection decode text without loss."""
        adapted = cast(AdaptedConnection, connection.connection.dbapi_connection)
        adapted.driver_connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        try:
            yield
        finally:
            adapted.driver_connection.text_factory = _readable

    def release(self, connection: Connection) -> None:
        """Gives the lease of the file back."""
        if self.path is not None:
            file_lock.release_lease(connection)

    def wait_for_locks(self, connection: Connection, seconds: float) -> None:
        """Sets SQLite's busy timeout."""
        _set_pragmas(connection.connection, f"busy_timeout={round(seconds * 1000)}")

    def sweep(self, connection: Connection) -> None:
        """Folds the journal into the file and empties it."""
        _set_pragmas(connection.connection, "wal_checkpoint(TRUNCATE)")

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Tells a damaged file from a locked one, a full disk and a closed connection."""
        try:
            yield
        except (DBAPIError, sqlite3.Error) as error:
            meaning = self._meaning(error.orig if isinstance(error, DBAPIError) else error)
            if meaning is None:
                raise
            raise meaning from error

    def _meaning(self, error: BaseException | None) -> StorageError | None:
        code = getattr(error, "sqlite_errorcode", None)
        if code is None:
            if isinstance(error, sqlite3.OperationalError):  # said by the wrapper, not by SQLite
                return DatabaseUnavailable(f"The database {self.name} is closed.")
            return None
        primary = code & 0xFF
        if primary in _DAMAGED:
            return self.damaged()
        if primary in _BUSY:
            return DatabaseBusy(f"The database {self.name} is locked by another program.")
        if primary == sqlite3.SQLITE_FULL:
            return DatabaseFull(f"The database {self.name} cannot grow because the disk is full.")
        if primary in _UNAVAILABLE:
            return DatabaseUnavailable(f"The database {self.name} {_UNAVAILABLE[primary]}.")
        return None

    def damaged(self) -> CorruptDatabase:
        """The error for a file that cannot be trusted."""
        return CorruptDatabase(
            f"The file {self.name} is damaged or no database; put a copy in its place with "
            "ludoteca restore FILE, which keeps this one aside."
        )


def find_faults(connection: Connection, *, quick: bool) -> list[str]:
    """What is wrong inside the file, a line each; *quick* leaves out comparing the indexes."""
    check = "quick_check" if quick else "integrity_check"
    lines = [str(row[0]) for row in connection.exec_driver_sql(f"PRAGMA {check}(20)")]
    return [] if lines == ["ok"] else lines


def find_orphans(connection: Connection) -> list[str]:
    """The table of each row that refers to a row which is not there."""
    return [str(row[0]) for row in connection.exec_driver_sql("PRAGMA foreign_key_check")]


def _set_up(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    cast(AdaptedConnection, connection).driver_connection.text_factory = _readable
    _set_pragmas(connection, "foreign_keys=ON")


def _set_up_to_write(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    # FULL: a committed move is on the disk, also when the power fails
    # secure_delete: deleted rows are overwritten, so that they cannot be read in the file
    _set_pragmas(connection, "journal_mode=WAL", "synchronous=FULL", "secure_delete=ON")
    _set_up(connection, record)


def _readable(raw: bytes) -> str:
    # Bytes that are no UTF-8 must not make a whole database look shut: the reader of the one
    # text they stand in refuses that.
    return raw.decode("utf-8", "replace")


def _set_pragmas(connection: DBAPIConnection | PoolProxiedConnection, *settings: str) -> None:
    cursor = connection.cursor()
    try:
        for setting in settings:
            cursor.execute(f"PRAGMA {setting}")
    finally:
        cursor.close()


def _begin(connection: Connection) -> None:
    # IMMEDIATE: a transaction that reads in order to write holds the lock from its first statement
    begin = connection.get_execution_options().get(BEGIN, "BEGIN IMMEDIATE")
    adapted = cast(AdaptedConnection, connection.connection.dbapi_connection)
    cast(DirectConnection, adapted.driver_connection).begin_with_next(begin)


def _begin_to_write(connection: Connection) -> None:
    # We are the only writer, and work in turns: all reads of one turn see the same state.
    if READING.items() <= connection.get_execution_options().items():
        return
    _begin(connection)


def _undo(connection: DBAPIConnection, *_: object) -> None:
    # Closing alone keeps the lock as long as any cursor lives, and the traceback of a cancelled
    # task keeps one (https://sqlite.org/c3ref/close.html on zombie connections).
    with suppress(sqlite3.Error):
        connection.rollback()
