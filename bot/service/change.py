"""A change of a table that is decided, and about to be stored."""

from __future__ import annotations

from dataclasses import dataclass

from bot.service.updates import Update
from bot.session.table import Table
from bot.session.unit_of_work import UnitOfWork


@dataclass(frozen=True)
class Change:
    """What *work* has written for *origin* at a table *before*, ``None`` where it opens one."""

    origin: Update
    before: Table | None
    work: UnitOfWork
