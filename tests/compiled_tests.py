"""The tests of the computers on the faster build: ``python -m tests.compiled_tests``.

Builds the wheel with ``LUDOTECA_FAST=1`` in a folder of its own, unpacks it there beside the tests,
has both builds choose in 200 positions, and runs the tests of the games there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BESIDE = ("tests", "docs", "README.md", "pyproject.toml")
"""What the tests need besides the wheel."""


def built(folder: Path) -> Path:
    """The faster build, unpacked in *folder* with the tests beside it."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder), "."]
    environment = {**os.environ, "LUDOTECA_FAST": "1"}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    zipfile.ZipFile(wheel).extractall(site)
    for name in BESIDE:
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, site / name)
    return site


def chosen(folder: Path, count: int) -> tuple[str, str]:
    """What the build in *folder* chooses, and what it says of itself."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.games.computer_choices", str(count)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout, done.stderr


def main() -> int:
    """Whether both builds choose the same and the tests pass on the faster one."""
    with tempfile.TemporaryDirectory() as folder:
        site = built(Path(folder))
        plain, fast = chosen(ROOT, 200), chosen(site, 200)
        print(f"{plain[1]}{fast[1]}200 choices are {'' if plain[0] == fast[0] else 'not '}the same")
        command = [sys.executable, "-m", "pytest", "-q", "-m", "not slow", "tests/games"]
        environment = {**os.environ, "PYTHONPATH": str(site)}
        tests = subprocess.run([*command, *sys.argv[1:]], cwd=site, env=environment)
    return 1 if plain[0] != fast[0] or "compiled" not in fast[1] else tests.returncode


if __name__ == "__main__":
    sys.exit(main())
