"""All that is true of SQLite alone: where the file is, how a connection behaves, what errors mean.

Every other module of ``storage`` writes statements that PostgreSQL could run as well.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from urllib.parse import quote

from sqlalchemy import (
    URL,
    AdaptedConnection,
    Connection,
    Table,
    event,
    func,
    make_url,
    select,
    text,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry, PoolProxiedConnection

from storage.errors import (
    CorruptDatabase,
    DatabaseBusy,
    DatabaseFull,
    DatabaseUnavailable,
    StorageError,
    UnsupportedDatabase,
)

PATIENCE = 1.0
"""Seconds that a connection waits for another one's lock: Discord gives three to an answer."""

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
class Location:
    """Where a database is: a file, or memory when *path* is None."""

    path: Path | None

    @property
    def name(self) -> str:
        """What messages call it."""
        return "in memory" if self.path is None else str(self.path)


def located(url: str) -> Location:
    """The file that *url* names; raises ``UnsupportedDatabase`` for what is none.

    The message never repeats the address, which may hold a password.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise UnsupportedDatabase(f"The database address cannot be read; {_EXAMPLE}.") from error
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
        raise UnsupportedDatabase(f"The database address takes no options after '?'; {_EXAMPLE}.")
    if parsed.database in (None, "", ":memory:"):
        return Location(None)
    return Location(Path(str(parsed.database)).resolve())


def connected(location: Location, *, readonly: bool) -> AsyncEngine:
    """An engine of exactly one connection.

    One, because then every transaction sees the one before it, and because SQLite before 3.51.3
    can lose pages when several connections checkpoint (https://sqlite.org/wal.html, section 12).
    """
    engine = create_async_engine(
        _address(location, readonly=readonly),
        poolclass=AsyncAdaptedQueuePool,
        pool_size=1,
        max_overflow=0,
        connect_args={"isolation_level": None, "timeout": PATIENCE},
    )
    event.listen(engine.sync_engine, "connect", _settle if readonly else _settle_to_write)
    event.listen(engine.sync_engine, "begin", _begin if readonly else _begin_alone)
    event.listen(engine.sync_engine, "invalidate", _undo)
    return engine


def _address(location: Location, *, readonly: bool) -> URL:
    if location.path is None:
        return URL.create("sqlite+aiosqlite")
    if not readonly:
        return URL.create("sqlite+aiosqlite", database=str(location.path))
    address = f"file:{quote(str(location.path))}"
    return URL.create("sqlite+aiosqlite", database=address, query={"mode": "ro", "uri": "true"})


def _settle(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    adapted = cast(AdaptedConnection, connection)
    adapted.driver_connection.text_factory = _readable
    _pragmas(connection, "foreign_keys=ON")


def _settle_to_write(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    # FULL: a committed move is on the disk, also when the power fails
    # secure_delete: what is deleted is overwritten, so that nobody reads it in the file
    _pragmas(connection, "journal_mode=WAL", "synchronous=FULL", "secure_delete=ON")
    _settle(connection, record)


def _readable(raw: bytes) -> str:
    # Bytes that are no UTF-8 must not make a whole database look shut: whoever reads the one
    # text they stand in refuses that.
    return raw.decode("utf-8", "replace")


def _pragmas(connection: DBAPIConnection | PoolProxiedConnection, *settings: str) -> None:
    cursor = connection.cursor()
    try:
        for setting in settings:
            cursor.execute(f"PRAGMA {setting}")
    finally:
        cursor.close()


def _begin(connection: Connection) -> None:
    # IMMEDIATE: who reads in order to write holds the lock from the first line on
    begin = connection.get_execution_options().get(BEGIN, "BEGIN IMMEDIATE")
    adapted = cast(AdaptedConnection, connection.connection.dbapi_connection)
    adapted.run_async(lambda driver: driver.execute(begin))


def _begin_alone(connection: Connection) -> None:
    # Nobody else writes, and we do so in turns: whatever is read in one is the same state.
    if READING.items() <= connection.get_execution_options().items():
        return
    _begin(connection)


def wait_for_locks(connection: Connection, seconds: float) -> None:
    """Makes the *connection*, which is in no transaction, wait so long for another one's lock."""
    _pragmas(connection.connection, f"busy_timeout={round(seconds * 1000)}")


def last_id(connection: Connection, table: Table) -> int | None:
    """The last id given in *table*; None for a table that gives none."""
    column = table.autoincrement_column
    if column is None:
        return None
    highest = connection.execute(select(func.coalesce(func.max(column), 0))).scalar_one()
    if not table.dialect_options["sqlite"]["autoincrement"]:
        return int(highest)
    noted = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
    found = connection.execute(noted, {"name": table.name}).scalar()
    return max(int(highest), int(found or 0))


def go_on_after(connection: Connection, table: Table, last: int) -> None:
    """Lets *table* give ids after *last*, if it is one that never gives any twice."""
    if table.dialect_options["sqlite"]["autoincrement"]:
        of = {"name": table.name, "last": last}
        connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), of)
        connection.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), of)


def sweep(connection: Connection) -> None:
    """Folds the journal into the file and empties it; *connection* is in no transaction."""
    _pragmas(connection.connection, "wal_checkpoint(TRUNCATE)")


def _undo(connection: DBAPIConnection, *_: object) -> None:
    # Closing alone keeps the lock as long as any cursor lives, and the traceback of a cancelled
    # task keeps one (https://sqlite.org/c3ref/close.html on zombie connections).
    with suppress(sqlite3.Error):
        connection.rollback()


@contextmanager
def without_foreign_keys(connection: Connection) -> Iterator[None]:
    """A transaction that may rebuild tables; what they refer to is checked before it commits.

    Foreign keys go off before BEGIN, since inside a transaction the switch does nothing
    (https://sqlite.org/pragma.html#pragma_foreign_keys). Raises ``CorruptDatabase`` where a row
    would refer to nothing.
    """
    _pragmas(connection.connection, "foreign_keys=OFF")
    try:
        with connection.begin():
            yield
            broken = orphans(connection)
            if broken:
                raise CorruptDatabase(
                    f"The database was left as it was, because {len(broken)} of its rows refer to "
                    "rows that are gone; report this with the output of ludoteca doctor."
                )
    finally:
        _pragmas(connection.connection, "foreign_keys=ON")


@contextmanager
def translated(location: Location) -> Iterator[None]:
    """Turns what the driver raises into a ``StorageError``, where the operator can mend it."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        meaning = _meaning(location, error.orig if isinstance(error, DBAPIError) else error)
        if meaning is None:
            raise
        raise meaning from error


def _meaning(location: Location, error: BaseException | None) -> StorageError | None:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        if isinstance(error, sqlite3.OperationalError):  # said by the wrapper, not by SQLite
            return DatabaseUnavailable(f"The database {location.name} is closed.")
        return None
    primary = code & 0xFF
    if primary in _DAMAGED:
        return damaged(location)
    if primary in _BUSY:
        return DatabaseBusy(f"The database {location.name} is locked by another program.")
    if primary == sqlite3.SQLITE_FULL:
        text = f"The database {location.name} cannot grow because the disk is full."
        return DatabaseFull(text)
    if primary in _UNAVAILABLE:
        return DatabaseUnavailable(f"The database {location.name} {_UNAVAILABLE[primary]}.")
    return None


def damaged(location: Location) -> CorruptDatabase:
    """What to say of a file that cannot be trusted."""
    return CorruptDatabase(
        f"The file {location.name} is damaged or no database; put a copy in its place with "
        "ludoteca restore FILE, which keeps this one aside."
    )


def prepared(path: Path) -> None:
    """Makes the file of a new database, for its owner's eyes only.

    Raises ``DatabaseUnavailable`` where it is a folder or may not be written.
    """
    if path.is_dir():
        raise DatabaseUnavailable(f"The database {path} is a folder.")
    try:
        # interaction tokens and the secrets of draws stand in it; -wal and -shm follow its mode
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise DatabaseUnavailable(
            f"The database {path} cannot be opened for writing: {error.strerror}."
        ) from error


def copied(source: Path, target: Path) -> None:
    """Writes a consistent copy of *source* to *target*, also while a bot is writing.

    Takes one read transaction and never the writer's lock. *target* appears when it is complete;
    a file of that name is replaced.
    """
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        address = f"file:{quote(str(source))}?mode=ro"
        reader = sqlite3.connect(address, uri=True, isolation_level=None, timeout=PATIENCE)
        with closing(reader) as connection:
            connection.execute("VACUUM INTO ?", (str(part),))
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def faults(connection: Connection, *, quick: bool) -> list[str]:
    """What is wrong inside the file, a line each; *quick* leaves out comparing the indexes."""
    check = "quick_check" if quick else "integrity_check"
    lines = [str(row[0]) for row in connection.exec_driver_sql(f"PRAGMA {check}(20)")]
    return [] if lines == ["ok"] else lines


def orphans(connection: Connection) -> list[str]:
    """The table of each row that refers to a row which is not there."""
    return [str(row[0]) for row in connection.exec_driver_sql("PRAGMA foreign_key_check")]
