"""The making of films and cards: one after the other, off the event loop, the latest kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from cachetools import LRUCache, TTLCache

from bot.port import Where
from bot.presenters.viewers import Viewer
from bot.session.unit_of_work import Refused
from games.core import phrase

KEPT = 8
"""How many keepsakes are kept, of a megabyte at most, mostly a third of it."""

ANEW = 120.0
"""After how many seconds the same may be posted again in a place where many read."""


@dataclass(frozen=True)
class Export:
    """A keepsake: of the table *code*, called *name*, for a *viewer*."""

    code: str
    name: str
    viewer: Viewer


@dataclass
class ExportQueue:
    """Makes keepsakes, one after the other and off the event loop, and keeps the latest."""

    _kept: LRUCache[Export, bytes] = field(default_factory=lambda: LRUCache(KEPT))
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)
    _posted: TTLCache[tuple[str, ...], None] = field(default_factory=lambda: TTLCache(1024, ANEW))

    async def made(self, what: Export, make: Callable[[], bytes]) -> bytes:
        """What *make* makes, in a thread, unless it is kept already."""
        async with self._making:
            if what not in self._kept:
                self._kept[what] = await asyncio.to_thread(make)
            return self._kept[what]

    def post(self, where: Where, what: Export) -> None:
        """Note that *what* is posted; raises ``Refused`` where many read and it stands already."""
        here = (where.platform, where.place, where.thread or "", what.code, what.name)
        if not where.private and here in self._posted:
            raise Refused(phrase("keepsake.there"))
        self._posted[here] = None
