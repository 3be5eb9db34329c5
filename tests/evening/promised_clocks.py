"""What must hold of clocks: a flag falls when time is over, not before, and not for a late wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.service.table.changes import Change
from bot.session.events import Flagged
from bot.session.table import PLAYING, Table

if TYPE_CHECKING:
    from tests.evening.model import Pressed
    from tests.evening.promises import Promises

SLACK = 0.3
"""Seconds that nobody argues about."""

UNDER_WAY = 2.9
"""Seconds that a press may be under way, where its platform tells when it was made."""

FALLS = 60.0
"""Seconds after which a flag has fallen whose time is over."""

QUICK = 3600.0
"""A time for a move, in seconds, that is not claimed by the other player."""


class Clocks:
    """Looks at clocks with each change, and at the end."""

    def __init__(self, promises: Promises) -> None:
        self.promises, self.holds, self.model = promises, promises.holds, promises.model
        self.model.before_change.append(self._fallen)

    def _spent(self, table: Table, seat: int, until: float) -> float:
        """The seconds of the present turn of *seat*, without those in which the clock stood."""
        came = self.model.came.get((table.code, seat), until)
        return until - came - self.model.stood(table.code, came, until)

    def _fallen(self, change: Change) -> None:
        for written in change.work.written:
            if not isinstance(written.event, Flagged) or change.before is None:
                continue
            table, seat, now = change.before, written.event.seat, self.promises.world.loop.now
            allowed = 0 if table.clock is None else table.clock.control.move / 1000
            came = self.model.came.get((table.code, seat), now)
            # A house that was killed as it stored a change told nobody of it.
            untold = self.model.tables[table.code].version < table.version
            if not 0 < allowed < QUICK or untold or self.model.was_away(came, now):
                continue
            spent = self._spent(table, seat, now)
            why = f"{table.code}: {spent:.3f} s of {allowed:.0f} s"
            self.holds("a flag falls when time is over", spent >= allowed - SLACK, why)
            timely = [one.key for one in self._under_way(table, seat)
                      if self._spent(table, seat, one.at) <= allowed - SLACK]  # fmt: skip
            self.holds("a move in time counts", not timely, f"{why}, {timely}")

    def _under_way(self, table: Table, seat: int) -> Iterator[Pressed]:
        """The presses of *seat* that are under way, where we are told when they were made."""
        now, person = self.promises.world.loop.now, table.players[seat].person
        for one in list(self.promises.presses.values())[-60:]:
            by = self.model.persons.get((one.place, str(one.person.number)))
            told = one.place == "port" and self.promises.net.port.knows_nonces
            ours = told and by == person and one.code.startswith(f"m.{table.code}.")
            if ours and one.answered is None and now - one.at <= UNDER_WAY:
                yield one

    def quiet(self) -> None:
        """Whoever has forgotten a game by the clock has lost it."""
        plan, acts = self.promises.plan, self.promises.story.script.acts
        away = plan.spells or plan.around.outages or plan.houses > 1
        if away or any(act.verb in ("leave", "block") for act in acts):
            return  # time is given back to whoever could not be reached
        for table in self.model.tables.values():
            clock = table.clock if table.status == PLAYING else None
            for seat in table.actors() if clock is not None and not clock.paused else ():
                person, allowed = table.players[seat].person, clock.control.move / 1000
                if person is None or not 0 < allowed < QUICK or len(table.actors()) > 1:
                    continue
                spent = self._spent(table, seat, self.promises.world.loop.now)
                fallen = spent < allowed + FALLS + 30.0 * len(plan.deaths)
                self.holds("a flag falls in time", fallen, f"{table.code}: {spent:.0f} s")
