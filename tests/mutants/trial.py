"""A copy of this checkout in which one mutant after the other is put to the tests of its game."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.order import ORDER
from tests.mutants.sample import ROOT, Mutant

COPIED = ("bot", "docs", "games", "render", "storage", "tests", "pyproject.toml")

LEAST = 60
"""Seconds of processor time that the tests of a mutant have at least; else four times the usual."""

ALWAYS = {"core": ("tests/games/core", "tests/bot/test_honest_records.py")}


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: killed by the test *by*, out of time, or alive."""

    said: str
    by: str = ""
    seconds: float = 0.0


@dataclass
class Trial:
    """A copy in *folder*, in which each mutant has a process of its own."""

    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        tables = ROOT.parent / "shared"
        if tables.is_dir():
            (self.folder.parent / "shared").symlink_to(tables.resolve())
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                left_out = shutil.ignore_patterns("__pycache__")
                shutil.copytree(source, self.folder / name, ignore=left_out)
            else:
                shutil.copy(source, self.folder / name)

    def verdict(self, mutant: Mutant, order: list[str], usual: float) -> Verdict:
        """Whether the fast tests of its game notice *mutant*, run in this *order*.

        They take *usual* seconds of processor time without it, and pass.
        """
        with self._with(mutant):
            return self._tested(fast_tests(mutant.game), order, int(max(LEAST, 4 * usual)))

    @contextmanager
    def _with(self, mutant: Mutant) -> Iterator[None]:
        file = self.folder / mutant.file
        real = file.read_text()
        self._write(file, mutant.text)
        try:
            yield
        finally:
            self._write(file, real)

    @staticmethod
    def _write(file: Path, text: str) -> None:
        file.write_text(text)
        # Compiled code is told apart by seconds and size: that of a mutant may look like ours.
        for compiled in file.parent.glob(f"__pycache__/{file.stem}.*"):
            compiled.unlink()

    def _tested(self, arguments: list[str], order: list[str], limit: int) -> Verdict:
        command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "-m", "not slow"]
        command += ["-p", "tests.mutants.order"]
        ordered = self.folder.parent / "order"
        ordered.write_text(json.dumps(order))
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder),
            ORDER: str(ordered),
            "LUDOTECA_HYPOTHESIS": "quick",
        }
        began = time.monotonic()
        done = subprocess.run(
            [*command, *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5)),
        )
        seconds = round(time.monotonic() - began, 1)
        if done.returncode == 0:
            return Verdict("survived", "", seconds)
        if done.returncode < 0:
            return Verdict("out of time", "", seconds)
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        return Verdict("killed", failed[1] if failed else "", seconds)


def fast_tests(game: str) -> list[str]:
    """The fast tests of *game* for pytest; the laws are those of this game alone."""
    own = sorted(ROOT.glob(f"tests/games/test_{game}*.py"))
    files = [str(file.relative_to(ROOT)) for file in own if not file.stem.endswith("_reference")]
    laws = ["tests/games/test_laws.py", "-k", f"not test_laws or {game}"]
    if game in ALWAYS:
        laws = ["tests/games/test_laws.py"]
    return [*ALWAYS.get(game, ()), *files, *laws]
