"""Stores the calls of a change in the transaction of that change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.notify.reasons import AT_ONCE, Reason, alone, reasons, still
from bot.port import Where
from bot.service.changes import Change
from bot.service.clock import Clock
from bot.service.people import People
from bot.service.presence import LOOKING, Presence, presence_place
from bot.service.updates import Update
from bot.session.preferences import NotificationChoice as Wanted
from bot.session.table import Table
from storage import notifications
from storage.records import NotificationRow
from storage.store import Transaction


@dataclass(frozen=True)
class NotificationStore:
    """Stores calls as due; sends nothing."""

    clock: Clock
    people: People
    presence: Presence

    async def noted(self, tx: Transaction, change: Change) -> None:
        """Store the calls of *change*, and clear those that it answers."""
        table, origin = change.table, change.update
        actor = origin.person
        if actor is not None and table.seat_of(actor) is not None:
            self.presence.looks(table.code, actor, origin.where)
        rows = (
            ()
            if change.before is None
            else await notifications.notifications_of_game(tx, table.code)
        )
        found = reasons(change.before, table, change.work.written, actor)
        changed, later = self._answered(rows, found, table, actor)
        known = {row.person: row for row in rows}
        for person, reason in found.items():
            called = self._called(table, person, reason, actor, later=person in later)
            old = known.get(person)
            if called is not None:
                row = old or called
                new = replace(row, kind=called.kind, turn=called.turn, due=called.due)
                changed[person] = new
            elif old is not None:
                changed[person] = replace(old, kind="", due=None)
        over = [row for row in changed.values() if not row.kind and row.message is None]
        kept = [row for row in changed.values() if row not in over]
        await notifications.delete_notifications(tx, over)
        await notifications.put_notifications(tx, kept)
        change.calls = kept
        change.sitting = await self._seated(tx, change.before, table, origin)

    @staticmethod
    def _answered(
        rows: Sequence[NotificationRow], found: dict[int, Reason], table: Table, actor: int | None
    ) -> tuple[dict[int, NotificationRow], set[int]]:
        """The *rows* that are answered, by person, and the people called to their turn later.

        From *found* a call for a turn that stands already is removed, and one is added for a
        player who has still to move.
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
                if new is None and _in_the_way_of_turn(row, table):
                    found[row.person] = Reason.TURN
                    later.add(row.person)
        return changed, later

    def _called(
        self, table: Table, person: int, reason: Reason, actor: int | None, *, later: bool
    ) -> NotificationRow | None:
        """The call of *person*, ``None`` where nobody need be called."""
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
        if person != actor and (not looks or wanted is Wanted.ALWAYS):
            return now
        if reason in AT_ONCE or (reason is Reason.TURN and alone(table, person)):
            return None
        return now + timedelta(seconds=LOOKING)

    async def _seated(
        self, tx: Transaction, before: Table | None, table: Table, origin: Update
    ) -> dict[int, Where]:
        """Store the places of people who act now, are invited, or begin a rematch."""
        sitting: dict[int, Where] = {}
        if before is None and table.parent is not None:
            rows = await notifications.presences_of_game(tx, table.parent)
            sitting |= {row.person: presence_place(row) for row in rows}
        elif before is None and not origin.private:
            asked = (p.person for p in table.players if p.invited and p.person is not None)
            sitting |= dict.fromkeys(asked, origin.where)
        if origin.person is not None and table.seat_of(origin.person) is not None:
            sitting[origin.person] = origin.where
        for person, where in sitting.items():
            await self.presence.sit(tx, table.code, person, where)
        return sitting

    async def moved(self, tx: Transaction, table: Table, where: Where) -> bool:
        """Store the calls in *where* of people who played where we are not let in any more.

        Answers whether there are any.
        """
        called = []
        stranded = (
            ()
            if where.private
            else await notifications.stranded_people(tx, table.code, where.platform)
        )
        for person in stranded:
            if not still(Reason.MOVED, person, table):
                continue
            await self.presence.sit(tx, table.code, person, where)
            reason = Reason.TURN if still(Reason.TURN, person, table) else Reason.MOVED
            due = self.clock.steady()
            called.append(NotificationRow(table.code, person, reason, table.version, due))
        await notifications.put_notifications(tx, called)
        return bool(called)


def _in_the_way_of_turn(row: NotificationRow, table: Table) -> bool:
    """Whether the person of *row* is to move and has not been notified of that turn.

    An offer replaces the call for a turn, and so does what they do themselves before it.
    """
    called = row.kind == Reason.TURN and row.message is not None
    return bool(row.kind) and not called and still(Reason.TURN, row.person, table)
