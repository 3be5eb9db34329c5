"""Boards and answers on their way to the same message, each of which may overtake the other.

An answer to a press may keep the picture of its message only where no board is on its way there:
that board takes the picture away, and Discord refuses to show a file that is not there.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from time import monotonic

from cachetools import LRUCache

KEPT = 4096
"""Of how many messages we remember the picture: the latest."""

UNSURE = ""
"""The picture of a message to which a board went, while nobody knows whether it arrived."""

PATIENCE = 5.0
"""Seconds for which a board waits for the answers that are on their way to its message."""

ANSWER_DUE = 2.4
"""Seconds after a press within which its answer should arrive; Discord waits for three."""


@dataclass
class Flights:
    """What is on its way to which message, by its id."""

    _boards: Counter[int] = field(default_factory=Counter)
    _answers: dict[int, list[asyncio.Event]] = field(default_factory=dict)
    _pictures: LRUCache[int, str | None] = field(default_factory=lambda: LRUCache(KEPT))

    @asynccontextmanager
    async def board(self, message: int, picture: str | None) -> AsyncIterator[None]:
        """A board with the file *picture* goes to *message*, once the answers there have come."""
        for answer in tuple(self._answers.get(message, ())):
            try:
                async with asyncio.timeout(PATIENCE):
                    await answer.wait()
            except TimeoutError:
                break
        self._boards[message] += 1
        self._pictures[message] = UNSURE
        try:
            yield
            self._pictures[message] = picture
        finally:
            self._boards[message] -= 1
            if not self._boards[message]:
                del self._boards[message]

    @contextmanager
    def answer(self, message: int) -> Iterator[None]:
        """An answer goes to *message*; boards wait for it."""
        arrived = asyncio.Event()
        under_way = self._answers.setdefault(message, [])
        under_way.append(arrived)
        try:
            yield
        finally:
            arrived.set()
            under_way.remove(arrived)
            if not under_way:
                self._answers.pop(message, None)

    def keeps(self, message: int, picture: str) -> bool:
        """Whether *message*, which was pressed while it showed *picture*, has that file still."""
        return message not in self._boards and self._pictures.get(message, picture) == picture

    def given(self, message: int, picture: str | None) -> None:
        """An answer has given *message* the file *picture*."""
        self._pictures[message] = picture


@dataclass
class Pulse:
    """How long Discord takes of late to hear an answer, in seconds."""

    slowest: float = 0.0

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Measure an answer; what was slow before counts less with each."""
        began = monotonic()
        try:
            yield
        finally:
            self.slowest = max(monotonic() - began, 0.8 * self.slowest)

    def patience(self, most: float) -> float:
        """Seconds that an answer may be worked on, at most *most*, so that it comes in time."""
        return max(0.1, min(most, ANSWER_DUE - self.slowest))
