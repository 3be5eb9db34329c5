"""What processes that share a database tell one another of tables, people and places.

It is told in the transaction that changes something, so that nobody hears of what never happened,
and heard when whatever was read before has been remembered, so that it can be forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.port import Where
from bot.service.deadlines import Deadlines
from bot.service.outages import Outages
from bot.service.people import People
from bot.service.places import Places
from bot.service.tables import Tables
from bot.service.updates import Update
from bot.session.table import Table
from storage.engine import Store, Transaction
from storage.records import ViewRow


class Hearing(Protocol):
    """What shows boards here, of which others have changed the tables."""

    def saw_elsewhere(self, code: str, person: int, where: Where) -> None:
        """Note that *person* acts at the table *code*, in *where*, by another process."""

    def changed_elsewhere(self, code: str, places: Sequence[tuple[str, str]]) -> None:
        """Show what the table *code* owes in *places*, and call to it."""


@dataclass(frozen=True)
class ClusterNews:
    """Tells the other processes of changes, and lets ours forget what they tell of."""

    store: Store
    tables: Tables
    people: People
    places: Places
    outages: Outages
    deadlines: Deadlines
    showing: Callable[[], Hearing | None]

    def listen(self) -> None:
        """Hear from now on what others tell."""
        on = self.store.fleet.on
        on("changed", self._changed)
        on("people", self.people.forget)
        on("place", self.places.forget)
        on("outages", self.outages.elsewhere)

    async def tell(
        self,
        tx: Transaction,
        table: Table,
        owing: Sequence[ViewRow],
        at: datetime | None,
        origin: Update,
    ) -> None:
        """Tell of a change of *table*: who shows it, and when it must be looked at again."""
        if self.store.fleet.alone:
            return
        places = sorted({(view.platform, view.place) for view in owing})
        where = (origin.platform, origin.place, origin.thread, origin.private)
        by = None if origin.person is None else (origin.person, where)
        until = None if at is None else at.isoformat()
        await self.store.fleet.tell(tx, "changed", table.code, table.version, until, by, places)

    def _changed(
        self,
        code: str,
        version: int,
        until: str | None,
        by: tuple[int, tuple[str, str, str | None, bool]] | None,
        places: Sequence[tuple[str, str]],
    ) -> None:
        self.tables.told(code, version)
        if until is not None:
            self.deadlines.look(datetime.fromisoformat(until))
        showing = self.showing()
        if showing is not None:
            if by is not None:
                showing.saw_elsewhere(code, by[0], Where(*by[1]))
            showing.changed_elsewhere(code, places)

    def forget_all(self) -> None:
        """What is remembered may be other than what is stored: something was not heard."""
        self.tables.forget_all()
        self.people.forget_all()
        self.places.forget_all()
        self.outages.elsewhere(over=True)
