"""How many messages lie below a board, asked of Discord once a minute a place, hardly more often.

Each interaction tells which message of its place is the newest: where that is none that we know,
it is asked again sooner. It takes no intent, and nothing of what people write.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import discord
from cachetools import LRUCache

from bot.chats.discord.errors import bounded
from bot.port import Where

EVERY = 60.0
"""Seconds between two questions about one place."""

SOONER = 5.0
"""The same where people are known to have written since."""

NEWEST = 50
"""How many messages are looked at: what Discord hands over at once."""

KEPT = 1024
"""Of how many places the newest messages are remembered."""


@dataclass(frozen=True)
class Seen:
    """The ids of the newest messages of a place, ascending, and when they were asked for."""

    at: float
    messages: tuple[int, ...]


@dataclass
class Scrollback:
    """Knows what lies below boards. Only ids are looked at: it takes no privileged intent."""

    clock: Callable[[], float] = time.monotonic
    _seen: LRUCache[str, Seen] = field(default_factory=lambda: LRUCache(KEPT))
    _newest: LRUCache[str, int] = field(default_factory=lambda: LRUCache(KEPT))
    """The newest message of a place, as the last interaction there has told."""

    def told(self, channel: Mapping[str, Any]) -> None:
        """An interaction came from *channel*, as Discord describes it there."""
        place, newest = channel.get("id"), channel.get("last_message_id")
        if place is not None and newest is not None:
            self._newest[str(place)] = int(newest)

    def sent(self, where: Where, message: str) -> None:
        """A *message* of ours has just been sent: nobody need ask because of that."""
        seen = self._seen.get(where.place)
        if seen is not None:
            self._seen[where.place] = Seen(seen.at, (*seen.messages, int(message)))

    def removed(self, where: Where, message: str) -> None:
        """A *message* of ours is gone: nothing lies there."""
        seen = self._seen.get(where.place)
        if seen is not None:
            left = tuple(one for one in seen.messages if one != int(message))
            self._seen[where.place] = Seen(seen.at, left)

    async def below(self, client: discord.Client, where: Where, message: str) -> int:
        """How many messages lie below *message*, ``NEWEST`` at most; raises ``ChatError``."""
        seen = self._seen.get(where.place)
        if seen is None or self.clock() - seen.at >= self._patience(where, seen):
            # Noted before it is asked: a place that does not answer is not asked again at once.
            self._seen[where.place] = Seen(self.clock(), seen.messages if seen else ())
            channel = client.get_partial_messageable(int(where.place))
            async with bounded():
                found = [one.id async for one in channel.history(limit=NEWEST)]
            seen = self._seen[where.place] = Seen(self.clock(), tuple(sorted(found)))
        return len(seen.messages) - bisect_right(seen.messages, int(message))

    def _patience(self, where: Where, seen: Seen) -> float:
        """After how many seconds what was *seen* is not to be relied on any more."""
        return SOONER if self._newest.get(where.place, 0) > max(seen.messages, default=0) else EVERY
