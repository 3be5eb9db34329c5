"""What is to be looked at, and when: each thing once, at the earliest instant it was put for."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime


@dataclass
class Schedule:
    """Names of things by the instant at which each is due."""

    _queue: list[tuple[datetime, str]] = field(default_factory=list)
    """Some of these are due earlier by now, or have been."""
    _at: dict[str, datetime] = field(default_factory=dict)
    _sooner: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, name: str, at: datetime) -> None:
        """Let *name* be due at the instant *at*, if not before."""
        before = self._at.get(name)
        if before is not None and before <= at:
            return
        self._at[name] = at
        heapq.heappush(self._queue, (at, name))
        self._sooner.set()

    def due(self, now: datetime) -> Iterator[str]:
        """Take off whatever is due *now*, in order."""
        while self._queue and self._queue[0][0] <= now:
            at, name = heapq.heappop(self._queue)
            if self._at.get(name) == at:
                del self._at[name]
                yield name

    async def wait(self, now: datetime) -> None:
        """Wait from *now* until the first thing is due, or something was put for earlier."""
        self._sooner.clear()  # the first thing is looked up anew
        seconds = max(0.0, (self._queue[0][0] - now).total_seconds()) if self._queue else None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._sooner.wait()
