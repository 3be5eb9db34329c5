"""An evening with switches: ``python -m tests.drives.evening discord|telegram [--minutes 20]``.

Thirty people at twelve tables of an emulated Discord or Telegram, with its limits, while a state of
``discord_switches`` or ``outside_switches`` comes over a place every half minute, by lot, and goes
again. At the end all is as usual, somebody writes in every place, and every board is looked at:
counts as in the findings' tables. Ends with 1 where a press was not answered, or a board is not
the newest. Needs ``../shared/emulators``.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.drives.evening_discord import discord
from tests.drives.evening_telegram import telegram
from tests.drives.stage import EMULATORS, emulators

PLATFORMS = {"discord": discord, "telegram": telegram}


def main() -> int:
    """Drive what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.drives.evening", description=__doc__)
    parser.add_argument("platform", choices=sorted(PLATFORMS))
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=35)
    asked = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return 0
    print(f"seed {asked.seed}, {asked.minutes:g} minutes", flush=True)
    with tempfile.TemporaryDirectory(prefix="ludoteca-evening-") as folder:
        drive = PLATFORMS[asked.platform](Path(folder), asked.minutes * 60, asked.seed)
        report = asyncio.run(drive)
        print(report.told(), flush=True)
        if report.wrong:
            log = Path(folder) / "bot.log"
            print(log.read_text()[-3000:] if log.exists() else "", file=sys.stderr)
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
