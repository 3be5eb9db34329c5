"""Puts a copy in the place of the database, entirely or not at all.

The copy first becomes a whole file ``NAME.restore`` beside the database. From that moment on the
restore is decided: whoever next takes the lock finishes what a crash has broken off. So an old
``-wal`` never meets a new file, and a new file is never taken for an empty one.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from storage import file_lock, sqlite
from storage.errors import CorruptDatabase, DatabaseUnavailable, UnsupportedDatabase
from storage.lock import acquire_file_lock
from storage.sqlite import Location, located, translate_errors
from storage.upgrade import newest_revision, refuse_differences, revision_of

BESIDE = ("-wal", "-shm", "-journal", "")
"""What SQLite has beside a database, and the database itself: what goes aside, in this order."""


async def restore_backup(url: str, copy: Path) -> Path | None:
    """Puts the *copy* in the place of the database at *url*, while no bot runs on that.

    Answers the name under which the old file, and what SQLite had beside it, are kept; ``None``
    where there was none. Raises ``SecondProcess`` where a bot runs, ``CorruptDatabase``,
    ``NewerDatabase`` or ``UnsupportedDatabase`` for a copy that a bot could not run on, and
    ``DatabaseUnavailable`` for what cannot be read or written; the database is as it was then.
    """
    database = located(url).path
    if database is None:
        raise UnsupportedDatabase("There is no restoring a database in memory.")
    with acquire_file_lock(database):
        try:
            finish_restore(database)
            await _refuse_held(Location(database))
            source = _found(copy, database)
            await _check(source)
            return await asyncio.to_thread(_replaced, source, database)
        except OSError as error:
            raise DatabaseUnavailable(
                f"The copy {copy} cannot be put in place of {database}: {error.strerror}."
            ) from error


async def _refuse_held(location: Location) -> None:
    """Refuses where a bot runs whose lock file is gone; what cannot be read, nobody runs on."""
    if location.path is None or not location.path.is_file():
        return
    engine = sqlite.connected(location, readonly=True)
    try:
        async with engine.connect() as connection:
            await connection.execution_options(**sqlite.READING)
            await connection.run_sync(file_lock.refuse_held_lease, location.path)
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
    copy = Location(path)
    engine = sqlite.connected(copy, readonly=True)
    try:
        with translate_errors(copy):
            async with engine.connect() as connection:
                await connection.execution_options(**sqlite.READING)
                await connection.run_sync(_usable, copy)
    except CorruptDatabase as error:
        raise CorruptDatabase(
            f"The copy {copy.name} is damaged or no database; take another one."
        ) from error
    finally:
        await engine.dispose()


def _usable(connection: Connection, copy: Location) -> None:
    found = revision_of(connection, copy.name)
    if found is None:
        raise UnsupportedDatabase(f"The copy {copy.name} is empty; take another one.")
    if sqlite.faults(connection, quick=False) or sqlite.orphans(connection):
        raise sqlite.damaged(copy)
    if found == newest_revision():
        refuse_differences(connection, copy.name)


def _replaced(copy: Path, database: Path) -> Path | None:
    whole = database.with_name(f"{database.name}.whole")
    with translate_errors(Location(copy)):
        sqlite.copied(copy, whole)
    instant = datetime.now(UTC).replace(microsecond=0)
    while any(Path(f"{_aside(database, instant)}{end}").exists() for end in BESIDE):
        instant += timedelta(seconds=1)
    # The name of what goes aside stands in the file's own time, so that it survives a crash.
    os.utime(whole, (instant.timestamp(), instant.timestamp()))
    whole.replace(_decided(database))
    _synced(database.parent)
    return finish_restore(database)


def finish_restore(database: Path) -> Path | None:
    """Finishes a restore of *database* that was decided upon; the caller holds its lock.

    Answers what the old file is called now, ``None`` where there was none or nothing to finish.
    Raises ``DatabaseUnavailable`` where files cannot be renamed.
    """
    decided = _decided(database)
    if not decided.is_file():
        return None
    try:
        return _finished(decided, database)
    except OSError as error:
        raise DatabaseUnavailable(
            f"The copy {decided} cannot be put in place of {database}: {error.strerror}."
        ) from error


def _finished(decided: Path, database: Path) -> Path | None:
    instant = datetime.fromtimestamp(decided.stat().st_mtime, UTC)
    aside = _aside(database, instant)
    for end in BESIDE:
        with suppress(FileNotFoundError):
            Path(f"{database}{end}").replace(f"{aside}{end}")
    _synced(database.parent)
    decided.replace(database)
    _synced(database.parent)
    return aside if aside.exists() else None


def _decided(database: Path) -> Path:
    return database.with_name(f"{database.name}.restore")


def _aside(database: Path, instant: datetime) -> Path:
    return database.with_name(f"{database.name}.{instant:%Y-%m-%d-%H%M%S}")


def _synced(folder: Path) -> None:
    """Makes the names in *folder* survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
