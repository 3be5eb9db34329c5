"""Everything that must hold, in one command: ``python -m tests.check`` is what CI runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent

CHECKS = (
    ("format", [sys.executable, "-m", "ruff", "format", "--check", "."]),
    ("lint", [sys.executable, "-m", "ruff", "check", "."]),
    ("types", [sys.executable, "-m", "mypy"]),
    ("arrows", [str(BIN / "lint-imports")]),
    ("tests", [sys.executable, "-m", "pytest", "-n", "2", "-m", "not slow"]),
)


def main() -> None:
    """Run the checks in order; the first that fails ends the run with its status."""
    for name, command in CHECKS:
        print(f"── {name}", flush=True)
        status = subprocess.run(command, cwd=ROOT).returncode
        if status:
            sys.exit(status)


if __name__ == "__main__":
    main()
