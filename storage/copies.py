"""Copies of the database, also taken while a bot is running."""

from __future__ import annotations

import asyncio
from pathlib import Path

from storage import sqlite
from storage.errors import DatabaseUnavailable, UnsupportedDatabase
from storage.sqlite import Location, located, translated


async def backup(url: str, target: Path) -> None:
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
        with translated(location):
            sqlite.copied(source, target)
    except OSError as error:
        raise DatabaseUnavailable(
            f"The copy {target} cannot be written: {error.strerror}."
        ) from error
