"""How far up a board lies, by the ids of messages; nobody need show us what people write.

Supergroups count their messages for themselves, so that the distance of two ids tells what lies
between. Private chats and basic groups share one count of all our messages: there age tells.
"""

from __future__ import annotations

import time
from bisect import bisect_right, insort
from collections.abc import Callable
from dataclasses import dataclass, field

from cachetools import LRUCache

from bot.port import BURIED

OLD = 1800.0
"""Seconds after which a board in a basic group comes down."""

SUPERGROUP = "-100"
"""How the id of a supergroup begins, and no other (Bot API, "dialog ids")."""

KEPT = 4096
"""Of how many groups we remember the newest message."""

GONE = 64
"""How many of the messages that we removed in a group are remembered."""


@dataclass
class Place:
    """The newest message known in a group, and which of ours are gone, ascending."""

    newest: int = 0
    gone: list[int] = field(default_factory=list)


@dataclass
class Depths:
    """Knows how far up messages lie in groups."""

    clock: Callable[[], float] = time.time
    _places: LRUCache[str, Place] = field(default_factory=lambda: LRUCache(KEPT))

    def seen(self, place: str, message: int) -> None:
        """There is a *message* in *place*."""
        if place.startswith(SUPERGROUP):
            known = self._at(place)
            known.newest = max(known.newest, message)

    def removed(self, place: str, message: int) -> None:
        """A *message* of ours in *place* is gone: nothing lies there."""
        if place.startswith(SUPERGROUP):
            gone = self._at(place).gone
            insort(gone, message)
            del gone[:-GONE]

    def buried(self, place: str, message: int, posted: float | None) -> bool:
        """Whether *message*, *posted* then, lies too far up to be found."""
        if not place.startswith("-"):
            return False
        if not place.startswith(SUPERGROUP):
            return posted is not None and self.clock() - posted >= OLD
        known = self._at(place)
        gone = len(known.gone) - bisect_right(known.gone, message)
        return known.newest - message - gone >= BURIED

    def _at(self, place: str) -> Place:
        return self._places.setdefault(place, Place())
