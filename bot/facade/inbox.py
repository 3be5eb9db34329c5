"""The updates of a platform: written down when they come, settled when they are done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.service.changes import Changes
from bot.service.clock import Clock
from storage import inbox
from storage.engine import Store


@dataclass(frozen=True)
class Receipt:
    """An *update* that was written down and never settled, with what it said."""

    update: str
    payload: str


@dataclass(frozen=True)
class Inbox:
    """The receipts of one *platform*. Raises ``StorageError``."""

    platform: str
    store: Store
    clock: Clock
    changes: Changes
    _done: dict[str, None] = field(default_factory=dict)
    """What is done and not noted as such yet."""
    _noting: asyncio.Lock = field(default_factory=asyncio.Lock)

    def when_settled(self, told: Callable[[str], None]) -> None:
        """Tell *told* of every update whose change is on disk, by its id."""
        self.changes.when_settled(self.platform, told)

    async def write_down(self, unwritten: Callable[[], Mapping[str, str]]) -> tuple[str, ...]:
        """Write updates down by their ids; answers which. *unwritten* is asked in our turn."""
        async with self.store.transaction(beside=True) as tx:
            payloads = unwritten()
            for update, payload in payloads.items():
                await inbox.receive(tx, self.platform, update, payload, self.clock.steady())
        return tuple(payloads)

    async def finish(self, update: str) -> None:
        """Note that an update is done, unless it was before.

        Whatever is done while others are noted is noted after them in one transaction.
        """
        self._done[update] = None
        async with self._noting:
            if update not in self._done:
                return
            async with self.store.transaction(beside=True) as tx:
                done = tuple(self._done)
                await inbox.finish_all(tx, self.platform, done, self.clock.steady())
            for one in done:
                self._done.pop(one, None)

    async def failed(self, update: str, most: int) -> int:
        """Count a failure of an update and set it aside at *most*; answers how many it has.

        0 where it was not written down, and so cannot be tried again.
        """
        async with self.store.transaction() as tx:
            attempts = await inbox.failed(tx, self.platform, update, self.clock.steady())
            if attempts >= most:
                await inbox.set_aside(tx, self.platform, update, self.clock.steady())
        return attempts

    async def pending(self) -> tuple[Receipt, ...]:
        """What was never settled, in the order in which it came."""
        rows = await self.store.read(inbox.pending, self.platform)
        return tuple(Receipt(row.update, row.payload or "") for row in rows)

    async def latest(self, most: int) -> tuple[str, ...]:
        """The last *most* updates, whatever became of them, the newest first."""
        return await self.store.read(inbox.latest, self.platform, most)
