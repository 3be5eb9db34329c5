"""Backups of the database, also taken while a bot is running."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from storage.database_file import copy_file
from storage.errors import DatabaseUnavailable, UnsupportedDatabase
from storage.sqlite import SqliteBackend

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
    _thinned(folder, keep, now)
    return target


def _thinned(folder: Path, keep: int, now: datetime) -> None:
    """Removes all but the *keep* newest backups, and unfinished ones."""
    try:
        for gone in (
            *(old.path for old in backups_in(folder, now)[:-keep]),
            *folder.glob(f"{STEM}*.db.part"),
        ):
            gone.unlink(missing_ok=True)
    except OSError as error:
        raise DatabaseUnavailable(
            f"Old copies in {folder} cannot be removed: {error.strerror}."
        ) from error


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
    try:
        with backend.translate_errors():
            copy_file(source, target)
    except OSError as error:
        raise DatabaseUnavailable(
            f"The copy {target} cannot be written: {error.strerror}."
        ) from error
