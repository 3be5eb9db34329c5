"""As much of systemd as says when, how and as whom a program starts, under a folder for a root.

A path of a unit, of ``systemd-run`` or of a recipe (``/opt``, ``/etc``, ``/usr/local``,
``/var/lib``) is one below that folder.
``python -m tests.supervisor ROOT PROPERTY… -- COMMAND…`` is ``systemd-run``.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

SOMEBODY = 61_234
"""The user whom ``DynamicUser`` makes, where we may make one."""


@cache
def interpreter() -> tuple[str, str] | None:
    """A Python that ``SOMEBODY`` may run as well as we, and its path; None where there is none.

    Ours may stand in a home folder.
    """
    folders = os.pathsep.join([str(ROOT), sysconfig.get_path("purelib")])
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for program in (sys.executable, f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        command, ids = [program, "-c", "import bot, aiohttp"], {"user": SOMEBODY, "group": SOMEBODY}
        try:
            done = subprocess.run(
                command, env={"PYTHONPATH": folders}, cwd="/", capture_output=True, **ids
            )
        except OSError:
            continue
        if done.returncode == 0:
            return program, folders
    return None


SPAN = re.compile(r"(\d+)(s|min|h|)$")
SECONDS = {"": 1, "s": 1, "min": 60, "h": 3600}


def below(root: Path, text: str) -> str:
    """*text* with its paths below *root*."""
    return re.sub(r"(?<![\w./])/(?=(?:opt|etc|usr/local|var/lib)/)", f"{root}/", text)


def seconds(text: str) -> float:
    """The seconds of a span such as ``10min``."""
    found = SPAN.match(text)
    assert found is not None, text
    return float(int(found[1]) * SECONDS[found[2]])


@dataclass
class Unit:
    """The properties of a service."""

    root: Path
    properties: Mapping[str, list[str]]

    @classmethod
    def of(cls, root: Path, lines: Iterable[str]) -> Unit:
        """The unit of *lines* such as ``Restart=on-failure``."""
        found: dict[str, list[str]] = defaultdict(list)
        for line in lines:
            name, equals, value = line.partition("=")
            if equals and not line.startswith(("#", ";", "[")):
                found[name.strip()].append(below(root, value.strip()))
        return cls(root, found)

    def one(self, name: str, default: str = "") -> str:
        """The last value of a property."""
        return self.properties.get(name, [default])[-1]

    @property
    def user(self) -> int | None:
        """The user of the program, None for our own."""
        dynamic = self.one("DynamicUser") == "yes"
        return SOMEBODY if dynamic and os.geteuid() == 0 and interpreter() else None

    def environment(self) -> dict[str, str]:
        """The environment of the program: nothing of ours but what a test has put in ``BOT_``."""
        found = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        found |= dict(one.split("=", 1) for one in self.properties.get("Environment", ()))
        for file in self.properties.get("EnvironmentFile", ()):
            for line in Path(file).read_text().splitlines():
                name, equals, value = line.partition("=")
                if equals and not line.startswith(("#", ";")):
                    found[name.strip()] = value.strip().strip("\"'")
        return found

    def prepare(self) -> None:
        """Make the folders of the state, for the program's user."""
        for name in self.one("StateDirectory").split():
            folder = self.root / "var/lib" / name.strip('"')
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self.user is not None and folder.stat().st_uid != self.user:
                os.chown(folder, self.user, self.user)

    def popen(self, command: list[str], **how: object) -> subprocess.Popen[bytes]:
        """Start *command* as the service would be."""
        self.prepare()
        ids = (
            {} if self.user is None else {"user": self.user, "group": self.user, "extra_groups": []}
        )
        return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
            command,
            cwd=self.one("WorkingDirectory", "/"),
            env=self.environment(),
            umask=int(self.one("UMask", "0022"), 8),
            **ids,
            **how,
        )


@dataclass
class Supervisor:
    """Runs the service of a unit, and starts it again as its properties say.

    *hurry* divides ``RestartSec``.
    """

    unit: Unit
    log: Path
    hurry: float = 1.0
    statuses: list[int] = field(default_factory=list)
    """With what the program has ended, each time."""
    state: str = "inactive"
    process: subprocess.Popen[bytes] | None = None
    _stopping: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the service."""
        self._stopping.clear()
        self.state = "active"
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop it, as ``systemctl stop`` does."""
        self._stopping.set()
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        if self._thread is not None:
            self._thread.join(seconds(self.unit.one("TimeoutStopSec", "90s")))
            if self._thread.is_alive() and self.process is not None:
                self.process.kill()
                self._thread.join()
        self.state = "inactive"

    def kill(self) -> None:
        """Kill the program, not the service."""
        assert self.process is not None
        self.process.kill()

    def _keep(self) -> None:
        starts: list[float] = []
        window = seconds(self.unit.one("StartLimitIntervalSec", "10s"))
        while not self._stopping.is_set():
            now = time.monotonic()
            starts = [one for one in starts if one > now - window] + [now]
            if window and len(starts) > int(self.unit.one("StartLimitBurst", "5")):
                self.state = "failed"
                return
            with self.log.open("ab") as log:
                command = shlex.split(self.unit.one("ExecStart"))
                self.process = self.unit.popen(command, stdout=log, stderr=log)
            status = self.process.wait()
            self.statuses.append(status)
            if self._stopping.is_set() or not self._is_restarted(status):
                self.state = "failed" if status else "inactive"
                return
            self._stopping.wait(seconds(self.unit.one("RestartSec", "0")) / self.hurry)

    def _is_restarted(self, status: int) -> bool:
        if str(status) in self.unit.one("RestartPreventExitStatus").split():
            return False
        match self.unit.one("Restart", "no"):
            case "always":
                return True
            case "on-failure":
                return status not in (0, -signal.SIGTERM, -signal.SIGINT)
            case _:
                return False


def main(root: str, *arguments: str) -> int:
    """``systemd-run`` with *arguments*, below *root*."""
    lines, rest = [], list(arguments)
    while (first := rest.pop(0)) != "--":
        if first == "-p":
            lines.append(rest.pop(0))
        else:
            assert first in ("--quiet", "--collect", "--pipe", "--wait"), first
    unit = Unit.of(Path(root), lines)
    return unit.popen([below(Path(root), rest[0]), *rest[1:]]).wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
