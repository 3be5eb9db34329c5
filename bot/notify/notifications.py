"""Calls: short messages that reach people, one a table and person, gone when they are answered.

A call is stored as due in the transaction of the change that gives the reason, so that it is
neither lost nor made twice. It is looked at when the board has been shown, and again at its time.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from cachetools import LRUCache

from bot.boards.closed_places import ClosedPlaces
from bot.boards.delivery import Delivery
from bot.boards.pacing import Pacing
from bot.boards.renderer import Notification, Renderer
from bot.notify.due_notifications import DueNotifications, dismiss_all
from bot.notify.recipients import FOR_ANYBODY, TO_ACT, Reason
from bot.port import BoardGone, ChatError, Later, PlaceShut, ThreadShut, Uncalled, Where
from bot.service.clock import Arrivals, Clock, Schedule
from bot.service.person.people import LOOKING, Presence
from bot.service.person.unreachable_people import UnreachablePeople
from bot.service.place.places import Places
from bot.service.process_cluster import Ownership
from bot.service.table.changes import Change, Participant, RemoteChange
from bot.service.table.reminders import has_waited_long
from bot.service.table.tables import Tables, UnknownTable
from bot.session.table import CLOSED, ENDED, BrokenTable, Table
from storage.errors import StorageError
from storage.records import NotificationRow, ViewRow
from storage.store import Store, low_priority
from storage.table import notifications as stored
from storage.table import views

log = logging.getLogger(__name__)

START_GRACE = timedelta(seconds=5)
"""How long after a start nobody is called: presses made meanwhile come in first."""

SPREAD = timedelta(seconds=0.25)
"""The time between two tables whose calls have waited for the start."""

RETRY_SECONDS = 30.0
"""After how many seconds a call is tried again that could not be made."""

CALL_TRIES = 3
"""How often that is tried."""

CLOSING = 3.0
"""For how many seconds the end waits for calls that are on their way."""

LOWERED = 1024
"""How many views are remembered that come down for a call."""

TABLES_AT_ONCE = 2
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
    renderer: Renderer
    pacing: Pacing
    closed_places: ClosedPlaces
    ownership: Ownership
    places: Places
    unreachable_people: UnreachablePeople
    due: DueNotifications
    schedule: Schedule
    """The tables to look at."""
    arrivals: Arrivals
    _looked_at: set[str] = field(default_factory=set)
    _again: set[str] = field(default_factory=set)
    _failed: dict[str, int] = field(default_factory=dict)
    _lowered: LRUCache[int, str | None] = field(default_factory=lambda: LRUCache(LOWERED))
    """The views that are posted anew for a call, with the messages that they had."""
    _posting: set[asyncio.Future[None]] = field(default_factory=set)
    """The calls on their way: none may be sent twice."""
    _watching: asyncio.Task[None] | None = None
    _few: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(TABLES_AT_ONCE))

    def listen(self) -> None:
        """Hear from now on of boards that are shown, and of other processes' reminders."""
        self.renderer.when_shown(self.after_show)
        self.closed_places.when_opened(self._look_again)
        self.presence.when_seen(self._saw)
        self.store.cluster.on(
            "call", lambda code, at: self.schedule.put(code, datetime.fromisoformat(at))
        )

    # ---------------------------------------------------------------- with a change

    def after_commit(self, change: Change) -> None:
        """Make the calls that are due, once the board has been shown."""
        code = change.table.code
        for person, where in change.sitting.items():
            self.presence.note(code, person, where)
        self._taken_up(code, change.calls)

    def hear(self, change: RemoteChange) -> None:
        """Make the calls of a change that another process has stored."""
        if change.person is not None:
            self.presence.saw_elsewhere(change.code, change.person)
        ownership = self.delivery.ownership
        if self._watching is not None and any(map(ownership.keeps, ownership.chats)):
            self.background(self._changed_elsewhere(change.code))

    async def _changed_elsewhere(self, code: str) -> None:
        self._taken_up(code, await self.store.read(stored.notifications_of_game, code))
        if code in self.due.waiting:  # its board may have been shown while they were read
            self._look(code)

    def _taken_up(self, code: str, rows: Sequence[NotificationRow]) -> None:
        now = self.clock.steady()
        for row in rows:
            if row.message is not None and (not row.kind or row.due is not None):
                self._start_removing(row)
            if row.due is not None and row.due <= now:
                self.due.waiting.add(code)
            elif row.due is not None:
                self.schedule.put(code, row.due)

    # ---------------------------------------------------------------- the queue

    async def start(self) -> None:
        """Make the calls that have waited, spread out, and remove the answered ones.

        Who looked before the start has as long for their turn as without it.
        """
        now, fleet = self.clock.steady(), self.store.cluster
        latest = now + timedelta(seconds=LOOKING) if fleet.alone else None
        async with self.store.transaction() as tx:
            codes = await stored.resume_notifications(tx, latest)
            answered = await stored.answered_notifications(tx)
        for number, code in enumerate(codes):
            self.schedule.put(code, now + START_GRACE + number * SPREAD)
        for row in answered:
            self._start_removing(row)
        if self._watching is None:
            self._watching = asyncio.create_task(self._keep_looking())

    async def close(self) -> None:
        """Stop: calls on their way are noted, the others stay due."""
        watching, self._watching = self._watching, None
        if watching is not None:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        if self._posting:
            await asyncio.wait(self._posting, timeout=CLOSING)

    def after_show(self, code: str) -> None:
        """A board of the table *code* has been shown."""
        # A look under way may have read that this board is owed, and let its call wait for it.
        if code in self.due.waiting or code in self._looked_at:
            self.due.waiting.discard(code)
            self._look(code)

    def _look_again(self) -> None:
        """Look at the calls that have waited: some place or thread is open again."""
        for code in self.due.waiting | self._looked_at:
            self.after_show(code)

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
        self.background(self._look_for_calls(code))

    async def _look_for_calls(self, code: str) -> None:
        try:
            # Many may be due at once, and presses must not wait behind them all.
            with low_priority():
                await self._call(code)
        except (UnknownTable, BrokenTable):
            return
        except StorageError as wrong:
            log.error("table %s: its calls wait: %s", code, wrong)
            self._look_in(code, RETRY_SECONDS)
        finally:
            self._looked_at.discard(code)
            if code in self._again:
                self._again.discard(code)
                self._look(code)

    # ---------------------------------------------------------------- calling

    async def _call(self, code: str) -> None:
        """Make every call to the table *code* that is due."""
        async with self._few:
            table = await self.tables.get(code)
            now = self.clock.steady()
            context = await self.due.read_context(code, now)
        if context.following is not None:
            self.schedule.put(code, context.following)
        if has_waited_long(table, now) and not context.rows:
            await self.unreachable_people.ask_after_invited(table)
        together: dict[tuple[Where, str], list[NotificationRow]] = {}
        boards: dict[Where, ViewRow | None] = {}
        for row in context.rows:
            place = context.place(row.person)
            if place is None or not await self.ownership.keeps_at(place[0]):
                continue
            where, view = place
            if not await self.due.is_due(row, table, where, context):
                continue
            behind = view is not None and (view.message is None or view.shown < view.owed)
            if behind or await self.closed_places.is_shut(where):
                self.due.waiting.add(code)
                continue
            boards[where] = view
            together.setdefault((where, row.kind), []).append(row)
        for (where, _), rows in together.items():
            view = boards[where]
            notification = context.notification(table, view, rows, where.platform, self.due.key)
            if notification is None:
                await dismiss_all(self.store, rows)
            elif not await self._make(where, view, table, notification):
                self._again.add(code)

    async def _make(
        self, where: Where, view: ViewRow | None, table: Table, notification: Notification
    ) -> bool:
        """Call in *where* by a message, or by the board of *view*; false where it is void."""
        rows, call = notification.rows, notification.call
        channel = await self.places.within(where) if rows[0].kind in FOR_ANYBODY else ""
        if channel:
            where, view = Where(where.platform, channel), None
            call = replace(call, text=f"{call.text} · {rows[0].game}")
        if rows[0].kind == Reason.SEEKING:
            role = (await self.places.rules(where)).seeking
            if not role:
                await dismiss_all(self.store, rows)
                return True
            call = replace(call, people=(), roles=(role,))
        elif view is not None and await self._comes_down(view, table):
            self._lowered[view.id] = view.message
            self.due.waiting.add(rows[0].game)
            await self.delivery.renew(view)
            return True
        async with self.pacing.limiter(where).calling():
            return await self._send(where, view, replace(notification, call=call))

    async def _comes_down(self, view: ViewRow, table: Table) -> bool:
        if self._lowered.pop(view.id, None) is not None:
            return False  # it has just come, or cannot come, and the call follows it
        return await self.due.comes_down(view, table)

    async def _send(self, where: Where, view: ViewRow | None, notification: Notification) -> bool:
        """Send a call that answers the board of *view*; false where it no longer holds."""
        first = notification.rows[0]
        # While it waited for its turn it may have been answered, or given way to another one, or
        # its person may have looked at the table.
        await self.arrivals.settle()
        table = await self.tables.get(first.game)
        rows = await self.store.read(stored.notifications_of_game, first.game)
        for row in notification.rows:
            if row not in rows or not await self.due.is_time(row, table, where):
                return False
        # A reminder of the same turn is another call; the same one after a kill is not.
        about = f"{first.game} {first.person} {first.turn} {first.kind}"
        nonce = hashlib.blake2s(about.encode(), digest_size=10).hexdigest()
        board = view.message if view is not None else None
        ping = replace(notification.call, board=board, nonce=nonce)
        noted = asyncio.get_running_loop().create_future()
        self._posting.add(noted)
        try:
            message = await self.ownership.chats[where.platform].ping(where, ping)
            await self._note(where, notification, message)
        except Later as later:
            self.pacing.limiter(where).pause(later.seconds)
            self._look_in(first.game, later.seconds)
        except BoardGone as gone:
            await self._note(where, notification, gone.call)
            if view is not None:  # its message is gone: it is posted anew, below the call
                await self.store.write_beside(views.miss_message, view.id, view.message)
                self.delivery.wake_here(view.subject)
        except (PlaceShut, ThreadShut) as shut:
            # It is looked at again when something is open again, or a board of its game shown.
            self.due.waiting.add(first.game)
            if where.private or isinstance(shut, ThreadShut):
                await self.closed_places.refuse(where, shut)
        except Uncalled as uncalled:
            self._look_in(first.game, uncalled.seconds)
        except ChatError as wrong:
            await self._note_miss(notification, wrong)
        finally:
            self._posting.discard(noted)
            noted.set_result(None)
        return True

    def _look_in(self, code: str, seconds: float) -> None:
        self.schedule.put(code, self.clock.steady() + timedelta(seconds=seconds))

    async def _note(self, where: Where, notification: Notification, message: str | None) -> None:
        self._failed.pop(notification.rows[0].game, None)
        for row in notification.rows:
            if row.message is not None:
                self._start_removing(row)
            posted = (*where.key, where.thread, message)
            new = NotificationRow(row.game, row.person, row.kind, row.turn, None, *posted)
            made = await self.store.write_beside(stored.mark_notified, row, new)
            if not made and message is not None:
                # Answered while it was on its way.
                self._start_removing(new)

    async def _note_miss(self, notification: Notification, wrong: ChatError) -> None:
        code = notification.rows[0].game
        log.info("nobody could be called to table %s: %s", code, wrong)
        tries = self._failed[code] = self._failed.get(code, 0) + 1
        if tries >= CALL_TRIES:
            del self._failed[code]
            await dismiss_all(self.store, notification.rows)
        else:
            self._look_in(code, RETRY_SECONDS)

    def _saw(self, table: Table, person: int) -> None:
        """*person* looks at a *table*: news of its end that they were called for is no news."""
        if table.status in (CLOSED, ENDED):
            self.background(self._remove_seen(table.code, person))

    async def _remove_seen(self, code: str, person: int) -> None:
        for row in await self.store.read(stored.notifications_of_game, code):
            if row.person == person and row.kind and row.kind not in TO_ACT:
                await dismiss_all(self.store, [row])
                await self._remove(row)

    def _start_removing(self, row: NotificationRow) -> None:
        with low_priority():
            self.background(self._remove(row))

    async def _remove(self, row: NotificationRow) -> None:
        """Take a call away that was answered, or that another one is to replace."""
        where = Where(row.platform or "", row.place or "", row.thread)
        if row.message is None or not await self.ownership.keeps_at(where):
            return
        shared = any(
            (one.place, one.message) == (row.place, row.message)
            and one.person != row.person
            and bool(one.kind)
            and one.due is None
            for one in await self.store.read(stored.notifications_of_game, row.game)
        )
        if not shared:
            await self.delivery.take_away(where, row.message)
        await self.store.write_beside(stored.forget_notification_message, row)
