"""Calls: short messages that reach people, one a table and person, gone when they are answered.

A call is stored as due in the transaction of the change that gives the reason, so that it is
neither lost nor made twice. It is looked at when the board has been shown, and again at its time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bot.boards.delivery import Delivery
from bot.notify.context import NotificationContext
from bot.notify.due import DueNotifications, dismiss_all
from bot.notify.notifier import AGAIN, Notifier
from bot.port import Where
from bot.service.changes import Change, Participant, RemoteChange
from bot.service.clock import Clock
from bot.service.presence import Presence
from bot.service.schedule import Schedule
from bot.service.tables import Tables, UnknownTable
from bot.session.table import BrokenTable
from storage import notifications as stored
from storage.errors import StorageError
from storage.records import NotificationRow, ViewRow
from storage.store import Store, Transaction
from storage.transaction_queue import low_priority

log = logging.getLogger(__name__)

GRACE = timedelta(seconds=5)
"""How long after a start nobody is called: presses made meanwhile come in first."""

SPREAD = timedelta(seconds=0.25)
"""The time between two tables whose calls have waited for the start."""

FEW = 2
"""At how many tables calls are worked out at once."""


@dataclass(kw_only=True)
class Notifications(Participant):
    """The notifications of all tables: stored with the change that causes them, sent when due."""

    store: Store
    clock: Clock
    background: Callable[[Coroutine[Any, Any, None]], None]
    """Does work beside everything else."""
    tables: Tables
    presence: Presence
    delivery: Delivery
    due: DueNotifications
    notifier: Notifier
    schedule: Schedule
    """The tables to look at."""
    _looked_at: set[str] = field(default_factory=set)
    _again: set[str] = field(default_factory=set)
    _watching: asyncio.Task[None] | None = None
    _few: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(FEW))

    def listen(self) -> None:
        """Hear from now on of boards that are shown, and of other processes' reminders."""
        self.delivery.renderer.when_shown(self.shown)
        self.store.cluster.on(
            "call", lambda code, at: self.schedule.put(code, datetime.fromisoformat(at))
        )

    # ---------------------------------------------------------------- with a change

    async def stored(self, tx: Transaction, change: Change) -> None:
        """Store the calls of *change*."""
        await self.due.noted(tx, change)

    def committed(self, change: Change) -> None:
        """Make the calls that are due, once the board has been shown."""
        code = change.table.code
        for person, where in change.sitting.items():
            self.presence.kept(code, person, where)
        self._taken_up(code, change.calls)

    def heard(self, change: RemoteChange) -> None:
        """Make the calls of a change that another process has stored."""
        if change.person is not None:
            self.presence.saw_elsewhere(change.code, change.person)
        ownership = self.delivery.ownership
        if self._watching is not None and any(map(ownership.keeps, ownership.chats)):
            self.background(self._changed_elsewhere(change.code))

    async def _changed_elsewhere(self, code: str) -> None:
        self._taken_up(code, await self.store.read(stored.notifications_of_game, code))

    def _taken_up(self, code: str, rows: Sequence[NotificationRow]) -> None:
        now = self.clock.steady()
        for row in rows:
            if row.message is not None and (not row.kind or row.due is not None):
                self.background(self.notifier.remove(row))
            if row.due is not None and row.due <= now:
                self.due.waiting.add(code)
            elif row.due is not None:
                self.schedule.put(code, row.due)

    # ---------------------------------------------------------------- the queue

    async def start(self) -> None:
        """Make the calls due since before the start, spread out, and remove the answered ones."""
        now, fleet = self.clock.steady(), self.store.cluster
        async with self.store.transaction() as tx:
            codes = await stored.resume_notifications(tx, now if fleet.alone else None)
            answered = await stored.answered_notifications(tx)
        for number, code in enumerate(codes):
            self.schedule.put(code, now + GRACE + number * SPREAD)
        for row in answered:
            self.background(self.notifier.remove(row))
        if self._watching is None:
            self._watching = asyncio.create_task(self._keep_looking())

    async def close(self) -> None:
        """Stop: calls on their way are noted, the others stay due."""
        watching, self._watching = self._watching, None
        if watching is not None:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        await self.notifier.close()

    def shown(self, code: str) -> None:
        """A board of the table *code* has been shown."""
        if code in self.due.waiting:
            self.due.waiting.discard(code)
            self._look(code)

    def look_now(self) -> None:
        """Look at every table that is due."""
        for code in self.schedule.due(self.clock.steady()):
            self._look(code)

    async def _keep_looking(self) -> None:
        while True:
            self.look_now()
            await self.schedule.wait(self.clock.steady())

    def _look(self, code: str) -> None:
        if code in self._looked_at:
            self._again.add(code)
            return
        self._looked_at.add(code)
        self.background(self._looked(code))

    async def _looked(self, code: str) -> None:
        try:
            # Many may be due at once, and presses must not wait behind them all.
            with low_priority():
                await self._called(code)
        except (UnknownTable, BrokenTable):
            return
        except StorageError as wrong:
            log.error("table %s: its calls wait: %s", code, wrong)
            self.schedule.put(code, self.clock.steady() + AGAIN)
        finally:
            self._looked_at.discard(code)
            if code in self._again:
                self._again.discard(code)
                self._look(code)

    # ---------------------------------------------------------------- calling

    async def _called(self, code: str) -> None:
        """Make every call to the table *code* that is due."""
        async with self._few:
            table = await self.tables.get(code)
            context = await NotificationContext.read(self.store, code, self.clock.steady())
        if context.following is not None:
            self.schedule.put(code, context.following)
        together: dict[tuple[Where, str], list[NotificationRow]] = {}
        boards: dict[Where, ViewRow | None] = {}
        for row in context.rows:
            place = context.place(row.person)
            if place is None or not await self.delivery.ownership.keeps_at(place[0]):
                continue
            where, view = place
            if not await self.due.is_time(row, table, where):
                continue
            if view is not None and (view.message is None or view.shown < view.owed):
                self.due.waiting.add(code)
                continue
            boards[where] = view
            together.setdefault((where, row.kind), []).append(row)
        for (where, _), rows in together.items():
            view = boards[where]
            notification = context.notification(table, view, rows, where.platform, self.due.key)
            if notification is None:
                await dismiss_all(self.store, rows)
            elif view is not None and await self.due.is_buried(view):
                self.due.waiting.add(code)
                await self.delivery.renew(view)
            elif not await self.notifier.call(where, view, notification):
                self._again.add(code)
