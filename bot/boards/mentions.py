"""What a new board may carry: whom it calls, which the notifications know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from bot.port import Asker, Where
from bot.session.table import Table
from storage.engine import Transaction
from storage.records import CallRow, ViewRow


@dataclass(frozen=True)
class Notification:
    """The notifications *rows* in one message: *people* are called in *words*."""

    rows: tuple[CallRow, ...]
    people: tuple[Asker, ...]
    words: str


class Mentions(ABC):
    """Says whom a new board calls."""

    @abstractmethod
    async def carried(self, view: ViewRow, table: Table) -> Notification | None:
        """Whom a new board of *view* is to call; ``None`` for nobody."""

    @abstractmethod
    async def is_buried(self, view: ViewRow) -> bool:
        """Whether the board of *view* lies so far up that a new one is posted to call."""

    @abstractmethod
    async def note(self, tx: Transaction, called: Notification) -> None:
        """Note that a new board has called."""

    @abstractmethod
    async def moved(self, tx: Transaction, table: Table, where: Where) -> None:
        """Store whom it calls that *table* is shown in *where* from now on."""
