"""What shows owed boards and calls people, as far as whoever changes a table must tell it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Protocol

from bot.port import Where
from bot.service.change import Change
from bot.service.cluster import Hearing
from bot.session.table import Table
from storage.engine import Transaction
from storage.records import CallRow, ViewRow


class Calling(Protocol):
    """What calls people to tables."""

    async def calling(
        self, tx: Transaction, change: Change, called: Sequence[CallRow] = ()
    ) -> Callable[[], None]:
        """Store whom *change* calls, in the transaction that stores it.

        *called* are the calls to the table so far. Answers what follows the commit.
        """

    async def moved(self, tx: Transaction, table: Table, where: Where) -> None:
        """Store whom it calls that *table* is shown in *where* from now on."""

    def saw(self, code: str, person: int, where: Where) -> None:
        """Note that *person* presses something at the table *code*, in *where*, just now."""


class Showing(Hearing, Protocol):
    """What shows owed views: told of tables that changed, never waited for."""

    @property
    def calls(self) -> Calling:
        """What calls people to the tables that are shown."""

    def owed(self, views: Sequence[ViewRow]) -> None:
        """Show *views*, which owe a new board since the transaction that is just over."""

    def ahead(self, table: Table, views: Sequence[ViewRow]) -> None:
        """Make the first of *views*, which owe *table*, before the transaction is over."""

    def wake(self, code: str) -> None:
        """Show whatever is owed of the table *code*."""

    def busy(self) -> frozenset[asyncio.Task[Any]]:
        """What is being shown just now."""

    def again(self, view: ViewRow) -> None:
        """Show *view* whatever is on its way to it: it may come to show something older."""

    def just_shown(self, view: ViewRow) -> bool:
        """Whether *view* was shown so lately that whoever presses it may not have seen it."""

    def call_at(self, code: str, at: datetime) -> None:
        """Make the calls to the table *code* that are due, at the instant *at*."""

    def retire(self, view: ViewRow) -> None:
        """Remove the message of a view that another one has replaced."""
