"""A fault planted in the product for one process: its source is another one when it is imported.

A file lists faults as tables with an ``id``, the ``file``, the ``old`` text, which occurs there
once, and the ``new`` one. How many of such a list evenings find says what they are worth:
``python -m tests.evening.planted SECONDS [ID ...]`` gives each fault of ``planted.toml`` so long;
with ``--recorded`` in the place of the seconds each is played at the ``seed`` that is noted with it
and must break the promise ``breaks``.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


class _Loader(importlib.machinery.SourceFileLoader):
    old = new = ""

    def get_code(self, fullname: str) -> object:
        """Compile anew what is kept compiled without the fault."""
        source = Path(self.path).read_text(encoding="utf-8")
        if source.count(self.old) != 1:
            raise ValueError(f"{self.path} does not have the old text once")
        return compile(source.replace(self.old, self.new), self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, path: Path, old: str, new: str) -> None:
        self.path, self.old, self.new = path, old, new

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        found = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if found is None or found.origin != str(self.path):
            return None
        loader = _Loader(fullname, found.origin)
        loader.old, loader.new = self.old, self.new
        found.loader = loader
        return found


def plant(listed: str) -> None:
    """Plant the fault that ``FILE:ID`` names; what it changes must not be imported yet."""
    file, _, name = listed.rpartition(":")
    faults = tomllib.loads(Path(file).read_text(encoding="utf-8"))["fault"]
    fault = next(one for one in faults if one["id"] == name)
    print(f"planted {name}: {fault['what']}")
    sys.meta_path.insert(0, _Finder(ROOT / fault["file"], fault["old"], fault["new"]))


LIST = Path(__file__).with_suffix(".toml")


def main() -> None:
    """Plant each fault of the list, or those named, and say in how many presses it was found."""
    seconds, names = sys.argv[1], sys.argv[2:]
    recorded = seconds == "--recorded"
    faults = tomllib.loads(LIST.read_text(encoding="utf-8"))["fault"]
    asked = [one for one in faults if not names or one["id"] in names]
    found = 0
    for fault in asked:
        if recorded and "seed" not in fault:
            print(f"{fault['id']} {fault['room']}: no seed is noted", flush=True)
            continue
        seeds = (str(fault["seed"]),) if recorded else ("1", "--to", "9999", "--seconds", seconds)
        command = (sys.executable, "-m", "tests.evening", *seeds, "--first")
        planted = ("--planted", f"{LIST}:{fault['id']}")
        played = subprocess.run((*command, *planted), cwd=ROOT, capture_output=True, text=True)
        lines = played.stdout.splitlines()
        wanted = f": {fault['breaks']}: " if recorded else ""
        told = (line for line in lines if line.startswith("BROKEN") and wanted in line)
        broken = next(told, "not found")
        size = next((line for line in lines if " presses, " in line), played.stderr[-200:])
        found += broken != "not found"
        print(f"{fault['id']} {fault['room']}: {broken[:120]} ({size})", flush=True)
    print(f"{found} of {len(asked)} found")
    sys.exit(recorded and found < sum("seed" in one for one in asked))


if __name__ == "__main__":
    main()
