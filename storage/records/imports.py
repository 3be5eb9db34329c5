"""Places of other houses, as their exports tell of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from storage.records.values import JSON


@dataclass(frozen=True, slots=True)
class ImportedPlaceRow:
    """The place *source* of another house, as a place here has imported it: all of it is text."""

    platform: str
    place: str
    source: str
    title: str
    at: datetime
    data: Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class ImportedGameRow:
    """The *record* of a game that was played in the place *source*.

    *names* are those of its players, each on a line of its own, between line feeds.
    """

    platform: str
    place: str
    source: str
    code: str
    game: str
    day: str
    names: str
    record: str
