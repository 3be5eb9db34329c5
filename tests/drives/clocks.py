"""Clocks on an emulated Telegram: reminder, claim, grace, flag, holiday, quiet hours.

Run as ``python -m tests.drives.clocks FOLDER``. Days pass while the process is stopped: what it
has noted as its last sign of life is put forward, as if it had run until then.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.session.table import ENDED, PLAYING
from tests.drives.days import put_forward
from tests.drives.stage import Stage, emulators

TOLD = ("half your time", "time is running out", "has run out", "may claim", "has been waiting")


class Drive:
    """One bot, two people in a group, and the days that pass."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.fake = stage, stage.fake
        self.checks: list[str] = []
        self.calls: dict[str, list[str]] = {}

    def check(self, what: str, good: object) -> None:
        self.checks.append(f"{'ok  ' if good else 'FAIL'} {what}")
        print(self.checks[-1], flush=True)

    async def days(self, **gap: float) -> None:
        """Let time pass."""
        await self.stage.bot.stop(timeout=30)
        put_forward(self.stage.folder, **gap)
        await self.stage.begin()

    def heard(self) -> list[str]:
        """What people were told of time, every message once."""
        found = []
        for message in self.fake.messages.values():
            text = message.text or ""
            if any(words in text for words in TOLD):
                found.append(text)
        return found

    async def until(self, what: Any, seconds: float = 25.0) -> bool:
        """Whether *what* comes true in time."""
        end = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < end:
            found = what()
            if asyncio.iscoroutine(found):
                found = await found
            if found:
                return True
            await asyncio.sleep(0.2)
        return False

    async def begun(self, clock: str) -> str:
        """A game of Niya with *clock* between A and B in the group."""
        before = set(await self.stage.playing())
        asked = await self.fake.say(self.fake.A, f"/play niya clock={clock}", self.fake.group)
        board = await asked.reply(predicate=lambda m: "Sit down" in str(m.labels))
        await self.stage.pressed(self.fake.B, board, label="Sit down")
        await self.until(lambda: self._new(before))
        (code,) = set(await self.stage.playing()) - before
        return code

    async def _new(self, before: set[str]) -> bool:
        return bool(set(await self.stage.playing()) - before)

    def count(self, words: str) -> int:
        return sum(words in text for text in self.heard())

    async def _gone(self, code: str) -> bool:
        return not await self.late(code)

    async def _says(self, code: str, words: str) -> bool:
        return words in (await self.stage.message(code)).text

    async def _offers(self, code: str, label: str) -> bool:
        return any(label in one for one in (await self.stage.message(code)).labels)

    async def ended(self, code: str) -> bool:
        return (await self.stage.table(code)).status == ENDED

    async def late(self, code: str) -> bool:
        clock = (await self.stage.table(code)).clock
        return clock is not None and bool(clock.late)

    async def whole(self) -> None:
        """Everything once."""
        fake, stage = self.fake, self.stage
        code = await self.begun("1d")
        mover = await stage.mover(code)
        other = fake.B if mover is fake.A else fake.A
        await self.days(hours=11)
        await asyncio.sleep(7)
        self.check("nobody is reminded before half of the time", not self.heard())
        await self.days(hours=1, minutes=5)
        self.check("a reminder at half", await self.until(lambda: self.count("half your time")))
        reminder = next((text for text in self.heard() if "half" in text), "")
        self.check("it names who is to move", mover["first_name"] in reminder)
        await self.days(minutes=30)
        await asyncio.sleep(7)
        self.check(f"no second one within an hour: {self.heard()}", len(self.heard()) == 1)
        await self.days(hours=9, minutes=10)
        self.check("another one at a tenth", await self.until(lambda: self.count("running out")))
        await self.days(hours=3)
        self.check("time is over, and he is late", await self.until(lambda: self.late(code)))
        self.check(
            "the late player is called, and the other one",
            await self.until(lambda: self.count("has run out") and self.count("claim")),
        )
        self.check("the game goes on", (await stage.table(code)).status == PLAYING)
        board = await stage.message(code)
        await stage.pressed(other, board, label="Give one more day")
        self.check("a day of grace", await self.until(lambda: self._gone(code)))
        await self.days(hours=23)
        await asyncio.sleep(7)
        self.check("it holds for a day", not await self.late(code))
        await self.days(hours=2)
        self.check("then he is late again", await self.until(lambda: self.late(code)))
        board = await stage.message(code)
        await self.until(lambda: self._offers(code, "Claim"))
        await stage.pressed(other, await stage.message(code), label="Claim the game")
        self.check("the game is claimed", await self.until(lambda: self.ended(code)))

        quick = await self.begun("8s")
        self.check("a short flag falls by itself", await self.until(lambda: self.ended(quick), 40))

        third = await self.begun("1d")
        resting = await stage.mover(third)
        asked = await fake.say(resting, "/holidays 3", fake.private(resting))
        shown = await asked.reply(predicate=lambda m: "holiday" in (m.text or ""))
        self.check("on holiday for three days", "3" in shown.text)
        self.check("the board says so", await self.until(lambda: self._says(third, "on holiday")))
        seen = len(self.heard())
        await self.days(days=2, hours=23)
        await asyncio.sleep(7)
        self.check("nobody is late or reminded", not await self.late(third))
        self.check("nor called", len(self.heard()) == seen)
        asked = await fake.say(resting, "/holidays 0", fake.private(resting))
        await asked.reply(predicate=lambda m: "not on holiday" in (m.text or ""))
        await self.days(days=1, hours=1)
        self.check("back, and his time is charged", await self.until(lambda: self.late(third)))

        fourth = await self.begun("1d")
        quiet = await stage.mover(fourth)
        with closing(sqlite3.connect(stage.folder / "games.db")) as connection, connection:
            hour = datetime.now(UTC).hour
            kept = json.dumps({"quiet": [hour, (hour + 2) % 24], "zone": "UTC"})
            connection.execute(
                "UPDATE person SET settings = ? WHERE name = ?", (kept, quiet["first_name"])
            )
        seen = self.count("half your time")
        await self.days(hours=12, minutes=5)
        await asyncio.sleep(8)
        self.check("nobody is reminded in quiet hours", self.count("half your time") == seen)


async def main(folder: Path) -> int:
    """Drive it; how many checks failed."""
    emulators()
    stage = await Stage.open(folder, flood=False)
    drive = Drive(stage)
    try:
        await drive.whole()
    finally:
        status, _ = await stage.close()
        drive.check("the process ends well", status == 0)
        violations = stage.fake.violations
        drive.check(f"no violations of the platform: {violations[:2]}", not violations)
    return sum(line.startswith("FAIL") for line in drive.checks)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(Path(sys.argv[1]))))
