"""What chats keep for themselves, from one start to the next."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from storage import settings
from storage.engine import Store, Transaction
from storage.fleet import Fleet


@dataclass(frozen=True)
class Noting:
    """Notes being read and written, all or nothing, with nobody in between."""

    _tx: Transaction
    _fleet: Fleet

    async def get(self, key: str) -> str | None:
        """The note called *key*, ``None`` where there is none."""
        return await settings.get(self._tx, key)

    async def put(self, key: str, value: str) -> None:
        """Note *value* as *key*, whatever was noted before."""
        await settings.put(self._tx, key, value)
        await self._fleet.tell(self._tx, "note", key)


@dataclass(frozen=True)
class ChatNotes:
    """Words by key; each chat begins its keys with its own name. Raises ``StorageError``."""

    _store: Store

    async def get(self, key: str) -> str | None:
        """The note called *key*, ``None`` where there is none."""
        return await self._store.read(settings.get, key)

    async def put(self, key: str, value: str) -> None:
        """Note *value* as *key*, whatever was noted before."""
        async with self.noting() as notes:
            await notes.put(key, value)

    @asynccontextmanager
    async def noting(self) -> AsyncIterator[Noting]:
        """Read and write several notes in one transaction."""
        async with self._store.transaction() as tx:
            yield Noting(tx, self._store.fleet)

    def when_changed(self, told: Callable[[str], None]) -> None:
        """Tell *told* of every note that another process has changed, by its key."""
        self._store.fleet.on("note", told)
