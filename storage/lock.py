"""The lock that keeps a second process from a database."""

from __future__ import annotations

import os
from pathlib import Path

from filelock import FileLock, Timeout

from storage.errors import DatabaseUnavailable, SecondProcess


def acquire_file_lock(database: Path) -> FileLock:
    """Takes the lock of the *database*, which the caller releases.

    Raises ``SecondProcess`` where another process has it, or the file has a second name, by which
    one may run on it with a write-ahead log of its own; ``DatabaseUnavailable`` where the lock
    cannot be written.
    """
    if not database.parent.is_dir():
        raise DatabaseUnavailable(f"The folder {database.parent} of the database does not exist.")
    if database.is_file() and (names := database.stat().st_nlink) > 1:
        raise SecondProcess(
            f"The database {database} has {names} names (hard links), and another process may run "
            "on it by another one; leave it only one."
        )
    path = database.with_name(database.name + ".lock")
    lock = FileLock(path, timeout=0, thread_local=False)
    try:
        # Where a file cannot be made at all, the library says only that it could not wait.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        lock.acquire()
    except Timeout as error:
        raise SecondProcess(
            f"Another process runs on the database {database}; stop it first."
        ) from error
    except OSError as error:
        raise DatabaseUnavailable(
            f"The lock file {path} cannot be written: {error.strerror}."
        ) from error
    return lock
