"""The processes that run on one database: their leases, and the news they tell one another.

A duty of one process at a time has a name and is held by a lease. A file has a single process,
which holds every lease. Leases with the same name before a ``/`` are shares of one duty: each
process holds about as many of them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from time import monotonic
from typing import Any, Final, Protocol

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

log = logging.getLogger(__name__)

QUEUE_USAGE: Final = text("SELECT pg_notification_queue_usage()")

CROWDED_QUEUE: Final = 0.5
"""The part of the queue from which on transactions tell nothing."""


class NewsQueue:
    """What was seen of the queue; others who see the same do so within a *term* of seconds."""

    def __init__(self, term: float, clock: Callable[[], float] = monotonic) -> None:
        self._term = term
        self._clock = clock
        self._silent_until = 0.0
        self.usage = 0.0
        """The part that is filled, between 0 and 1."""

    @property
    def is_crowded(self) -> bool:
        """Whether nothing may be told."""
        return self.usage >= CROWDED_QUEUE

    @property
    def is_silent(self) -> bool:
        """Whether others may have told nothing of what they did, then or within a term."""
        return self._clock() < self._silent_until

    def look(self, usage: float) -> None:
        """Note how full it is, and say so where that changes anything."""
        before, self.usage = self.is_crowded, usage
        if self.is_crowded:
            self._silent_until = self._clock() + self._term
        if self.is_crowded and not before:
            log.error(
                "The NOTIFY queue of the server is filled to %.0f %%: a connection that listens "
                "has been in a transaction for long. End it (docs/operate, LudotecaNewsQueue); "
                "until then the other processes see changes a second later.",
                100 * usage,
            )
        elif before and not self.is_crowded:
            log.info("the NOTIFY queue of the server has room again")


Listener = Callable[..., None]
"""Hears the news of one topic, as the words that came with it."""


class ClusterDuties(Protocol):
    """What a process does when leases come and go, and when other processes end."""

    def take(self, names: Sequence[str]) -> Coroutine[Any, Any, None]:
        """We hold the leases of these *names* from now on."""

    def drop(self, name: str) -> Coroutine[Any, Any, None]:
        """The lease of this *name* goes to another process: stop its duty."""

    def take_over(self) -> Coroutine[Any, Any, None]:
        """Another process has ended: finish what it had begun."""

    def catch_up(self) -> None:
        """We may have missed news: read everything in memory anew."""

    def stop(self, why: str) -> None:
        """The others take us for dead and do our duties: this process must end."""


class Cluster:
    """The single process of a database; ``ServerCluster`` is for several."""

    number = 0
    """The number of this process; 0 for the single one of a file."""

    alone = True
    """Whether no other process can run on the database."""

    machine = ""
    """The name of the processors that this process uses; set before the process joins."""

    def __init__(self) -> None:
        self._hear: dict[str, Listener] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        self.queue: NewsQueue | None = None
        """What is known of the server's queue of news, where there is one."""
        self.wanted: tuple[str, ...] = ()
        """The leases that we hold or would take if they were free."""

    def on(self, topic: str, hear: Listener) -> None:
        """Call *hear* with the news of a *topic* from other processes."""
        self._hear[topic] = hear

    def holds(self, name: str) -> bool:
        """Whether we hold the lease *name*."""
        return True

    def holders(self) -> Mapping[str, int]:
        """The number of the process that holds each lease, as far as we know."""
        return dict.fromkeys(self.wanted, self.number)

    async def turn(self, name: str, seconds: float) -> None:
        """Wait until the last turn at *name* is so many *seconds* ago, in all processes."""
        lock = self._turns.setdefault(name, asyncio.Lock())
        await lock.acquire()
        asyncio.get_running_loop().call_later(seconds, lock.release)

    def lives(self, number: int) -> bool:
        """Whether the process of this *number* is known to live."""
        return False

    async def begin(self, wanted: Sequence[str], duties: ClusterDuties) -> None:
        """Join the processes, and take the *wanted* leases as soon as they are free."""
        self.wanted = tuple(wanted)
        await duties.take(wanted)

    def portion(self, total: int) -> int:
        """Our part of *total* things that the processes of our machine share, at least one."""
        return total

    async def others(self) -> bool:
        """Whether another process runs on the database."""
        return False

    def has_heirs(self) -> bool:
        """Whether another process lives and has not said that it ends."""
        return False

    async def hand_over(self, names: Sequence[str], duties: ClusterDuties) -> None:
        """Drop the leases of these *names* for the others, and take none any more: we end."""

    async def leave(self) -> None:
        """Leave the processes and give all leases back."""

    async def tell(self, tx: AsyncConnection, topic: str, *words: Any) -> None:
        """Tell all others *words* of a *topic* when the transaction is committed."""

    async def say(self, topic: str, *words: Any) -> None:
        """Tell all others at once."""

    async def age(self, tx: AsyncConnection, then: int) -> int:
        """The milliseconds since *then* by the clock that all processes share."""
        return -then

    def hears(self, topic: str, words: Sequence[Any]) -> None:
        """Pass news of *topic* to its listener."""
        hear = self._hear.get(topic)
        if hear is not None:
            hear(*words)


Turn = Callable[[], Awaitable[None]]
"""Waits until the transactions that have begun are over."""
