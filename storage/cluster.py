"""The processes that run on one database: what each does for all, and what they tell one another.

What only one of them may do at a time has a name and is held by a lease. A file has one process,
which holds everything and has nobody to tell. Leases that are called the same before a ``/`` are
shares of one thing: every process holds about as many of them as any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Protocol

from sqlalchemy.ext.asyncio import AsyncConnection

Listener = Callable[..., None]
"""Hears of one topic, by the words that were told with it."""


class ClusterDuties(Protocol):
    """What a process does once it holds a lease, and where others are no more."""

    def taken(self, names: Sequence[str]) -> Coroutine[Any, Any, None]:
        """The leases of these *names* are ours from now on."""

    def dropped(self, name: str) -> Coroutine[Any, Any, None]:
        """The lease of this *name* goes to another process: stop what it is for."""

    def left(self) -> Coroutine[Any, Any, None]:
        """Another process is no more: what it had begun for itself is for others to end."""

    def missed(self) -> None:
        """Others may have told what we did not hear: whatever is remembered is read anew."""

    def lost(self, why: str) -> None:
        """Others take us for dead, and do what we did: only a new process may go on."""


class Cluster:
    """The one process of a database, and what several of them share."""

    number = 0
    """Which of the processes we are; the only one of a file is nobody in particular."""

    alone = True
    """Whether no other process can run on the database."""

    def __init__(self) -> None:
        self._hear: dict[str, Listener] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        self.wanted: tuple[str, ...] = ()
        """What we hold, or would hold if nobody else did."""

    def on(self, topic: str, hear: Listener) -> None:
        """Let *hear* hear of a *topic* whenever another process tells of it."""
        self._hear[topic] = hear

    def holds(self, name: str) -> bool:
        """Whether we do what is called *name*, and nobody else."""
        del name
        return True

    async def turn(self, name: str, seconds: float) -> None:
        """Wait until nobody has had a turn at what is called *name* for so many *seconds*."""
        lock = self._turns.setdefault(name, asyncio.Lock())
        await lock.acquire()
        asyncio.get_running_loop().call_later(seconds, lock.release)

    def lives(self, number: int) -> bool:
        """Whether the process of this *number* is known to live."""
        del number
        return False

    async def begin(self, wanted: Sequence[str], duties: ClusterDuties) -> None:
        """Be one of the processes from now on, and hold what is *wanted* as soon as it is free."""
        self.wanted = tuple(wanted)
        await duties.taken(wanted)

    async def others(self) -> bool:
        """Whether another process runs on the database just now."""
        return False

    async def leave(self) -> None:
        """Be none of the processes any more, and hold nothing."""

    async def tell(self, tx: AsyncConnection, topic: str, *words: Any) -> None:
        """Tell all others *words* of a *topic*, if and when the transaction is committed."""

    async def say(self, topic: str, *words: Any) -> None:
        """Tell all others at once."""

    async def age(self, tx: AsyncConnection, then: int) -> int:
        """How many milliseconds have passed since *then* by the clock that all share."""
        del tx
        return -then

    def hears(self, topic: str, words: Sequence[Any]) -> None:
        """Tell whoever hears of *topic*."""
        hear = self._hear.get(topic)
        if hear is not None:
            hear(*words)


Turn = Callable[[], Awaitable[None]]
"""Waits until whatever reads or writes just now has ended."""
