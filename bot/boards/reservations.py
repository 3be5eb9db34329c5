"""Messages whose next board is part of the answer to a press or a command."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.port import Command, Press
from storage.records import ViewRow

MessageKey: TypeAlias = tuple[str, str, str]
"""Platform, place and message; the token of its command, or nothing, before it is posted."""


@dataclass(eq=False)
class Reservation:
    """What one message came to owe while *answers* to its presses are being decided."""

    answers: int = 0
    owed: dict[int, ViewRow] = field(default_factory=dict)
    """The views of the message, by their ids: no lane shows them meanwhile."""
    behind: list[ViewRow] = field(default_factory=list)
    """Other views of the same changes: they are shown after the answer."""
    making: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the board of an answer is made, so that there is one at a time."""


@dataclass
class Reservations:
    """The messages whose next boards are parts of answers; *start* runs the lane of a view."""

    start: Callable[[int, ViewRow | None], None]
    _of: dict[MessageKey, Reservation] = field(default_factory=dict)

    @contextmanager
    def reserving(self, by: Press | Command) -> Iterator[Reservation]:
        """Keep lanes from the message of *by* in the block: its board is part of the answer."""
        key = _requested_key(by)
        if key is None:
            yield Reservation()
            return
        reservation = self._of.setdefault(key, Reservation())
        reservation.answers += 1
        try:
            yield reservation
        finally:
            reservation.answers -= 1
            behind, reservation.behind = reservation.behind, []
            if not reservation.answers:
                del self._of[key]
                for view_id in reservation.owed:
                    self.start(view_id, None)
            for view in behind:
                self.start(view.id, view)

    def of(self, view: ViewRow) -> Reservation | None:
        """The reservation of the message of *view*, if there is one."""
        return self._of.get((view.platform, view.place, view.message or view.token or ""))

    def take(self, view: ViewRow) -> bool:
        """Whether an answer shows *view*; it is told that the view owes something."""
        reservation = self.of(view)
        if reservation is not None:
            reservation.owed[view.id] = view
        return reservation is not None


def _requested_key(by: Press | Command) -> MessageKey | None:
    """The message that shows what *by* changes; ``None`` if its chat leaves it to a lane."""
    if not by.takes_board:
        return None
    named = by.message if isinstance(by, Press) else by.token or ""
    return None if named is None else (by.where.platform, by.where.place, named)
