"""Who is called to a game, and where they play from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class NotificationRow:
    """That a *person* is called to a game, or will be, and for what *kind* of reason.

    *kind* is empty once the person has answered. *turn* is the version of the game that gave the
    reason; *due* is the time to send it, None once it is sent, in *message*.
    """

    game: str
    person: int
    kind: str
    turn: int
    due: datetime | None
    platform: str | None = None
    place: str | None = None
    thread: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class PresenceRow:
    """The place from which a *person* plays a game: where they sat down or acted last."""

    game: str
    person: int
    platform: str
    place: str
    thread: str | None
    private: bool
