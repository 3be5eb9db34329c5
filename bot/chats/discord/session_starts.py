"""How many more sessions Discord lets begin: it takes the token away from who begins too many.

https://discord.com/developers/docs/events/gateway#session-start-limit-object
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

import discord

log = logging.getLogger(__name__)

SPARE: Final = 20
"""Session starts that are left: what other processes begin is known only when Discord is asked."""

WINDOW: Final = 5.0
"""Seconds within which at most ``together`` sessions of all processes may begin."""

LOOK: Final = 60.0
"""Seconds after which Discord is asked again, at the latest, where starts are short."""

FRESH: Final = 5.0
"""Seconds for which an answer of Discord is believed, less what we have begun since."""

Ask = Callable[[], Awaitable[discord.SessionStartLimits]]


@dataclass
class SessionStarts:
    """The session starts of the bot's token that are left, as far as this process knows."""

    clock: Callable[[], float] = time.monotonic
    together: int = 1
    """How many sessions may begin within five seconds."""
    waiting: int = 0
    """How many shards wait because too few starts are left."""
    _asked: float = -math.inf
    _resets: float = -math.inf
    _left: int | None = None
    _total: int = 0
    _told: bool = False
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def left(self) -> int | None:
        """How many are left, ``None`` before Discord was asked."""
        if self._left is not None and self.clock() >= self._resets:
            return self._total
        return self._left

    async def wait(self, ask: Ask) -> None:
        """Wait until a session may begin; raises what *ask* does."""
        if await self._is_room(ask):
            return
        self.waiting += 1
        try:
            room = False
            while not room:
                await asyncio.sleep(min(self._until_reset() + 1.0, LOOK))
                room = await self._is_room(ask)
        finally:
            self.waiting -= 1

    def take(self) -> bool:
        """Count a session that begins now; false, and nothing counted, if there may be no room.

        Discord is not asked: who has the turn must use it at once. So as many others are taken
        for begun since it was asked as may have.
        """
        others = math.ceil((self.clock() - self._asked) / WINDOW) * self.together
        if self._left is None or self._left <= max(SPARE, others):
            return False
        self._left -= 1
        return True

    async def _is_room(self, ask: Ask) -> bool:
        async with self._asking:
            if self.clock() - self._asked >= FRESH:
                limits = await ask()
                self._asked = self.clock()
                self._resets = self._asked + limits.reset_after / 1000
                self._left, self._total = limits.remaining, limits.total
                self.together = max(limits.max_concurrency, 1)
        room = self._left is not None and self._left > SPARE
        if not (room or self._told):
            until = datetime.now(UTC) + timedelta(seconds=self._until_reset())
            log.warning(
                "Discord lets only %d more sessions begin until %s; the bot waits until it may, "
                "since Discord takes the token away from who begins too many.",
                self._left,
                until.strftime("%Y-%m-%d %H:%M UTC"),
            )
        self._told = not room
        return room

    def _until_reset(self) -> float:
        return max(self._resets - self.clock(), 0.0)
