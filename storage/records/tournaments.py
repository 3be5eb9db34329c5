"""A tournament and its entrants, and the messages that show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament that was opened in a place; *due* is when it must be looked at."""

    code: str
    platform: str
    place: str
    thread: str | None
    private: bool
    phase: str
    version: int
    created: datetime
    touched: datetime
    due: datetime | None


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """That a *person* has entered a tournament, and from where they play."""

    tournament: str
    person: int
    platform: str
    place: str
    thread: str | None
    private: bool
