"""The clocks: that of the machine, and a steady one that no setting of it moves."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

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
