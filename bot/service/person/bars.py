"""Who is kept out: of the tables of a place by who manages it, of the house by the operator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cachetools import LRUCache

from bot.port import Asker, Where
from bot.runtime.caches import remembering
from bot.service.clock import Clock
from bot.service.place.places import Places
from storage.club import ratings
from storage.club.place_id_change import move_bars
from storage.person import bars, people
from storage.person.bars import HOUSE, Barred
from storage.person.people import owner_of
from storage.records import BarRow, PlaceKey
from storage.store import Store, Transaction

CACHED_CHATS: Final = 4096
"""Of how many ids of chats it is remembered out of which places they are kept."""

NEWS: Final = "bars"
"""What other processes hear when somebody is kept out, or let in again."""


@dataclass(kw_only=True)
class Bars:
    """Out of which places people are kept, cached: every press and command asks."""

    store: Store
    places: Places
    clock: Clock
    _known: LRUCache[PlaceKey, frozenset[PlaceKey]] = remembering(CACHED_CHATS)

    async def of(self, asker: Asker) -> frozenset[PlaceKey]:
        """The places out of which *asker* is kept, by any of their ids; ``HOUSE`` means all."""
        key = asker.platform, asker.external
        owner = owner_of(*key)
        if owner is not None:  # a program is kept out with whose it is
            row = await self.store.read(people.load_person, owner)
            mine = await self.of_person(row.id if row else owner)
        else:
            mine = frozenset()
        return mine | await self.store.read_once(self._known, key, bars.places_barring, *key)

    async def of_person(self, person: int) -> frozenset[PlaceKey]:
        """The same of *person*."""
        known = await self.store.read(people.load_identities, person)
        found = [await self.of(Asker(one.platform, one.external, "")) for one in known]
        return frozenset().union(*found)

    async def is_banned(self, asker: Asker) -> bool:
        """Whether *asker* is kept out of the whole house."""
        return HOUSE in await self.of(asker)

    async def hold_in(self, where: Where, kept_out: frozenset[PlaceKey]) -> bool:
        """Whether who is *kept_out* of these places may not play in *where*."""
        return HOUSE in kept_out or (await self.places.home(where)).key in kept_out

    async def hold_at(self, code: str, kept_out: frozenset[PlaceKey]) -> bool:
        """The same at the table *code*, which may be played in several places."""
        if HOUSE in kept_out or not kept_out:
            return bool(kept_out)
        async with self.store.reading() as tx:
            homes = await self.places.homes(tx, await ratings.shared_places(tx, code))
        return not kept_out.isdisjoint(homes)

    async def put(self, known: Sequence[PlaceKey], at: PlaceKey, by: int | None) -> None:
        """Keep whoever has one of these ids out of *at*, as *by* wants, or the operator."""
        since = self.clock.now()
        async with self.store.transaction() as tx:
            await bars.put_bars(tx, [BarRow(*one, *at, since, by) for one in known])
            await self.tell(tx)

    async def lift(self, known: Sequence[PlaceKey], at: PlaceKey) -> bool:
        """Let them in again; whether they were kept out."""
        async with self.store.transaction() as tx:
            count = await bars.delete_bars(tx, known, at)
            await self.tell(tx)
        return count > 0

    async def list_barred(self, at: PlaceKey) -> tuple[Barred, ...]:
        """Who is kept out of the place *at*."""
        return await self.store.read(bars.barred_from, *at)

    async def move(self, tx: Transaction, old: Where, new: Where) -> None:
        """The place *old* has become *new*: who was kept out there still is."""
        await move_bars(tx, old.platform, old.place, new.place)
        await self.tell(tx)

    async def tell(self, tx: Transaction) -> None:
        """Read all anew, in every process, once *tx* is over."""
        self.forget_all()
        await self.store.cluster.tell(tx, NEWS)

    def forget_all(self) -> None:
        """Forget what is cached."""
        self._known.clear()
