"""Which of several processes shows what is owed, and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.port import Chat, Where
from bot.service.places import Places
from storage.fleet import Fleet


def duty_of(platform: str, share: str = "") -> str:
    """What the duty is called of seeing to it that a *share* of *platform* is shown what is owed.

    What stands before a ``/`` is the same for all shares (``storage.fleet``).
    """
    return f"chat:{platform}/{share}" if share else f"chat:{platform}"


@dataclass(frozen=True)
class Ownership:
    """What this process keeps of the *chats*."""

    fleet: Fleet
    places: Places
    chats: Mapping[str, Chat]

    def keeps(self, platform: str) -> bool:
        """Whether this process sees to it that *platform*, or a share, is shown what is owed."""
        shares = self.chats[platform].shares if platform in self.chats else ()
        return any(self.fleet.holds(duty_of(platform, share)) for share in shares)

    def leads(self, platform: str) -> bool:
        """Whether this process, and no other, says of all *platform* what is true of its share."""
        shares = self.chats[platform].shares if platform in self.chats else ()
        return bool(shares) and self.fleet.holds(duty_of(platform, shares[0]))

    async def keeps_at(self, where: Where) -> bool:
        """Whether this process, and no other, sees to it that *where* is shown what is owed."""
        if not self.keeps(where.platform) or len(self.chats[where.platform].shares) == 1:
            return self.keeps(where.platform)
        home = await self.places.home(where)
        share = self.chats[where.platform].share_of(home.place)
        return self.fleet.holds(duty_of(where.platform, share))

    def opens(self, platform: str, place: str) -> bool:
        """Whether somebody reads *place* by this process, whoever keeps *platform*."""
        return platform in self.chats and self.chats[platform].open_here(place)

    def connected(self) -> dict[str, bool]:
        """Whether each chat of which this process speaks for all is connected."""
        return {name: chat.connected() for name, chat in self.chats.items() if self.leads(name)}
