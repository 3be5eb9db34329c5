"""A bot in a process of its own, asked as a supervisor, a balancer and a browser ask it."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests import drawn_sprites

ROOT = Path(__file__).resolve().parents[1]


def free_ports(count: int) -> list[int]:
    """So many ports of loopback that nobody listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def asked(port: int, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, str]:
    """The status and the body of *path*; 0 where nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers=dict(headers or {}))
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")
    except (OSError, http.client.HTTPException):
        return 0, ""
    finally:
        connection.close()


def until(true: Callable[[], object], seconds: float = 60.0, why: str = "") -> float:
    """Wait until *true* answers so; answers the seconds it took."""
    begun = time.monotonic()
    while not true():
        assert time.monotonic() < begun + seconds, why or "waited in vain"
        time.sleep(0.05)
    return time.monotonic() - begun


@dataclass
class LiveBot:
    """A process of the bot, its ports, and the file of what it says."""

    process: subprocess.Popen[bytes]
    log: Path
    web: int
    health: int
    metrics: int

    def said(self, *words: str) -> list[str]:
        """The lines of its log with all these *words*."""
        lines = self.log.read_text(errors="replace").splitlines()
        return [line for line in lines if all(word in line for word in words)]

    def ready(self) -> int:
        """The status of ``/readyz``."""
        return asked(self.metrics, "/readyz")[0]

    def answers(self) -> bool:
        """Whether the page is given to whoever comes, and the bot calls itself ready and well."""
        page, body = asked(self.web, "/")
        return (
            (page in (200, 401) and "Ludoteca" in body)
            and self.ready() == 200
            and asked(self.health, "/healthz")[0] == 200
        )

    def ended(self, seconds: float = 30.0) -> int:
        """Tell it to stop; answers its status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)


def settings_of(web: int, health: int, metrics: int, database: str) -> dict[str, str]:
    """The settings that every live bot has."""
    return {
        "WEB_PORT": str(web),
        "HEALTH_PORT": str(health),
        "METRICS_PORT": str(metrics),
        "DATABASE_URL": database,
        "COMPUTERS": "1",
    }


@contextmanager
def live_bot(folder: Path, database: str, **settings: str) -> Iterator[LiveBot]:
    """A bot that runs in *folder* on *database*."""
    ports = free_ports(3)
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DISCORD", "TELEGRAM", "LUDOTECA"))
    }
    environment |= {"PYTHONPATH": str(ROOT)} | settings_of(*ports, database) | settings
    drawn_sprites.lend(folder)
    with (folder / "log").open("wb") as log:
        command = [sys.executable, "-m", "bot"]
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            yield LiveBot(process, folder / "log", *ports)
        finally:
            process.kill()
            process.wait()


@contextmanager
def running_demo(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A demo in a process of its own, whose every folder is *folder*, and its port."""
    (port,) = free_ports(1)
    folders = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), str(folder))
    told = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "WEB_PORT": str(port)}
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "demo"],
        cwd=folder,
        env={**folders, **told},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        until(lambda: asked(port, "/")[0] == 200)
        yield process, port
    finally:
        process.kill()
        process.communicate()
