"""Rate limiters with sliding windows, whose callers come in the order of their ranks."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Generic, TypeAlias, TypeVar

Key = TypeVar("Key", bound=Hashable)

Window: TypeAlias = tuple[int, float]
"""A count, and the seconds within which it may not be exceeded."""


AGED = 8.0
"""Seconds after which whoever waits has the rank before, up to that of a turn."""


SPARED, WITHIN = 1, 4.0
"""How many calls of a lively place are left to ``Rank.ALONE``, or free in how many seconds."""


class Rank(IntEnum):
    """Who goes first: whoever has a higher rank waits while anybody with a lower one does."""

    ALONE = 0
    """An answer that can come in no other way, and that its asker waits for: a few a minute."""
    TURN = 1
    """A board for which the next player waits."""
    PLAYS = 2
    """What a player asks for, or whoever opens a table, sits down, enters or sets up a game."""
    BOARD = 3
    """A board, and the steps of a move, for which nobody else waits."""
    LOOKS = 4
    """What everybody else asks for: it leaves alone what is kept for players."""


@dataclass(eq=False)
class _Waiting:
    """A caller that waits for its turn since *began*; *moved* wakes the first one."""

    rank: Rank
    began: float
    key: Hashable
    moved: asyncio.Event = field(default_factory=asyncio.Event)

    def rank_at(self, now: float) -> Rank:
        """Its rank: whoever has waited for long goes before, lookers apart."""
        aged = 0 if self.rank is Rank.LOOKS else int((now - self.began) / AGED)
        return Rank(min(self.rank, max(Rank.TURN, self.rank - aged)))


@dataclass
class Limiter:
    """A limiter that keeps to all its *windows* and to pauses.

    The libraries of this kind let twice as much through where two windows meet, cannot say how
    long to wait, know no pause, or no order but that of coming.
    """

    windows: tuple[Window, ...] = ()
    clock: Callable[[], float] = time.monotonic
    noted: Callable[[bool], object] = bool
    """Called at each call, and at each pause with True."""
    _not_before: float = 0.0
    _lively: tuple[int, int, float] = (0, 0, 0.0)
    """What ``enliven`` was told last, and until when."""
    _spread_from: float = 0.0
    """When the last call was made that those of ``enliven`` are spread behind."""
    _done: deque[float] = field(init=False)
    _line: list[_Waiting] = field(default_factory=list)
    """Who waits, first come, first served within a rank."""

    def __post_init__(self) -> None:
        self._done = deque(maxlen=max((most for most, _ in self.windows), default=0))

    def enliven(self, kept: int, spread: int, seconds: float) -> None:
        """Use the first window with care for *seconds*, since a game is played.

        Of its last calls so many are *kept* from ``Rank.LOOKS``, and so many *spread* over what is
        left of it: what is asked for at once would leave nothing for long. ``Rank.ALONE`` takes
        what that leaves free meanwhile: calls that are kept for it would often be no one's.
        """
        self._lively = (kept, spread, self.clock() + seconds)

    def _free(self, done: Sequence[float], rank: Rank) -> float:
        """When the next call after those *done* is allowed."""
        kept, spread, until = self._lively
        if self.clock() >= until or rank is Rank.ALONE:
            kept = spread = 0
        first = kept if rank is Rank.LOOKS else 0
        free = [self._not_before, self._evenly(done, spread)]
        for most, span in self.windows:
            allowed = max(1, most - first)
            if len(done) >= allowed:
                free.append(done[-allowed] + span)
            if spread and 0 < most - SPARED <= len(done):
                free.append(done[SPARED - most] + span - WITHIN)
            first = spread = 0
        return max(free)

    def _evenly(self, done: Sequence[float], spread: int) -> float:
        """When the next call comes if the last ones of the first window are *spread*."""
        if not (spread and done and self.windows):
            return 0.0
        most, span = self.windows[0]
        now = max(self.clock(), done[-1])
        within = [one for one in done if one > now - span]
        left = most - len(within)
        if not (within and 0 < left <= spread):
            return 0.0
        # Those still to come are spread, too.
        last = done[-1] if done[-1] > self.clock() else self._spread_from
        return last + (within[0] + span - last) / (left + 1)

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

    def ahead(self, rank: Rank = Rank.PLAYS, key: Hashable = None) -> int:
        """How many callers wait before one with *rank*: a new one, or that which has the *key*."""
        now = self.clock()
        first = [one.key for one in self._line if one.rank_at(now) <= rank]
        return first.index(key) if key is not None and key in first else len(first)

    def next_due(self, rank: Rank, key: Hashable = None) -> float:
        """Seconds until the caller of ``ahead`` comes, if nobody goes before it meanwhile."""
        return self.due(self.ahead(rank, key) + 1, rank)

    def latest(self, rank: Rank, key: Hashable = None) -> float:
        """Seconds until the caller of ``ahead`` comes though others go before it meanwhile.

        They take two calls for each rank that it has yet to rise, and every other call after that.
        """
        known = (one.rank for one in self._line if key is not None and one.key == key)
        rank = next(known, rank)
        return max(AGED * rank, self.due(2 * (self.ahead(rank, key) + rank) + 1, rank))

    def note(self, rank: Rank = Rank.PLAYS) -> float:
        """Count one call now; answers when that is, for ``note_end``."""
        noted = self.clock()
        self._done.append(noted)
        if rank is not Rank.ALONE:
            self._spread_from = noted
        self.noted(False)
        return noted

    def ages(self) -> list[float]:
        """How many seconds ago the last pause ended, if not below 0, and the last calls were."""
        return [self.clock() - one for one in (self._not_before, *self._done)]

    def recall(self, ages: Iterable[float]) -> None:
        """Go on from the ``ages`` of an earlier run."""
        paused, *made = (self.clock() - age for age in ages)
        self._not_before = max(self._not_before, paused)
        self._done = deque(sorted((*made, *self._done)), self._done.maxlen)

    def note_end(self, noted: float) -> None:
        """Count the call of *noted* as one of now.

        Made at its turn, it arrives when it has been put together and sent: a platform that counts
        arrivals would find the next ones too close to it.
        """
        if noted in self._done:
            self._done.remove(noted)
            self._done.append(self.clock())

    def spare(self, noted: float) -> None:
        """Count the call of *noted* no more: nothing had to be sent, and whoever waits goes on."""
        if noted in self._done:
            self._done.remove(noted)
            self._wake_first()

    def take(self) -> bool:
        """Count one call if it is allowed now; answers whether it was."""
        if free := self.wait() <= 0:
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
        me = _Waiting(rank, self.clock(), key)
        self._line.append(me)
        try:
            while True:
                self._wake_first()
                first, wait = self._first() is me, self.wait(me.rank)
                if first and wait <= 0:
                    return self.note(me.rank)
                me.moved.clear()
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
                self._wake_first()
                return

    def _first(self) -> _Waiting:
        now = self.clock()
        return min(self._line, key=lambda one: one.rank_at(now))

    def _wake_first(self) -> None:
        if self._line:
            self._first().moved.set()

    def pause(self, seconds: float) -> None:
        """Allow no call for *seconds*, or for longer where a longer pause runs."""
        until = self.clock() + seconds
        if until > self._not_before:
            self._not_before = until
            self.noted(True)

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
