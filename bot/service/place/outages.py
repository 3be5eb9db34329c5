"""Outages of platforms and places: that time is given back to players there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from cachetools import LRUCache

from bot.port import Where
from bot.runtime.caches import remembering
from bot.service.clock import Clock, DeadlineAlarm
from bot.session.game_clock import LASTING, Span, instant
from storage.place import outages
from storage.records import OutageRow
from storage.store import Store, Transaction
from storage.table import notifications

OUTAGE_LIFE = timedelta(days=60)
"""How long an outage is remembered: longer than any turn by the clock lasts, twice over."""

EVERYWHERE = ""
"""The place that stands for a whole platform."""

OURS = timedelta(seconds=5)
"""How long a board may wait in our own queue before that time is given back to its player."""

QUEUED, QUEUES = 4096, 16
"""Of how many tables it is known when their boards waited, and how many times of each."""


@dataclass
class Outages:
    """The outages of late, kept in memory: they are asked for with every press by the clock."""

    store: Store
    clock: Clock
    alarm: DeadlineAlarm
    _known: tuple[OutageRow, ...] | None = None
    """None where they must be read anew: nobody can before the transaction that changes them."""
    _up: Mapping[str, bool] = field(default_factory=dict)
    """Which platforms could be reached when that was told last."""
    _told: datetime | None = None
    _queued: LRUCache[str, tuple[OutageRow, ...]] = remembering(QUEUED)
    """By table, when its boards waited too long; of the last turns alone, and only of this run."""

    @contextmanager
    def queue(self, code: str, where: Where) -> Iterator[None]:
        """Give back what a board of the table *code* waits longer than ``OURS`` in the block."""
        waits = OutageRow(*where.key, self.clock.steady() + OURS, None)
        self._queued[code] = (*self._queued.get(code, ()), waits)
        try:
            yield
        finally:
            known = tuple(one for one in self._queued.get(code, ()) if one is not waits)
            ended = self.clock.steady()
            if ended > waits.began:
                known = (*known, replace(waits, ended=ended))[-QUEUES:]
                self.alarm.look_again()
            self._queued[code] = known

    async def restore(self, platforms: Iterable[str]) -> None:
        """Read what is stored, and note that none of the *platforms* is reached yet."""
        now, first = self.clock.steady(), self._told is None
        async with self.store.transaction() as tx:
            if first and not await self.store.cluster.others():
                # The steady clock has not counted the time since a kill.
                await outages.cut_outages(tx, now)
            for platform in platforms:
                await outages.begin_outage(tx, platform, EVERYWHERE, now)
            await outages.prune_outages(tx, now - OUTAGE_LIFE)
            await self.store.cluster.tell(tx, "outages", False)
        self._up = {**self._up, **dict.fromkeys(platforms, False)}
        self._told, self._known = now, None

    async def look(self, connected: Mapping[str, bool]) -> None:
        """Note which are *connected*; one that fails now was last reached at the look before."""
        now = self.clock.steady()
        changed = {one: up for one, up in connected.items() if self._up.get(one, True) != up}
        if changed:
            async with self.store.transaction() as tx:
                for platform, up in changed.items():
                    if up:
                        await outages.end_outage(tx, platform, EVERYWHERE, now)
                    else:
                        await outages.begin_outage(tx, platform, EVERYWHERE, self._told or now)
                await self.store.cluster.tell(tx, "outages", any(changed.values()))
            self._known = None
            if any(changed.values()):
                self.alarm.look_again()
        self._up, self._told = connected, now

    async def note(self, tx: Transaction, where: Where, shut: bool) -> None:
        """A place is *shut* from now on, or open again; a private chat counts as reachable."""
        if where.private:
            return
        change = outages.begin_outage if shut else outages.end_outage
        await change(tx, where.platform, where.place, self.clock.steady())
        await self.store.cluster.tell(tx, "outages", not shut)
        self._known = None
        if not shut:
            self.alarm.look_again()

    async def keep_back(self, where: Where, person: int, seconds: float) -> None:
        """Give *person* back the next *seconds*, in which they may not act in *where*."""
        now, place = self.clock.steady(), _person_at(where.place, person)
        if any(row.place == place and row.ended and row.ended > now for row in self._known or ()):
            return
        async with self.store.transaction() as tx:
            await outages.begin_outage(tx, where.platform, place, now)
            await outages.end_outage(tx, where.platform, place, now + timedelta(seconds=seconds))
            await self.store.cluster.tell(tx, "outages", True)
        self._known = None
        self.alarm.look_again()

    def elsewhere(self, over: bool) -> None:
        """Another process has noted an outage, or the end of one."""
        self._known = None
        if over:
            self.alarm.look_again()

    async def spans(self, code: str, person: int, began: int) -> tuple[Span, ...]:
        """The spans in which *person* could not be reached at the table *code*, since *began*."""
        if self._known is None:
            self._known = await self.store.read(outages.all_outages)
        now = self.clock.steady()
        known = (*self._known, *(one for one in self._queued.get(code, ()) if one.began < now))
        near = [row for row in known if row.ended is None or instant(row.ended) > began]
        if not near:
            return ()
        present = await self.store.read(notifications.presences_of_game, code)
        place = next((row for row in present if row.person == person), None)
        if place is None:
            return ()
        places = (EVERYWHERE, place.place, _person_at(place.place, person))
        return tuple(
            (instant(row.began), LASTING if row.ended is None else instant(row.ended))
            for row in near
            if row.platform == place.platform and row.place in places
        )


def _person_at(place: str, person: int) -> str:
    """The place that stands for a *person* alone who may not act in *place*."""
    return f"{place} {person}"
