"""The scenes of a drive on the emulators: each in a folder of its own, told in a line."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any, Protocol

from tests.drives.stage import EMULATORS, emulators

SHOWN = 3000
"""How many characters of a bot's log are shown where its scene fails."""


class Scene(Protocol):
    """Plays in a folder, at a share of the full numbers, and says what it saw."""

    def __call__(self, folder: Path, share: float, /) -> Coroutine[Any, Any, str]: ...


def run_scenes(name: str, about: str | None, scenes: Mapping[str, Scene]) -> None:
    """Run the *scenes* that the command line asks for; ends with 1 where one has failed."""
    parser = argparse.ArgumentParser(prog=f"python -m tests.drives.{name}", description=about)
    parser.add_argument("--share", type=float, default=0.05, help="of the full numbers")
    parser.add_argument("--only", default="", help="scenes whose name has this in it")
    asked, failed = parser.parse_args(), False
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    for title, scene in scenes.items():
        if asked.only not in title:
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                said, mark = asyncio.run(scene(Path(folder), asked.share)), "ok  "
            except (AssertionError, TimeoutError) as wrong:
                failed, mark, said = True, "FAIL", f"{type(wrong).__name__} {wrong}"
                log = Path(folder) / "bot.log"
                print(log.read_text()[-SHOWN:] if log.exists() else "", file=sys.stderr)
        print(f"{mark} {title}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(failed)
