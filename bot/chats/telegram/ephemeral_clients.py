"""Whose Telegram shows ephemeral messages. Nobody tells us: a press on one is the proof."""

from __future__ import annotations

from dataclasses import dataclass, field

from cachetools import TTLCache

from bot.chats.telegram.reading import chat_with
from bot.facade import Facade
from bot.port import Asker

SHOWS = "ephemeral"
"""The setting of the private chat with a person whose client shows ephemeral messages."""

TRIES, DAY = 3, 86_400.0
"""Messages without a press after which a client counts as an old one, and for how many seconds."""


@dataclass
class EphemeralClients:
    """Knows whose client shows ephemeral messages."""

    facade: Facade
    _tries: TTLCache[str, int] = field(default_factory=lambda: TTLCache(4096, DAY))
    """Messages that were sent since the last proof to people of whom we are not sure."""
    _doubted: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(4096, DAY))
    """People who have missed one since the last proof."""

    async def shows(self, asker: Asker) -> bool:
        """Whether the client of *asker* has shown one, and has not missed one since."""
        if asker.external in self._doubted:
            return False
        known = await self.facade.places.noted(chat_with(asker), SHOWS)
        return bool(known)

    def may_show(self, asker: Asker) -> bool:
        """Whether it is worth trying once more with a client that has never shown one."""
        return self._tries.get(asker.external, 0) < TRIES

    def tried(self, asker: Asker) -> None:
        """Note that a message was sent to a client of which we are not sure."""
        self._tries[asker.external] = self._tries.get(asker.external, 0) + 1

    def missed(self, asker: Asker) -> None:
        """Note that *asker* has not seen a message."""
        self._doubted[asker.external] = True

    async def proved(self, asker: Asker) -> None:
        """Note that *asker* has used an ephemeral message."""
        self.forget(asker.external)
        await self.facade.places.first_time(chat_with(asker), SHOWS)

    def forget(self, external: str) -> None:
        """Forget what is remembered of the person with the id *external*."""
        self._tries.pop(external, None)
        self._doubted.pop(external, None)
