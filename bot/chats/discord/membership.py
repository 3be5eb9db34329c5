"""Which places let the bot in. What waited there is shown when they do so again."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from cachetools import TTLCache

from bot.chats.discord.bot_permissions import Access
from bot.chats.discord.reading import PLATFORM
from bot.facade import ChatPlaces, remembering
from bot.port import Where

JUST_NOW = 5.0
"""Seconds within which a board under way may not know a token that has just come."""


@dataclass
class Membership:
    """What is known of places since the start; the facade stores what must last longer."""

    places: ChatPlaces
    access: Access
    _left: set[str] = field(default_factory=set)
    """The channels of servers that removed us."""
    _heard: TTLCache[str, bool] = remembering(4096, JUST_NOW)
    """The places without the bot as a member from which an interaction came just now."""

    def hear(self, where: Where) -> None:
        """Note that an interaction, and so a token, came from *where*, where we are no member."""
        self._heard[where.place] = True
        self._left.discard(where.place)

    def shut(self, where: Where) -> bool:
        """Whether *where* is shut, as it seems; false if a new token came from it just now."""
        return not self._heard.pop(where.place, False)

    def put_out(self, channels: Iterable[str]) -> None:
        """Note that we are no member any more of the server of *channels*."""
        self._left.update(channels)

    def is_out(self, where: Where) -> bool:
        """Whether the server of *where* removed us."""
        return where.place in self._left

    async def open_again(self, where: Where, message: str | None, *, changed: bool) -> None:
        """Show what waited in *where*, where somebody used the bot, perhaps on *message*.

        If nothing has *changed* there, it may still be shut, so one board is tried.
        """
        self._left.discard(where.place)
        if changed or self.access.unreachable(where.place):
            await self.places.let_in(where)
        else:
            await self.places.knock(where, message)

    async def back_in(self, channels: Collection[str]) -> None:
        """Show what waited in *channels*, whose server lets us in again."""
        self._left.difference_update(channels)
        for channel in channels:
            await self.places.let_in(Where(PLATFORM, channel))
