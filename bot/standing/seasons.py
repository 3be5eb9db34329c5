"""Seasons: months or quarters of the calendar, in UTC, and who stands on their podium. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from bot.standing.rating import Rating
from bot.standing.tallies import Tally

STEPS: Final = 3
"""How many stand on a podium."""

OPPONENTS: Final = 2
"""How many different people one has to have met in the season to stand before the others."""


class SeasonKind(StrEnum):
    """How long the seasons of a place last."""

    MONTH = "month"
    QUARTER = "quarter"

    @property
    def months(self) -> int:
        """How many months."""
        return 1 if self is SeasonKind.MONTH else 3


@dataclass(frozen=True, slots=True)
class Season:
    """A season from *begin* until *end*, which is the beginning of the next one."""

    kind: SeasonKind
    begin: datetime
    end: datetime

    @property
    def number(self) -> int:
        """Its number within the year, from 1 on."""
        return (self.begin.month - 1) // self.kind.months + 1

    @property
    def key(self) -> str:
        """How it is noted: ``2026-10``, or ``2026-Q4``."""
        mark = "" if self.kind is SeasonKind.MONTH else "Q"
        return f"{self.begin.year}-{mark}{self.number:0{2 if not mark else 1}}"


def last_ended(kind: SeasonKind, now: datetime) -> Season:
    """The last season of this *kind* that is over at *now*."""
    here = now.astimezone(UTC)
    month = (here.month - 1) // kind.months * kind.months + 1
    end = datetime(here.year, month, 1, tzinfo=UTC)
    return Season(kind, _months_before(end, kind.months), end)


def next_month(now: datetime) -> datetime:
    """The instant at which the next month begins: no season ends before."""
    here = now.astimezone(UTC)
    begin = datetime(here.year, here.month, 1, tzinfo=UTC)
    return _months_before(begin, -1)


def _months_before(at: datetime, months: int) -> datetime:
    count = at.year * 12 + at.month - 1 - months
    return at.replace(year=count // 12, month=count % 12 + 1)


@dataclass(frozen=True, slots=True)
class Contestant:
    """Somebody who has played in a season: by *name*, with their *rating* at its end."""

    name: str
    rating: Rating
    tally: Tally

    @property
    def is_sure(self) -> bool:
        """Whether they have played enough to be compared."""
        return not self.rating.provisional and len(self.tally.opponents) >= OPPONENTS


def podium(people: Iterable[Contestant]) -> tuple[Contestant, ...]:
    """The first three: those who can be compared come before the others; nobody alone."""
    ranked = sorted(people, key=lambda one: (not one.is_sure, -one.rating.mu, one.name))
    return tuple(ranked[:STEPS]) if len(ranked) > 1 else ()
