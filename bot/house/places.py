"""The places of all chats: which let us in, how often they may be written to, what they speak."""

from __future__ import annotations

from dataclasses import dataclass

from bot.outbox.delivery import Delivery
from bot.pace import Limiter
from bot.port import Where
from bot.table.manager import Manager


@dataclass(frozen=True)
class ChatPlaces:
    """What a chat tells of its places and asks about them. Raises ``StorageError``."""

    _manager: Manager
    _delivery: Delivery

    def limiter(self, where: Where) -> Limiter:
        """What keeps *where* to its pace: a chat notes there what it writes besides boards."""
        return self._delivery.limiter(where)

    async def shut(self, where: Where) -> None:
        """*where* does not let us in any more; what is owed there waits."""
        async with self._manager.store.transaction() as tx:
            await self._manager.places.suspend(tx, where)

    async def let_in(self, where: Where) -> None:
        """*where* lets us in: if it was shut, what waited there is shown."""
        if await self._manager.places.suspended(where):
            await self._delivery.wake_place(where)

    async def moved(self, old: Where, new: Where) -> None:
        """*old* has become *new*: its boards go there and are shown."""
        async with self._manager.store.transaction() as tx:
            await self._manager.places.move(tx, old, new)
        await self._delivery.wake_place(new)

    async def first_time(self, where: Where, what: str) -> bool:
        """Whether *what* is done in *where* for the first time; a place that moves remembers."""
        places = self._manager.places
        known = (await places.at(where)).settings
        if known.get(what):
            return False
        async with self._manager.store.transaction() as tx:
            await places.settle(tx, where, {**known, what: True})
        return True

    async def speak_first(self, where: Where, code: str) -> None:
        """Speak the language *code* in *where*, unless one was chosen there."""
        places = self._manager.places
        if (await places.at(where)).language is None:
            async with self._manager.store.transaction() as tx:
                await places.speak(tx, where, code)
