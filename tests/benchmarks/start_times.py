"""How long commands take beside an empty Python: ``python -m tests.benchmarks.start_times``.

Each line has the CPU milliseconds of a process, the best of ``TIMES``, and how many times those of
``python -c pass`` they are. ``ban`` is given where
there is no database, and to a bot that answers at once.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import StreamRequestHandler, UnixStreamServer

TIMES = 15

MOST = {"--version": 4, "help": 4, "games": 8, "ban discord 1": 4, "ban discord 1, of a bot": 4}
"""How many times an empty Python each may take."""


class _Bot(StreamRequestHandler):
    """Answers as the bot's socket does."""

    def handle(self) -> None:
        while self.rfile.readline().strip():
            pass
        self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: 7\r\nExit-Status: 0\r\n\r\nBanned.")


@contextmanager
def answering(folder: Path) -> Iterator[None]:
    """A bot's socket beside the database in *folder*."""
    with UnixStreamServer(str(folder / "ludoteca.db.sock"), _Bot) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


def cpu(folder: Path, *words: str) -> float:
    """The least CPU milliseconds of Python with these *words*, started in *folder*."""
    found = []
    for _ in range(TIMES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found) * 1000


def main() -> None:
    """Print a line for each command."""
    for name in ("DATABASE_URL", "LUDOTECA_TEXTS"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as made:
        empty, ours = Path(made, "empty"), Path(made, "ours")
        empty.mkdir()
        ours.mkdir()
        alone = cpu(empty, "-c", "pass")
        print(f"{'python -c pass':28}{alone:6.0f} ms")
        with answering(ours):
            for name, most in MOST.items():
                typed, _, asked = name.partition(", ")
                taken = cpu(ours if asked else empty, "-m", "bot", *typed.split())
                print(f"{name:28}{taken:6.0f} ms {taken / alone:5.1f} × (at most {most})")


if __name__ == "__main__":
    main()
