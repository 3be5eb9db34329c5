"""Reminders: who is told that time runs out, or that others wait for him, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.service.clock import Clock
from bot.service.people import People
from bot.service.schedule import Schedule
from bot.service.tables import Tables
from bot.service.updates import DeadlineKind
from bot.session.game_clock import at_instant
from bot.session.quiet_hours import quiet_for
from bot.session.table import PLAYING, Table
from bot.session.timekeeping import running_out
from bot.tasks import Tasks
from storage import calls, deadlines
from storage.engine import Store, Transaction
from storage.records import CallRow, DeadlineRow

_KIND = DeadlineKind.REMINDER

WAITING = (timedelta(hours=24), timedelta(hours=72))
"""After how long somebody is reminded where there is no clock."""

APART = timedelta(hours=1)
"""Nobody is reminded twice within so long, whatever waits for him."""

RUNNING = ("half", "time")
"""The reasons of the calls at half and at a tenth of somebody's time (``bot.notify.reasons``)."""

WAITED = ("waits", "long")
"""Those after a day and after three, where there is no clock."""


@dataclass(frozen=True)
class Mark:
    """An instant at which somebody is reminded, and the *reason* that the call gives."""

    at: datetime
    reason: str


def reminders(table: Table) -> tuple[Mark, ...]:
    """When whoever is to move at *table* is reminded of his present turn, in order."""
    clock, stirred = table.clock, table.stirred
    if table.status != PLAYING or stirred is None:
        return ()
    if clock is None:
        return tuple(Mark(stirred + wait, why) for wait, why in zip(WAITING, WAITED, strict=True))
    return tuple(
        Mark(at_instant(at), RUNNING[tenth])
        for seat in table.timed()
        for tenth, at in clock.reminders(seat, table.players[seat].away)
    )


def person_of(table: Table) -> int | None:
    """Whose time runs at *table*."""
    found = [table.players[seat].person for seat in table.timed()]
    return found[0] if found else None


async def set_reminder(tx: Transaction, before: Table | None, table: Table, now: datetime) -> None:
    """Note when somebody is to be reminded next, after a change at *table*.

    Without a clock a move costs nothing: it is looked at once a day, whatever is played meanwhile.
    """
    if table.clock is None:
        if table.status == PLAYING:
            if before is None or before.status != PLAYING or _stood(before, now):
                await deadlines.set(tx, table.code, _KIND, table.version, now + WAITING[0])
        elif before is not None:
            await deadlines.clear(tx, table.code, _KIND)
        return
    following = _following(table, now)
    if following is not None:
        person = person_of(table)
        await deadlines.set(tx, table.code, _KIND, table.version, following, person)
    elif before is not None and reminders(before):
        await deadlines.clear(tx, table.code, _KIND)


def _stood(table: Table, now: datetime) -> bool:
    """Whether nothing has happened at *table* for so long that nobody may look at it any more."""
    return table.stirred is None or table.stirred + WAITING[0] <= now


def _following(table: Table, now: datetime) -> datetime | None:
    return next((mark.at for mark in reminders(table) if mark.at > now), None)


@dataclass(kw_only=True)
class Reminders:
    """Stores the notifications that remind people, and puts them on the *schedule*."""

    store: Store
    clock: Clock
    tasks: Tasks
    people: People
    tables: Tables
    schedule: Schedule

    async def met(self, row: DeadlineRow, table: Table) -> None:
        """Do what the deadline *row* at *table* asks for."""
        now = self.clock.steady()
        # A row of another turn, or one that was put off, has told nothing of this one yet.
        fresh = row.version == table.version
        come = [mark for mark in reminders(table) if mark.at <= now]
        due = next((mark for mark in reversed(come) if mark.at >= row.at or not fresh), None)
        if self._over(table, now):
            due = None
        after = _following(table, now)
        if after is None and table.clock is None and table.status == PLAYING:
            after = now + WAITING[0]
        people = [table.players[seat].person for seat in sorted(table.actors())]
        called: list[int] = []
        for person in people:
            if person is None or due is None:
                continue
            wait = await self._wait(person, table)
            if wait:
                later = now + wait
                await self._put_off(row, None if self._over(table, later) else later)
                return
            called.append(person)
        told = [one for person in called for one in await self._together(person, table, now)]
        async with self.store.transaction() as tx:
            for person in called:
                await self._call(tx, table, person, "" if due is None else due.reason)
            for other, following in told:
                if following is None:
                    await deadlines.clear(tx, other.game, _KIND)
                else:
                    row_of = (other.game, _KIND, other.version, following, other.person)
                    await deadlines.set(tx, *row_of)
            if after is None:
                await deadlines.clear(tx, table.code, _KIND)
            else:
                owner = person_of(table)
                await deadlines.set(tx, table.code, _KIND, table.version, after, owner)
        if called:
            self.schedule.put(table.code, now)
            if not self.store.fleet.alone:
                self.tasks.start(self.store.fleet.say("call", table.code, now.isoformat()))

    async def _wait(self, person: int, table: Table) -> timedelta:
        """For how long *person* is left alone: in his quiet hours, and after a reminder."""
        now = self.clock.steady()
        async with self.store.reading() as tx:
            last = await deadlines.reminded(tx, person)
        if last is not None and last + APART > now:
            return last + APART - now
        quiet = timedelta(seconds=quiet_for(await self.people.personal(person), self.clock.now()))
        # Where time would run out in them it is told in them.
        return timedelta() if self._over(table, now + quiet) else quiet

    @staticmethod
    def _over(table: Table, at: datetime) -> bool:
        """Whether the time of whoever is to move is over by *at*."""
        found = running_out(table)
        return found is not None and at_instant(found[1]) <= at

    async def _put_off(self, row: DeadlineRow, until: datetime | None) -> None:
        async with self.store.transaction() as tx:
            if until is None:
                await deadlines.clear(tx, row.game, _KIND)
            else:
                await deadlines.set(tx, row.game, _KIND, 0, until, row.person)

    async def _call(self, tx: Transaction, table: Table, person: int, reason: str) -> None:
        """Store the call, which names all that runs out for *person* by then and soon after."""
        now = self.clock.steady()
        there = {row.person: row for row in await calls.of_game(tx, table.code)}
        old = there.get(person)
        posted = (
            {}
            if old is None
            else {name: getattr(old, name) for name in ("platform", "place", "thread", "message")}
        )
        await calls.put(tx, [CallRow(table.code, person, reason, table.version, now, **posted)])
        await deadlines.remind(tx, person, now)

    async def _together(
        self, person: int, table: Table, now: datetime
    ) -> list[tuple[DeadlineRow, datetime | None]]:
        """What the same message tells *person* within the hour, and when that is due again."""
        found = running_out(table)
        if found is None:
            return []
        until = at_instant(found[1]) + APART
        async with self.store.reading() as tx:
            rows = await deadlines.of_person(tx, person, now + APART)
        told = []
        for row in rows:
            if row.kind == _KIND and row.game != table.code:
                other = await self.tables.get(row.game)
                runs = running_out(other)
                if runs is not None and at_instant(runs[1]) <= until:
                    told.append((row, _following(other, now + APART)))
        return told
