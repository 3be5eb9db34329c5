"""The places of all chats: which let us in, how often they may be written to, what they speak."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

from bot.boards.delivery import Delivery
from bot.port import Where
from bot.rate_limiter import Limiter
from bot.service.places import Places
from storage import views as stored
from storage.engine import Store
from storage.records import Noted


@dataclass(frozen=True, kw_only=True)
class ChatPlaces:
    """What a chat tells of its places and asks about them. Raises ``StorageError``."""

    store: Store
    places: Places
    delivery: Delivery

    def limiter(self, where: Where) -> Limiter:
        """What keeps *where* to its pace: a chat notes there what it writes besides boards."""
        return self.delivery.pacing.limiter(where)

    def limiter_behind(self, where: Where) -> Limiter:
        """The same for what passers-by hear, who come after the boards of players."""
        return self.delivery.pacing.limiter_behind(where)

    def board_comes_in(self, where: Where) -> float:
        """In how many seconds all that waits to be shown in *where* has had its turn."""
        return self.delivery.pacing.comes_in(where)

    async def board_follows_in(self, where: Where, message: str) -> float | None:
        """In how many seconds *message* shows what has happened; ``None`` where it shows all."""
        key = (where.platform, where.place, message)
        view = await self.store.read(stored.by_message, *key)
        if view is None or view.shown >= view.owed:
            return None
        return self.delivery.pacing.comes_in(where, view.id)

    async def shut(self, where: Where) -> None:
        """*where* does not let us in any more; what is owed there waits."""
        await self._put(where, suspended=True)

    async def let_in(self, where: Where) -> None:
        """*where* lets us in: if it was shut, what waited there is shown."""
        if (await self.places.at(where)).suspended:
            await self.delivery.wake_place(where)

    async def moved(self, old: Where, new: Where) -> None:
        """*old* has become *new*: its boards go there and are shown."""
        await self.store.write(self.places.move, old, new)
        await self.delivery.wake_place(new)

    async def opened(self, where: Where) -> bool:
        """Whether somebody has spoken to us in *where*, a private chat, and still lets us in."""
        return await self.places.opened(where)

    async def first_time(self, where: Where, what: str) -> bool:
        """Whether *what* is done in *where* for the first time; a place that moves remembers."""
        known = (await self.places.at(where)).settings
        if known.get(what):
            return False
        await self._put(where, settings={**known, what: True})
        return True

    async def _put(self, where: Where, **noted: Unpack[Noted]) -> None:
        await self.store.write(self.places.put, where, **noted)
