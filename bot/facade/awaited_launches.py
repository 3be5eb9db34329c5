"""Which table somebody wants to see who has just opened the page within a chat."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from cachetools import LRUCache

from bot.port import Asker
from bot.runtime.caches import remembering
from storage.database.process_cluster import Cluster

LAUNCHED = "launched"
"""The news that somebody opens the page at a table."""

FRESH = 120.0
"""The seconds for which a launch waits for the page, which comes after a consent at first."""

REMEMBERED = 1024
"""How many launches are remembered at once."""


@dataclass
class Launches:
    """What was launched, in memory: a platform that opens the page does not tell it the table."""

    fleet: Cluster
    _waiting: LRUCache[tuple[str, str], tuple[str, float]] = remembering(REMEMBERED)

    def listen(self) -> None:
        """Hear of launches in other processes: the page may come to any of them."""
        self.fleet.on(LAUNCHED, self._note)

    async def note(self, asker: Asker, table: str) -> None:
        """Note that *asker* opens the page at *table*, "" for none, in all processes."""
        self._note(asker.platform, asker.external, table)
        await self.fleet.say(LAUNCHED, asker.platform, asker.external, table)

    def _note(self, platform: str, external: str, table: str) -> None:
        self._waiting[platform, external] = table, monotonic()

    def waiting(self, asker: Asker) -> str:
        """The table at which *asker* has just opened the page, which still waits; "" for none."""
        table, since = self._waiting.get((asker.platform, asker.external), ("", 0.0))
        return table if monotonic() - since < FRESH else ""

    def take(self, asker: Asker) -> str:
        """The table at which *asker* has just opened the page, once; "" for none."""
        table = self.waiting(asker)
        self._waiting.pop((asker.platform, asker.external), None)
        return table
