"""The pace of the bot as a whole: what Telegram takes of us in a second, and what waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from telegram.ext import BaseRateLimiter

from bot.facade import Limiter

OVERALL = ((25, 1.0),)
"""Telegram takes about thirty messages and edits a second (tdlib/td#3034); a few are left, since
what is sent apart may arrive together."""

CONNECTIONS = 256
"""How many calls are under way at once: 128 a second, where Telegram is two seconds away."""

COUNTED = ("send", "edit")
"""How the methods begin that count; answers to presses, removals and reactions do not."""


@dataclass
class Overall(BaseRateLimiter[int]):
    """Lets no more through than Telegram takes; the pace of each place is kept before.

    Nor more at once than there are connections: who waits for one here is not given up after a
    while, as he would be by what makes the calls.
    """

    limiter: Limiter = field(default_factory=lambda: Limiter(OVERALL))
    _free: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(CONNECTIONS))

    async def initialize(self) -> None:
        """There is nothing to be opened."""

    async def shutdown(self) -> None:
        """There is nothing to be closed."""

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, Any]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: int | None,
    ) -> Any:
        """Make the call of *endpoint* when its turn has come."""
        del data, rate_limit_args
        if endpoint.startswith(COUNTED):
            await self.limiter.turn()
        async with self._free:
            return await callback(*args, **kwargs)
