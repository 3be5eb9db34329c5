"""The messages that show a game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ViewRow:
    """One message that shows a table: what it shows, and what it owes.

    *shown* and *owed* are versions of the game, so the view is behind while ``shown < owed``;
    *token* is Discord's newest interaction token, of *token_at*; *digest* says what was drawn last.
    """

    id: int
    game: str
    platform: str
    place: str
    language: str
    owed: int
    shown: int = 0
    message: str | None = None
    thread: str | None = None
    person: int | None = None
    theme: str = "light"
    side: int | None = None
    token: str | None = None
    token_at: datetime | None = None
    posted: datetime | None = None
    digest: str = ""


@dataclass(frozen=True, slots=True)
class TokenRenewal:
    """A new interaction *token*, received *at*, by which a message may be edited from now on."""

    platform: str
    place: str
    message: str
    token: str
    at: datetime
