"""Reminders: when players are told that time runs out, or that others wait for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.runtime.tasks import Tasks
from bot.service.clock import Clock, DeadlineKind, Schedule
from bot.service.person.people import People
from bot.service.table.tables import Tables
from bot.session.game_clock import at_instant
from bot.session.preferences import quiet_for
from bot.session.table import OPEN, PLAYING, Table
from storage.records import DeadlineRow, NotificationRow
from storage.store import Store, Transaction
from storage.table import deadlines, notifications

_KIND = DeadlineKind.REMINDER

WAITING = (timedelta(hours=24), timedelta(hours=72))
"""After how long a player is reminded where there is no clock."""

APART = timedelta(hours=1)
"""The shortest time between two reminders of one person."""

UNANSWERED = tuple(timedelta(minutes=n) for n in (5, 30, 120, 480))
"""After how long it is asked whether somebody who has not answered a challenge is still there."""

RUNNING = ("half", "time")
"""The reasons of calls at half and at a tenth of a player's time (``bot.notify.recipients``)."""

WAITED = ("waits", "long")
"""Those after a day and after three, where there is no clock."""


def reminders(table: Table) -> tuple[tuple[datetime, str], ...]:
    """When the players to move at *table* are reminded of the present turn, in order, and why."""
    clock, stirred = table.clock, table.stirred
    if table.status != PLAYING or stirred is None:
        return ()
    if clock is None:
        return tuple((stirred + wait, why) for wait, why in zip(WAITING, WAITED, strict=True))
    return tuple(
        (at_instant(at), RUNNING[tenth])
        for seat in table.timed()
        for tenth, at in clock.reminders(seat, table.players[seat].away)
    )


def following_question(table: Table, now: datetime) -> datetime | None:
    """When it is next asked whether those who are challenged at *table* are still there."""
    begun = table.stirred
    if begun is None or table.status != OPEN or not any(one.invited for one in table.players):
        return None
    return next((begun + wait for wait in UNANSWERED if begun + wait > now), None)


def has_waited_long(table: Table, now: datetime) -> bool:
    """Whether it is time to ask whether those who are challenged at *table* are still there."""
    begun = table.stirred
    return begun is not None and table.status == OPEN and begun + UNANSWERED[0] <= now


def timed_person(table: Table) -> int | None:
    """The person whose time runs at *table*."""
    found = [table.players[seat].person for seat in table.timed()]
    return found[0] if found else None


async def set_reminder(tx: Transaction, before: Table | None, table: Table, now: datetime) -> None:
    """Set the next reminder; without a clock, the table is looked at once a day.

    Before the game it is asked now and then whether those who are challenged are still there.
    """
    if (asked := following_question(table, now)) is not None:
        await deadlines.set_deadline(tx, table.code, _KIND, table.version, asked)
        return
    if table.clock is None:
        if table.status == PLAYING:
            stirred = None if before is None else before.stirred
            # Where it has stood for so long, its reminders may have ended.
            stood = stirred is None or stirred + WAITING[0] <= now
            if before is None or before.status != PLAYING or stood:
                await deadlines.set_deadline(tx, table.code, _KIND, table.version, now + WAITING[0])
        elif before is not None:
            await deadlines.clear_deadline(tx, table.code, _KIND)
        return
    following = _following(table, now)
    if following is not None:
        person = timed_person(table)
        await deadlines.set_deadline(tx, table.code, _KIND, table.version, following, person)
    elif before is not None and (before.status == OPEN or reminders(before)):
        await deadlines.clear_deadline(tx, table.code, _KIND)


def _following(table: Table, now: datetime) -> datetime | None:
    return next((at for at, _ in reminders(table) if at > now), None)


async def _set_again(
    tx: Transaction, code: str, version: int, at: datetime | None, person: int | None
) -> None:
    """Look at the table *code* again at the instant *at*, or not any more."""
    if at is None:
        await deadlines.clear_deadline(tx, code, _KIND)
    else:
        await deadlines.set_deadline(tx, code, _KIND, version, at, person)


@dataclass(kw_only=True)
class Reminders:
    """Stores the notifications that remind people, and puts them on the *schedule*."""

    store: Store
    clock: Clock
    tasks: Tasks
    people: People
    tables: Tables
    schedule: Schedule

    async def meet(self, row: DeadlineRow, table: Table) -> None:
        """Do what the deadline *row* at *table* asks for."""
        if table.status == OPEN:
            await self._ask(table)
            return
        now, reason = self.clock.steady(), self._reason(row, table)
        reminded: list[int] = []
        if reason is not None:
            persons = (table.players[seat].person for seat in sorted(table.actors()))
            for person in (one for one in persons if one is not None):
                wait = await self._wait(person, table)
                if wait:
                    later = None if self._over(table, now + wait) else now + wait
                    await self.store.write(_set_again, row.game, 0, later, row.person)
                    return
                reminded.append(person)
        await self._remind(table, reminded, reason or "", now)
        if reminded:
            self._look(table.code, now)

    def _look(self, code: str, now: datetime) -> None:
        """Let whoever calls people look at the table *code* now."""
        self.schedule.put(code, now)
        if not self.store.cluster.alone:
            self.tasks.start(self.store.cluster.say("call", code, now.isoformat()))

    async def _ask(self, table: Table) -> None:
        """Let it be asked whether those who are challenged at *table* are still there."""
        now = self.clock.steady()
        following = following_question(table, now)
        await self.store.write(_set_again, table.code, table.version, following, None)
        self._look(table.code, now)

    def _reason(self, row: DeadlineRow, table: Table) -> str | None:
        """Why the players to move at *table* are reminded now; ``None`` where they are not."""
        now = self.clock.steady()
        if self._over(table, now):
            return None
        # A row of another turn, or one that was put off, has told nothing of this one yet.
        fresh = row.version == table.version
        come = [(at, reason) for at, reason in reminders(table) if at <= now]
        return next((reason for at, reason in reversed(come) if at >= row.at or not fresh), None)

    async def _remind(
        self, table: Table, persons: Sequence[int], reason: str, now: datetime
    ) -> None:
        """Store the calls of *persons* and when all that they tell of is looked at again."""
        told = [one for person in persons for one in await self._together(person, table, now)]
        async with self.store.transaction() as tx:
            for person in persons:
                await self._call(tx, table, person, reason)
            for other, following in told:
                version, owner = other.version, other.person
                await _set_again(tx, other.game, version, following, owner)
            after = _following(table, now)
            if after is None and table.clock is None and table.status == PLAYING:
                after = now + WAITING[0]
            await _set_again(tx, table.code, table.version, after, timed_person(table))

    async def _wait(self, person: int, table: Table) -> timedelta:
        """For how long *person* is left alone: in quiet hours, and after a reminder."""
        now = self.clock.steady()
        last = await self.store.read(deadlines.last_reminder, person)
        if last is not None and last + APART > now:
            return last + APART - now
        quiet = timedelta(seconds=quiet_for(await self.people.personal(person), self.clock.now()))
        # Where time would run out in the quiet hours, the reminder comes in them.
        return timedelta() if self._over(table, now + quiet) else quiet

    @staticmethod
    def _over(table: Table, at: datetime) -> bool:
        found = table.running_out()
        return found is not None and at_instant(found[1]) <= at

    async def _call(self, tx: Transaction, table: Table, person: int, reason: str) -> None:
        now = self.clock.steady()
        rows = await notifications.notifications_of_game(tx, table.code)
        new = NotificationRow(table.code, person, reason, table.version, now)
        row = next((row for row in rows if row.person == person), new)
        row = replace(row, kind=reason, turn=table.version, due=now)
        await notifications.put_notifications(tx, [row])
        await deadlines.note_reminder(tx, person, now)

    async def _together(
        self, person: int, table: Table, now: datetime
    ) -> list[tuple[DeadlineRow, datetime | None]]:
        """The other reminders of the next hour that one message tells, with their next time."""
        found = table.running_out()
        if found is None:
            return []
        until = at_instant(found[1]) + APART
        rows = await self.store.read(deadlines.deadlines_of_person, person, now + APART)
        told = []
        for row in rows:
            if row.kind == _KIND and row.game != table.code:
                other = await self.tables.get(row.game)
                if self._over(other, until):
                    told.append((row, _following(other, now + APART)))
        return told
