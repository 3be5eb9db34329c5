"""Partial moves on shared boards, remembered so that a newer board keeps them.

The buttons hold them as well: what is forgotten here, as at a restart, is chosen once more.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cachetools import LRUCache

from bot.session.table import Table

KEPT = 4096
"""Boards whose partial moves are remembered: the latest."""

Steps = tuple[str, ...]


@dataclass
class PartialMoves:
    """The choices made so far, by view, each with its turn."""

    _paths: LRUCache[int, tuple[int, Steps]] = field(default_factory=lambda: LRUCache(KEPT))

    def note(self, view: int, turn: int, path: Steps) -> None:
        """Remember that *path* is chosen on *view* in *turn*; an empty path is forgotten."""
        if path:
            self._paths[view] = (turn, path)
        else:
            self._paths.pop(view, None)

    def moved(self, old: int, new: int) -> None:
        """Note that the view *new* replaces *old*."""
        if (begun := self._paths.pop(old, None)) is not None:
            self._paths[new] = begun

    def path(self, view: int, table: Table) -> Steps:
        """The steps chosen on *view* of *table*, if their turn still lasts."""
        turn, path = self._paths.get(view, (0, ()))
        return path if any(table.turns[seat] == turn for seat in table.actors()) else ()
