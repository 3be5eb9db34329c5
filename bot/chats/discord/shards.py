"""Shards of the gateway, in ranges that several processes divide among them.

Discord sends what happens in a server to one shard, and what belongs to no server to the first
(https://discord.com/developers/docs/events/gateway#sharding).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from bot.chats.discord.reading import SERVER

MOST = 16
"""Into how many ranges shards are divided at most."""


@dataclass(frozen=True)
class Shards:
    """The shards *ids* of *count*."""

    ids: range
    count: int

    @property
    def name(self) -> str:
        """What the range is called among processes; ranges of another division do not get it."""
        return f"{self.ids.start}-{self.ids.stop - 1}of{self.count}"


def divided(count: int, most: int = MOST) -> tuple[Shards, ...]:
    """All *count* shards in ranges of nearly the same length, at most so many."""
    parts = min(count, most)
    ends = [count * part // parts for part in range(parts + 1)]
    return tuple(Shards(range(first, end), count) for first, end in pairwise(ends))


def shard_of(home: str, count: int) -> int:
    """The shard of *count* that tells what happens in *home*, a server or a private chat."""
    if not home.startswith(SERVER):
        return 0
    return (int(home.removeprefix(SERVER)) >> 22) % count
