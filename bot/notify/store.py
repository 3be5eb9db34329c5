"""Who is called by a change, stored in the transaction of that change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.notify.reasons import AT_ONCE, Reason, alone, reasons, still
from bot.port import Where
from bot.service.changes import Change
from bot.service.clock import Clock
from bot.service.people import People
from bot.service.presence import LOOKING, Presence, where_of
from bot.service.updates import Update
from bot.session.preferences import NotificationChoice as Wanted
from bot.session.table import Table
from storage import calls
from storage.engine import Transaction
from storage.records import CallRow


@dataclass(frozen=True)
class NotificationStore:
    """Stores calls as due; nobody is called here."""

    clock: Clock
    people: People
    presence: Presence

    async def noted(self, tx: Transaction, change: Change) -> None:
        """Store whom *change* calls, and whose calls it answers."""
        table, origin = change.table, change.update
        actor = origin.person
        if actor is not None and table.seat_of(actor) is not None:
            self.presence.looks(table.code, actor, origin.where)
        rows = () if change.before is None else await calls.of_game(tx, table.code)
        found = reasons(change.before, table, change.work.written, actor)
        changed: dict[int, CallRow] = {}
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
        known = {row.person: row for row in rows}
        for person, reason in found.items():
            due, old = self._when(reason, table, person, actor), known.get(person)
            if due is not None and person in later:
                due = self.clock.steady() + timedelta(seconds=LOOKING)
            if due is None and still(Reason.TURN, person, table):
                # What happened he knows by himself; whether he moves is another matter.
                reason = Reason.TURN
                due = self._when(reason, table, person, actor)
            if due is not None:
                row = old or CallRow(table.code, person, reason, table.version, due)
                changed[person] = replace(row, kind=reason, turn=table.version, due=due)
            elif old is not None:
                changed[person] = replace(old, kind="", due=None)
        over = [row for row in changed.values() if not row.kind and row.message is None]
        kept = [row for row in changed.values() if row not in over]
        await calls.drop(tx, over)
        await calls.put(tx, kept)
        change.calls = kept
        change.sitting = await self._seated(tx, change.before, table, origin)

    def _when(
        self, reason: Reason, table: Table, person: int, actor: int | None
    ) -> datetime | None:
        """When *person* is to be called, ``None`` where he knows by himself."""
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
        """Store from where people play who act now, are asked to play, or begin a rematch."""
        sitting: dict[int, Where] = {}
        if before is None and table.parent is not None:
            rows = await calls.present(tx, table.parent)
            sitting |= {row.person: where_of(row) for row in rows}
        elif before is None and not origin.private:
            asked = (p.person for p in table.players if p.invited and p.person is not None)
            sitting |= dict.fromkeys(asked, origin.where)
        if origin.person is not None and table.seat_of(origin.person) is not None:
            sitting[origin.person] = origin.where
        for person, where in sitting.items():
            await self.presence.sit(tx, table.code, person, where)
        return sitting

    async def moved(self, tx: Transaction, table: Table, where: Where) -> bool:
        """Store whom it calls that *table* is shown in *where* now; whether there is anybody.

        Those are the people who played where we are not let in any more.
        """
        called = []
        stranded = () if where.private else await calls.stranded(tx, table.code, where.platform)
        for person in stranded:
            if not still(Reason.MOVED, person, table):
                continue
            await self.presence.sit(tx, table.code, person, where)
            reason = Reason.TURN if still(Reason.TURN, person, table) else Reason.MOVED
            due = self.clock.steady()
            called.append(CallRow(table.code, person, reason, table.version, due))
        await calls.put(tx, called)
        return bool(called)


def _in_the_way_of_turn(row: CallRow, table: Table) -> bool:
    """Whether whose call *row* was is to move still, and has not been called for that.

    An offer takes the place of the call for a turn; so does whatever he does himself before it.
    """
    called = row.kind == Reason.TURN and row.message is not None
    return bool(row.kind) and not called and still(Reason.TURN, row.person, table)
