"""The queue in which films and cards are made, one at a time and off the event loop."""

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
"""How many exports are cached; each has a megabyte at most, mostly a third of it."""

ANEW = 120.0
"""After how many seconds the same export may be posted again in a shared place."""


@dataclass(frozen=True)
class Export:
    """A file *name* made of the table *code* for a *viewer*."""

    code: str
    name: str
    viewer: Viewer


@dataclass
class ExportQueue:
    """Makes exports one at a time, off the event loop, and caches the latest."""

    _kept: LRUCache[Export, bytes] = field(default_factory=lambda: LRUCache(KEPT))
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)
    _posted: TTLCache[tuple[str, ...], None] = field(default_factory=lambda: TTLCache(1024, ANEW))

    async def made(self, what: Export, make: Callable[[], bytes]) -> bytes:
        """The result of *make*, run in a thread unless it is cached."""
        async with self._making:
            if what not in self._kept:
                self._kept[what] = await asyncio.to_thread(make)
            return self._kept[what]

    def post(self, where: Where, what: Export) -> None:
        """Note that *what* is posted; raises ``Refused`` for a repetition in a shared place."""
        here = (where.platform, where.place, where.thread or "", what.code, what.name)
        if not where.private and here in self._posted:
            raise Refused(phrase("keepsake.there"))
        self._posted[here] = None
