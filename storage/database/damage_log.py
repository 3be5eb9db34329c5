"""What the log says of cells that were read as their column's default."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from sqlalchemy import Table
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.column_types import Place
from storage.damaged_cell_scan import MOST_CELLS, find_damaged_after
from storage.errors import StorageError
from storage.schema import metadata

log = logging.getLogger(__name__)


class DamageLog:
    """Names each damaged cell of a table in which one was read, once in the life of the store.

    Tables may have many rows, and a transaction knows only the column: so each is looked through
    afterwards, a portion in each transaction that *reading* gives.
    """

    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]]) -> None:
        self._reading = reading
        self._known: set[Place] = set()
        """The columns of which it is or will be said that cells of them are damaged."""
        self._unnamed: set[Place] = set()
        """Those of which it will be said."""
        self._naming: asyncio.Task[None] | None = None

    def note(self, columns: set[Place]) -> None:
        """Name the damaged cells of these *columns* later, with the priority of the caller."""
        self._unnamed |= columns - self._known
        self._known |= columns
        if self._unnamed and (self._naming is None or self._naming.done()):
            self._naming = asyncio.create_task(self._name())

    def close(self) -> None:
        """Name no more."""
        if self._naming is not None:
            self._naming.cancel()

    async def _name(self) -> None:
        while self._unnamed:
            name = min(table for table, _ in self._unnamed)
            try:
                await self._name_in(metadata.tables[name])
            except StorageError:  # whoever reads there again lets it be tried again
                self._known -= self._unnamed
                self._unnamed.clear()

    async def _name_in(self, table: Table) -> None:
        """Log the damaged cells of *table* in whatever column, so that it is read once for all."""
        named = {one for one in self._known - self._unnamed if one[0] == table.name}
        last: Sequence[object] = ()
        told = 0
        while told < MOST_CELLS:
            async with self._reading() as tx:
                found, last = await tx.run_sync(find_damaged_after, table, last)
            for cell in (one for one in found if (one.table, one.column) not in named):
                log.error("%s: %s; it is read as if it were not set", cell.place, cell.why)
                self._known.add((cell.table, cell.column))
                told += 1
            if not last:
                break
        self._unnamed = {one for one in self._unnamed if one[0] != table.name}
