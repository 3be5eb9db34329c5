"""Which process shows the boards of which platform and place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.port import Chat, Where
from bot.service.places import Places
from storage.cluster import Cluster


def duty_of(platform: str, share: str = "") -> str:
    """The name of the duty of showing boards on a *share* of *platform*.

    What stands before a ``/`` is the same for all shares (``storage.cluster``).
    """
    return f"chat:{platform}/{share}" if share else f"chat:{platform}"


@dataclass(frozen=True)
class Ownership:
    """The shares of the *chats* that this process owns."""

    fleet: Cluster
    places: Places
    chats: Mapping[str, Chat]

    def keeps(self, platform: str) -> bool:
        """Whether this process shows boards on *platform*, or on a share of it."""
        shares = self.chats[platform].shares if platform in self.chats else ()
        return any(self.fleet.holds(duty_of(platform, share)) for share in shares)

    def leads(self, platform: str) -> bool:
        """Whether this process alone speaks for the whole *platform*."""
        shares = self.chats[platform].shares if platform in self.chats else ()
        return bool(shares) and self.fleet.holds(duty_of(platform, shares[0]))

    async def keeps_at(self, where: Where) -> bool:
        """Whether this process alone shows boards in *where*."""
        if not self.keeps(where.platform) or len(self.chats[where.platform].shares) == 1:
            return self.keeps(where.platform)
        home = await self.places.home(where)
        share = self.chats[where.platform].share_of(home.place)
        return self.fleet.holds(duty_of(where.platform, share))

    def opens(self, platform: str, place: str) -> bool:
        """Whether a page of *place* is open at this process."""
        return platform in self.chats and self.chats[platform].open_here(place)

    def connected(self) -> dict[str, bool]:
        """Whether each chat for which this process speaks is connected."""
        return {name: chat.connected() for name, chat in self.chats.items() if self.leads(name)}
