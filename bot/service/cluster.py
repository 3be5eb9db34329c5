"""The news of tables, people and places between processes that share a database.

Other processes are told inside the transaction, so a rollback tells nobody. What they tell is
handled once pending reads have filled the caches, so that the stale entry is evicted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.port import Where
from bot.service.changes import Change, Participant, RemoteChange
from bot.service.outages import Outages
from bot.service.people import People
from bot.service.places import Places
from bot.service.tables import Tables
from storage.cluster import Cluster
from storage.store import Transaction


@dataclass(frozen=True, kw_only=True)
class ClusterNews(Participant):
    """Tells other processes of changes, and evicts from our caches what others have changed.

    The *participants* are told of changes by others.
    """

    fleet: Cluster
    tables: Tables
    people: People
    places: Places
    outages: Outages
    participants: tuple[Participant, ...]

    def listen(self) -> None:
        """Listen to the other processes from now on."""
        self.fleet.on("changed", self._changed)
        self.fleet.on("people", self.people.forget)
        self.fleet.on("place", self.places.forget)
        self.fleet.on("outages", self.outages.elsewhere)

    async def stored(self, tx: Transaction, change: Change) -> None:
        """Tell the others of the change: the places that show the table, and its next deadline."""
        if self.fleet.alone:
            return
        table, update = change.table, change.update
        places = sorted({(view.platform, view.place) for view in change.owing})
        where = (update.platform, update.place, update.thread, update.private)
        by = None if update.person is None else (update.person, where)
        due = None if change.due is None else change.due.isoformat()
        await self.fleet.tell(tx, "changed", table.code, table.version, due, by, places)

    def committed(self, change: Change) -> None:
        """Do nothing: the others hear of the transaction."""

    def _changed(
        self,
        code: str,
        version: int,
        due: str | None,
        by: tuple[int, tuple[str, str, str | None, bool]] | None,
        places: Sequence[tuple[str, str]],
    ) -> None:
        self.tables.told(code, version)
        at = None if due is None else datetime.fromisoformat(due)
        person, where = (None, None) if by is None else (by[0], Where(*by[1]))
        change = RemoteChange(code, version, at, person, where, places)
        for participant in self.participants:
            participant.heard(change)

    def forget_all(self) -> None:
        """Evict everything: news was missed."""
        self.tables.forget_all()
        self.people.forget_all()
        self.places.forget_all()
        self.outages.elsewhere(over=True)
