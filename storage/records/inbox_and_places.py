"""What a chat hands in, and the places of which it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from storage.records.values import JSON, InboxState


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


class PlaceChange(TypedDict, total=False):
    """What may be noted of a place, by the names of ``PlaceRow``."""

    retry_at: datetime | None
    suspended: bool
    language: str | None
    settings: Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class OutageRow:
    """A time in which a *place*, or for "" the whole *platform*, could not be reached.

    *ended* is None while it lasts.
    """

    platform: str
    place: str
    began: datetime
    ended: datetime | None
