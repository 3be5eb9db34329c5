"""The messages that show something."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

BOARD: Final = "board"
"""The kind of the views that show a table."""


@dataclass(frozen=True, slots=True)
class ViewRow:
    """One message that shows something: what it shows, and what it owes.

    Its *kind* says what its *subject* names, such as the code of a table. *shown* and *owed* are
    versions of that, so the view is behind while ``shown < owed``;
    *token* is Discord's newest interaction token, of *token_at*; *digest* says what was drawn last.
    """

    id: int
    subject: str
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
    kind: str = BOARD


@dataclass(frozen=True, slots=True)
class TokenRenewal:
    """A new interaction *token*, received *at*, by which a message may be edited from now on."""

    platform: str
    place: str
    message: str
    token: str
    at: datetime
