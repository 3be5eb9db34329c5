"""The journal of the ratings, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from storage.records.values import JSON


@dataclass(frozen=True, slots=True)
class RatingEntryRow:
    """An entry of the ratings' journal; *number* is 0 before it is stored.

    *people* and their *places* are those of a game, *of* is the number of the game that a
    correction takes out; *data* is what else belongs to its *kind*.
    """

    number: int
    kind: str
    pool: str
    at: datetime
    game: str | None
    formula: str
    people: tuple[int, ...]
    places: tuple[int, ...]
    of: int | None
    data: Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class RatingChangeRow:
    """What the *entry* of this number made of the rating of a *person* in a *pool*.

    *mu*, *sigma* and *last*, when they played the last game that counts, are those after it.
    """

    entry: int
    person: int
    pool: str
    at: datetime
    mu_before: float
    sigma_before: float
    last_before: datetime | None
    mu: float
    sigma: float
    last: datetime | None


@dataclass(frozen=True, slots=True)
class RatingRow:
    """What a *person* has in a *pool*."""

    pool: str
    person: int
    mu: float
    sigma: float
    last: datetime | None


@dataclass(frozen=True, slots=True)
class TallyRow:
    """What a *person* has won, drawn and lost in a *place*, or in all places where it is "".

    *opponents* are the first few they met, *met* is how many those are, *last* is when the last
    game ended. *listed* says that others see the row. *mu* and *sigma* repeat the rating.
    """

    pool: str
    platform: str
    place: str
    person: int
    won: int
    drawn: int
    lost: int
    opponents: tuple[int, ...]
    met: int
    last: datetime
    mu: float
    sigma: float
    listed: bool


@dataclass(frozen=True, slots=True)
class MedalRow:
    """A medal of a *person* by its *key*, of the games of *pool* or, where that is "", of all.

    *game* is the table at whose end it was given, *data* says in which places that was played.
    """

    person: int
    key: str
    pool: str
    at: datetime
    game: str | None
    data: Mapping[str, JSON]
