"""A queue for the workers: short questions first, and no question waits for ever."""

from __future__ import annotations

import asyncio
import itertools
import time
from bisect import insort
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

SHORT = 0.5
"""Seconds up to which a question is short."""

WEIGHT = 4.0
"""A question lets later ones pass for this many times its own length."""


@dataclass(order=True)
class _Waiting:
    due: float
    number: int
    short: bool = field(compare=False)
    admitted: asyncio.Future[bool] = field(compare=False)
    """Set on admission: whether to the place kept for short questions."""


class ThinkingTurns:
    """Admits *count* questions at once, and one more where it is short.

    So a short question never waits for the end of a long one.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._free_short = 1
        self._waiting: list[_Waiting] = []
        self._numbers: Iterator[int] = itertools.count()

    @asynccontextmanager
    async def turn(self, expected: float) -> AsyncIterator[None]:
        """Wait for a place for a question that is *expected* to take so many seconds."""
        admitted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        due = time.monotonic() + WEIGHT * expected
        waiting = _Waiting(due, next(self._numbers), expected <= SHORT, admitted)
        insort(self._waiting, waiting)
        self._admit()
        try:
            kept = await admitted
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif not admitted.cancelled():
                self._leave(kept=admitted.result())
            raise
        try:
            yield
        finally:
            self._leave(kept=kept)

    def _leave(self, *, kept: bool) -> None:
        if kept:
            self._free_short += 1
        else:
            self._free += 1
        self._admit()

    def _admit(self) -> None:
        # A cancelled question takes no place.
        self._waiting = [one for one in self._waiting if not one.admitted.done()]
        for one in tuple(self._waiting):
            kept = not self._free
            if kept and not (one.short and self._free_short):
                continue
            if kept:
                self._free_short -= 1
            else:
                self._free -= 1
            self._waiting.remove(one)
            one.admitted.set_result(kept)
