"""Hints, odds and reviews of a game, by the worker processes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cachetools import LRUCache

from bot.service.computers.pool import Question, Thinkers, opinion_of
from bot.service.computers.worker import Task
from bot.session.resignation import Opinion
from bot.session.table import Table
from games.core import Seat
from games.core.advice import Weighed

SECONDS = 20.0
"""How many seconds of the processor the review of a whole game may take."""

KEPT = 256
"""How many answers are kept."""


@dataclass
class Advice:
    """Asks *thinkers*; the same question is asked once, and its answer kept."""

    thinkers: Thinkers
    seconds: float = SECONDS
    _asked: LRUCache[tuple[str, int, Task, Seat], asyncio.Task[dict[str, Any] | None]] = field(
        default_factory=lambda: LRUCache(KEPT)
    )

    async def hint(self, table: Table, seat: Seat) -> Opinion | None:
        """The best move of *seat*; ``None`` where no worker could tell."""
        found = await self._once(table, table.version, Task.HINT, seat)
        return None if found is None else opinion_of(found)

    async def odds(self, table: Table, mover: Seat) -> tuple[Sequence[float], int] | None:
        """The chances by seat, and of how many games played out; *mover* is to move."""
        found = await self._once(table, table.version, Task.ODDS, mover)
        return None if found is None else (found["shares"], found["games"])

    async def review(self, table: Table) -> tuple[Weighed, ...] | None:
        """The value of every decision of the game; ``None`` where no worker could tell."""
        found = await self._once(table, len(table.log), Task.REVIEW, 0, self.seconds)
        return None if found is None else tuple(Weighed(*one) for one in found["weighed"])

    def along(self, table: Table) -> tuple[int, int] | None:
        """How many decisions the review of *table* has weighed, and of how many.

        ``None`` while it waits for its turn, or nobody has asked for it.
        """
        return self.thinkers.along(_question(table, 0).table, Task.REVIEW)

    def reviewed(self, table: Table) -> tuple[Weighed, ...] | None:
        """The review of *table*, if it was made already."""
        asked = self._asked.get((table.code, len(table.log), Task.REVIEW, 0))
        if asked is None or not asked.done() or asked.cancelled() or asked.exception():
            return None
        found = asked.result()
        return None if found is None else tuple(Weighed(*one) for one in found["weighed"])

    async def _once(
        self, table: Table, at: int, task: Task, seat: Seat, seconds: float | None = None
    ) -> dict[str, Any] | None:
        key = table.code, at, task, seat
        asked = self._asked.get(key)
        if asked is None:
            answering = self.thinkers.answer(_question(table, seat), task, seconds)
            asked = self._asked[key] = asyncio.create_task(answering)
        # A caller who gives up does not end it for the others.
        found = None
        try:
            found = await asyncio.shield(asked)
        finally:
            if found is None and asked.done():
                self._asked.pop(key, None)
        return found


def _question(table: Table, seat: Seat) -> Question:
    name = f"{table.code}:{len(table.log)}"
    return Question(name, table.game.key, table.setting, table.log, seat, table.game.levels)
