"""How many messages lie below a board, asked of Discord at most once a minute a place."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

import discord
from cachetools import LRUCache

from bot.chats.discord.errors import bounded
from bot.port import Where

EVERY = 60.0
"""Seconds between two questions about one place."""

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
class Depths:
    """Knows what lies below boards. Only ids are looked at: it takes no privileged intent."""

    clock: Callable[[], float] = time.monotonic
    _seen: LRUCache[str, Seen] = field(default_factory=lambda: LRUCache(KEPT))

    async def below(self, client: discord.Client, where: Where, message: str) -> int:
        """How many messages lie below *message*, ``NEWEST`` at most; raises ``ChatError``."""
        seen = self._seen.get(where.place)
        if seen is None or self.clock() - seen.at >= EVERY:
            # Noted before it is asked: a place that does not answer is not asked again at once.
            self._seen[where.place] = Seen(self.clock(), seen.messages if seen else ())
            channel = client.get_partial_messageable(int(where.place))
            async with bounded():
                found = [one.id async for one in channel.history(limit=NEWEST)]
            seen = self._seen[where.place] = Seen(self.clock(), tuple(sorted(found)))
        return len(seen.messages) - bisect_right(seen.messages, int(message))
