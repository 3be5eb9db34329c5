"""The leases of several processes on one database of PostgreSQL: who holds which, who takes which.

The name of a lease is that of a duty, or of a duty and one of its shares ("discord/3"), so that
several processes divide what one duty asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

_TAKE = text(
    "INSERT INTO lease (name, holder) VALUES (:name, :me) ON CONFLICT (name) DO UPDATE "
    "SET holder = excluded.holder "
    "WHERE NOT EXISTS (SELECT FROM process WHERE number = lease.holder)"
)
_HELD = text("SELECT name, holder FROM lease")
_FREE = text("DELETE FROM lease WHERE holder = :me")
_GIVE = text("DELETE FROM lease WHERE holder = :me AND name = :name")


class ServerLeases:
    """What is known of the leases, and the statements that change them."""

    def __init__(self) -> None:
        self.holders: dict[str, int] = {}
        """The process that holds each lease, at the last look."""
        self.giving: set[str] = set()
        """The leases that we are giving to another process."""
        self.ending: set[int] = set()
        """The processes that have said that they end, which take no lease any more."""

    async def take(
        self, connection: AsyncConnection, me: int, wanted: Sequence[str], living: frozenset[int]
    ) -> frozenset[str]:
        """Take for process *me* its portion of the free leases; the names of all that it holds."""
        self.holders = await self._load_held(connection)
        free = [name for name in wanted if self.holders.get(name) not in living]
        if me in self.ending:
            free = []
        mine = [name for name in self._portion(free, me, living) if name not in self.giving]
        for name in mine:
            await connection.execute(_TAKE, {"me": me, "name": name})
        if mine:
            self.holders = await self._load_held(connection)
        return frozenset(name for name, holder in self.holders.items() if holder == me)

    async def give(self, connection: AsyncConnection, me: int, name: str) -> None:
        """Give the lease *name* back."""
        await connection.execute(_GIVE, {"me": me, "name": name})

    async def free(self, connection: AsyncConnection, me: int) -> None:
        """Give back everything that process *me* holds."""
        await connection.execute(_FREE, {"me": me})

    def to_ask_for(self, me: int, wanted: Sequence[str]) -> str | None:
        """A share of a process that holds two more of the same duty than *me*."""
        if me in self.ending:
            return None
        for duty in {_duty(name) for name in wanted}:
            shares = [name for name in wanted if _duty(name) == duty]
            holders = Counter(self.holders[name] for name in shares if name in self.holders)
            most, count = max(holders.items(), key=lambda one: one[1], default=(me, 0))
            if count >= holders[me] + 2 and sum(holders.values()) == len(shares):
                return next(name for name in shares if self.holders[name] == most)
        return None

    def _portion(self, free: Sequence[str], me: int, living: frozenset[int]) -> Sequence[str]:
        """The *free* leases to take: all if we are alone, else our portion of one duty."""
        living -= self.ending
        if not free or not living - {me}:
            return free
        shares = [name for name in free if _duty(name) == _duty(free[0])]
        return shares[: -(-len(shares) // len(living))]

    async def _load_held(self, connection: AsyncConnection) -> dict[str, int]:
        return {row.name: row.holder for row in await connection.execute(_HELD)}


def _duty(name: str) -> str:
    return name.partition("/")[0]
