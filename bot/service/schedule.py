"""Schedules: names by instants, and the alarm of the deadlines."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime


@dataclass
class Schedule:
    """Names of things by the instant at which each is due: each once, at the earliest instant."""

    _queue: list[tuple[datetime, str]] = field(default_factory=list)
    """Entries that were put for earlier since are stale."""
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


@dataclass
class DeadlineAlarm:
    """Wakes the keeper of deadlines; knows which of them wait until a player can be reached."""

    following: datetime | None = None
    """The instant of the next deadline."""
    held: set[str] = field(default_factory=set)
    """The tables whose flags wait until a player can be reached again."""
    freed: set[str] = field(default_factory=set)
    """Those of them that are to be looked at now."""
    _earlier: asyncio.Event = field(default_factory=asyncio.Event)

    def look(self, at: datetime) -> None:
        """A deadline falls at the instant *at*."""
        if self.following is None or at < self.following:
            self._earlier.set()

    def reached(self) -> None:
        """A platform is up again, or a place open: look at the flags that have waited for it."""
        self.freed |= self.held
        self.held.clear()
        self._earlier.set()

    def clear(self) -> None:
        """All deadlines are looked at now."""
        self._earlier.clear()

    async def wait(self, seconds: float | None) -> None:
        """Wait for a deadline to be looked at, at most so many *seconds*."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._earlier.wait()
