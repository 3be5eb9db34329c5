"""The lock and the lease of a file: they keep a second process from it.

The lock file keeps a second process out as long as both find it by the same name. A lease stands
in the database itself, and counts for the very file, by device and inode, and as long as its
process lives: no clock is asked, and a killed bot can start again at once.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Connection, select

from storage.column_types import read_json
from storage.database.file import give_to_owner
from storage.errors import DatabaseUnavailable, SecondProcess
from storage.schema import setting

KEY = "lease"


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
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600))
        give_to_owner(path, database)
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


@dataclass(frozen=True, slots=True)
class Lease:
    """A file, and the process that runs on it; *started* is in ticks after *boot*, if known."""

    device: int
    inode: int
    pid: int
    boot: str
    started: str


def take_lease(connection: Connection, database: Path) -> None:
    """Takes the lease of the *database*, in a transaction of the caller.

    Raises ``SecondProcess`` where a process that lives has it.
    """
    mine = refuse_held_lease(connection, database)
    connection.execute(setting.delete().where(setting.c.key == KEY))
    connection.execute(setting.insert().values(key=KEY, value=json.dumps(asdict(mine))))


def refuse_held_lease(connection: Connection, database: Path) -> Lease:
    """Raises ``SecondProcess`` where a process that lives has the lease; answers a free one."""
    state = database.stat()
    mine = Lease(state.st_dev, state.st_ino, os.getpid(), _boot(), _start(os.getpid()))
    found = connection.execute(select(setting.c.value).where(setting.c.key == KEY)).scalar()
    if found is not None and _holds(found, mine):
        raise SecondProcess(
            f"Another process runs on the database {database}, though its lock file is gone; stop "
            "it first."
        )
    return mine


def release_lease(connection: Connection) -> None:
    """Gives the lease back, in a transaction of the caller, which holds it."""
    connection.execute(setting.delete().where(setting.c.key == KEY))


def _holds(found: str, mine: Lease) -> bool:
    """Whether the lease *found* is one of this file and of a living process."""
    try:
        held = Lease(**read_json(found))
    except TypeError:
        return False
    if (held.device, held.inode) != (mine.device, mine.inode) or held.boot != mine.boot:
        return False  # of a copy, or of before the machine was started
    if held.boot:
        return bool(held.started) and _start(held.pid) == held.started
    try:
        os.kill(held.pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # it lives, and belongs to another user
    return True


def _boot() -> str:
    """The id of this start of the machine, empty where it is unknown."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return ""


def _start(pid: int) -> str:
    """When the process began, in ticks since the machine did: ids of processes are used again.

    Empty where there is none, or only a zombie.
    """
    try:
        told = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    fields = told.rpartition(")")[2].split()  # from field 3 of proc_pid_stat(5) on
    return "" if fields[0] in "ZX" else fields[19]
