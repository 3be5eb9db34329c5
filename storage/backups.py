"""Copies of the database, also taken while a bot is running."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from storage import sqlite
from storage.errors import DatabaseUnavailable, UnsupportedDatabase
from storage.sqlite import Location, located, translate_errors

EVERY = timedelta(days=1)
"""How long after a copy the next one is due."""

STEM = "ludoteca-"
FORM = "%Y-%m-%d-%H%M%S"
"""The instant in the name of a copy, in UTC."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy in the folder for them, and when it was begun."""

    path: Path
    at: datetime


def backups_in(folder: Path, now: datetime) -> list[Backup]:
    """The copies in *folder*, the newest last.

    Those of the future were made while the clock was wrong: they count as the oldest.
    """
    found = []
    for path in folder.glob(f"{STEM}*.db"):
        try:
            at = datetime.strptime(path.stem.removeprefix(STEM), FORM).replace(tzinfo=UTC)
        except ValueError:
            continue  # somebody else's file
        found.append(Backup(path, at))
    return sorted(found, key=lambda copy: (copy.at <= now, copy.at))


async def write_backup_if_due(url: str, folder: Path, keep: int, now: datetime) -> Path | None:
    """Writes a copy into *folder* where the newest one is a day old, and keeps the *keep* newest.

    Answers the new one, ``None`` where none is due. Raises as ``write_backup`` does.
    """
    made = backups_in(folder, now)
    if made and timedelta() <= now - made[-1].at < EVERY:
        return None
    target = folder / f"{STEM}{now.astimezone(UTC):{FORM}}.db"
    await write_backup(url, target)
    _thinned(folder, keep, now)
    return target


def _thinned(folder: Path, keep: int, now: datetime) -> None:
    """Removes all but the *keep* newest, and what copies that were broken off have left."""
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

    Reads one state of it, beside a running bot as well, and never takes the writer's lock. Raises
    ``DatabaseUnavailable`` where there is no database, where *target* exists or cannot be
    written, ``CorruptDatabase`` where the database cannot be read to its end, and
    ``UnsupportedDatabase`` for what is not a file.
    """
    location = located(url)
    if location.path is None:
        raise UnsupportedDatabase("A database in memory cannot be copied.")
    await asyncio.to_thread(_backed_up, location, location.path, target)


def _backed_up(location: Location, source: Path, target: Path) -> None:
    if not source.is_file():
        raise DatabaseUnavailable(f"There is no database {source} yet.")
    if target.exists():
        raise DatabaseUnavailable(f"The file {target} exists already; name another one.")
    try:
        with translate_errors(location):
            sqlite.copied(source, target)
    except OSError as error:
        raise DatabaseUnavailable(
            f"The copy {target} cannot be written: {error.strerror}."
        ) from error
