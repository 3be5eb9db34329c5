"""Shards of the gateway, in ranges that several processes share out.

Discord sends the events of a server to one shard, and those of no server to the first
(https://discord.com/developers/docs/events/gateway#sharding).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from bot.chats.discord.reading import SERVER

MOST = 16
"""Ranges of shards at most."""


@dataclass(frozen=True)
class ShardRange:
    """The shards *ids* of *count*."""

    ids: range
    count: int

    @property
    def name(self) -> str:
        """The name of the range among processes, different for each number of shards."""
        return f"{self.ids.start}-{self.ids.stop - 1}of{self.count}"


def divide_shards(count: int, most: int = MOST) -> tuple[ShardRange, ...]:
    """Divide *count* shards into at most *most* ranges of nearly the same length."""
    parts = min(count, most)
    ends = [count * part // parts for part in range(parts + 1)]
    return tuple(ShardRange(range(first, end), count) for first, end in pairwise(ends))


def shard_of(home: str, count: int) -> int:
    """The shard, of *count*, that gets the events of *home*, a server or a private chat."""
    if not home.startswith(SERVER):
        return 0
    return (int(home.removeprefix(SERVER)) >> 22) % count
