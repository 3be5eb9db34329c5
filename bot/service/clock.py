"""Clocks, the arrivals of presses, and alarms."""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from math import inf

from bot.runtime.tasks import wait_until_set

LATEST_PRESS = timedelta(seconds=3)
"""How long before our receipt a press may have been made, by the time that its platform tells."""

ARRIVAL_SECONDS = 10.0
"""For how many seconds a press that has arrived is waited for."""

LULL, MOST_WAITS = 6.0, 5
"""After how many seconds without a press there is time for work that nobody waits for, and how
often at most these are waited for anew."""

NOTABLE = timedelta(minutes=1)
"""A clock that is set by less is only being kept right."""


class DeadlineKind(StrEnum):
    """The kinds of deadlines, by the words that storage keeps."""

    INVITATION = "invitation"
    SET_UP = "set-up"
    FLAG = "flag"
    REMINDER = "reminder"
    STAND_IN = "stand-in"


def wall() -> datetime:
    """The time of the machine's clock."""
    return datetime.now(UTC)


class SteadyClock:
    """Passes evenly while the bot runs, however the clock of the machine is set.

    The first run begins with that clock, each later one where the run before stopped: no time
    passes while the bot is down. Everything decided by time uses it.
    """

    def __init__(
        self, wall: Callable[[], datetime] = wall, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._began, self._zero = wall(), monotonic()
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        """The steady time."""
        return self._began + timedelta(seconds=self._monotonic() - self._zero)

    def go_on(self, stopped: datetime) -> None:
        """Go on from where an earlier run has *stopped*."""
        self._began, self._zero = stopped, self._monotonic()
        self._ahead = self._wall() - stopped

    def jump(self) -> timedelta | None:
        """By how much the clock of the machine was set since this was last asked, if notably."""
        ahead = self._wall() - self()
        jump = ahead - self._ahead
        if abs(jump) < NOTABLE:
            return None
        self._ahead = ahead
        return jump


@dataclass
class Clock:
    """The clock of the machine, *now*, and the one by which everything is decided, *steady*."""

    now: Callable[[], datetime] = wall
    steady: SteadyClock = field(default_factory=SteadyClock)


@dataclass
class Arrivals:
    """Notes when presses arrive, by the steady clock; platforms go by that of the machine."""

    clock: Clock
    _under_way: set[asyncio.Future[None]] = field(default_factory=set)
    _last: float = -inf
    """When a press was done last, by the clock of the loop."""

    @contextmanager
    def taking(self, sent: datetime | None, received: datetime | None = None) -> Iterator[datetime]:
        """Count a press as under way; yields when it was made, as far as its platform is believed.

        *sent* is by its platform's clock, *received* when we took it, if not just now.
        """
        under_way = asyncio.get_running_loop().create_future()
        self._under_way.add(under_way)
        try:
            receipt = received or self.clock.steady()
            since = self.clock.steady() - receipt
            ago = timedelta() if sent is None else self.clock.now() - sent - since
            # Made at most ``LATEST_PRESS`` before we received it, and never after.
            yield receipt - min(max(ago, timedelta()), LATEST_PRESS)
        finally:
            self._under_way.discard(under_way)
            self._last = asyncio.get_running_loop().time()
            under_way.set_result(None)

    async def settle(self) -> None:
        """Wait until the presses that have arrived are done, or take too long."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=ARRIVAL_SECONDS)

    async def lull(self) -> None:
        """Wait until nobody has pressed for ``LULL`` seconds, or too long for that."""
        for _ in range(MOST_WAITS):
            await asyncio.sleep(self._last + LULL - asyncio.get_running_loop().time())


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
        await wait_until_set(self._sooner, seconds)


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

    def look_again(self) -> None:
        """A platform is up again, or a place open: look at the flags that have waited for it."""
        self.freed |= self.held
        self.held.clear()
        self._earlier.set()

    def clear(self) -> None:
        """All deadlines are looked at now; any that is told of meanwhile is looked at again."""
        self.following = None
        self._earlier.clear()

    async def wait(self, seconds: float | None) -> None:
        """Wait for a deadline to be looked at, at most so many *seconds*."""
        await wait_until_set(self._earlier, seconds)
