"""Houses on the databases of tests, before they have a chat."""

from __future__ import annotations

from pathlib import Path

from bot.facade import Facade, open_facade
from bot.service.computers.pool import Thinkers
from storage.store import Store
from tests.databases import database_in


async def open_house(folder: Path, language: str = "es", seconds: float = 0.5) -> Facade:
    """A house on the database of *folder*, not started; its computers think for *seconds*."""
    store = await Store.open(database_in(folder))
    return await open_facade(store, Thinkers(seconds=seconds), language)
