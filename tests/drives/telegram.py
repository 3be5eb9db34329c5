"""The real process in an emulated Telegram: ``python -m tests.drives.telegram [--share 1]``.

Plays whole games by buttons, typed and against the computer, and floods a group; what breaks is
driven by ``tests.drives.faults``. *share* is the part of the full numbers: a twentieth by default,
which takes about three minutes. Needs ``../shared/emulators``.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.drives import telegram_games as games
from tests.drives import telegram_pace as pace
from tests.drives import telegram_shelf as others
from tests.drives.stage import EMULATORS, emulators

Scene = Callable[[Path, float], Awaitable[str]]

SCENES: dict[str, Scene] = {
    "a game by buttons": games.by_buttons,
    "a game typed": games.typed,
    "a game in private": games.in_private,
    "invitations": games.invitations,
    "three lively tables": pace.lively,
    "forty tables": pace.many,
    "refused presses": pace.refused,
    "parchis of four": others.parchis,
    "every other game": others.shelf,
    "whole games": others.whole,
    "a hidden set-up": others.hidden,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drives.telegram", description=__doc__)
    parser.add_argument("--share", type=float, default=0.05, help="of the full numbers")
    parser.add_argument("--only", default="", help="scenes whose name has this in it")
    asked = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    failed = False
    for name, scene in SCENES.items():
        if asked.only not in name:
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                said, mark = asyncio.run(scene(Path(folder), asked.share)), "ok  "
            except (AssertionError, TimeoutError) as wrong:
                failed, mark, said = True, "FAIL", f"{type(wrong).__name__} {wrong}"
                log = Path(folder) / "bot.log"
                print(log.read_text()[-2000:] if log.exists() else "", file=sys.stderr)
        print(f"{mark} {name}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
