"""Menus in place of a pressed message's keyboard: the latest press decides which one stands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from cachetools import TTLCache

from bot.chats.telegram.posting import Posting
from bot.port import Press

KEPT = 4096
"""Of how many messages we remember the last press that brought a menu."""

LATE = 600.0
"""Seconds after which no answer to a press is still on its way."""


@dataclass
class MenuEdits:
    """Shows menus when their places take them."""

    posting: Posting
    _menus: dict[tuple[str, str], object] = field(default_factory=dict)
    """What waits for its turn, by place and message."""
    _newest: TTLCache[tuple[str, str], int] = field(default_factory=lambda: TTLCache(KEPT, LATE))
    """The update of the last press that brought a menu, by place and message."""

    def show(self, press: Press, message: str, show: Callable[[], Awaitable[Any]]) -> None:
        """Do *show* when the place takes it, unless another menu of *message* comes before.

        What comes late does not bring back what was left by a later press.
        """
        key, mine, update = (press.where.place, message), object(), int(press.update)
        if self._newest.get(key, update) > update:
            return
        self._newest[key] = update
        limiter = self.posting.limiter(press.where, press.asker)
        self._menus[key] = mine

        async def shown() -> None:
            try:
                await self.posting.in_turn(
                    limiter, show, wanted=lambda: self._menus.get(key) is mine
                )
            finally:
                if self._menus.get(key) is mine:
                    del self._menus[key]

        self.posting.tasks.start(shown())
