"""Rate limiters with sliding windows, whose callers come in the order of their ranks."""

from __future__ import annotations

import asyncio
import time
from bisect import insort
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from typing import Generic, TypeAlias, TypeVar

Key = TypeVar("Key", bound=Hashable)

Window: TypeAlias = tuple[int, float]
"""A count, and the seconds within which it may not be exceeded."""


class Rank(IntEnum):
    """Who goes first: whoever has a higher rank waits while anybody with a lower one does."""

    TURN = 0
    """A board for which the next player waits."""
    ALONE = 1
    """An answer that can come in no other way, and that its asker waits for."""
    PLAYS = 2
    """What a player asks for, or whoever opens a table, sits down, enters or sets up a game."""
    BOARD = 3
    """A board, and the steps of a move, for which nobody else waits."""
    LOOKS = 4
    """What everybody else asks for: it leaves alone what is kept for players."""


@dataclass(order=True)
class _Waiting:
    """A caller that waits for its turn; *moved* wakes the first one."""

    rank: Rank
    number: int
    key: Hashable = field(compare=False)
    moved: asyncio.Event = field(default_factory=asyncio.Event, compare=False)


@dataclass
class Limiter:
    """A limiter that keeps to all its *windows* and to pauses.

    The libraries of this kind let twice as much through where two windows meet, cannot say how
    long to wait, know no pause, or no order but that of coming.
    """

    windows: tuple[Window, ...] = ()
    clock: Callable[[], float] = time.monotonic
    told: Callable[[float], object] | None = None
    """Called with the seconds of each pause."""
    _not_before: float = 0.0
    _kept: tuple[int, float] = (0, 0.0)
    """How many calls of the first window are kept for players, and until when."""
    _done: deque[float] = field(init=False)
    _line: list[_Waiting] = field(default_factory=list)
    """Who waits, first come, first served within a rank."""
    _numbers: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self._done = deque(maxlen=max((most for most, _ in self.windows), default=0))

    def keep(self, calls: int, seconds: float) -> None:
        """Keep so many *calls* of the first window from ``Rank.LOOKS`` for *seconds*."""
        self._kept = (calls, self.clock() + seconds)

    def _free(self, done: Sequence[float], rank: Rank) -> float:
        """When the next call after those *done* is allowed."""
        kept, until = self._kept
        first = kept if rank is Rank.LOOKS and self.clock() < until else 0
        free = [self._not_before]
        for most, span in self.windows:
            allowed = max(1, most - first)
            if len(done) >= allowed:
                free.append(done[-allowed] + span)
            first = 0
        return max(free)

    def wait(self, rank: Rank = Rank.PLAYS) -> float:
        """Seconds until the next call is allowed, callers that wait not counted; 0 for now."""
        return max(0.0, self._free(self._done, rank) - self.clock())

    def due(self, calls: int = 1, rank: Rank = Rank.PLAYS) -> float:
        """Seconds until the last of so many *calls* is allowed, callers that wait not counted."""
        now, done = self.clock(), list(self._done)
        when = now
        for _ in range(calls):
            when = max(when, self._free(done, rank))
            done.append(when)
        return when - now

    def ahead(self, rank: Rank = Rank.PLAYS) -> int:
        """How many callers wait that a new one with *rank* goes behind."""
        return sum(one.rank <= rank for one in self._line)

    def next_due(self, rank: Rank) -> float:
        """Seconds until a new caller with *rank* comes, if nobody goes before it meanwhile."""
        return self.due(self.ahead(rank) + 1, rank)

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
    async def calling(self, rank: Rank = Rank.PLAYS, key: Hashable = None) -> AsyncIterator[None]:
        """Wait for the next allowed call, which is made in the block and counts at its end."""
        noted = await self.turn(rank, key)
        try:
            yield
        finally:
            self.note_end(noted)

    async def turn(self, rank: Rank = Rank.PLAYS, key: Hashable = None) -> float:
        """Wait for the next allowed call, and count it as ``note``; *key* is for ``hurry``."""
        me = _Waiting(rank, next(self._numbers), key)
        insort(self._line, me)
        try:
            while True:
                me.moved.clear()
                first = self._line[0] is me
                wait = self.wait(me.rank)
                if first and wait <= 0:
                    return self.note()
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait if first else None):
                        await me.moved.wait()
        finally:
            self._line.remove(me)
            self._wake_first()

    def hurry(self, key: Hashable, rank: Rank) -> None:
        """Let the caller that waits by *key* go on with *rank*, if that is before its own."""
        for one in self._line:
            if one.key == key and rank < one.rank:
                one.rank = rank
                self._line.sort()
                self._wake_first()
                return

    def _wake_first(self) -> None:
        if self._line:
            self._line[0].moved.set()

    def pause(self, seconds: float) -> None:
        """Allow no call for *seconds*, or for longer where a longer pause runs."""
        until = self.clock() + seconds
        if until > self._not_before:
            self._not_before = until
            if self.told is not None:
                self.told(seconds)

    def is_paused(self) -> bool:
        """Whether a pause runs: the platform itself has asked us to wait."""
        return self._not_before > self.clock()

    def at_rest(self) -> bool:
        """Whether a new limiter would allow the same."""
        now, longest = self.clock(), max((span for _, span in self.windows), default=0.0)
        return not self.is_paused() and (not self._done or self._done[-1] + longest <= now)


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
