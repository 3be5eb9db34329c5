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
from contextlib import suppress
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


class OwnServer:
    """A server that can be started and stopped; nothing runs before ``start``."""

    def __init__(self) -> None:
        there = programs()
        assert there is not None, ABSENT
        # In memory where the folders of tests are: thousands of files are made and removed.
        beside = os.environ.get("PYTEST_DEBUG_TEMPROOT")
        self.folder = Path(tempfile.mkdtemp(prefix="ludoteca-postgres-", dir=beside))
        self._user = None
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            self._user = _somebody()
            shutil.chown(self.folder, self._user)
        data, log = self.folder / "data", self.folder / "log"
        init = ["-D", data, "-U", "ludoteca", "-A", "trust", "-E", "UTF8", "--locale=C"]
        _run([there / "initdb", *init, "--no-sync"], self._user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._control = [there / "pg_ctl", "-D", data, "-l", log, "-w"]

    @property
    def address(self) -> str:
        """The address of the server, up to the name of a database."""
        return f"postgresql+asyncpg://ludoteca@127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        told = f"-p {self.port} -h 127.0.0.1 -k {self.folder} "
        told += " ".join(f"-c {one}" for one in FAST)
        _run([*self._control, "-o", told, "start"], self._user)

    def stop(self, how: str = "immediate") -> None:
        """Stop it at once, as a power cut would, or another way of ``pg_ctl``."""
        _run([*self._control, "-m", how, "stop"], self._user)

    def restart(self, *, timeline: bool = False) -> None:
        """Restart it without a word to whoever is connected, on a new *timeline* if told."""
        self.stop("fast" if timeline else "immediate")
        if timeline:
            # A recovery that finds no archive ends at once, and begins a new timeline.
            (self.folder / "data" / "recovery.signal").touch()
            with (self.folder / "data" / "postgresql.auto.conf").open("a") as settings:
                settings.write("restore_command = 'false'\n")
        self.start()

    def remove(self) -> None:
        """Stop it, if it runs, and remove its folder."""
        with suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def _own() -> OwnServer:
    own = OwnServer()
    own.start()
    atexit.register(own.remove)
    return own


def server() -> str:
    """The address of the run's own server, up to the name of a database."""
    return _own().address


def restart(*, timeline: bool = False) -> None:
    """Restarts the run's own server, as ``OwnServer.restart`` says."""
    _own().restart(timeline=timeline)


def _somebody() -> str:
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _run(command: list[str | Path], user: str | None) -> None:
    nothing = subprocess.DEVNULL
    subprocess.run(command, check=True, user=user, stdout=nothing, stderr=nothing, cwd="/")


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
