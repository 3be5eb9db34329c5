"""How often something may be done: so many times in so many seconds, sliding."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeAlias, TypeVar

Key = TypeVar("Key", bound=Hashable)

Window: TypeAlias = tuple[int, float]
"""A count, and the seconds within any of which there may be no more than that."""


@dataclass
class Limiter:
    """Keeps whoever asks it to every one of *windows*, and to the patience asked for.

    Written here because the libraries of this kind either let twice as much through where two
    windows meet, or cannot say how long to wait, or know no «not before».
    """

    windows: tuple[Window, ...] = ()
    clock: Callable[[], float] = time.monotonic
    waiting: int = 0
    """How many wait for their turn."""
    _not_before: float = 0.0
    _done: deque[float] = field(init=False)
    _line: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by whoever has the next turn."""

    def __post_init__(self) -> None:
        self._done = deque(maxlen=max((count for count, _ in self.windows), default=0))

    def wait(self) -> float:
        """How many seconds the next one must wait; 0 when it may come now."""
        now, done = self.clock(), self._done
        free = [done[-count] + span for count, span in self.windows if len(done) >= count]
        return max(0.0, *(until - now for until in (self._not_before, *free)))

    def due(self, count: int = 1) -> float:
        """In how many seconds the last of *count* comes, each as soon as it may; 0 for none.

        Those who wait already are for the asker to count.
        """
        now, done = self.clock(), list(self._done)
        when = now
        for _ in range(count):
            free = [done[-most] + span for most, span in self.windows if len(done) >= most]
            when = max(when, self._not_before, *free)
            done.append(when)
        return when - now

    def note(self) -> None:
        """Note one done now."""
        self._done.append(self.clock())

    def take(self) -> bool:
        """Whether one may be done now; it is noted then."""
        free = self.wait() <= 0
        if free:
            self.note()
        return free

    async def turn(self) -> None:
        """Wait until one may be done, in the order in which it was asked for, and note it."""
        self.waiting += 1
        try:
            async with self._line:
                # It is the time that is waited for, not an event.
                while (wait := self.wait()) > 0:  # noqa: ASYNC110
                    await asyncio.sleep(wait)
                self.note()
        finally:
            self.waiting -= 1

    def pause(self, seconds: float) -> None:
        """Let nothing be done for *seconds*, or for longer where that was asked before."""
        self._not_before = max(self._not_before, self.clock() + seconds)

    @cached_property
    def behind(self) -> Behind:
        """The limiter of those who come after all who wait for this one."""
        return Behind(self)

    def at_rest(self) -> bool:
        """Whether it holds nobody up, and would not if it were made anew."""
        now, longest = self.clock(), max((span for _, span in self.windows), default=0.0)
        return self._not_before <= now and (not self._done or self._done[-1] + longest <= now)


SHARE = 3
"""Whoever goes behind others has one of so many parts of what may be done."""

BEHIND = 0.2
"""After how many seconds whoever is behind looks again whether anybody still waits before him."""


class Behind(Limiter):
    """Goes behind all who wait for *first*, and has only a share of what it lets through."""

    def __init__(self, first: Limiter) -> None:
        windows = tuple((max(1, count // SHARE), span) for count, span in first.windows)
        super().__init__(windows, lambda: first.clock())
        self._first = first

    def wait(self) -> float:
        """How many seconds the next one must wait; 0 when it may come now."""
        before = BEHIND if self._first.waiting else 0.0
        return max(super().wait(), self._first.wait(), before)

    def due(self, count: int = 1) -> float:
        """In how many seconds the last of *count* comes, if nobody comes before them meanwhile."""
        return max(super().due(count), self._first.due(self._first.waiting + count))

    def note(self) -> None:
        """Note one done now, here and where it counts for all."""
        super().note()
        self._first.note()

    def pause(self, seconds: float) -> None:
        """Let nobody do anything for *seconds*."""
        self._first.pause(seconds)


@dataclass
class Limiters(Generic[Key]):
    """A limiter for each key, made when it is first asked for.

    When there are *most* those at rest are forgotten; one that asks for patience never is.
    """

    most: int = 4096
    clock: Callable[[], float] = time.monotonic
    _kept: dict[Key, Limiter] = field(default_factory=dict)

    def at(self, key: Key, windows: tuple[Window, ...]) -> Limiter:
        """The limiter of *key*, which keeps it to *windows* where it is new."""
        known = self._kept.get(key)
        if known is None:
            if len(self._kept) >= self.most:
                self._kept = {k: one for k, one in self._kept.items() if not one.at_rest()}
            known = self._kept[key] = Limiter(windows, self.clock)
        return known
