"""The clock of the machine, a steady one that no setting of it moves, and arrivals of presses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

LATEST = timedelta(seconds=3)
"""How long before our receipt a press may have been made, by the time that its platform tells."""

PATIENCE = 10.0
"""For how many seconds a press that has arrived is waited for."""

NOTABLE = timedelta(minutes=1)
"""A clock that is set by less is only being kept right."""


def wall() -> datetime:
    """The time of the machine's clock."""
    return datetime.now(UTC)


class SteadyClock:
    """Passes evenly while the bot runs, however the clock of the machine is set.

    The first run begins with that clock, each later one where the run before stopped: no time
    passes while the bot is down. Everything decided by time uses it.
    """

    def __init__(
        self,
        wall: Callable[[], datetime] = wall,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._began, self._zero = wall(), monotonic()
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        """The steady time."""
        return self._began + timedelta(seconds=self._monotonic() - self._zero)

    def go_on(self, stopped: datetime) -> None:
        """Go on from where an earlier run has *stopped*."""
        self._began, self._zero = stopped, self._monotonic()
        self._ahead = self._wall() - stopped

    def jump(self) -> timedelta | None:
        """By how much the clock of the machine was set since this was last asked, if notably."""
        ahead = self._wall() - self()
        jump = ahead - self._ahead
        if abs(jump) < NOTABLE:
            return None
        self._ahead = ahead
        return jump


@dataclass
class Clock:
    """The clock of the machine, *now*, and the one by which everything is decided, *steady*."""

    now: Callable[[], datetime] = wall
    steady: SteadyClock = field(default_factory=SteadyClock)


@dataclass
class Arrivals:
    """Notes when presses arrive, by the steady clock; platforms go by that of the machine."""

    clock: Clock
    _under_way: set[asyncio.Future[None]] = field(default_factory=set)

    @contextmanager
    def taking(self, sent: datetime | None, received: datetime | None = None) -> Iterator[datetime]:
        """Count a press as under way; yields when it was made, as far as its platform is believed.

        *sent* is by its platform's clock, *received* when we took it, if not just now.
        """
        under_way = asyncio.get_running_loop().create_future()
        self._under_way.add(under_way)
        try:
            yield self.made(sent, received)
        finally:
            self._under_way.discard(under_way)
            under_way.set_result(None)

    def made(self, sent: datetime | None, received: datetime | None) -> datetime:
        """When a press was made: at most ``LATEST`` before we received it, and never after."""
        receipt = received or self.clock.steady()
        since = self.clock.steady() - receipt
        ago = timedelta() if sent is None else self.clock.now() - sent - since
        return receipt - min(max(ago, timedelta()), LATEST)

    async def settled(self) -> None:
        """Wait until the presses that have arrived are done, or take too long."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=PATIENCE)
