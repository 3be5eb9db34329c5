"""What the house thinks of the game at a table, for those who may ask."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from cachetools import LRUCache

from bot.computers.pool import Question, Thinkers
from bot.computers.worker import Task
from bot.table.table import Table
from games.core import Seat
from games.core.advice import Weighed

SECONDS = 20.0
"""How many seconds of the processor the review of a whole game may take."""

KEPT = 64
"""The reviews of how many games are kept."""


@dataclass(frozen=True)
class Opinion:
    """What a seat had better play, as notation, with its value from -1 to 1.

    *line* is what is expected to follow, the move itself first; *exact* says that it is proved.
    """

    move: str
    value: float
    line: tuple[str, ...]
    exact: bool


@dataclass
class Advice:
    """Asks *thinkers*; whoever asks for the review of the same game meanwhile waits for it."""

    thinkers: Thinkers
    seconds: float = SECONDS
    _reviews: LRUCache[tuple[str, int], asyncio.Task[tuple[Weighed, ...] | None]] = field(
        default_factory=lambda: LRUCache(KEPT)
    )

    async def hint(self, table: Table, seat: Seat) -> Opinion | None:
        """What *seat* had better play; ``None`` where nobody could tell."""
        found = await self.thinkers.answer(_question(table, seat), Task.HINT)
        if found is None:
            return None
        return Opinion(found["move"], found["value"], tuple(found["line"]), found["exact"])

    async def odds(self, table: Table, mover: Seat) -> tuple[Sequence[float], int] | None:
        """The chances by seat, and of how many games played out; *mover* is to move."""
        found = await self.thinkers.answer(_question(table, mover), Task.ODDS)
        return None if found is None else (found["shares"], found["games"])

    async def review(self, table: Table) -> tuple[Weighed, ...] | None:
        """What every decision of the game was worth; ``None`` where nobody could tell."""
        key = table.code, len(table.log)
        task = self._reviews.get(key)
        if task is None:
            task = self._reviews[key] = asyncio.create_task(self._reviewed(table))
        found = await asyncio.shield(task)
        if found is None:
            self._reviews.pop(key, None)
        return found

    async def _reviewed(self, table: Table) -> tuple[Weighed, ...] | None:
        answer = await self.thinkers.answer(_question(table, 0), Task.REVIEW, self.seconds)
        return None if answer is None else tuple(Weighed(*one) for one in answer["weighed"])


def _question(table: Table, seat: Seat) -> Question:
    name = f"{table.code}:{len(table.log)}"
    return Question(name, table.game.key, table.setting, table.log, seat, table.game.levels)
