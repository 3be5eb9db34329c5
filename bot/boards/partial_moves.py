"""Choices half made on boards that stand: kept in mind, so that no newer board sweeps them away.

The button is still the memory: what is forgotten here, as at a restart, is chosen once more.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cachetools import LRUCache

from bot.session.table import Table

KEPT = 4096
"""On how many boards a choice is kept in mind: the latest."""

Steps = tuple[str, ...]


@dataclass
class PartialMoves:
    """The choices made so far, by view, each with its turn."""

    _paths: LRUCache[int, tuple[int, Steps]] = field(default_factory=lambda: LRUCache(KEPT))

    def note(self, view: int, turn: int, path: Steps) -> None:
        """*path* is chosen on the board numbered *view*, in *turn*; nothing where it is empty."""
        if path:
            self._paths[view] = (turn, path)
        else:
            self._paths.pop(view, None)

    def moved(self, old: int, new: int) -> None:
        """The board numbered *new* takes the place of *old*."""
        if (begun := self._paths.pop(old, None)) is not None:
            self._paths[new] = begun

    def path(self, view: int, table: Table) -> Steps:
        """What is chosen so far on a board of *table*, if somebody is still asked for the rest."""
        turn, path = self._paths.get(view, (0, ()))
        return path if any(table.turns[seat] == turn for seat in table.actors()) else ()
