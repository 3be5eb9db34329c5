"""Backups of the database: taken while a bot is running, and put back in its place."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from storage.database import file_lock
from storage.database.file import (
    copy_file,
    finish_restore,
    replace_file,
    translate_disk_errors,
)
from storage.database.file_lock import acquire_file_lock
from storage.database.sqlite import SqliteBackend, find_faults, find_orphans
from storage.errors import (
    CorruptDatabase,
    DatabaseUnavailable,
    SecondProcess,
    StorageError,
    UnsupportedDatabase,
)
from storage.upgrade import newest_revision, refuse_differences, revision_of

EVERY = timedelta(days=1)
"""How long after a backup the next one is due."""

STEM = "ludoteca-"
FORM = "%Y-%m-%d-%H%M%S"
"""The instant in the name of a backup, in UTC."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup in its folder, and when it was begun."""

    path: Path
    at: datetime


def backups_in(folder: Path, now: datetime) -> list[Backup]:
    """The backups in *folder*, the newest last.

    Those of the future were made while the clock was wrong: they count as the oldest.
    """
    found = []
    for path in folder.glob(f"{STEM}*.db"):
        try:
            at = datetime.strptime(path.stem.removeprefix(STEM), FORM).replace(tzinfo=UTC)
        except ValueError:
            continue  # another program's file
        found.append(Backup(path, at))
    return sorted(found, key=lambda copy: (copy.at <= now, copy.at))


async def write_backup_if_due(url: str, folder: Path, keep: int, now: datetime) -> Path | None:
    """Writes a backup into *folder* if the newest one is a day old, and keeps the *keep* newest.

    Answers the new one, ``None`` if none is due. Raises as ``write_backup`` does.
    """
    made = backups_in(folder, now)
    if made and timedelta() <= now - made[-1].at < EVERY:
        return None
    target = folder / f"{STEM}{now.astimezone(UTC):{FORM}}.db"
    await write_backup(url, target)
    _thin(folder, keep, now)
    return target


def _thin(folder: Path, keep: int, now: datetime) -> None:
    """Removes all but the *keep* newest backups, and unfinished ones."""
    with translate_disk_errors(f"Old copies in {folder} cannot be removed"):
        old = (one.path for one in backups_in(folder, now)[:-keep])
        for gone in (*old, *folder.glob(f"{STEM}*.db.part")):
            gone.unlink(missing_ok=True)


async def write_backup(url: str, target: Path) -> None:
    """Writes a consistent copy of the database at *url* to the new file *target*.

    It never takes the writer's lock, so a bot may run. Raises ``DatabaseUnavailable`` if there is
    no database or *target* exists or cannot be written, ``CorruptDatabase`` if the database cannot
    be read to its end, and ``UnsupportedDatabase`` for a database that is no file.
    """
    backend = SqliteBackend.at(url)
    if backend.path is None:
        raise UnsupportedDatabase("A database in memory cannot be copied.")
    await asyncio.to_thread(_back_up, backend, backend.path, target)


def _back_up(backend: SqliteBackend, source: Path, target: Path) -> None:
    if not source.is_file():
        raise DatabaseUnavailable(f"There is no database {source} yet.")
    if target.exists():
        raise DatabaseUnavailable(f"The file {target} exists already; name another one.")
    failing = translate_disk_errors(f"The copy {target} cannot be written")
    with failing, backend.translate_errors():
        copy_file(source, target)


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
    failing = translate_disk_errors(f"The copy {copy} cannot be put in place of {database}")
    with acquire_file_lock(database), failing:
        finish_restore(database)
        await _refuse_held(SqliteBackend(database))
        source = _find(copy, database)
        await _check(source)
        return await asyncio.to_thread(_replace, source, database)


async def _refuse_held(backend: SqliteBackend) -> None:
    """Refuses while a bot runs without its lock file; none runs on an unreadable file."""
    if backend.path is None or not backend.path.is_file():
        return
    try:
        await backend.examine(file_lock.refuse_held_lease, backend.path)
    except SecondProcess:
        raise
    except (StorageError, DBAPIError):
        return


def _find(copy: Path, database: Path) -> Path:
    if not copy.is_file():
        raise DatabaseUnavailable(f"There is no copy {copy}.")
    if database.is_file() and copy.samefile(database):
        raise UnsupportedDatabase(f"The file {copy} is the database itself; name a copy of it.")
    return copy.resolve()


async def _check(path: Path) -> None:
    copy = SqliteBackend(path)
    try:
        await copy.examine(_usable, copy)
    except CorruptDatabase as error:
        raise CorruptDatabase(
            f"The copy {copy.name} is damaged or no database; take another one."
        ) from error


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
