"""The people whom a new board mentions; the notifications know them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from bot.port import Asker, Where
from bot.session.table import Table
from storage.engine import Transaction
from storage.records import CallRow, ViewRow


@dataclass(frozen=True)
class Notification:
    """The notifications *rows* in one message: *words* that mention *people*."""

    rows: tuple[CallRow, ...]
    people: tuple[Asker, ...]
    words: str


class Mentions(ABC):
    """Knows whom a new board mentions."""

    @abstractmethod
    async def carried(self, view: ViewRow, table: Table) -> Notification | None:
        """The notification that a new board of *view* carries; ``None`` for none."""

    @abstractmethod
    async def is_buried(self, view: ViewRow) -> bool:
        """Whether the board of *view* lies so far up that a new one is posted."""

    @abstractmethod
    async def note(self, tx: Transaction, called: Notification) -> None:
        """Note that a new board carried *called*."""

    @abstractmethod
    async def moved(self, tx: Transaction, table: Table, where: Where) -> None:
        """Store whom to notify, since *table* is shown in *where* from now on."""
