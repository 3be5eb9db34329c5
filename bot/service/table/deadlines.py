"""Deadlines: what happens at a table when its players do nothing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot.service.clock import LATEST_PRESS, Arrivals, Clock, DeadlineAlarm, DeadlineKind
from bot.service.place.outages import Outages
from bot.service.process_cluster import Ownership
from bot.service.table import reminders
from bot.service.table.changes import (
    CLOCK,
    Change,
    Changes,
    Participant,
    RemoteChange,
    SeenBefore,
    Update,
)
from bot.service.table.reminders import Reminders
from bot.service.table.tables import Tables, UnknownTable
from bot.service.tournament.progress import TournamentProgress
from bot.session import flag_fall, play
from bot.session.game_clock import LASTING, at_instant, instant
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, BrokenTable, Table
from bot.session.unit_of_work import UnitOfWork
from games.core import Seat
from storage import inbox
from storage.errors import StorageError
from storage.records import MILLISECOND, DeadlineRow
from storage.store import Store, Transaction, low_priority
from storage.table import deadlines

log = logging.getLogger(__name__)

INVITATION = timedelta(hours=1)
CHALLENGE = timedelta(hours=24)
STAND_IN = timedelta(seconds=20)
"""After how long computers sit down at a table that somebody opened to play at once."""

SET_UP = timedelta(hours=24)
"""How long a set-up may take before the rules arrange the rest (G14), where no clock says so."""

RETRY_SECONDS = 15.0
"""After how many seconds deadlines that could not be met are tried again."""

LOOK = timedelta(minutes=1)
"""How often a flag that waits for an unreachable player is looked at."""

SOON = timedelta(seconds=1)
"""The shortest time between two looks at the same flag."""

PAUSE, BREATH = 0.02, 0.25
"""For how many seconds, at least and at most, each further deadline waits for boards of others."""

SHARED = 5.0
"""Every how many seconds deadlines of other processes are looked for, at least."""

TOGETHER = 200
"""How many deadlines are read at a time."""


async def _set_up_set(
    tx: Transaction, before: Table | None, table: Table, now: datetime
) -> datetime | None:
    """Note when a set-up that begins *now* is over, if one does."""
    known = None if before is None else (before.status, before.actors())
    # Hidden set-ups always end, by the clock open ones too.
    timed = len(table.actors()) > 1 or table.clock is not None
    until = None
    if known != (table.status, table.actors()) and timed and _sets_up(table):
        clock = table.clock
        until = now + (SET_UP if clock is None else clock.control.set_up * MILLISECOND)
        await deadlines.set_deadline(tx, table.code, DeadlineKind.SET_UP, table.version, until)
    return until


async def _flag_set(tx: Transaction, before: Table | None, table: Table) -> datetime | None:
    flag = flag_of(table)
    if flag is not None:
        person = reminders.timed_person(table)
        await deadlines.set_deadline(tx, table.code, DeadlineKind.FLAG, table.version, flag, person)
    elif before is not None and flag_of(before) is not None:
        await deadlines.clear_deadline(tx, table.code, DeadlineKind.FLAG)
    return flag


def flag_of(table: Table) -> datetime | None:
    """When to look for a fallen flag: a little late, since a timely press may still arrive."""
    found = table.running_out()
    return None if found is None else _looked_at(table, *found)


def _looked_at(table: Table, seat: Seat, end: int) -> datetime:
    late = timedelta() if flag_fall.waits_for_claim(table, seat) else LATEST_PRESS
    return at_instant(end) + MILLISECOND + late


def _sets_up(table: Table) -> bool:
    """Whether the rules can arrange what *table* waits for."""
    return any(map(table.present.overdue, table.actors()))


def _deadline_update(code: str, kind: str, version: int) -> Update:
    """The update of a deadline of the table *code* that was set at *version*."""
    return Update(CLOCK, f"{code}:{kind}:{version}")


@dataclass(frozen=True)
class Deadlines(Participant):
    """Notes with each change when its table must be looked at again."""

    prepares = (OPEN, PLAYING, ENDED, CLOSED)

    store: Store
    clock: Clock
    alarm: DeadlineAlarm
    outages: Outages

    async def prepare(self, update: Update, work: UnitOfWork) -> Update | None:
        """Tell *work* when *update* arrived; a flag that was due before falls."""
        if work.table.clock is None:
            return None
        await self._time(work, update)
        late = flag_fall.fallen(work)
        if late is None or update.platform == CLOCK:
            return None
        work.waited = 0
        flag_fall.fall(work, late)
        return _deadline_update(work.table.code, DeadlineKind.FLAG, work.before.version)

    async def _time(self, work: UnitOfWork, update: Update) -> None:
        """Tell *work* when *update* arrived, and what of turns is not charged."""
        arrived, table = update.arrived, work.table
        if arrived is not None:
            # An update in the inbox arrived when it was written there, a restart ago.
            received = await self.store.read(inbox.received_at, update.platform, update.update)
            first = arrived if received is None else min(arrived, received)
            work.waited = max(0, work.arrived - instant(first))
        for seat in sorted(table.timed()):
            player, turn = table.players[seat], table.clock and table.clock.turns[seat]
            if turn and player.person is not None:
                down = await self.outages.spans(table.code, player.person, turn.began)
                work.away = {seat: (*player.away, *down)}

    async def store_change(self, tx: Transaction, change: Change) -> None:
        """Set the deadlines of the table, where the change may have moved them."""
        before, table = change.before, change.table
        status = None if before is None else before.status
        now, kind = self.clock.steady(), DeadlineKind.INVITATION
        if table.status == OPEN:
            challenged = any(player.invited for player in table.players)
            change.due = now + (CHALLENGE if challenged else INVITATION)
            await deadlines.set_deadline(tx, table.code, kind, table.version, change.due)
            await reminders.set_reminder(tx, before, table, now)
            asked = reminders.following_question(table, now)
            change.due = change.due if asked is None else min(asked, change.due)
            if before is None and table.stand_in:
                change.due = now + STAND_IN
                kind = DeadlineKind.STAND_IN
                await deadlines.set_deadline(tx, table.code, kind, table.version, change.due)
            return
        if table.status == status and table.clock is None:
            return
        if table.status != PLAYING:
            await deadlines.clear_deadline(tx, table.code, *DeadlineKind)
            return
        if table.status != status:
            await deadlines.clear_deadline(tx, table.code, kind, DeadlineKind.STAND_IN)
        due = (await _set_up_set(tx, before, table, now), await _flag_set(tx, before, table))
        await reminders.set_reminder(tx, before, table, now)
        change.due = min((one for one in due if one is not None), default=None)

    def after_commit(self, change: Change | RemoteChange) -> None:
        """Wake the keeper in time for the new deadline, also for one of another process."""
        if change.due is not None:
            self.alarm.look(change.due)

    hear = after_commit


@dataclass(kw_only=True)
class DeadlineKeeper:
    """Looks at the tables whose time is over, and waits for the next."""

    store: Store
    clock: Clock
    alarm: DeadlineAlarm
    tables: Tables
    changes: Changes
    arrivals: Arrivals
    outages: Outages
    ownership: Ownership
    reminders: Reminders
    showing: Callable[[], frozenset[asyncio.Task[Any]]]
    """The boards on their way: deadlines wait for them."""
    tournaments: TournamentProgress
    _unmet: bool = False

    async def keep(self) -> None:
        """Meet every deadline at its time, for ever."""
        while True:
            self.alarm.clear()
            wait: float | None = RETRY_SECONDS
            try:
                with low_priority():
                    full = await self.expire()
                    await self.tournaments.expire()
                now = self.clock.steady()
                following = await self.store.read(deadlines.next_deadline, now)
                both = (following, await self.tournaments.next_due())
                self.alarm.following = min((at for at in both if at is not None), default=None)
                wait = (
                    RETRY_SECONDS if self._unmet else None if self.store.cluster.alone else SHARED
                )
                if full:
                    wait = 0.0
                elif self.alarm.following is not None:
                    wait = min((self.alarm.following - now).total_seconds(), wait or math.inf)
            except StorageError as wrong:
                log.error("%s", wrong)
            except Exception:
                log.exception("deadlines could not be met; they are tried again")
            await self.alarm.wait(wait)

    async def expire(self) -> bool:
        """Do what is due; whether more may be due. Raises ``StorageError``."""
        if self.alarm.freed:
            freed, now = frozenset(self.alarm.freed), self.clock.steady()
            await self.store.write(
                deadlines.hasten_deadlines_of_kind, DeadlineKind.FLAG, freed, now
            )
            self.alarm.freed -= freed
        rows = await self.store.read(deadlines.due_deadlines, self.clock.steady(), TOGETHER)
        if rows:
            # Presses that have arrived come first.
            await self.arrivals.settle()
        if any(row.kind == DeadlineKind.FLAG for row in rows):
            await self.outages.look(self.ownership.connected())
        met: list[bool] = []
        for row in rows:
            if met:
                await self._breathe()
            met.append(await self._meet(row))
        self._unmet = not all(met)
        return len(rows) == TOGETHER and any(met)

    async def _breathe(self) -> None:
        """Let presses and boards go first: many deadlines may come at once."""
        await asyncio.sleep(PAUSE)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(BREATH):
                while busy := self.showing():
                    await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)
                await self.arrivals.settle()

    async def _meet(self, row: DeadlineRow) -> bool:
        try:
            await self._expire(row)
        except BrokenTable:
            return False
        except UnknownTable:  # a row whose key is damaged
            await self.store.write(deadlines.clear_deadline, row.game, row.kind)
            log.error("a deadline of no table was dropped: %r of %r", row.kind[:20], row.game[:20])
        except StorageError:
            raise
        except Exception:
            log.exception("table %s: its deadline %r could not be met", row.game, row.kind)
            return False
        return True

    async def _expire(self, row: DeadlineRow) -> None:
        if row.kind == DeadlineKind.REMINDER:
            await self.reminders.meet(row, await self.tables.get(row.game))
            return

        seen, again = -1, None

        def decide(work: UnitOfWork) -> None:
            nonlocal seen, again
            table, seen = work.table, work.table.version
            if row.kind == DeadlineKind.INVITATION and table.status == OPEN:
                if table.version == row.version:
                    play.close(work, "expired")
            elif row.kind == DeadlineKind.STAND_IN and table.status == OPEN:
                play.seat_computers(work, table.stand_in)
            elif row.kind == DeadlineKind.SET_UP and table.status == PLAYING and _sets_up(table):
                play.end_set_up(work)
            elif row.kind == DeadlineKind.FLAG and table.status == PLAYING:
                again = flag_fall.run_out(work)

        origin = _deadline_update(row.game, row.kind, row.version)
        with contextlib.suppress(SeenBefore):
            await self.changes.change(origin, row.game, decide)
        table = await self.tables.get(row.game)
        again = again if seen == table.version else None
        await self.store.write(self._settle, row, table, again)

    async def _settle(
        self, tx: Transaction, row: DeadlineRow, table: Table, again: int | None
    ) -> None:
        """Clear the deadline *row*, or set it anew; before *again* a flag cannot fall."""
        if row.kind == DeadlineKind.FLAG:
            found = table.running_out()
            if found is not None:
                seat, end = found
                end = end if again is None else again
                if end >= LASTING:
                    self.alarm.held.add(row.game)
                    flag = self.clock.steady() + LOOK
                else:
                    flag = max(_looked_at(table, seat, end), self.clock.steady() + SOON)
                owner = reminders.timed_person(table)
                await deadlines.set_deadline(tx, row.game, row.kind, table.version, flag, owner)
                return
        elif (row.kind == DeadlineKind.INVITATION and table.status == OPEN) or (
            row.kind == DeadlineKind.SET_UP and _sets_up(table)
        ):
            return
        await deadlines.clear_deadline(tx, row.game, row.kind)
