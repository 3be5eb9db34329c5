"""The queue of transactions: one at a time, those that a person waits for first."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

LONGEST: Final = 0.1
"""Seconds after which one transaction of low priority gets a turn before the others."""

_patient: ContextVar[bool] = ContextVar("patient", default=False)


@contextmanager
def low_priority() -> Iterator[None]:
    """Gives transactions in here, and in tasks begun in here, low priority.

    It is for work that no person waits for, of which there may be much at once.
    """
    before = _patient.set(True)
    try:
        yield
    finally:
        _patient.reset(before)


class TransactionQueue:
    """Gives one turn at a time in the order of asking, first to those of normal priority."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()
        self._others_since = 0.0
        """When those of low priority began to wait, or had their last turn."""

    async def acquire(self) -> None:
        """Wait for a turn."""
        if not self._taken:
            self._taken = True
            return
        loop = asyncio.get_running_loop()
        given = loop.create_future()
        if _patient.get():
            self._others_since = self._others_since if self._patient else loop.time()
            self._patient.append(given)
        else:
            self._waiting.append(given)
        try:
            await given
        except asyncio.CancelledError:
            if given.done() and not given.cancelled():
                self.release()
            raise

    def release(self) -> None:
        """End the turn; the next one begins."""
        while self._waiting or self._patient:
            given = self._next()
            if not given.done():  # else cancelled while it waited
                given.set_result(None)
                return
        self._taken = False

    def _next(self) -> asyncio.Future[None]:
        now = asyncio.get_running_loop().time()
        long = now - self._others_since >= LONGEST
        if not self._patient or (self._waiting and not long):
            return self._waiting.popleft()
        self._others_since = now
        return self._patient.popleft()
