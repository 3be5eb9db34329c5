"""How many messages lie below a board. Discord is asked about once a minute for each place.

We ask sooner if an interaction tells of a newer message. Nothing that people write is read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import discord
from cachetools import LRUCache

from bot.chats.discord.errors import limit_call
from bot.facade import remembering
from bot.port import Where

EVERY, SOONER = 60.0, 5.0
"""Seconds between two requests about one place, and if people are known to have written since."""

NEWEST = 50
"""Messages that are counted at most: Discord lists no more at once."""


@dataclass
class RecentMessages:
    """The ids of the newest messages of a place, and when they were listed."""

    at: float
    messages: set[int]


@dataclass
class MessagesBelowBoard:
    """Knows by their ids which messages lie below boards."""

    clock: Callable[[], float] = time.monotonic
    _seen: LRUCache[str, RecentMessages] = remembering(1024)
    _newest: LRUCache[str, int] = remembering(1024)
    """The newest message of a place, as its last interaction told."""

    def note_channel(self, channel: Mapping[str, Any]) -> None:
        """Note the newest message of *channel*, as an interaction describes it."""
        place, newest = channel.get("id"), channel.get("last_message_id")
        if place is not None and newest is not None:
            self._newest[str(place)] = int(newest)

    def note_sent(self, where: Where, message: str) -> None:
        """Note a *message* of ours, so that nobody asks because of it; it may be an older one."""
        seen = self._seen.get(where.place)
        if seen is not None:
            seen.messages.add(int(message))

    def note_removed(self, where: Where, message: str) -> None:
        """Forget a *message* of ours that was removed."""
        seen = self._seen.get(where.place)
        if seen is not None:
            seen.messages.discard(int(message))

    async def count_below(self, client: discord.Client, where: Where, message: str) -> int:
        """Count the messages below *message*, ``NEWEST`` at most; raises ``ChatError``."""
        seen = self._seen.get(where.place)
        if seen is None or self.clock() - seen.at >= self._patience(where, seen):
            # Noted before: a place that does not answer is not asked again at once.
            self._seen[where.place] = RecentMessages(self.clock(), seen.messages if seen else set())
            channel = client.get_partial_messageable(int(where.place))
            async with limit_call():
                found = {one.id async for one in channel.history(limit=NEWEST)}
            seen = self._seen[where.place] = RecentMessages(self.clock(), found)
        return sum(one > int(message) for one in seen.messages)

    def _patience(self, where: Where, seen: RecentMessages) -> float:
        return SOONER if self._newest.get(where.place, 0) > max(seen.messages, default=0) else EVERY
