"""A database of SQLite: one file, or memory, and the one process that runs on it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import Connection, Table
from sqlalchemy.ext.asyncio import AsyncEngine

from storage import file_lock, sqlite
from storage.backend import Backend
from storage.errors import DatabaseUnavailable
from storage.lock import acquire_file_lock
from storage.restoration import finish_restore
from storage.sqlite import Location
from storage.upgrade import newest_revision, revision_of, upgrade_schema

SMALL = 8 * 1024 * 1024
"""Bytes of a file that is read to its end at every start; a larger one only before an upgrade.

``ludoteca doctor`` reads the whole of any.
"""


@dataclass(frozen=True, slots=True)
class SqliteBackend(Backend):
    """The database at a location."""

    location: Location
    reading = sqlite.READING

    @property
    def name(self) -> str:
        """The file's path."""
        return self.location.name

    def connected(self, *, readonly: bool) -> AsyncEngine:
        """An engine of exactly one connection."""
        return sqlite.connected(self.location, readonly=readonly)

    def translated(self) -> AbstractContextManager[None]:
        """Tells a damaged file from a locked one, a full disk and a closed connection."""
        return sqlite.translate_errors(self.location)

    async def claimed(self) -> Callable[[], None]:
        """Takes the lock of the file, finishes a restore that was broken off, makes a new file."""
        path = self.location.path
        if path is None:
            return lambda: None
        lock = acquire_file_lock(path)
        try:
            finish_restore(path)
            sqlite.prepared(path)
            await self._refuse_foreign()
        except BaseException:
            lock.release()
            raise
        return lock.release

    async def _refuse_foreign(self) -> None:
        """Refuses a file that is not ours, or newer, before a connection may change its head."""
        if self.location.path is None or not self.location.path.stat().st_size:
            return
        engine = sqlite.connected(self.location, readonly=True)
        try:
            with self.translated():
                async with engine.execution_options(**self.reading).begin() as connection:
                    await connection.run_sync(revision_of, self.name)
        finally:
            await engine.dispose()

    def refuse_absent(self) -> None:
        """Raises ``DatabaseUnavailable`` where there is no file."""
        if self.location.path is not None and not self.location.path.is_file():
            raise DatabaseUnavailable(f"There is no database {self.name} yet.")

    def settled(self, connection: Connection) -> None:
        """Looks whether the file is sound, brings its schema up to date, takes the lease."""
        path = self.location.path
        small = path is not None and path.stat().st_size < SMALL
        with connection.begin():
            older = revision_of(connection, self.name) != newest_revision()
            # A damaged file is refused before anything is written to it.
            if (older or small) and sqlite.faults(connection, quick=True):
                raise sqlite.damaged(self.location)
        upgrade_schema(connection, self)
        if path is not None:
            with connection.begin():
                file_lock.take_lease(connection, path)

    def migrating(self, connection: Connection) -> AbstractContextManager[None]:
        """A transaction without foreign keys, which batch mode needs."""
        return sqlite.without_foreign_keys(connection)

    def last_id(self, connection: Connection, table: Table) -> int | None:
        """What SQLite notes for a table with AUTOINCREMENT, and counts for another one."""
        return sqlite.last_id(connection, table)

    def go_on_after(self, connection: Connection, table: Table, last: int) -> None:
        """Notes the last id of a table with AUTOINCREMENT; others go on after their last row."""
        sqlite.go_on_after(connection, table, last)

    def kept(self, revision: str) -> None:
        """Makes a copy of the file beside it, named after its *revision*."""
        path = self.location.path
        if path is not None:
            sqlite.copied(path, path.with_name(f"{path.name}.schema-{revision}"))

    def given_back(self, connection: Connection) -> None:
        """Gives the lease of the file back."""
        if self.location.path is not None:
            file_lock.release_lease(connection)

    def wait_for_locks(self, connection: Connection, seconds: float) -> None:
        """Sets SQLite's busy timeout."""
        sqlite.wait_for_locks(connection, seconds)

    def sweep(self, connection: Connection) -> None:
        """Folds the journal into the file and empties it."""
        sqlite.sweep(connection)
