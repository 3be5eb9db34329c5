"""F1, F2 and F4 on Discord: the process kills itself at a point of a press or of a command."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.drives.bench import Bench, bench
from tests.drives.discord_checks import concluded
from tests.drives.findings import Dose, Findings
from tests.drives.kill_points import AFTER_COMMIT, AFTER_SENDING, Point

BETWEEN: dict[str, tuple[Point, ...]] = {
    "F1": AFTER_COMMIT,
    "F2": (("asked", 0.0), ("before change", 0.0)),
    "F4": AFTER_SENDING,
}
"""The points of each fault."""

OPENINGS = ("command", "challenge", "computer")
"""How a table is opened: its board answers a command, or is posted, for people or at once."""


@dataclass
class Killing:
    """One table after another in one channel, and a process that dies of every press."""

    at: Bench
    row: str
    found: Findings
    message: Any = None
    openings: int = 0

    async def once(self, number: int) -> None:
        """Kill number *number*, at a press or at the opening of a table."""
        points = BETWEEN[self.row]
        point = points[number // 2 % len(points)]
        over = self.message is None or self.at.over(self.message)
        if over or (self.row == "F4" and number % 2):
            # A game against the computer is not played on: it would think in between.
            how = OPENINGS[self.openings % (2 if over else len(OPENINGS))]
            self.openings += 1
            await self._at_an_opening(point, how, keep=over)
        else:
            await self._at_a_press(point)

    async def _at_a_press(self, point: Point) -> None:
        at, found, message = self.at, self.found, self.message
        before, who = at.log_length(message), at.mover(message)
        code = at.rng.choice(at.moves(message))["custom_id"]
        at.switches.die_at(*point)
        handle = await at.fake.click(who, message, custom_id=code)
        await self._succeeded()
        done = at.log_length(message) - before
        if self._never_came(handle, done):
            found.lost += self._silently(handle)
            found.wrong += ["half a move"] * done
            await at.click(who, message, custom_id=code)
            await at.until(lambda: at.log_length(message) > before, "the second press")
            await self._newest()
            done = at.log_length(message) - before
        else:
            self._noted(handle)
        found.lost += done < 1
        found.doubled += done > 1
        found.stale += not at.current(message, at.table(at.code(message)).turns)

    async def _at_an_opening(self, point: Point, how: str, *, keep: bool) -> None:
        at, found = self.at, self.found
        known = self._tables()
        act = await self._opening(how)
        at.switches.die_at(*point)
        handle = await act()
        await self._succeeded()
        new = self._tables() - known
        if self._never_came(handle, len(new)):
            found.lost += self._silently(handle)
            found.wrong += ["half a table"] * len(new)
            at.kept(await (await self._opening(how))())
            await at.until(lambda: self._tables() - known, "the second opening")
            await self._newest()
        else:
            self._noted(handle)
        new = self._tables() - known
        found.lost += not new
        found.doubled += len(new) > 1
        boards = [m for code in new for m in self._boards(code)]
        found.stale += not boards
        found.duplicates += max(0, len(boards) - len(new))
        if boards:
            await self._go_on(boards[-1], how, keep=keep)

    async def _opening(self, how: str) -> Any:
        """What opens a table at last, after all that comes before it."""
        fake = self.at.fake
        if how == "command":
            wish = {"game": "niya", "opponent": fake.B}
            return lambda: fake.slash(fake.A, "play", {**wish, "rated": "no"})
        person = fake.bot if how == "computer" else fake.B
        menu = self.at.kept(await fake.context_menu(fake.A, "Challenge", person))
        sheet = await menu.reply()
        await self.at.click(fake.A, sheet, label=re.compile("^Niya"))
        start = re.compile("^(Start|Challenge)")
        await self.at.until(lambda: any(start.match(b["label"]) for b in sheet.buttons), "a sheet")
        return lambda: fake.click(fake.A, sheet, label=start)

    async def _go_on(self, board: Any, how: str, *, keep: bool) -> None:
        """Play at the new table, or end it."""
        at, fake = self.at, self.at.fake
        if how == "computer":
            code = at.code(board)
            await at.kept(await fake.slash(fake.A, "resign", {"table": code})).reply()
        elif keep:
            self.message = board
            await at.click(fake.B, board, label="Accept")
            await at.until(lambda: at.moves(board), "the first board")
        else:
            await at.click(fake.B, board, label="No, thanks")
        await at.nothing_owed(20.0)

    def _never_came(self, handle: Any, done: int) -> bool:
        """Whether the process died before the press, which has to be repeated.

        So it is meant in F2. In the others a board of before may kill it, brought down by a call
        at that instant: nothing is done then, and nobody was told that anything was.
        """
        return self.row == "F2" or (done == 0 and handle.latency is None)

    def _silently(self, handle: Any) -> bool:
        """Whether a press was answered by a process that did not do it."""
        self.found.also["failed visibly, done when repeated"] += handle.latency is None
        return handle.latency is not None

    def _noted(self, handle: Any) -> None:
        """A press of a process that died: the board answers it where nobody else does."""
        if handle.latency is None:
            self.found.also["presses that only the board answered"] += 1
        else:
            self.at.kept(handle)

    async def _succeeded(self) -> None:
        """The process is dead and another one there: every board must be the newest soon."""
        self.found.took("start", await self.at.succeeded())
        await self._newest()

    async def _newest(self) -> None:
        at, began = self.at, time.monotonic()
        if not await at.nothing_owed(5.0):
            self.found.stale += 1
            assert await at.nothing_owed(60.0), "boards are not shown at all"
        self.found.took("boards newest after it", time.monotonic() - began)

    def _tables(self) -> set[str]:
        return {code for (code,) in self.at.rows("select code from game")}

    def _boards(self, code: str) -> list[Any]:
        """The messages that all see whose buttons belong to a table."""
        return [
            m
            for m in self.at.fake.messages.values()
            if not m.ephemeral and any(f".{code}." in b.get("custom_id", "") for b in m.buttons)
        ]


async def _killed(row: str, folder: Path, dose: Dose) -> Findings:
    kills = dose.of(200, 8)
    async with bench(folder, dose.rng(5)) as at:
        pushes = len(at.fake.command_pushes)
        found = Findings(kills, "kills")
        killing = Killing(at, row, found)
        for number in range(kills):
            await killing.once(number)
        again = len(at.fake.command_pushes) - pushes
        if again:
            found.wrong.append(f"the commands were sent again {again} times")
        return await concluded(at, found)


async def after_commit(folder: Path, dose: Dose) -> Findings:
    """F1: killed between the commit and the board; the successor shows it."""
    return await _killed("F1", folder, dose)


async def before_commit(folder: Path, dose: Dose) -> Findings:
    """F2: killed before the commit; the press fails visibly, and works when repeated."""
    return await _killed("F2", folder, dose)


async def after_sending(folder: Path, dose: Dose) -> Findings:
    """F4: killed when the board is sent and not marked; it is not posted a second time."""
    return await _killed("F4", folder, dose)
