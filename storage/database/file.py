"""The file of a database: how it is made, copied, and replaced entirely or not at all.

A copy that is to replace a database first becomes a whole file ``NAME.restore`` beside it. From
then on the restore is decided: the next process that takes the lock finishes what a crash has
broken off. So an old ``-wal`` never meets a new file, and a new file never counts as an empty one.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from storage.errors import DatabaseUnavailable

LOCK_SECONDS = 1.0
"""Seconds that a connection waits for another one's lock: Discord gives three to an answer."""

BESIDE = ("-wal", "-shm", "-journal", "")
"""The files of SQLite beside a database, and the database itself, in the order of moving aside."""


@contextmanager
def translate_disk_errors(what: str) -> Iterator[None]:
    """Raises ``DatabaseUnavailable`` where the disk refuses: *what*, such as "X cannot be read"."""
    try:
        yield
    except OSError as error:
        raise DatabaseUnavailable(f"{what}: {error.strerror}.") from error


def give_to_owner(file: Path, database: Path) -> None:
    """Gives a new *file* beside *database* to whoever runs on that, not to who calls us.

    Owner and mode are those of the database; where there is none the owner is that of the folder.
    Only the administrator may give files away: for others it stays as it is.
    """
    handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        with suppress(PermissionError):
            if database.exists() and database != file:
                like = database.stat()
                os.fchmod(handle, stat.S_IMODE(like.st_mode) | 0o600)
            else:
                like = database.parent.stat()
            if os.geteuid() == 0:
                os.fchown(handle, like.st_uid, like.st_gid)
    finally:
        os.close(handle)


def create_file(path: Path) -> bool:
    """Makes the file of a new database, readable by its owner only; answers whether it is empty.

    Raises ``DatabaseUnavailable`` where it is a folder or may not be written.
    """
    if path.is_dir():
        raise DatabaseUnavailable(f"The database {path} is a folder.")
    with translate_disk_errors(f"The database {path} cannot be opened for writing"):
        # interaction tokens and the secrets of draws stand in it; -wal and -shm follow its mode
        new = not path.exists()
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        if new:
            give_to_owner(path, path)
        return path.stat().st_size == 0


def copy_file(source: Path, target: Path) -> Path:
    """Writes a consistent copy of *source* to *target*, which is answered, also beside a bot.

    Takes one read transaction and never the writer's lock. *target* appears when it is complete;
    a file of that name is replaced.
    """
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        address = f"file:{quote(str(source))}?mode=ro"
        reader = sqlite3.connect(address, uri=True, isolation_level=None, timeout=LOCK_SECONDS)
        with closing(reader) as connection:
            connection.execute("VACUUM INTO ?", (str(part),))
        with part.open("rb") as written:
            os.fsync(written.fileno())
        return part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def replace_file(database: Path, copy: Path) -> Path | None:
    """Puts the *copy* in the place of *database*; the caller holds its lock.

    Answers as ``finish_restore`` does.
    """
    whole = database.with_name(f"{database.name}.whole")
    copy_file(copy, whole)
    give_to_owner(whole, database)
    instant = datetime.now(UTC).replace(microsecond=0)
    while any(Path(f"{_aside(database, instant)}{end}").exists() for end in BESIDE):
        instant += timedelta(seconds=1)
    # The name of the old file is kept as the new file's time, so that it survives a crash.
    os.utime(whole, (instant.timestamp(), instant.timestamp()))
    whole.replace(_decide(database))
    _sync(database.parent)
    return finish_restore(database)


def roll_back(database: Path) -> None:
    """Takes back what a kill has broken off in *database*: a connection that reads alone cannot."""
    if Path(f"{database}-journal").exists():
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("SELECT 1 FROM sqlite_master").fetchall()


def finish_restore(database: Path) -> Path | None:
    """Finishes a restore of *database* that was decided upon; the caller holds its lock.

    Answers the new name of the old file, ``None`` where there was none or nothing to finish.
    Raises ``DatabaseUnavailable`` where files cannot be renamed.
    """
    decided = _decide(database)
    if not decided.is_file():
        return None
    with translate_disk_errors(f"The copy {decided} cannot be put in place of {database}"):
        aside = _aside(database, datetime.fromtimestamp(decided.stat().st_mtime, UTC))
        for end in BESIDE:
            with suppress(FileNotFoundError):
                Path(f"{database}{end}").replace(f"{aside}{end}")
        _sync(database.parent)
        decided.replace(database)
        _sync(database.parent)
    if not aside.exists():
        return None
    _fold_journal(aside)
    return aside


def _fold_journal(database: Path) -> None:
    """Takes what SQLite has beside *database* into it, unless that is damaged.

    The last connection that may write does so when it is closed; one that only reads leaves files.
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(database)) as connection:
        connection.execute("SELECT 1 FROM sqlite_master").fetchall()


def _decide(database: Path) -> Path:
    return database.with_name(f"{database.name}.restore")


def _aside(database: Path, instant: datetime) -> Path:
    return database.with_name(f"{database.name}.{instant:%Y-%m-%d-%H%M%S}")


def _sync(folder: Path) -> None:
    """Makes the names in *folder* survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
