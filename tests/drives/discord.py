"""Discord, driven from outside: ``python -m tests.drives.discord [--full] [NAME …]``.

Every drive starts the real process on an emulated Discord, plays, and prints one line with its
figures. What breaks is driven by ``tests.drives.faults``.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.drives import discord_clocks, discord_connection, discord_games
from tests.drives.bench import EMULATORS, available

Drive = Callable[[Path, bool], Awaitable[tuple[bool, str]]]

DRIVES: dict[str, Drive] = {
    **discord_games.DRIVES,
    **discord_connection.DRIVES,
    **discord_clocks.DRIVES,
}


async def driven(name: str, folder: Path, full: bool) -> bool:
    began = time.monotonic()
    shutil.rmtree(folder / name, ignore_errors=True)
    try:
        good, said = await DRIVES[name](folder / name, full)
    except Exception as wrong:  # the report of one drive does not end the others
        good, said = False, f"{type(wrong).__name__}: {wrong}\n{traceback.format_exc(limit=-4)}"
    mark = "ok  " if good else "FAIL"
    print(f"{mark} {name}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    return good


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drives.discord", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(DRIVES))
    parser.add_argument("--full", action="store_true", help="at the full numbers")
    parser.add_argument("--keep", type=Path, help="a folder for pictures, logs and requests")
    asked = parser.parse_args()
    if not available():
        print(f"The emulators are not at {EMULATORS}: nothing was driven.")
        return
    with tempfile.TemporaryDirectory() as fleeting:
        folder = asked.keep or Path(fleeting)
        names = asked.names or list(DRIVES)
        done = [asyncio.run(driven(name, folder, asked.full)) for name in names]
    sys.exit(not all(done))


if __name__ == "__main__":
    main()
