"""Rate limiters with sliding windows."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeAlias, TypeVar

Key = TypeVar("Key", bound=Hashable)

Window: TypeAlias = tuple[int, float]
"""A count, and the seconds within which it may not be exceeded."""


@dataclass
class Limiter:
    """A limiter that keeps to all its *windows* and to pauses.

    The libraries of this kind let twice as much through where two windows meet, cannot say how
    long to wait, or know no pause.
    """

    windows: tuple[Window, ...] = ()
    clock: Callable[[], float] = time.monotonic
    waiting: int = 0
    """How many callers wait for their turn."""
    told: Callable[[float], object] | None = None
    """Called with the seconds of each pause."""
    _not_before: float = 0.0
    _done: deque[float] = field(init=False)
    _line: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by the caller whose turn is next."""

    def __post_init__(self) -> None:
        self._done = deque(maxlen=max((count for count, _ in self.windows), default=0))

    def wait(self) -> float:
        """Seconds until the next call is allowed; 0 for now."""
        now, done = self.clock(), self._done
        free = [done[-count] + span for count, span in self.windows if len(done) >= count]
        return max(0.0, *(until - now for until in (self._not_before, *free)))

    def due(self, count: int = 1) -> float:
        """Seconds until the last of *count* calls is allowed, callers that wait not counted."""
        now, done = self.clock(), list(self._done)
        when = now
        for _ in range(count):
            free = [done[-most] + span for most, span in self.windows if len(done) >= most]
            when = max(when, self._not_before, *free)
            done.append(when)
        return when - now

    def note(self) -> float:
        """Count one call now; answers when that is, for ``note_end``."""
        noted = self.clock()
        self._done.append(noted)
        return noted

    def note_end(self, noted: float) -> None:
        """Count the call of *noted* as one of now.

        Made at its turn, it arrives when it has been put together and sent: a platform that counts
        arrivals would find the next ones too close to it.
        """
        if noted in self._done:
            self._done.remove(noted)
            self._done.append(self.clock())

    def take(self) -> bool:
        """Count one call if it is allowed now; answers whether it was."""
        free = self.wait() <= 0
        if free:
            self.note()
        return free

    @asynccontextmanager
    async def calling(self) -> AsyncIterator[None]:
        """Wait for the next allowed call, which is made in the block and counts at its end."""
        noted = await self.turn()
        try:
            yield
        finally:
            self.note_end(noted)

    async def turn(self) -> float:
        """Wait for the next allowed call, first come, first served, and count it as ``note``."""
        self.waiting += 1
        try:
            async with self._line:
                # Time is awaited here, not an event.
                while (wait := self.wait()) > 0:  # noqa: ASYNC110
                    await asyncio.sleep(wait)
                return self.note()
        finally:
            self.waiting -= 1

    def pause(self, seconds: float) -> None:
        """Allow no call for *seconds*, or for longer where a longer pause runs."""
        until = self.clock() + seconds
        if until > self._not_before:
            self._not_before = until
            if self.told is not None:
                self.told(seconds)

    @cached_property
    def behind(self) -> Behind:
        """The limiter for calls of lower priority."""
        return Behind(self)

    def at_rest(self) -> bool:
        """Whether a new limiter would allow the same."""
        now, longest = self.clock(), max((span for _, span in self.windows), default=0.0)
        return self._not_before <= now and (not self._done or self._done[-1] + longest <= now)


SHARE = 3
"""Calls of lower priority get one part of so many."""

BEHIND = 0.2
"""Seconds after which a call of lower priority looks again for callers before it."""


class Behind(Limiter):
    """Lets all callers of *first* pass, and allows only a share of its calls."""

    def __init__(self, first: Limiter) -> None:
        windows = tuple((max(1, count // SHARE), span) for count, span in first.windows)
        super().__init__(windows, lambda: first.clock())
        self._first = first

    def wait(self) -> float:
        """Seconds until the next call is allowed; 0 for now."""
        before = BEHIND if self._first.waiting else 0.0
        return max(super().wait(), self._first.wait(), before)

    def due(self, count: int = 1) -> float:
        """Seconds until the last of *count* is allowed, if no caller of *first* comes meanwhile."""
        return max(super().due(count), self._first.due(self._first.waiting + count))

    def note(self) -> float:
        """Count one call, here and at *first*."""
        noted = self._first.note()
        self._done.append(noted)
        return noted

    def note_end(self, noted: float) -> None:
        """Count the call of *noted* as one of now, here and at *first*."""
        super().note_end(noted)
        self._first.note_end(noted)

    def pause(self, seconds: float) -> None:
        """Allow no call for *seconds*, whatever its priority."""
        self._first.pause(seconds)


@dataclass
class Limiters(Generic[Key]):
    """A limiter for each key. At *most* limiters, idle ones without a pause are dropped."""

    most: int = 4096
    clock: Callable[[], float] = time.monotonic
    _kept: dict[Key, Limiter] = field(default_factory=dict)

    def at(self, key: Key, windows: tuple[Window, ...]) -> Limiter:
        """The limiter of *key*; a new one gets *windows*."""
        known = self._kept.get(key)
        if known is None:
            if len(self._kept) >= self.most:
                self._kept = {k: one for k, one in self._kept.items() if not one.at_rest()}
            known = self._kept[key] = Limiter(windows, self.clock)
        return known
