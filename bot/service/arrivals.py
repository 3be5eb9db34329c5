"""When presses arrive, and which of them are still under way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.service.clock import Clock

LATEST = timedelta(seconds=3)
"""How long before our receipt a press may have been made, by the time that its platform tells."""

PATIENCE = 10.0
"""For how many seconds a press that has arrived is waited for."""


@dataclass
class Arrivals:
    """Notes when presses arrive, by the steady clock; platforms go by that of the machine."""

    clock: Clock
    _under_way: set[asyncio.Future[None]] = field(default_factory=set)

    @contextmanager
    def taking(self, sent: datetime | None, received: datetime | None = None) -> Iterator[datetime]:
        """While a press is worked on: when it was made, as far as its platform is believed.

        *sent* is when by the clock of the platform, *received* when we took it, if not just now.
        """
        under_way = asyncio.get_running_loop().create_future()
        self._under_way.add(under_way)
        try:
            yield self.made(sent, received)
        finally:
            self._under_way.discard(under_way)
            under_way.set_result(None)

    def made(self, sent: datetime | None, received: datetime | None) -> datetime:
        """When a press was made: at most ``LATEST`` before we received it, and never after."""
        receipt = received or self.clock.steady()
        since = self.clock.steady() - receipt
        ago = timedelta() if sent is None else self.clock.now() - sent - since
        return receipt - min(max(ago, timedelta()), LATEST)

    async def settled(self) -> None:
        """Wait until the presses that have arrived are done, or take too long."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=PATIENCE)
