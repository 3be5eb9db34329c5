"""Writes ``requirements.lock``: what the bot needs at run time, PostgreSQL included, by hash.

``python -m tests.requirements_lock`` writes the file, with ``--check`` it only compares. The
versions are those of ``constraints.txt``; pip finds the wheels, wherever it is told to look, and
its installation report says their hashes. The file names no place they come from. It covers Linux
(glibc 2.28 or newer) on x86-64 and ARM64 with the Pythons below. What is published without wheels
is locked by its source:

    pip install --require-hashes -r requirements.lock && pip install --no-deps .
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"
CONSTRAINTS = ROOT / "constraints.txt"

PYTHONS = ("3.11", "3.12", "3.13")
MACHINES = ("x86_64", "aarch64")
SOURCES = ("http-ece",)
"""Pure Python that is published without wheels."""

ONLY_ON = {"py4swiss": "x86_64"}
"""What is published for one kind of processor alone; the bot does without it on others."""

HEAD = """\
# What the bot needs at run time, by version and hash. Made by: python -m tests.requirements_lock
# pip install --require-hashes -r requirements.lock && pip install --no-deps .
"""


@dataclass(frozen=True)
class Found:
    """A distribution that pip would install."""

    name: str
    version: str
    sha256: str
    extras: tuple[str, ...]
    needs: tuple[str, ...]


def found(*arguments: str) -> list[Found]:
    """What ``pip install`` with *arguments* would install, ourselves left out."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run"]
    command += ["--ignore-installed", "--report", "-", "-c", str(CONSTRAINTS), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return [
        Found(
            name=canonicalize_name(item["metadata"]["name"]),
            version=item["metadata"]["version"],
            sha256=item["download_info"]["archive_info"]["hashes"]["sha256"],
            extras=tuple(item.get("requested_extras", ())),
            needs=tuple(item["metadata"].get("requires_dist", ())),
        )
        for item in json.loads(done.stdout)["install"]
        if "archive_info" in item["download_info"]
    ]


def needed(known: Iterable[Found], python: str) -> set[str]:
    """The names of what *known* needs on *python*; pip reads markers for its own Python only."""
    marks = {"python_version": python, "python_full_version": f"{python}.0"}
    return {
        canonicalize_name(need.name)
        for one in known
        for need in map(Requirement, one.needs)
        if need.marker is None
        or any(need.marker.evaluate({"extra": extra, **marks}) for extra in ("", *one.extras))
    }


def wheels(python: str, machine: str, names: Iterable[str]) -> list[Found]:
    """The wheels of *names* for one Python and one kind of processor."""
    with tempfile.TemporaryDirectory() as folder:
        return found(
            *("--no-deps", "--only-binary=:all:", f"--no-binary={','.join(SOURCES)}"),
            *("--target", folder, "--python-version", python),
            "--ignore-requires-python",  # pip would compare it with its own Python.
            *(f"--platform=manylinux{tag}_{machine}" for tag in ("_2_28", "_2_17", "2014")),
            *names,
        )


def locked() -> str:
    """The text of the lock file."""
    base = found(".[postgresql]")
    markers = {one.name: "" for one in base}
    markers |= {one: f' ; platform_machine == "{machine}"' for one, machine in ONLY_ON.items()}
    versions: dict[str, str] = {}
    hashes: dict[str, set[str]] = {}
    for python in PYTHONS:
        for name in sorted(needed(base, python) - set(markers)):
            markers[name] = f' ; python_version >= "{python}"'
        for machine in MACHINES:
            there = [one for one in markers if ONLY_ON.get(one, machine) == machine]
            for one in wheels(python, machine, there):
                versions[one.name] = one.version
                hashes.setdefault(one.name, set()).add(one.sha256)
    lines = [HEAD]
    for name in sorted(markers):
        marked = "".join(f" \\\n    --hash=sha256:{sha256}" for sha256 in sorted(hashes[name]))
        lines.append(f"{name}=={versions[name]}{markers[name]}{marked}\n")
    return "".join(lines)


def main() -> None:
    """Write the lock file, or say whether it is what would be written."""
    text = locked()
    if "--check" not in sys.argv[1:]:
        LOCK.write_text(text, encoding="utf-8")
        return
    if not LOCK.exists() or LOCK.read_text(encoding="utf-8") != text:
        sys.exit(f"{LOCK.name} is not what python -m tests.requirements_lock writes")


if __name__ == "__main__":
    main()
