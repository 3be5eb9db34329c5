"""A database of PostgreSQL: its connections, locks and errors."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from sqlalchemy import URL, Column, Connection, event, func, select, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry, NullPool

from storage.database.availability import Availability
from storage.database.backend import Backend
from storage.database.process_cluster import Cluster, Turn
from storage.database.server_process_cluster import ServerCluster
from storage.errors import (
    CorruptDatabase,
    DatabaseAway,
    DatabaseBusy,
    DatabaseFull,
    DatabaseUnavailable,
    SecondProcess,
    StorageError,
    UnsupportedDatabase,
)
from storage.upgrade import can_run_beside, revision_of, upgrade_schema

LEASE = 0x4C75646F74656361  # "Ludoteca"
"""The advisory lock of a process, held as long as its connection lives."""

WRITING = LEASE + 1
"""The advisory lock of writers, shared by those who may write beside one another."""

UPGRADING = LEASE + 2
"""The advisory lock of a process that upgrades the schema."""

LEASE_SECONDS = 5
"""Seconds that a process waits for the lease of one that has just ended."""

ALONE_WAITS, BESIDE_WAITS = 1, 4
"""Seconds that a statement waits for a lock, of a process that is alone and of one among many.

Alone it meets nobody but another program, and Discord gives three seconds to an answer. The others
of ours may hold the lock of writers for longer than one on a busy machine, and an answer that
takes long is deferred: late is better than refused.
"""

_SESSION = {
    "application_name": "ludoteca",
    "lock_timeout": f"{ALONE_WAITS}s",
    "statement_timeout": "30s",
    "idle_in_transaction_session_timeout": "60s",
    # a server that a process has left without a word must let the next one in
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}

# https://www.postgresql.org/docs/current/errcodes-appendix.html, by class or whole
_BUSY = ("40001", "40P01", "55P03", "57014")
_MEANINGS: tuple[tuple[tuple[str, ...], type[StorageError], str], ...] = (
    (
        ("XX001", "XX002"),
        CorruptDatabase,
        "The database {name} is damaged; put a backup of it in its place.",
    ),
    (_BUSY, DatabaseBusy, "The database {name} is locked by another program."),
    (
        ("54000",),
        DatabaseBusy,
        "The server of the database {name} takes no news: {told}; end the connection that listens "
        "within a long transaction.",
    ),
    (("53100",), DatabaseFull, "The database {name} cannot grow because its disk is full."),
    (("28", "3D", "42501"), DatabaseUnavailable, "The database {name} refuses us: {told}."),
    (("08", "53", "57P", "25006", "58"), DatabaseAway, "The database {name} is away: {told}."),
)

_ALONE = text(f"SELECT pg_advisory_xact_lock({WRITING})")
_TIMELINE = text("SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)")
_BESIDE = text(f"SELECT pg_advisory_xact_lock_shared({WRITING})")

_READING = MappingProxyType({"isolation_level": "REPEATABLE READ", "postgresql_readonly": True})


@dataclass(frozen=True)
class PostgresBackend(Backend):
    """The database at an address, for one process, or for *many* side by side.

    With *copies* it is copied before its schema changes.
    """

    url: URL
    many: bool = False
    copies: bool = True
    reading = _READING

    @property
    def name(self) -> str:
        """The database and its server, without the user."""
        where = self.url.host or self.url.query.get("host") or "localhost"
        return f"{self.url.database} on {where}"

    def connect(self, *, readonly: bool) -> AsyncEngine:
        """An engine of exactly one connection, which holds the lease if it may write.

        One of many processes holds it beside the others.
        """
        settings = _SESSION | {
            "default_transaction_read_only": "on" if readonly else "off",
            "lock_timeout": self._waits,
        }
        engine = create_async_engine(
            self.url,
            poolclass=AsyncAdaptedQueuePool,
            pool_size=1,
            max_overflow=0,
            connect_args={"server_settings": settings, "timeout": 10},
        )
        if not readonly:
            event.listen(engine.sync_engine, "connect", self._lease)
        return engine

    def _lease(self, connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
        # The server frees the lease of a connection that was broken off a moment after we ask.
        cursor = connection.cursor()
        try:
            cursor.execute(f"SET lock_timeout = '{LEASE_SECONDS}s'")
            lock = "pg_advisory_lock_shared" if self.many else "pg_advisory_lock"
            cursor.execute(f"SELECT {lock}({LEASE})")
            cursor.execute(f"SET lock_timeout = '{self._waits}'")
            connection.commit()
        except Exception as error:
            connection.close()
            if _state(error) not in _BUSY:
                raise
            raise SecondProcess(
                f"Another process runs on the database {self.name}; stop it first."
            ) from error
        finally:
            cursor.close()

    @property
    def _waits(self) -> str:
        return f"{BESIDE_WAITS if self.many else ALONE_WAITS}s"

    def for_several(self) -> PostgresBackend:
        """The same for one of many processes."""
        return replace(self, many=True)

    def cluster(self, turn: Turn, availability: Availability) -> Cluster:
        """The processes on it; each has a connection for this alone."""
        if not self.many:
            return Cluster()
        engine = create_async_engine(
            self.url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            connect_args={"server_settings": _SESSION, "timeout": 10},
        )
        return ServerCluster(engine, turn, self.translate_errors, availability)

    async def lineage(self, tx: AsyncConnection) -> str:
        """The timeline: a failover or a recovery begins a new one, and may have lost the newest.

        Not by ``pg_control_checkpoint``, which tells of it only after the next checkpoint.
        """
        return str((await tx.execute(_TIMELINE)).scalar_one())

    async def wait_to_write(self, tx: AsyncConnection, *, beside: bool) -> None:
        """Waits for the lock of writers, where there are several processes."""
        if self.many:
            await tx.execute(_BESIDE if beside else _ALONE)

    async def claim(self) -> Callable[[], None]:
        """Does nothing: the connection itself holds the lease."""
        return lambda: None

    def refuse_absent(self) -> None:
        """Does nothing: the server knows, and says so at the first connection."""

    def prepare(self, connection: Connection) -> Path | None:
        """Brings the schema up to this release, unless another process does so just now."""
        alone = False
        with connection.begin():
            connection.execute(text(f"SELECT pg_advisory_lock({UPGRADING})"))
        try:
            alone = self._refuse_older(connection)
            return upgrade_schema(connection, self)
        finally:
            with connection.begin():
                connection.execute(text(f"SELECT pg_advisory_unlock({UPGRADING})"))
                if alone:
                    connection.execute(text(f"SELECT pg_advisory_unlock({LEASE})"))

    def is_closed(self, connection: AsyncConnection) -> bool:
        """Whether the server has ended *connection*, or it broke."""
        made = connection.sync_connection
        driver = None if made is None else made.connection.driver_connection
        return driver is not None and bool(driver.is_closed())

    def _refuse_older(self, connection: Connection) -> bool:
        """Keeps out processes that cannot use our schema; answers whether it did.

        Raises ``SecondProcess`` where such a process runs.
        """
        with connection.begin():
            found = revision_of(connection, self.name)
            if not self.many or found is None or can_run_beside(found):
                return False
            alone = connection.execute(text(f"SELECT pg_try_advisory_lock({LEASE})")).scalar()
        if not alone:
            raise SecondProcess(
                f"A process of an earlier release runs on the database {self.name}, and cannot go "
                "on beside this one; stop it first."
            )
        return True

    @contextmanager
    def migration(self, connection: Connection) -> Iterator[None]:
        """A transaction: PostgreSQL alters tables in one, and checks references as it goes."""
        with connection.begin():
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            yield

    def without_copies(self) -> PostgresBackend:
        """The same without copies before migrations."""
        return replace(self, copies=False)

    def keep_copy(self, revision: str) -> Path | None:
        """Lets ``pg_dump`` write ``NAME.schema-REVISION.dump`` in the folder of the process.

        Raises ``UnsupportedDatabase`` where it is not installed, older than the server, or fails.
        """
        if not self.copies:
            return None
        target = Path.cwd() / f"{self.url.database}.schema-{revision}.dump"
        part = target.with_name(f"{target.name}.part")
        try:
            os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
            command = ["pg_dump", "--format=custom", "--no-password", f"--file={part}"]
            # The name is looked up in PATH: distributions put it into different folders.
            subprocess.run(command, env=self._environment(), check=True, capture_output=True)  # noqa: S603
            return part.replace(target)
        except (OSError, subprocess.CalledProcessError) as error:
            told = getattr(error, "stderr", None) or str(error).encode()
            why = told.decode(errors="replace").strip().splitlines()[0].rstrip(".")
            raise UnsupportedDatabase(
                f"The database {self.name} is of an earlier release (schema {revision}), and no "
                f"copy of it can be made before it is changed ({why}); copy it by pg_dump, then "
                "run ludoteca upgrade --no-copy once."
            ) from error
        finally:
            part.unlink(missing_ok=True)

    def _environment(self) -> dict[str, str]:
        """Our environment, and what libpq is to know of the server."""
        asked = self.url.query
        told = {
            "PGHOST": self.url.host or asked.get("host"),
            "PGPORT": self.url.port or asked.get("port"),
            "PGUSER": self.url.username,
            "PGPASSWORD": self.url.password,
            "PGDATABASE": self.url.database,
            "PGSSLMODE": asked.get("ssl") or asked.get("sslmode"),
        }
        return os.environ | {name: str(value) for name, value in told.items() if value}

    def last_id(self, connection: Connection, column: Column[int]) -> int:
        """What the sequence of *column* gave last."""
        sequence = func.pg_get_serial_sequence(column.table.name, column.name)
        return connection.execute(select(func.pg_sequence_last_value(sequence))).scalar() or 0

    def set_last_id(self, connection: Connection, column: Column[int], last: int) -> None:
        """Sets the sequence of *column*."""
        sequence = func.pg_get_serial_sequence(column.table.name, column.name)
        if last:
            connection.execute(select(func.setval(sequence, last)))

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Tells a server that is away from one that refuses, is full, or is damaged."""
        try:
            yield
        except DBAPIError as error:
            meaning = self._meaning(error)
            if meaning is None:
                raise
            raise meaning from error
        except OSError as error:  # no server listens there
            raise DatabaseAway(
                f"The database {self.name} cannot be reached: {error.strerror or 'no answer'}."
            ) from error

    def _meaning(self, error: DBAPIError) -> StorageError | None:
        code = _state(error.orig)
        for codes, meaning, said in _MEANINGS:
            if code.startswith(codes) or (meaning is DatabaseAway and error.connection_invalidated):
                return meaning(said.format(name=self.name, told=_first_line(error)))
        return None


def _state(error: BaseException | None) -> str:
    return str(getattr(error, "sqlstate", None) or "")


def _first_line(error: DBAPIError) -> str:
    """The first line of the server's message; it never holds a password."""
    told = str(error.orig).partition(":")[2] or str(error.orig)
    return told.strip().splitlines()[0].rstrip(".") if told.strip() else "no answer"
