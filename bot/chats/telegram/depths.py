"""How far up messages lie in groups."""

from __future__ import annotations

import time
from bisect import bisect_right, insort
from collections.abc import Callable
from dataclasses import dataclass

from cachetools import LRUCache

from bot.facade import remembering
from bot.port import BURIED

OLD = 1800.0
"""Seconds after which a board in a basic group is posted anew."""

SUPERGROUP = "-100"
"""The beginning of the ids of supergroups alone (Bot API, "dialog ids")."""

REMEMBERED = 64
"""Removed messages that are remembered in each group."""


@dataclass
class Depths:
    """Knows how far up messages lie in groups, by their ids; nothing that people write is read.

    A supergroup numbers its messages, so that two ids tell how many lie between. Private chats
    and basic groups share one sequence, of all that we get or send there: the age decides.
    """

    clock: Callable[[], float] = time.time
    _newest: LRUCache[str, int] = remembering(4096)
    """The newest message known of each sequence."""
    _gone: LRUCache[str, list[int]] = remembering(4096)
    """Messages of ours that are gone, ascending."""
    _known: LRUCache[tuple[str, int], None] = remembering(4096)
    """Messages of people, and those that this process has sent or found to be gone: the latest."""

    def note_seen(self, place: str, message: int) -> None:
        """Note that there is or was a *message* in *place*, and that its sender knows of it."""
        sequence = _sequence(place)
        self._newest[sequence] = max(self._newest.get(sequence, 0), message)
        self._known[place, message] = None

    def is_known(self, place: str, message: int) -> bool:
        """Whether *message* in *place* is no board that was sent without anybody's knowing."""
        return (place, message) in self._known

    def newest(self, place: str) -> int:
        """The newest message known of the sequence of *place*; 0 if none is."""
        return self._newest.get(_sequence(place), 0)

    def note_removed(self, place: str, message: int) -> None:
        """Note that a *message* of ours in *place* is gone."""
        if place.startswith(SUPERGROUP):
            gone = self._gone.setdefault(place, [])
            insort(gone, message)
            del gone[:-REMEMBERED]

    def is_buried(self, place: str, message: int, posted: float | None) -> bool:
        """Whether *message* lies too far up; *posted* is in seconds since the epoch."""
        if not place.startswith(SUPERGROUP):
            return place.startswith("-") and posted is not None and self.clock() - posted >= OLD
        gone = self._gone.get(place, [])
        gone_below = len(gone) - bisect_right(gone, message)
        return self._newest.get(place, 0) - message - gone_below >= BURIED


def _sequence(place: str) -> str:
    """The numbering of messages to which *place* belongs."""
    return place if place.startswith(SUPERGROUP) else ""
