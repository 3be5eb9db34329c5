"""A person, and what is theirs in chats: identities, drafts, alerts, bars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from storage.records.values import JSON


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person who plays in any chats; *language* is ``es``, ``en`` or None."""

    id: int
    name: str
    language: str | None
    settings: Mapping[str, JSON] = field(default_factory=dict)


class PersonName(NamedTuple):
    """The present id and name of a person: an old id may mean another *person*.

    *owner* is the person whose program it is, ``None`` for people.
    """

    person: int
    name: str
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class IdentityRow:
    """How one chat knows a person: *external* is that chat's id, as text."""

    platform: str
    external: str
    person: int


@dataclass(frozen=True, slots=True)
class BarRow:
    """Who is kept out of the tables of a place, or of all where it is "", by their id in a chat.

    *by* is the person who has barred them, None for the operator.
    """

    platform: str
    external: str
    at_platform: str
    at_place: str
    since: datetime
    by: int | None = None


@dataclass(frozen=True, slots=True)
class DraftRow:
    """The choices of a *person* for a new table in a place, changed last *at*."""

    id: int
    person: int
    platform: str
    place: str
    thread: str | None
    data: Mapping[str, JSON]
    at: datetime


@dataclass(frozen=True, slots=True)
class AlertRow:
    """That a *person* wants to be told when a table of a *game* is opened in a place, since *at*.

    *told* is when that was done last, None before the first time.
    """

    person: int
    platform: str
    place: str
    game: str
    at: datetime
    told: datetime | None = None
