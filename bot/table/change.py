"""A change of a table that is decided, and about to be stored."""

from __future__ import annotations

from dataclasses import dataclass

from bot.table.origin import Origin
from bot.table.pen import Pen
from bot.table.table import Table


@dataclass(frozen=True)
class Change:
    """What *pen* has written for *origin* at a table *before*, ``None`` where it opens one."""

    origin: Origin
    before: Table | None
    pen: Pen
