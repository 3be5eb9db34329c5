"""What the libraries cannot parse: ``python -m tests.drives.poisoned [--share 1]``.

A hundred events of every kind that discord.py parses, and of every kind of update of the Bot API,
none of which is what it should be; after each kind a player presses. On Discord the two events that
begin a session are poisoned too, which tears the connection down. Told is the longest time from
the last poison to the answer to a press, which must be below ten seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from discord.state import ConnectionState
from telegram import Update

from tests.drives.bench import Bench, bench
from tests.drives.findings import Dose, Findings
from tests.drives.stage import EMULATORS, emulators, staged
from tests.drives.telegram_checks import groups

LONGEST = 10.0
"""Seconds within which a press must be answered again."""

POISON: tuple[Any, ...] = (
    {},
    [],
    None,
    "x",
    7,
    {"id": None, "guild_id": "no number"},
    {"id": [], "message_id": "x", "chat": {}, "from": 5, "date": "never", "members": 3},
    {"bogus": {"bogus": [None] * 50}},
)
"""What no event is."""

FATAL = ("READY", "RESUMED")
"""Without what these say nothing else can be read: the connection is made anew."""


async def discord(folder: Path, share: float) -> Findings:
    async with bench(folder, human_delay=0.0) as at:
        many, message = Dose(share).of(100, 8), await at.open()
        parsed = {name[6:].upper() for name in dir(ConnectionState) if name.startswith("parse_")}
        found = Findings(0, f"events, {many} of each of {len(parsed) - len(FATAL)} kinds")
        for kind in sorted(parsed - set(FATAL)):
            for number in range(many):
                await at.fake.emit(kind, _poison(kind, number))
            found.count += many
            message = await _played(at, message, found, "answered after poison")
        for number, kind in enumerate(FATAL * Dose(share).of(4, 1)):
            await at.fake.emit(kind, _poison(kind, number))
            message = await _played(at, message, found, "connected again and answered")
            found.also["events that tear the connection down"] += 1
        found.also["events left out"] = at.bot.output.count("is left out")
        found.violations = len(at.fake.violations)
        return found


def _poison(kind: str, number: int) -> Any:
    """Poison of *kind*; of interactions the emulator itself reads the token."""
    poison = POISON[number % len(POISON)]
    if kind != "INTERACTION_CREATE":
        return poison
    return {"token": "x", **(poison if isinstance(poison, dict) else {"type": poison})}


async def _played(at: Bench, message: Any, found: Findings, what: str) -> Any:
    """One more move, however often it must be pressed; the message of the game that goes on."""
    began = time.monotonic()
    before = at.log_length(message)
    while at.log_length(message) == before and time.monotonic() < began + 60:
        with suppress(TimeoutError, AssertionError, LookupError):
            code = at.rng.choice(at.moves(message))["custom_id"]
            handle = await at.fake.click(at.mover(message), message, custom_id=code)
            await handle.acked(2.0)
            await at.until(lambda: at.log_length(message) > before, "the move", 2.0)
    found.lost += at.log_length(message) == before
    found.took(what, time.monotonic() - began)
    # Else the next press would be of a turn that is past, or meet a game that has ended.
    found.stale += not await at.nothing_owed(20.0)
    # Opened before the next poison, since a command is given only once.
    return message if not at.over(message) else await at.open()


async def telegram(folder: Path, share: float) -> Findings:
    async with staged(folder) as stage:
        many, rng = Dose(share).of(100, 8), random.Random(15)
        kinds = [str(kind) for kind in Update.ALL_TYPES]
        found = Findings(0, f"updates, {many} of each of {len(kinds)} kinds")
        code = ""
        for kind in kinds:
            if not code or await stage.over(code):
                (place,) = groups(stage, 1)
                code = await stage.opened(place, first=stage.fake.A, second=stage.fake.B)
            for number in range(many):
                stage.fake._push(kind, POISON[number % len(POISON)])
            found.count += many
            before, began = len((await stage.table(code)).log), time.monotonic()
            who, message = await stage.mover(code), await stage.shown(code)
            button = rng.choice(await stage.codes(code))
            handle = await stage.press(who, message, code=button)
            await handle.answered(60.0)
            found.took("answered after poison", time.monotonic() - began)
            found.lost += len((await stage.table(code)).log) <= before
        found.violations = len(stage.fake.violations)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drives.poisoned", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the full numbers")
    parser.add_argument("--only", choices=("discord", "telegram"))
    asked = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    failed = False
    for drive in (discord, telegram):
        if asked.only not in (None, drive.__name__):
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(drive(Path(folder), asked.share))
        good = found.good and max(found.longest.values()) < LONGEST
        failed |= not good
        seconds = time.monotonic() - began
        print(f"{'ok  ' if good else 'FAIL'} {drive.__name__:8} {found.line()} ({seconds:.0f} s)")
    sys.exit(failed)


if __name__ == "__main__":
    main()
