"""What is known of places, kept in memory: every press and every board asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from cachetools import LRUCache

from bot.port import Where
from storage import places, views
from storage.engine import Store, Transaction
from storage.records import JSON, PlaceRow

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

    async def suspended(self, where: Where) -> bool:
        """Whether *where* is shut for us."""
        return (await self.at(where)).suspended

    async def paused(self, now: datetime) -> tuple[PlaceRow, ...]:
        """The places that may not be written to yet at *now*."""
        async with self.store.reading() as tx:
            return await places.paused(tx, now)

    async def speak(self, tx: Transaction, where: Where, language: str) -> None:
        """*where* is spoken to in *language*."""
        await places.set_language(tx, where.platform, where.place, language)
        self._forget(where)

    async def settle(self, tx: Transaction, where: Where, settings: Mapping[str, JSON]) -> None:
        """Replaces the settings of *where*."""
        await places.set_settings(tx, where.platform, where.place, settings)
        self._forget(where)

    async def pause(self, tx: Transaction, where: Where, until: datetime) -> None:
        """*where* may not be written to before *until*."""
        await places.pause(tx, where.platform, where.place, until)
        self._forget(where)

    async def suspend(self, tx: Transaction, where: Where) -> None:
        """*where* does not let us in any more; what is owed there waits."""
        await places.suspend(tx, where.platform, where.place)
        self._forget(where)

    async def resume(self, tx: Transaction, where: Where) -> None:
        """*where* lets us in again."""
        await places.resume(tx, where.platform, where.place)
        self._forget(where)

    async def move(self, tx: Transaction, old: Where, new: Where) -> None:
        """*old* has become *new*: its views and what is known of it go there."""
        await views.migrate_place(tx, old.platform, old.place, new.place)
        self._forget(old)
        self._forget(new)

    def _forget(self, where: Where) -> None:
        self._known.pop((where.platform, where.place), None)
