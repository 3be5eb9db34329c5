"""A tournament, its events and entrants, and the messages that show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from storage.records.values import JSON


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
class TournamentEventRow:
    """Event *number* of a tournament; *steady* is when by the clock that nobody sets."""

    number: int
    at: datetime
    kind: str
    data: Mapping[str, JSON]
    steady: datetime


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """That a *person* has entered a tournament, and from where they play."""

    tournament: str
    person: int
    platform: str
    place: str
    thread: str | None
    private: bool
