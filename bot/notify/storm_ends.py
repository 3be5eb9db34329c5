"""Tells whoever runs three minutes of puzzles that they are over, at their end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from bot.boards.delivery import Delivery
from bot.boards.views_besides_boards import ViewContent, ViewKind
from bot.presenters.school.puzzles import PuzzleScreens
from bot.service.place.places import view_place
from bot.service.school.puzzles import STORM, STORM_VIEW, Puzzles
from games.core.shelf import shelf
from storage.records import ViewRow
from storage.school.puzzles import load_solver
from storage.table import views

LOOK: Final = 60.0
"""The most seconds between two looks: less than a storm lasts."""


@dataclass(frozen=True, kw_only=True)
class StormEnds(ViewKind):
    """Owes the end of a storm to the private chat of whoever runs it; their subjects are games."""

    puzzles: Puzzles
    delivery: Delivery
    key: bytes

    def __post_init__(self) -> None:
        self.delivery.renderer.kinds[STORM_VIEW] = self

    async def look(self) -> float:
        """Owe the ends that have come; answers in how many seconds the next one does."""
        return min([LOOK, *[left for game in shelf() async for left in self._count_down(game)]])

    async def _count_down(self, game: str) -> AsyncIterator[float]:
        """How many seconds the storms of *game* last; owes the ends of those that are over."""
        store, own = self.puzzles.store, self.delivery.ownership
        for view in await store.read(views.views_showing, STORM_VIEW, game):
            where, person = view_place(view), view.person or 0
            running = not view.owed and await own.keeps_at(where)
            storm = await self.puzzles.storm_of(person, game) if running else None
            if storm is not None and storm.left:
                yield storm.left
            elif storm is not None:
                owed = await store.write(views.owe_views_at, STORM_VIEW, *where.key, 1)
                await self.puzzles.put_storm(person, game, None, storm.solved)
                self.delivery.show_owed(owed)

    async def content(self, view: ViewRow, *, masked: bool) -> ViewContent | None:  # noqa: ARG002
        """That the time is over, and what was solved in it."""
        game, over = view.subject, PuzzleScreens(view.language, self.key).storm_over
        store = self.puzzles.store
        row = await store.read(load_solver, view.person or 0, STORM + game)
        return None if row is None else ViewContent(over(game, row.streak, row.longest))
