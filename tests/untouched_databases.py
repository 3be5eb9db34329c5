"""What a start finds out about a file that no test has used yet is known before.

It reads such a file to its end, looks for its revision three times and compares all tables with
the schema: half of the time of opening a store, and every test with a database opens one. A file
with any other bytes is looked at as ever; only its tables are compared once for each kind of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

from sqlalchemy import Connection

from storage import upgrade
from storage.database import file_lock
from storage.database.sqlite import SqliteBackend
from tests.databases import file_with_tables

FOUND: dict[tuple[object, ...], list[str]] = {}
"""How tables differ, by the schema and the statements that made them."""


def share() -> None:
    """Let all stores that this process opens from now on take for known what is known."""
    claim, prepare, compare = SqliteBackend.claim, SqliteBackend.prepare, upgrade.schema_differences

    async def claimed(self: SqliteBackend) -> Callable[[], None]:
        if self.path is None or not _is_untouched(self.path):
            return await claim(self)
        return file_lock.acquire_file_lock(self.path).release

    def prepared(self: SqliteBackend, connection: Connection) -> Path | None:
        if self.path is None or not _is_untouched(self.path):
            return prepare(self, connection)
        with self.translate_errors(), connection.begin():
            file_lock.take_lease(connection, self.path)
        return None

    def compared(connection: Connection) -> list[str]:
        if connection.dialect.name != "sqlite":
            return compare(connection)
        made = connection.exec_driver_sql("SELECT sql FROM sqlite_schema ORDER BY name").scalars()
        key = (upgrade.metadata, *made)
        if key not in FOUND:
            FOUND[key] = compare(connection)
        return [*FOUND[key]]

    start = file_lock._start
    known = cache(start)  # the system takes half a millisecond to say it

    def started(pid: int) -> str:
        return (known if pid == os.getpid() else start)(pid)

    file_lock._start = started
    SqliteBackend.claim = claimed  # type: ignore[method-assign]
    SqliteBackend.prepare = prepared  # type: ignore[method-assign]
    upgrade.schema_differences = compared


def _is_untouched(file: Path) -> bool:
    """Whether *file* is as ``database_in`` gives it, with nothing beside it that changes it."""
    if not file_with_tables.cache_info().currsize or not file.is_file():
        return False
    journal, restored = (file.with_name(f"{file.name}{end}") for end in ("-wal", ".restore"))
    if restored.exists() or (journal.exists() and journal.stat().st_size):
        return False
    content = file_with_tables()
    return file.stat().st_size == len(content) and file.read_bytes() == content
