"""What must survive, on the real process: ``python -m tests.drives.faults [--share 1]``.

The faults F1 to F10 and F14 at their full numbers, on an emulated Discord and on an emulated
Telegram side by side. Each prints one line with its figures as it finishes; the status is 1 where
one of them is not as it must be. *share* is the part of the full numbers. ``--campaign FILE`` goes
far beyond them, in portions that FILE keeps (``tests.drives.campaign``). Needs
``../shared/emulators``.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType

from tests.drives import discord_faults, discord_kills, telegram_faults, telegram_kills
from tests.drives.campaign import campaign, table
from tests.drives.findings import Dose, Findings
from tests.drives.stage import EMULATORS, ROOT, emulators

Scene = Callable[[Path, Dose], Awaitable[Findings]]


def _rows(kills: ModuleType, faults: ModuleType) -> dict[str, tuple[str, Scene]]:
    return {
        "F1": ("killed after the commit", kills.after_commit),
        "F2": ("killed before the commit", kills.before_commit),
        "F3": ("repeated", faults.repeated),
        "F4": ("killed after sending", kills.after_sending),
        "F5": ("at once", faults.simultaneous),
        "F6": ("stale and forged", faults.stale),
        "F7": ("slow", faults.slow),
        "F8": ("refused", faults.refused),
        "F9": ("gone", faults.gone),
        "F10": ("poison", faults.poison),
        "F14": ("stopped", faults.stopped),
    }


PLATFORMS = {
    "discord": _rows(discord_kills, discord_faults),
    "telegram": _rows(telegram_kills, telegram_faults),
}


LONGEST = 7200.0
"""After how many seconds a drive is thought to hang."""


def driven(platform: str, row: str, dose: Dose) -> Findings:
    """Drive one fault on one platform and print its line."""
    name, scene = PLATFORMS[platform][row]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = asyncio.run(asyncio.wait_for(scene(Path(folder), dose), LONGEST))
        except Exception as wrong:  # the report of one fault does not end the others
            said = f"{type(wrong).__name__}: {wrong}\n{traceback.format_exc(limit=-4)}"
            found = Findings(0, "done", wrong=[said])
        if not found.good:
            log = Path(folder) / "bot.log"
            print(log.read_text()[-3000:] if log.exists() else "", file=sys.stderr)
    mark = "ok  " if found.good else "FAIL"
    seconds = time.monotonic() - began
    print(f"{mark} {row:3} {platform:8} {name}, {found.line()} ({seconds:.0f} s)", flush=True)
    return found


def _side_by_side(arguments: list[str]) -> int:
    """Each platform in a process of its own; 1 where one of them says so."""
    command = [sys.executable, "-m", "tests.drives.faults", *arguments, "--platform"]
    runs = [subprocess.Popen([*command, platform], cwd=ROOT) for platform in PLATFORMS]
    ended = [run.wait() for run in runs]
    return int(any(ended))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drives.faults", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the full numbers")
    parser.add_argument("--platform", choices=PLATFORMS, help="one of them alone")
    parser.add_argument("--only", default="", metavar="F4", help="these rows, parted by commas")
    beyond = "far beyond the numbers, one platform after the other, as far as FILE does not tell it"
    parser.add_argument("--campaign", type=Path, metavar="FILE", help=beyond)
    asked = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    if asked.platform is None and asked.campaign is None:
        sys.exit(_side_by_side(sys.argv[1:]))
    platforms = [asked.platform] if asked.platform else list(PLATFORMS)
    rows = PLATFORMS[platforms[0]]
    wanted = [row.upper() for row in asked.only.split(",")] if asked.only else list(rows)
    unknown = [row for row in wanted if row not in rows]
    if unknown:
        parser.error(f"no fault {', '.join(unknown)}; there are {', '.join(rows)}")
    if asked.campaign is not None:
        good = campaign(asked.campaign, wanted, platforms, driven)
        print(table(asked.campaign, {row: name for row, (name, _) in rows.items()}, len(PLATFORMS)))
        sys.exit(not good)
    done = [driven(platforms[0], row, Dose(asked.share)).good for row in wanted]
    sys.exit(not all(done))


if __name__ == "__main__":
    main()
