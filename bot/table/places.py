"""What is known of places, kept in memory: every press and every board asks for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Unpack

from cachetools import LRUCache

from bot.port import Where
from bot.table import preferences
from bot.table.preferences import PlaceRules
from storage import places, views
from storage.engine import Store, Transaction
from storage.records import Noted, PlaceRow

KEPT = 4096
"""Of how many places we remember what is stored."""


@dataclass
class Places:
    """The places of all chats. Whatever is written of one goes through here.

    What writes takes the transaction it is part of. It forgets the place at once, and nobody
    can read it anew before that transaction is over, since transactions take turns.
    """

    store: Store
    _known: LRUCache[tuple[str, str], PlaceRow] = field(default_factory=lambda: LRUCache(KEPT))

    async def at(self, where: Where) -> PlaceRow:
        """What is known of *where*; nothing but defaults where it was never seen."""
        key = (where.platform, where.place)
        known = self._known.get(key)
        if known is not None:
            return known
        async with self.store.reading() as tx:
            # Kept while the transaction lasts, so that no writer comes in between.
            known = self._known[key] = await places.place(tx, where.platform, where.place)
        return known

    async def rules(self, where: Where) -> PlaceRules:
        """What those who manage *where* have chosen for it."""
        return preferences.read(PlaceRules, (await self.at(where)).settings)

    async def choose(self, tx: Transaction, where: Where, chosen: PlaceRules) -> None:
        """Keep what those who manage *where* have chosen for it."""
        await self.put(tx, where, settings=preferences.stored(chosen))

    async def paused(self, now: datetime) -> tuple[PlaceRow, ...]:
        """The places that may not be written to yet at *now*."""
        return await self.store.read(places.paused, now)

    async def put(self, tx: Transaction, where: Where, **noted: Unpack[Noted]) -> None:
        """Notes something of *where*; what is not named stays as it is."""
        await places.put(tx, where.platform, where.place, **noted)
        self._forget(where)

    async def move(self, tx: Transaction, old: Where, new: Where) -> None:
        """*old* has become *new*: its views and what is known of it go there."""
        await views.migrate_place(tx, old.platform, old.place, new.place)
        self._forget(old)
        self._forget(new)

    def _forget(self, where: Where) -> None:
        self._known.pop((where.platform, where.place), None)
