"""F1, F2 and F4 on Telegram: the process kills itself at a point of a press or of a command."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.drives.findings import Dose, Findings
from tests.drives.kill_points import AFTER_COMMIT, AFTER_SENDING, Point
from tests.drives.stage import Stage, staged
from tests.drives.telegram_checks import concluded

LOOKED = 15.0
"""Seconds in which a board that stands twice is to be found, message by message."""

BETWEEN: dict[str, tuple[Point, ...]] = {
    "F1": AFTER_COMMIT,
    "F2": (
        ("asked", 0.0),
        ("before change", 0.0),
        ("before receipt", 0.0),
        ("after receipt", 0.0),
    ),
    "F4": AFTER_SENDING,
}
"""The points of each fault."""


@dataclass
class Killing:
    """One table after another in one group, and a process that dies of every press."""

    stage: Stage
    row: str
    found: Findings
    rng: random.Random
    code: str = ""
    doomed: list[Any] = field(default_factory=list)

    async def once(self, number: int) -> None:
        """Kill number *number*, at a press or at the opening of a table."""
        points = BETWEEN[self.row]
        point = points[number // 2 % len(points)]
        over = not self.code or await self.stage.over(self.code)
        if over or (self.row == "F4" and number % 2):
            await self._at_an_opening(point, keep=over)
        else:
            await self._at_a_press(point)

    async def _at_a_press(self, point: Point) -> None:
        stage, found = self.stage, self.found
        before, message = await stage.table(self.code), await stage.message(self.code)
        who, button = await stage.mover(self.code), self.rng.choice(await stage.codes(self.code))
        stage.switches.die_at(*point)
        handle = await stage.press(who, message, code=button)
        await self._succeeded()
        after = await stage.table(self.code)
        found.lost += len(after.log) <= len(before.log)
        found.doubled += len(after.log) > len(before.log) + 1
        await self._heard(handle)
        shown = await stage.message(self.code)
        found.duplicates += await self._left(self._orphans(self.code, shown))

    async def _heard(self, handle: Any) -> None:
        """Whether the press was answered, by the process that died or by its successor."""
        try:
            await handle.answered(1.0)
        except TimeoutError:
            self.doomed.append(handle)

    async def _at_an_opening(self, point: Point, *, keep: bool) -> None:
        stage, found, fake = self.stage, self.found, self.stage.fake
        known = await self._tables()
        stage.switches.die_at(*point)
        await fake.say(fake.A, "/play niya", fake.group)
        await self._succeeded()
        new = await self._tables() - known
        found.lost += not new
        found.doubled += len(new) > 1
        if not new:
            return
        (code,) = new
        shown = await self._shown(code)
        if shown is None:
            found.stale += 1
            return
        found.duplicates += await self._left(self._orphans(code, shown))
        if keep:
            self.code = code
            stage.known.add(code)
            await stage.pressed(fake.B, shown, label="Sit down")
        else:
            await stage.pressed(fake.A, shown, label="Cancel")
        await stage.current(30.0)

    async def _shown(self, code: str) -> Any:
        """The board of a table that waits for somebody, once it stands there; None if late."""

        async def board() -> Any:
            shown = await self.stage.message(code)
            return shown if shown in self._boards(code) else None

        try:
            return await self.stage.until(board, 5.0)
        except TimeoutError:
            return None

    def _orphans(self, code: str, shown: Any) -> list[Any]:
        """The boards of a table besides the one that is *shown*.

        Telegram knows no nonce: a board posted, or brought down by a call, and not noted stands
        there until the next process has looked for it.
        """
        orphans = [board for board in self._boards(code) if board is not shown]
        self.found.also["boards posted twice, found and removed"] += len(orphans)
        return orphans

    async def _left(self, orphans: list[Any]) -> int:
        """How many of *orphans* are still there in a while."""
        until = time.monotonic() + LOOKED
        while (left := sum(not one.deleted for one in orphans)) and time.monotonic() < until:
            await asyncio.sleep(0.02)
        return left

    async def _succeeded(self) -> None:
        """The process is dead and another one there: every board must be the newest soon."""
        found = self.found
        found.took("start", await self.stage.succeeded())
        try:
            found.took("boards newest after it", await self.stage.current(5.0))
        except TimeoutError:
            found.stale += 1
            await self.stage.current(60.0)

    async def _tables(self) -> set[str]:
        async with self.stage.store.reading() as tx:
            return set((await tx.exec_driver_sql("select code from game")).scalars())

    def _boards(self, code: str) -> list[Any]:
        """The messages whose buttons belong to a table."""
        messages = self.stage.fake.messages.values()
        return [
            m for m in messages if any(f".{code}." in b.get("callback_data", "") for b in m.buttons)
        ]


async def _killed(row: str, folder: Path, dose: Dose) -> Findings:
    kills = dose.of(200, 2 * len(BETWEEN[row]))
    async with staged(folder) as stage:
        found = Findings(kills, "kills", latencies=stage.latencies)
        killing = Killing(stage, row, found, dose.rng(5))
        for number in range(kills):
            await killing.once(number)
        await concluded(stage, found, but=killing.doomed)
        if row == "F1":
            found.also["presses that only the board answered"] += len(killing.doomed)
        else:
            found.unanswered += len(killing.doomed)
        return found


async def after_commit(folder: Path, dose: Dose) -> Findings:
    """F1: killed between the commit and the board; the successor shows it."""
    return await _killed("F1", folder, dose)


async def before_commit(folder: Path, dose: Dose) -> Findings:
    """F2: killed between the receipt and the commit; the successor does it, and answers."""
    return await _killed("F2", folder, dose)


async def after_sending(folder: Path, dose: Dose) -> Findings:
    """F4: killed when the board is sent and not marked; no board is stale, none stays twice."""
    return await _killed("F4", folder, dose)
