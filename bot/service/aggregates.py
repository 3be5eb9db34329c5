"""Aggregates by their codes: kept in memory, and changed one change at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache

from bot.runtime.caches import remembering
from bot.service.clock import Clock
from storage.errors import Conflict
from storage.records import BrokenAggregate, EventWriter, Versioned
from storage.store import Store

CHANGE_TRIES = 3
"""How often a change is decided anew where another process has made one first."""

TOLD = 256
"""Of how many aggregates the newest version that other processes have told of is kept."""


Kept = TypeVar("Kept")
Decided = TypeVar("Decided")
Stored = TypeVar("Stored")
Work = TypeVar("Work", bound=EventWriter[Any, Any])


@dataclass(kw_only=True)
class Aggregates(Generic[Kept]):
    """Aggregates of one kind, of which *most_kept* stay in memory.

    The others are folded from their events again.
    """

    most_kept: ClassVar[int]
    store: Store
    clock: Clock
    _kept: LRUCache[str, tuple[int, Kept]] = field(init=False)
    _older: LRUCache[str, tuple[int, Kept]] = field(init=False)
    """Those that other processes have changed since: only newer events must be read."""
    _told: LRUCache[str, int] = remembering(TOLD)
    """The versions to which other processes have lately brought them."""
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    _awaited: WeakValueDictionary[str, asyncio.Event] = field(default_factory=WeakValueDictionary)

    def __post_init__(self) -> None:
        """Begin with nothing kept."""
        self._kept, self._older = LRUCache(self.most_kept), LRUCache(self.most_kept)

    # ---------------------------------------------------------------- reading

    def at_hand(self, code: str) -> Kept | None:
        """What is kept of *code*."""
        found = self._kept.get(code)
        return None if found is None else found[1]

    def stands(self, code: str, version: int) -> bool:
        """Whether *code* is at hand, and at this *version*."""
        found = self._kept.get(code)
        return found is not None and found[0] == version

    def remember(self, code: str, version: int, kept: Kept) -> None:
        """Remember what is on disk."""
        if self._told.get(code, 0) <= version:
            known, self._kept[code] = self._kept.get(code), (version, kept)
            if known is None or known[0] < version:
                self.announce(code)

    def hear_version(self, code: str, version: int) -> None:
        """Another process has brought *code* to *version*."""
        self._told[code] = max(version, self._told.get(code, 0))
        self.announce(code)
        kept = self._kept.get(code)
        if kept is not None and kept[0] < version:
            self._older[code] = kept
            self.forget(code)

    def announce(self, code: str) -> None:
        """Let all who wait for a change of *code* look at it."""
        if (news := self._awaited.pop(code, None)) is not None:
            news.set()

    async def find(self, code: str) -> Versioned | None:
        """What *code* names, ``None`` where there is nothing that can be read."""
        raise NotImplementedError

    async def until_changed(self, code: str, version: int, seconds: float) -> bool:
        """Whether *code* is another than at *version*, or so within *seconds*."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    news = self._awaited.setdefault(code, asyncio.Event())
                    found = await self.find(code)
                    if found is None or found.version != version:
                        return True
                    await news.wait()
        return False

    def forget(self, code: str) -> None:
        """Evict *code*: what is on disk may be another."""
        self._kept.pop(code, None)

    def forget_all(self) -> None:
        """Everything is read again."""
        self._kept.clear()
        self._older.clear()

    async def read_anew(
        self, code: str, version: int, read: Callable[[Kept | None], Awaitable[Kept]]
    ) -> Kept:
        """What *read* makes of *code* on top of what is kept, at most at *version*, or of nothing.

        Raises ``BrokenAggregate`` where it cannot be read from the beginning.
        """
        base = self._kept.get(code) or self._older.pop(code, None)
        if base is not None and base[0] <= version:
            with suppress(BrokenAggregate):
                return await read(base[1])
        return await read(None)

    # ---------------------------------------------------------------- changing

    async def decide(
        self,
        code: str,
        begin: Callable[[], Awaitable[Work]],
        decide: Callable[[Work], Decided],
        store: Callable[[Work], Awaitable[Stored]],
    ) -> tuple[Work, Decided, Stored | None]:
        """Let *decide* write in what *begin* reads, and *store* what is written, if anything is.

        Raises what they raise; ``Conflict`` where others were faster each time.
        """
        # Weakly kept: a lock lives as long as somebody holds it or waits for it.
        async with self._locks.setdefault(code, asyncio.Lock()):
            for _ in range(CHANGE_TRIES):
                work = await begin()
                result = decide(work)
                if not work.written:
                    return work, result, None
                with suppress(Conflict):  # another process was before us
                    return work, result, await store(work)
        raise Conflict(f"{code} changed {CHANGE_TRIES} times under us")
