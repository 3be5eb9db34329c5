"""What a new board may carry: the people it mentions. Notifications implement it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from bot.port import Asker, Where
from bot.session.table import Table
from storage.records import NotificationRow, ViewRow
from storage.store import Transaction


@dataclass(frozen=True)
class Notification:
    """The notifications *rows* in one message: *words* that mention *people*."""

    rows: tuple[NotificationRow, ...]
    people: tuple[Asker, ...]
    words: str


class Mentions(ABC):
    """Tells which notification a new board carries."""

    @abstractmethod
    async def carried(self, view: ViewRow, table: Table) -> Notification | None:
        """The notification that a new board of *view* carries, if any."""

    @abstractmethod
    async def is_buried(self, view: ViewRow) -> bool:
        """Whether the board of *view* lies so far up that a new one is posted."""

    @abstractmethod
    async def note(self, tx: Transaction, called: Notification) -> None:
        """Note that a new board carried *called*."""

    @abstractmethod
    async def moved(self, tx: Transaction, table: Table, where: Where) -> None:
        """Store the calls that follow from showing *table* in *where* from now on."""
