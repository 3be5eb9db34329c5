"""Messages whose next board is part of the answer to a press or a command."""

from __future__ import annotations

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


def message_of(view: ViewRow) -> MessageKey:
    """The message of *view*."""
    return view.platform, view.place, view.message or view.token or ""


def requested_key(by: Press | Command) -> MessageKey | None:
    """The message that shows what *by* changes; ``None`` if its chat leaves it to a lane."""
    if not by.takes_board:
        return None
    named = by.message if isinstance(by, Press) else by.token or ""
    return None if named is None else (by.where.platform, by.where.place, named)
