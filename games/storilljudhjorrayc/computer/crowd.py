"""A board as one unit sees it, on which everybody else is only in the way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from games.storilljudhjorrayc.board import Board, Unit
from games.storilljudhjorrayc.geometry import Space


@dataclass(frozen=True)
class Crowd(Board):
    """A board on which all but one unit are nobody in particular, and of the other side."""

    standing_at: tuple[tuple[Space, Unit], ...] = ()

    @cached_property
    def standing(self) -> dict[Space, Unit]:
        """Who stands on the spaces in the way."""
        return dict(self.standing_at)
