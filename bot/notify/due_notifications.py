"""Which notifications a change makes due, which are due now, and which a new board may make."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.boards.pacing import Pacing
from bot.boards.renderer import Mentions, Notification
from bot.notify.notification_context import NotificationContext
from bot.notify.open_table_alerts import alert
from bot.notify.recipients import (
    ASKS,
    FOR_ANYBODY,
    OF_TIME,
    RUNS_OUT,
    TO_ACT,
    Reason,
    alone,
    reasons,
    still,
)
from bot.port import ChatError, Where
from bot.service.clock import Clock, Schedule
from bot.service.person.people import LOOKING, People, Presence, presence_place
from bot.service.person.unreachable_people import UnreachablePeople
from bot.service.place.places import Places, view_place
from bot.service.process_cluster import Ownership
from bot.service.table.changes import Change, Participant
from bot.session.preferences import NotificationChoice, quiet_for
from bot.session.table import Table
from storage.records import NotificationRow, ViewRow
from storage.store import Store, Transaction
from storage.table import notifications as stored

log = logging.getLogger(__name__)


REMATCH_DELAY = 3.0
"""Seconds after which who looks is called to a rematch: nothing moves on a board that is over."""


@dataclass(kw_only=True)
class DueNotifications(Mentions, Participant):
    """Stores notifications and judges them; tables to be looked at again go on the *schedule*."""

    store: Store
    clock: Clock
    people: People
    places: Places
    presence: Presence
    unreachable_people: UnreachablePeople
    ownership: Ownership
    pacing: Pacing
    schedule: Schedule
    key: bytes
    waiting: set[str] = field(default_factory=set)
    """The tables with calls that are due as soon as their board has been shown."""

    # ---------------------------------------------------------------- with a change

    async def store_change(self, tx: Transaction, change: Change) -> None:
        """Store the calls of *change*, and clear those that it answers."""
        table, origin = change.table, change.update
        actor = origin.person
        if actor is not None and table.seat_of(actor) is not None:
            self.presence.looks(table.code, actor)
        rows: Sequence[NotificationRow] = ()
        opened: Sequence[NotificationRow] = ()
        if change.before is None:
            opened = await alert(tx, change, self.clock.steady())
        else:
            rows = await stored.notifications_of_game(tx, table.code)
        found = reasons(change.before, table, change.work.written, actor)
        changed, later = self._answer(rows, found, table, actor)
        known = {row.person: row for row in rows}
        for person, reason in found.items():
            called = self._call(table, person, reason, actor, later=person in later)
            old = known.get(person)
            if called is not None:
                row = old or called
                changed[person] = replace(row, kind=called.kind, turn=called.turn, due=called.due)
            elif old is not None:
                changed[person] = replace(old, kind="", due=None)
        changed |= {row.person: row for row in opened}
        over = [row for row in changed.values() if not row.kind and row.message is None]
        kept = [row for row in changed.values() if row not in over]
        await stored.delete_notifications(tx, over)
        await stored.put_notifications(tx, kept)
        change.calls = kept
        change.sitting = await self._store_places(tx, change)

    @staticmethod
    def _answer(
        rows: Sequence[NotificationRow], found: dict[int, Reason], table: Table, actor: int | None
    ) -> tuple[dict[int, NotificationRow], set[int]]:
        """The *rows* that are answered, by person, and the people called to their turn later.

        Standing turns leave *found*; those who have still to move enter it.
        """
        changed: dict[int, NotificationRow] = {}
        later: set[int] = set()
        for row in rows:
            new = found.get(row.person)
            unanswered = bool(row.kind) and row.person != actor
            if new is Reason.TURN and row.kind == new and row.due is None and unanswered:
                del found[row.person]  # it stands
            elif not (unanswered and still(Reason(row.kind), row.person, table)):
                changed[row.person] = replace(row, kind="", due=None)
                called = row.kind == Reason.TURN and row.message is not None
                if (
                    new is None
                    and row.kind
                    and not called
                    and still(Reason.TURN, row.person, table)
                ):
                    # They are to move, and have been called to something else instead.
                    found[row.person] = Reason.TURN
                    later.add(row.person)
        return changed, later

    def _call(
        self, table: Table, person: int, reason: Reason, actor: int | None, *, later: bool
    ) -> NotificationRow | None:
        due = self._when(reason, table, person, actor)
        if due is not None and later:
            due = self.clock.steady() + timedelta(seconds=LOOKING)
        if due is None and still(Reason.TURN, person, table):
            # They know what happened; whether they move is another matter.
            reason = Reason.TURN
            due = self._when(reason, table, person, actor)
        return (
            None if due is None else NotificationRow(table.code, person, reason, table.version, due)
        )

    def _when(
        self, reason: Reason, table: Table, person: int, actor: int | None
    ) -> datetime | None:
        """When *person* is to be called; ``None`` where they know without it."""
        now, looks = self.clock.steady(), self.presence.looking(table.code, person) > 0
        wanted = self.people.chosen(person).calls
        if person != actor and (not looks or wanted is NotificationChoice.ALWAYS):
            return now
        if reason not in ASKS or (reason is Reason.TURN and alone(table, person)):
            return None
        return now + timedelta(seconds=REMATCH_DELAY if reason is Reason.REMATCH else LOOKING)

    async def _store_places(self, tx: Transaction, change: Change) -> dict[int, Where]:
        """Store the places of people who act now, are invited, or begin a rematch.

        So are those that *change* names itself.
        """
        before, table, origin = change.before, change.table, change.update
        sitting = dict(change.sitting)
        if before is None and table.parent is not None:
            rows = await stored.presences_of_game(tx, table.parent)
            sitting |= {row.person: presence_place(row) for row in rows}
        elif before is None and not origin.private:
            asked = (p.person for p in table.players if p.invited and p.person is not None)
            sitting |= dict.fromkeys(asked, origin.where)
        if origin.person is not None and table.seat_of(origin.person) is not None:
            sitting[origin.person] = origin.where
        for person, where in sitting.items():
            await self.presence.sit(tx, table.code, person, where)
        return sitting

    # ---------------------------------------------------------------- with a board

    async def read_context(self, code: str, now: datetime) -> NotificationContext:
        """The context of the table *code* at *now*, with the languages of its people."""
        found = await NotificationContext.read(self.store, code, now)
        told, speak = {row.person for row in found.rows}, self.people.language_alone
        return replace(found, chosen={one: await speak(one) for one in told})

    async def carry(self, view: ViewRow, table: Table) -> Notification | None:
        """The notification that a new board of *view* carries, if any."""
        if view.subject not in self.waiting or not self.ownership.keeps(view.platform):
            return None
        context = await self.read_context(view.subject, self.clock.steady())
        rows: list[NotificationRow] = []
        for row in context.rows:
            place = context.place(row.person)
            if place is None or place[1] is None or place[1].id != view.id:
                continue
            alike = not rows or row.kind == rows[0].kind
            if not alike or not await self._may_carry(row, view):
                continue
            if await self.is_due(row, table, place[0], context):
                rows.append(row)
        return context.notification(table, view, rows, view.platform, self.key) if rows else None

    async def _may_carry(self, row: NotificationRow, view: ViewRow) -> bool:
        """Whether a board may carry the call: not that of a role, nor one out of a table's thread.

        A mention in a thread would bring everybody into it.
        """
        if row.kind not in FOR_ANYBODY:
            return True
        return row.kind != Reason.SEEKING and not await self.places.within(view_place(view))

    async def comes_down(self, view: ViewRow, table: Table) -> bool:
        """Whether the call brings the board of *view* down: it lies far up, or the place is busy.

        Where boards wait for their turn, one new message takes less of it than an edit and a call.
        While several act at *table* one of them may do so in place of the board, which stays.
        """
        where = view_place(view)
        if where.private or view.message is None:
            return False
        if self.pacing.is_busy(where) and len(table.actors()) < 2:
            return True
        posted = view.posted.timestamp() if view.posted is not None else None
        try:
            return await self.ownership.chats[where.platform].is_buried(where, view.message, posted)
        except ChatError as wrong:
            log.info("what lies below a board on %s is not known: %s", where.platform, wrong)
            return False

    async def note(self, tx: Transaction, called: Notification) -> None:
        """Note that a new board has called: it stays when that is answered, an older call goes."""
        for row in called.rows:
            await stored.mark_notified(tx, row, row)

    async def move_calls(self, tx: Transaction, table: Table, where: Where) -> None:
        """Store the calls in *where* of people who played where we are not let in any more."""
        called = []
        stranded = (
            () if where.private else await stored.stranded_people(tx, table.code, where.platform)
        )
        rows = await stored.notifications_of_game(tx, table.code) if stranded else ()
        known = {row.person: row for row in rows}
        for person in stranded:
            if not still(Reason.MOVED, person, table):
                continue
            await self.presence.sit(tx, table.code, person, where)
            reason = Reason.TURN if still(Reason.TURN, person, table) else Reason.MOVED
            due = self.clock.steady()
            new = NotificationRow(table.code, person, reason, table.version, due)
            # What called them before stands until this is answered.
            called.append(replace(known.get(person, new), kind=reason, turn=table.version, due=due))
        await stored.put_notifications(tx, called)
        if called:
            self.waiting.add(table.code)

    # ---------------------------------------------------------------- judging

    async def is_due(
        self, row: NotificationRow, table: Table, where: Where, context: NotificationContext
    ) -> bool:
        """Whether a call is due now to somebody who can be called; else it is dropped or waits."""
        if not await self.is_time(row, table, where):
            return False
        return not await self._is_out(row, table, where, context)

    async def _is_out(
        self, row: NotificationRow, table: Table, where: Where, context: NotificationContext
    ) -> bool:
        """Whether nobody can call the person of *row* in *where*: it is dropped, or waits."""
        known = context.known(row.person, where.platform)
        if row.kind == Reason.SEEKING or known is None:
            return False
        if await self.unreachable_people.is_out(table, row, where, known):
            await dismiss_all(self.store, [row])
            return True
        wait = await self.unreachable_people.kept_back(table, row.person, where, known)
        if wait > 0:
            self.schedule.put(row.game, self.clock.steady() + timedelta(seconds=wait))
        return wait > 0

    async def is_time(self, row: NotificationRow, table: Table, where: Where) -> bool:
        """Whether a call is due now; else it is dropped or put on the schedule."""
        now = self.clock.steady()
        # Nobody knows any more what a call without a kind is about: the cell is damaged. A call
        # newer than *table* is looked at when its change has come through.
        if row.due is None or row.due > now or not row.kind or row.turn > table.version:
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
        allowed = still(reason, row.person, table) and (await self.places.rules(where)).calls
        if reason is Reason.SEEKING:
            return 0.0 if allowed else None
        if chosen.calls in unwanted or not allowed:
            return None
        urgent = reason in RUNS_OUT or reason is Reason.REMATCH
        looks = 0.0 if urgent else self.presence.looking(row.game, row.person)
        if looks > 0 and chosen.calls is not NotificationChoice.ALWAYS:
            # A person who looks at the table knows the news.
            return looks if reason in TO_ACT else None
        if reason in RUNS_OUT or reason is Reason.TOURNAMENT:
            # Whoever enters a tournament agrees that its rounds call at any hour.
            return 0.0
        return quiet_for(chosen, self.clock.now())


async def dismiss_all(store: Store, rows: Sequence[NotificationRow]) -> None:
    """Call nobody for these reasons any more, unless there are newer ones."""
    for row in rows:
        await store.write_beside(stored.dismiss_notification, row)
