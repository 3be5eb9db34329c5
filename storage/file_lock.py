"""The lease in a database: which process runs on it, in whatever folder and by whatever name.

The lock file keeps a second process out as long as both find it by the same name. A lease stands
in the database itself, and counts for the very file, by device and inode, and as long as its
process lives: no clock is asked, and a killed bot can start again at once.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from sqlalchemy import Connection, select

from storage.errors import SecondProcess
from storage.schema import setting

KEY = "lease"


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
    mine = Lease(state.st_dev, state.st_ino, os.getpid(), _boot(), _started(os.getpid()))
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
    """Whether a lease that was *found* is one of this file, and its process lives."""
    try:
        held = Lease(**json.loads(found))
    except (ValueError, TypeError):
        return False
    if (held.device, held.inode) != (mine.device, mine.inode) or held.boot != mine.boot:
        return False  # of a copy, or of before the machine was started
    if held.boot:
        return bool(held.started) and _started(held.pid) == held.started
    try:
        os.kill(held.pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # it lives, and is somebody else's
    return True


def _boot() -> str:
    """What tells this start of the machine from others; nothing where that cannot be known."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _started(pid: int) -> str:
    """When the process began, in ticks since the machine did: ids of processes are used again.

    Nothing where there is none; one that is dead and has not been buried by its parent is none.
    """
    try:
        told = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    fields = told.rpartition(")")[2].split()  # from field 3 of proc_pid_stat(5) on
    return "" if fields[0] in "ZX" else fields[19]
