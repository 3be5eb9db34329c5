"""Which places let us in, and what waited in one that opens again."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from bot.chats.discord.reading import PLATFORM
from bot.facade import Facade
from bot.port import Where

JUST_NOW = 5.0
"""Seconds within which a token that has come may not be known to a showing under way."""

REMEMBERED = 4096


@dataclass
class Membership:
    """What is known of places since the start; what must outlive us the house stores."""

    house: Facade
    _left: set[str] = field(default_factory=set)
    """The places of servers that we were put out of."""
    _heard: dict[str, float] = field(default_factory=dict)
    """When an interaction last came from a place that we are no member of."""

    def heard(self, where: Where) -> None:
        """An interaction, and so a token, has come from *where*, where we are no member."""
        if len(self._heard) > REMEMBERED:
            self._heard.clear()
        self._heard[where.place] = time.monotonic()
        self._left.discard(where.place)

    def shut(self, where: Where) -> bool:
        """The place does not let us in; false where a new token has come from it just now."""
        heard = self._heard.pop(where.place, None)
        return heard is None or time.monotonic() - heard >= JUST_NOW

    def put_out(self, channels: Iterable[str]) -> None:
        """We are no member any more where these *channels* are."""
        self._left.update(channels)

    def is_out(self, where: Where) -> bool:
        """Whether we were put out of *where*."""
        return where.place in self._left

    async def open_again(self, where: Where) -> None:
        """Where somebody gives an order we are let in again: show what waited there."""
        self._left.discard(where.place)
        await self.house.places.let_in(where)

    async def back_in(self, channels: Collection[str]) -> None:
        """We are a member again where these *channels* are."""
        self._left.difference_update(channels)
        for channel in channels:
            await self.house.places.let_in(Where(PLATFORM, channel))
