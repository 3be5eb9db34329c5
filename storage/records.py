"""What the database keeps, as plain values.

Every datetime is aware and in UTC; the database keeps whole milliseconds, so what is read back
is the written instant cut to a millisecond.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
Status: TypeAlias = Literal["open", "playing", "ended", "closed"]
InboxState: TypeAlias = Literal["pending", "done", "aside"]


@dataclass(frozen=True, slots=True)
class GameRow:
    """A table: *version* is the number of its last event, *summary* is for lists only.

    *secret* is the 32-byte secret of its draws until it is published, *parent* the code of the
    game this one is the rematch of.
    """

    code: str
    game: str
    status: Status
    version: int
    created: datetime
    touched: datetime
    secret: bytes | None
    summary: str
    parent: str | None


@dataclass(frozen=True, slots=True)
class EventRow:
    """One thing that happened at a table, never changed afterwards; numbers begin at 1.

    *data* is an object, or whatever else a damaged database keeps in its place.
    """

    number: int
    at: datetime
    kind: str
    seat: int | None
    text: str
    data: JSON


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sits where: a *person*, or a computer of some *level*; *place* is the rank from 1."""

    seat: int
    person: int | None
    level: int | None
    side: str
    place: int | None


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody who plays, whatever chats they come from; *language* is ``es``, ``en`` or unset."""

    id: int
    name: str
    language: str | None


@dataclass(frozen=True, slots=True)
class IdentityRow:
    """How one chat knows a person: *external* is that chat's id, as text."""

    platform: str
    external: str
    person: int


@dataclass(frozen=True, slots=True)
class ViewRow:
    """One message that shows a table: what it shows, and what it owes.

    *audience* is a seat, or None for all; *shown* and *owed* are versions of the game, so the
    view is behind while ``shown < owed``; *token* is Discord's newest interaction token, of
    *token_at*; *digest* says what was drawn last.
    """

    id: int
    game: str
    platform: str
    place: str
    message: str | None
    thread: str | None
    audience: int | None
    person: int | None
    language: str
    theme: str
    side: int | None
    shown: int
    owed: int
    token: str | None
    token_at: datetime | None
    posted: datetime | None
    digest: str


@dataclass(frozen=True, slots=True)
class Renewal:
    """A new interaction *token*, received *at*, by which a message may be edited from now on."""

    platform: str
    place: str
    message: str
    token: str
    at: datetime


@dataclass(frozen=True, slots=True)
class InboxRow:
    """An update of a chat, which changes a game at most once.

    *at* is when it came, and from *done* or *aside* on, when that was settled.
    """

    platform: str
    update: str
    payload: str | None
    state: InboxState
    attempts: int
    at: datetime


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A chat, channel or group: *retry_at* is when it may be written to again."""

    platform: str
    place: str
    retry_at: datetime | None
    suspended: bool
    language: str | None
    settings: Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class DeadlineRow:
    """An instant at which a table must be looked at, if its *version* is still the same."""

    game: str
    kind: str
    version: int
    at: datetime
