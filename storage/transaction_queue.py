"""Whose turn it is with the database: one at a time, and nobody before whom a person waits for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

LONGEST: Final = 0.1
"""For how many seconds, at most, those who are patient let others go before; then it is one's turn.

Many of them together get one turn in that time as well: a crowd does not crowd others out.
"""

_patient: ContextVar[bool] = ContextVar("patient", default=False)


@contextmanager
def low_priority() -> Iterator[None]:
    """What is done in here, and in tasks begun in here, lets everything else go before.

    So is done what nobody has asked for just now, of which there may be much at once.
    """
    before = _patient.set(True)
    try:
        yield
    finally:
        _patient.reset(before)


class TransactionQueue:
    """Gives one turn at a time, in the order of asking: first to those who are not patient."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()
        self._others_since = 0.0
        """Since when those who are patient have let others go before."""

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
        """The turn is over: the next one's begins."""
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
