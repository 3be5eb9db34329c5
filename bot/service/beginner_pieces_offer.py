"""Who is new to shogi: they are offered the set of pieces that shows how each goes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from cachetools import LRUCache

from bot.service.people import People
from bot.session.table import PLAYING, Table
from render.kit import themed
from storage import games
from storage.store import Store

STARTER = "starter"
"""The set of pieces for newcomers, as painters and settings call it."""

FIRST = 3
"""In so many first games of a kind it is offered."""

KNOWN = 4096
"""How many answers about a person at a table are remembered."""


@dataclass(frozen=True, kw_only=True)
class Newcomers:
    """Tells to whom a board offers the newcomer's set of pieces."""

    store: Store
    people: People
    _new: LRUCache[tuple[int, str], bool] = field(default_factory=lambda: LRUCache(KNOWN))
    """Whether a person, at a table, plays one of their first games of its kind."""

    async def are_offered(self, table: Table, readers: Collection[int]) -> bool:
        """Whether a board of *table* that *readers* see offers them the set.

        All are new to the game, nobody has declined it or chosen another, and somebody lacks it.
        """
        if table.status != PLAYING or themed(table.game.key, "", STARTER) == themed(
            table.game.key, "", ""
        ):
            return False
        lacking = False
        for reader in readers:
            chosen = await self.people.personal(reader)
            if chosen.declines_starter or chosen.pieces not in (None, STARTER):
                return False
            if chosen.pieces is None:
                if not await self._is_new(table, reader):
                    return False
                lacking = True
        return lacking

    async def _is_new(self, table: Table, person: int) -> bool:
        known = self._new.get((person, table.code))
        if known is None:
            played = await self.store.read(games.count_games, person, table.game.key, FIRST + 1)
            known = self._new[person, table.code] = played <= FIRST
        return known
