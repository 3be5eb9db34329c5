"""What processes that share a database tell each other, and which of them shows which boards.

Other processes are told inside the transaction, so a rollback tells nobody. What they tell is
handled once pending reads have filled the caches, so that the stale entry is evicted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.port import Chat, Where
from bot.service.person.bars import NEWS, Bars
from bot.service.person.people import People
from bot.service.place.outages import Outages
from bot.service.place.places import Places, view_place
from bot.service.table.changes import Change, Participant, RemoteChange
from bot.service.table.tables import Tables
from storage.database.process_cluster import Cluster
from storage.records import PlaceKey, ViewRow
from storage.store import Transaction


def duty_of(platform: str, share: str = "") -> str:
    """The duty of showing boards on a *share* of *platform*, which one process has."""
    return f"chat:{platform}/{share}" if share else f"chat:{platform}"


@dataclass(frozen=True)
class Ownership:
    """The shares of the *chats* that this process owns."""

    fleet: Cluster
    places: Places
    chats: Mapping[str, Chat]

    def keeps(self, platform: str) -> bool:
        """Whether this process shows boards on *platform*, or on a share of it."""
        shares = self.chats[platform].shares if platform in self.chats else ()
        if self.fleet.alone:
            return bool(shares)
        return any(self.fleet.holds(duty_of(platform, share)) for share in shares)

    def leads(self, platform: str) -> bool:
        """Whether this process alone speaks for the whole *platform*."""
        shares = self.chats[platform].shares if platform in self.chats else ()
        return bool(shares) and self.fleet.holds(duty_of(platform, shares[0]))

    async def keeps_at(self, where: Where) -> bool:
        """Whether this process alone shows boards in *where*."""
        if not self.keeps(where.platform) or len(self.chats[where.platform].shares) == 1:
            return self.keeps(where.platform)
        share = self.chats[where.platform].share_of((await self.places.home(where)).place)
        return self.fleet.holds(duty_of(where.platform, share))

    def opens(self, platform: str, place: str) -> bool:
        """Whether a page of *place* is open at this process."""
        return platform in self.chats and self.chats[platform].open_here(place)

    def may_show(self, view: ViewRow) -> bool:
        """Whether this process shows boards on the platform of *view*, or has its page open."""
        return self.keeps(view.platform) or self.opens(view.platform, view.place)

    async def shows(self, view: ViewRow) -> bool:
        """Whether this process shows *view*."""
        return self.opens(view.platform, view.place) or await self.keeps_at(view_place(view))

    def connected(self) -> dict[str, bool]:
        """Whether each chat for which this process speaks is connected."""
        return {name: chat.is_connected() for name, chat in self.chats.items() if self.leads(name)}


@dataclass(frozen=True, kw_only=True)
class ClusterNews(Participant):
    """Tells other processes of changes; tells the *participants* and our caches of theirs."""

    fleet: Cluster
    tables: Tables
    people: People
    places: Places
    outages: Outages
    bars: Bars
    participants: tuple[Participant, ...]

    def listen(self) -> None:
        """Listen to the other processes from now on."""
        self.fleet.on("changed", self._tell_changed)
        self.fleet.on("people", self.people.forget)
        self.fleet.on("place", self.places.forget)
        self.fleet.on(NEWS, self.bars.forget_all)
        self.fleet.on("outages", self.outages.elsewhere)

    async def store_change(self, tx: Transaction, change: Change) -> None:
        """Tell the others of the change: the places that show the table, and its next deadline."""
        if self.fleet.alone:
            return
        table, update = change.table, change.update
        places = sorted({(view.platform, view.place) for view in change.owing})
        # The place of the press is read by the release before this one.
        where = (update.platform, update.place, update.thread, update.private)
        by = None if update.person is None else (update.person, where)
        due = None if change.due is None else change.due.isoformat()
        await self.fleet.tell(tx, "changed", table.code, table.version, due, by, places)

    def _tell_changed(
        self,
        code: str,
        version: int,
        due: str | None,
        by: tuple[int, tuple[str, str, str | None, bool]] | None,
        places: Sequence[PlaceKey],
    ) -> None:
        self.tables.hear_version(code, version)
        at = None if due is None else datetime.fromisoformat(due)
        change = RemoteChange(code, version, at, None if by is None else by[0], places)
        for participant in self.participants:
            participant.hear(change)

    def forget_all(self) -> None:
        """Evict everything: news was missed."""
        self.tables.forget_all()
        self.people.forget_all()
        self.places.forget_all()
        self.bars.forget_all()
        self.outages.elsewhere(over=True)
