"""Which notifications are due, and which of them a new board may make."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from bot.boards.mentions import Mentions, Notification
from bot.notify.context import NotificationContext
from bot.notify.reasons import OF_TIME, RUNS_OUT, TO_ACT, Reason, still
from bot.notify.store import NotificationStore
from bot.port import ChatError, Where
from bot.service.clock import Clock
from bot.service.ownership import Ownership
from bot.service.people import People
from bot.service.places import Places, view_place
from bot.service.presence import Presence
from bot.service.schedule import Schedule
from bot.session.absences import quiet_for
from bot.session.preferences import NotificationChoice
from bot.session.table import Table
from storage import notifications as stored
from storage.records import NotificationRow, ViewRow
from storage.store import Store, Transaction

log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class DueNotifications(Mentions):
    """Tells which notifications are due; tables to be looked at again go on the *schedule*."""

    store: Store
    clock: Clock
    people: People
    places: Places
    presence: Presence
    ownership: Ownership
    schedule: Schedule
    records: NotificationStore
    key: bytes
    waiting: set[str] = field(default_factory=set)
    """The tables with calls that are due as soon as their board has been shown."""

    # ---------------------------------------------------------------- with a board

    async def carried(self, view: ViewRow, table: Table) -> Notification | None:
        """The notification that a new board of *view* carries, if any."""
        if view.game not in self.waiting or not self.ownership.keeps(view.platform):
            return None
        context = await NotificationContext.read(self.store, view.game, self.clock.steady())
        rows: list[NotificationRow] = []
        for row in context.rows:
            place = context.place(row.person)
            if place is None or place[1] is None or place[1].id != view.id:
                continue
            alike = not rows or row.kind == rows[0].kind
            if alike and await self.is_time(row, table, place[0]):
                rows.append(row)
        return context.notification(table, view, rows, view.platform, self.key) if rows else None

    async def is_buried(self, view: ViewRow) -> bool:
        """Whether the board of *view* lies so far up that the call brings it down."""
        where = view_place(view)
        if where.private or view.message is None:
            return False
        posted = view.posted.timestamp() if view.posted is not None else None
        try:
            return await self.ownership.chats[where.platform].buried(where, view.message, posted)
        except ChatError as wrong:
            log.info("what lies below a board on %s is not known: %s", where.platform, wrong)
            return False

    async def note(self, tx: Transaction, called: Notification) -> None:
        """Note that a new board has called: nothing is removed when that is answered."""
        for row in called.rows:
            await stored.mark_notified(tx, row, None)

    async def moved(self, tx: Transaction, table: Table, where: Where) -> None:
        """Store the calls in *where* of people who played where we are not let in any more."""
        if await self.records.moved(tx, table, where):
            self.waiting.add(table.code)

    # ---------------------------------------------------------------- judging

    async def is_time(self, row: NotificationRow, table: Table, where: Where) -> bool:
        """Whether a call is due now; else it is dropped or put on the schedule."""
        now = self.clock.steady()
        # A call newer than *table* is looked at when its change has come through.
        if row.due is None or row.due > now or row.turn > table.version:
            return False
        wait = await self._wait(row, table, where)
        if wait is None:
            await dismiss_all(self.store, [row])
        elif wait > 0:
            self.schedule.put(row.game, now + timedelta(seconds=wait))
        return wait == 0

    async def _wait(self, row: NotificationRow, table: Table, where: Where) -> float | None:
        """For how many seconds a call must wait; ``None`` drops it."""
        reason = Reason(row.kind)
        chosen = await self.people.personal(row.person)
        unwanted = {NotificationChoice.NEVER}
        if reason not in OF_TIME:
            unwanted.add(NotificationChoice.TIME)
        if chosen.calls in unwanted or not still(reason, row.person, table):
            return None
        if not (await self.places.rules(where)).calls:
            return None
        if reason in RUNS_OUT:
            return 0.0
        looks = self.presence.looking(row.game, row.person)
        if looks > 0 and chosen.calls is not NotificationChoice.ALWAYS:
            # A person who looks at the table knows the news.
            return looks if reason in TO_ACT else None
        return quiet_for(chosen, self.clock.now())


async def dismiss_all(store: Store, rows: Sequence[NotificationRow]) -> None:
    """Call nobody for these reasons any more, unless there are newer ones."""
    for row in rows:
        await store.write_beside(stored.dismiss_notification, row)
