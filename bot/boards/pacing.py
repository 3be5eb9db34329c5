"""How often a place may be written to, and which boards wait for their turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from bot.port import Where
from bot.runtime.rate_limiter import Limiter, Limiters
from bot.service.clock import Clock
from bot.service.cluster import Ownership
from bot.service.places import Places, view_place
from bot.session.table import Table
from storage.records import ViewRow
from storage.store import Store


@dataclass(kw_only=True)
class Pacing:
    """The rate limiters of all places."""

    store: Store
    clock: Clock
    places: Places
    ownership: Ownership
    _limiters: Limiters[tuple[str, str]] = field(default_factory=Limiters)
    waiting: dict[int, tuple[str, str]] = field(default_factory=dict)
    """The places of boards that wait for their turn, by their views."""

    def limiter(self, where: Where) -> Limiter:
        """The limiter of *where*; a chat notes there what it writes besides boards."""
        windows = self.ownership.chats[where.platform].pace(where).windows
        return self._limiters.at((where.platform, where.place), windows)

    def limiter_behind(self, where: Where) -> Limiter:
        """The limiter of *where* for what comes after players' boards; one for all in private."""
        first = self.limiter(where)
        return first if where.private else first.behind

    def comes_in(self, where: Where, view: int | None = None) -> float:
        """Seconds until the turn of *view*, or of the last board that waits in *where*."""
        limiter = self.limiter(where)
        waiting = [n for n, at in self.waiting.items() if at == (where.platform, where.place)]
        if view in waiting:
            return limiter.due(waiting.index(view) + 1)
        return limiter.due(max(len(waiting), limiter.waiting))

    def must_wait(self, view: ViewRow, table: Table) -> bool:
        """Whether *view* of *table* has to wait, since its place may be written to but seldom."""
        limiter = self.limiter(view_place(view))
        return bool(limiter.windows) and (limiter.wait() > 0 or bool(table.computers_to_move()))

    async def pause(self, view: ViewRow, seconds: float) -> None:
        """Write nothing to the place of *view* for *seconds*, not even after a restart."""
        self.limiter(view_place(view)).pause(seconds)
        until = self.clock.steady() + timedelta(seconds=seconds)
        await self.store.write(self.places.put, view_place(view), retry_at=until)

    async def restore_pauses(self) -> None:
        """Restore the pauses of before the start."""
        for row in await self.places.paused(self.clock.steady()):
            if self.ownership.keeps(row.platform) and row.retry_at is not None:
                where = Where(row.platform, row.place)
                wait = (row.retry_at - self.clock.steady()).total_seconds()
                self.limiter(where).pause(wait)
