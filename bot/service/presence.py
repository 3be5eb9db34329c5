"""Who looks at which table just now, and where each person plays."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from cachetools import LRUCache

from bot.port import Where
from bot.runtime.tasks import Tasks
from bot.session.table import Table
from storage import notifications
from storage.records import PresenceRow
from storage.store import Store, Transaction

LOOKING = 30.0
"""For how many seconds after a press a person counts as looking at the table."""

KEPT = 8192
"""How many people at tables are cached."""


@dataclass
class Presence:
    """The presence of people at tables; the places they play from are stored as well."""

    store: Store
    tasks: Tasks
    clock: Callable[[], float] = time.monotonic
    _pressed: LRUCache[tuple[str, int], float] = field(default_factory=lambda: LRUCache(KEPT))
    """When a person last pressed something at a table, by the monotonic clock."""
    _stored: LRUCache[tuple[str, int], Where] = field(default_factory=lambda: LRUCache(KEPT))

    def saw(self, table: Table, person: int, where: Where) -> None:
        """Note that *person* presses something at *table*, in *where*, just now."""
        if table.seat_of(person) is None:
            return
        self.looks(table.code, person)
        if self._stored.get((table.code, person)) != where:
            self.tasks.start(self._sits(table.code, person, where))

    async def _sits(self, code: str, person: int, where: Where) -> None:
        await self.store.write_beside(self.sit, code, person, where)
        self.kept(code, person, where)

    def looks(self, code: str, person: int) -> None:
        """Note that *person* looks at the table *code* just now."""
        self._pressed[code, person] = self.clock()

    def looking(self, code: str, person: int) -> float:
        """For how many more seconds *person* counts as looking at the table *code*."""
        pressed = self._pressed.get((code, person))
        return 0.0 if pressed is None else max(0.0, pressed + LOOKING - self.clock())

    def saw_elsewhere(self, code: str, person: int) -> None:
        """Note a press at another process, which may have stored where *person* plays."""
        self.looks(code, person)
        self._stored.pop((code, person), None)

    async def sit(self, tx: Transaction, code: str, person: int, where: Where) -> None:
        """Store that *person* plays at the table *code* from *where*."""
        if self._stored.get((code, person)) == where:
            return
        # Where this is not committed after all, the next press at the table stores it.
        self._stored.pop((code, person), None)
        place = (where.platform, where.place, where.thread, where.private)
        await notifications.put_presences(tx, [PresenceRow(code, person, *place)])

    def kept(self, code: str, person: int, where: Where) -> None:
        """It is on disk that *person* plays at the table *code* from *where*."""
        self._stored[code, person] = where


def presence_place(row: PresenceRow) -> Where:
    """The place from where somebody plays."""
    return Where(row.platform, row.place, row.thread, row.private)
