"""Puts what the operator announces on every living board, and takes it off when it is over."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from bot.boards.delivery import Delivery
from bot.service.heartbeat import CLOCK
from bot.service.place.announcements import ANNOUNCEMENT, Announcement, Announcements
from storage.database.process_cluster import Cluster
from storage.store import Store


@dataclass(frozen=True, kw_only=True)
class Announcer:
    """Announces; the boards themselves are shown by their lanes, as after any change."""

    store: Store
    announcements: Announcements
    delivery: Delivery
    fleet: Cluster
    background: Callable[[Coroutine[Any, Any, None]], None]

    def listen(self) -> None:
        """Listen to the other processes from now on."""
        self.fleet.on(ANNOUNCEMENT, lambda: self.background(self._hear()))

    async def announce(self, text: str, hours: int) -> Announcement | None:
        """Announce *text* for so many *hours*; an empty one ends what stands.

        Killed after it was stored, the boards owe it and are shown at the next start.
        """
        async with self.store.transaction() as tx:
            made = await self.announcements.put(tx, text, hours)
            await self.fleet.tell(tx, ANNOUNCEMENT)
        self.announcements.present = made
        await self.delivery.wake_all()
        return made

    async def _hear(self) -> None:
        """Another process has changed it."""
        await self.announcements.recall()
        await self.delivery.wake_all()

    async def look(self) -> None:
        """Take off what is over; the process that has the clock does it."""
        if self.announcements.is_over() and self.fleet.holds(CLOCK):
            await self.announce("", 0)
