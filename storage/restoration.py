"""Puts a copy in the place of the database, entirely or not at all (``database_file``)."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from storage import file_lock
from storage.database_file import finish_restore, replace_file
from storage.errors import CorruptDatabase, DatabaseUnavailable, UnsupportedDatabase
from storage.file_lock import acquire_file_lock
from storage.sqlite import READING, SqliteBackend, find_faults, find_orphans
from storage.upgrade import newest_revision, refuse_differences, revision_of


async def restore_backup(url: str, copy: Path) -> Path | None:
    """Puts the *copy* in the place of the database at *url*, while no bot runs on that.

    Answers the name under which the old file, and what SQLite had beside it, are kept; ``None``
    where there was none. Raises ``SecondProcess`` where a bot runs, ``CorruptDatabase``,
    ``NewerDatabase`` or ``UnsupportedDatabase`` for a copy that a bot could not run on, and
    ``DatabaseUnavailable`` for what cannot be read or written; the database is as it was then.
    """
    database = SqliteBackend.at(url).path
    if database is None:
        raise UnsupportedDatabase("There is no restoring a database in memory.")
    with acquire_file_lock(database):
        try:
            finish_restore(database)
            await _refuse_held(SqliteBackend(database))
            source = _found(copy, database)
            await _check(source)
            return await asyncio.to_thread(_replace, source, database)
        except OSError as error:
            raise DatabaseUnavailable(
                f"The copy {copy} cannot be put in place of {database}: {error.strerror}."
            ) from error


async def _refuse_held(backend: SqliteBackend) -> None:
    """Refuses while a bot runs without its lock file; none runs on an unreadable file."""
    if backend.path is None or not backend.path.is_file():
        return
    engine = backend.connect(readonly=True)
    try:
        async with engine.connect() as connection:
            await connection.execution_options(**READING)
            await connection.run_sync(file_lock.refuse_held_lease, backend.path)
    except DBAPIError:
        return
    finally:
        await engine.dispose()


def _found(copy: Path, database: Path) -> Path:
    if not copy.is_file():
        raise DatabaseUnavailable(f"There is no copy {copy}.")
    if database.is_file() and copy.samefile(database):
        raise UnsupportedDatabase(f"The file {copy} is the database itself; name a copy of it.")
    return copy.resolve()


async def _check(path: Path) -> None:
    copy = SqliteBackend(path)
    engine = copy.connect(readonly=True)
    try:
        with copy.translate_errors():
            async with engine.connect() as connection:
                await connection.execution_options(**READING)
                await connection.run_sync(_usable, copy)
    except CorruptDatabase as error:
        raise CorruptDatabase(
            f"The copy {copy.name} is damaged or no database; take another one."
        ) from error
    finally:
        await engine.dispose()


def _usable(connection: Connection, copy: SqliteBackend) -> None:
    found = revision_of(connection, copy.name)
    if found is None:
        raise UnsupportedDatabase(f"The copy {copy.name} is empty; take another one.")
    if find_faults(connection, quick=False) or find_orphans(connection):
        raise copy.damaged()
    if found == newest_revision():
        refuse_differences(connection, copy.name)


def _replace(copy: Path, database: Path) -> Path | None:
    with SqliteBackend(copy).translate_errors():
        return replace_file(database, copy)
