"""Clocks on an emulated Discord: reminders, quiet hours, claim, grace, flag, holidays."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.drives.bench import Bench, bench
from tests.drives.days import put_forward
from tests.drives.discord_checks import judged

CLAIM = "Claim the game"

CALLED = 8.0
"""Within how many seconds after a start whoever is to be called has been."""


@dataclass
class Days:
    """Two people, and the days that pass while the process is stopped."""

    at: Bench

    async def days(self, **gap: float) -> None:
        """Let time pass."""
        await self.at.bot.stop()
        put_forward(self.at.folder, **gap)
        await self.at.bot.start()
        await self.at.ready()

    def said(self, words: str) -> list[str]:
        """The messages that say *words*."""
        return [m.text for m in self.at.fake.messages.values() if words in m.text]

    def claimable(self) -> list[Any]:
        """The boards on which a game may be claimed."""
        messages = self.at.fake.messages.values()
        return [m for m in messages if any(b["label"] == CLAIM for b in m.buttons)]

    async def game(self, clock: str) -> Any:
        """A game of Niya with *clock*; the message that shows it."""
        at, fake = self.at, self.at.fake
        wish = {"game": "niya", "opponent": fake.B, "clock": clock}
        message = await at.kept(await fake.slash(fake.A, "play", wish)).reply()
        await at.until(lambda: message.buttons, "the invitation")
        await at.click(fake.B, message, label="Accept")
        await at.until(lambda: at.moves(message), "the first board")
        return message

    async def late(self) -> None:
        """From the first reminder to the claim, with a day of grace between."""
        at = self.at
        board = await self.game("1d")
        other = at.other(board, (at.fake.A, at.fake.B))
        for gap, words in (
            ({"hours": 12, "minutes": 5}, "half your time"),
            ({"hours": 9, "minutes": 40}, "time is running out"),
            ({"hours": 3}, "has run out"),
        ):
            await self.days(**gap)
            await at.until(lambda words=words: self.said(words), words)
        await at.until(self.claimable, "a game to be claimed")
        await at.click(other, self.claimable()[-1], label="Give one more day")
        await at.until(lambda: not self.claimable(), "a day of grace")
        await self.days(hours=25)
        await at.until(self.claimable, "the end of grace")
        claimed = self.claimable()[-1]
        await at.click(other, claimed, label=CLAIM)
        await at.until(lambda: at.over(claimed), "the claimed game's end")

    async def away(self) -> int:
        """Holidays that stop a clock, and the way back by the settings; calls made meanwhile."""
        at = self.at
        board = await self.game("1d")
        resting = at.mover(board)
        away = at.kept(await at.fake.slash(resting, "holidays", {"days": "3"}))
        assert "3 days" in (await away.reply()).text
        assert away.visible_to_user_only
        await at.until(lambda: "is on holiday until" in board.text, "the board to say so")
        calls = len(at.fake.messages)
        await self.days(days=2, hours=23)
        assert "on holiday" in board.text
        calls = len(at.fake.messages) - calls
        sheet = await at.kept(await at.fake.slash(resting, "settings", {})).reply()
        await at.click(resting, sheet, label="My holidays »")
        await at.until(lambda: "on holiday" in sheet.text, "the holidays among the settings")
        await at.click(resting, sheet, label="I am back")
        await at.until(lambda: "on holiday" not in board.text, "the board without holidays")
        return calls

    async def hushed(self) -> int:
        """Quiet hours, in which half of the time passes; how many reminders there were of that."""
        at = self.at
        board = await self.game("3d")
        mover, half = at.mover(board), "half your time"
        with closing(sqlite3.connect(at.folder / "games.db")) as connection, connection:
            hour = datetime.now(UTC).hour
            kept = json.dumps({"quiet": [hour, (hour + 2) % 24], "zone": "UTC"})
            row = (kept, mover["global_name"])
            connection.execute("UPDATE person SET settings = ? WHERE name = ?", row)
        told = len(self.said(half))
        await self.days(hours=36, minutes=5)
        await asyncio.sleep(CALLED)
        hushed = len(self.said(half)) - told
        with closing(sqlite3.connect(at.folder / "games.db")) as connection, connection:
            connection.execute("UPDATE person SET settings = '{}'")
        await self.days(hours=2)
        await at.until(lambda: len(self.said(half)) > told, "the reminder after the quiet hours")
        await self.days(minutes=20)
        await asyncio.sleep(CALLED)
        return hushed + len(self.said(half)) - told - 1


async def clocks(folder: Path, full: bool) -> tuple[bool, str]:
    """Days of a game by the clock: reminders, claim, grace, flag, holidays."""
    del full
    async with bench(folder) as at:
        drive = Days(at)
        await drive.late()
        quick = await drive.game("8s")
        await at.until(lambda: at.over(quick), "a flag that falls by itself", 40.0)
        calls, hushed = await drive.away(), await drive.hushed()
        said = "late, graced, claimed, flagged, rested, hushed; "
        said += f"{calls} calls in holidays, {hushed} too many in quiet hours and after them"
        return judged(at, said, good=not calls and not hushed)


DRIVES = {"clocks": clocks}
