"""A PostgreSQL of the test run's own: started when a test asks for it, gone when the run ends.

It needs the server's programs, as Debian's package ``postgresql`` brings them, and no right but
that of writing to a folder: it listens on loopback alone. Nothing is synced to the disk, for its
data are worth nothing after the run.
"""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

ABSENT = "there is no PostgreSQL server here (Debian: apt-get install postgresql)"
"""Why a test that needs one is skipped."""

FAST = "fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"


def programs() -> Path | None:
    """The folder of ``initdb`` and ``postgres``, the newest where there are several."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_version)
    if found:
        return found[-1].parent
    where = shutil.which("initdb")
    return Path(where).resolve().parent if where else None


def _version(path: Path) -> float:
    return float(path.parts[-3])


@cache
def server() -> str:
    """The address of the server, up to the name of a database."""
    there = programs()
    assert there is not None, ABSENT
    folder = Path(tempfile.mkdtemp(prefix="ludoteca-postgres-"))
    user = None
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        user = _somebody()
        shutil.chown(folder, user)
    data, log = folder / "data", folder / "log"
    init = ["-D", data, "-U", "ludoteca", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    _run([there / "initdb", *init], user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = f"-p {port} -h 127.0.0.1 -k {folder} " + " ".join(f"-c {one}" for one in FAST)
    control = [there / "pg_ctl", "-D", data, "-l", log, "-w"]
    _run([*control, "-o", options, "start"], user)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(_run, [*control, "-m", "immediate", "stop"], user)

    def restart(*, timeline: bool) -> None:
        _run([*control, "-m", "fast" if timeline else "immediate", "stop"], user)
        if timeline:
            # A recovery that finds no archive ends at once, and begins a new timeline.
            (data / "recovery.signal").touch()
            with (data / "postgresql.auto.conf").open("a") as settings:
                settings.write("restore_command = 'false'\n")
        _run([*control, "-o", options, "start"], user)

    _restarts.append(restart)
    return f"postgresql+asyncpg://ludoteca@127.0.0.1:{port}"


_restarts: list[Callable[..., None]] = []
"""What restarts the server, once it runs."""


def restart(*, timeline: bool = False) -> None:
    """Restarts the server without a word to whoever is connected, on a new *timeline* if told."""
    server()
    _restarts[0](timeline=timeline)


def _somebody() -> str:
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _run(command: list[str | Path], user: str | None) -> None:
    subprocess.run(command, check=True, user=user, stdout=subprocess.DEVNULL, cwd="/")


_made: set[str] = set()


def database(key: str, like: str = "template1") -> str:
    """The address of the database of *key*: the first time empty, or as that at *like*.

    Nobody may be connected with what is copied.
    """
    name = f"t{sha256(key.encode()).hexdigest()[:16]}"
    if name not in _made:
        spoken(f"CREATE DATABASE {name} TEMPLATE {like.rpartition('/')[2]}")
        _made.add(name)
    return f"{server()}/{name}"


def spoken(statement: str) -> None:
    """Runs a *statement* of the server's keeper."""
    spoken_in(f"{server()}/postgres", statement)


def spoken_in(address: str, statement: str) -> None:
    """Runs a *statement* in the database at *address*."""
    there = programs()
    assert there is not None, ABSENT
    command = [there / "psql", "-q", "-d", address.replace("+asyncpg", ""), "-c", statement]
    _run(command, None)
