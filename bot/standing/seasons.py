"""Seasons: months of the calendar, in UTC, played as leagues of divisions. Pure.

A game is worth a point, and two more for each other player above whom one stood, or one beside
whom. Between the seasons the first of each division goes up and the last goes down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations, pairwise
from typing import Final, TypeAlias

from bot.standing.journal import JournalEntry

STEPS: Final = 3
"""How many places a podium has; who has the same points shares one."""

STEP_GAMES, STEP_PEOPLE = 4, 2
"""How many games against how many people a step asks for."""

PAIR_GAMES: Final = 4
"""How many games of the same two people count in a season."""

DIVISION, FEWEST, DIVIDED = 8, 7, 12
"""How many people a division has; with fewer others move up, and of fewer all are one."""

_NEVER: Final = datetime.min.replace(tzinfo=UTC)

Divisions: TypeAlias = tuple[tuple[int, ...], ...]
"""The people of each division, the highest first."""


@dataclass(frozen=True, slots=True)
class Season:
    """A season from *begin* until *end*, which is the beginning of the next one."""

    begin: datetime
    end: datetime

    @property
    def before(self) -> Season:
        """The one before."""
        return Season(_months_before(self.begin, 1), self.begin)

    @property
    def next(self) -> Season:
        """The one after it."""
        return Season(self.end, _months_before(self.end, -1))

    @property
    def key(self) -> str:
        """How it is noted: ``2026-10``."""
        return f"{self.begin:%Y-%m}"


def last_ended(now: datetime) -> Season:
    """The last season that is over at *now*."""
    here = now.astimezone(UTC)
    end = datetime(here.year, here.month, 1, tzinfo=UTC)
    return Season(_months_before(end, 1), end)


def _months_before(at: datetime, months: int) -> datetime:
    count = at.year * 12 + at.month - 1 - months
    return at.replace(year=count // 12, month=count % 12 + 1)


@dataclass(frozen=True, slots=True)
class Contestant:
    """What *person* has done in a season; *met* are whom they have played, *at* is the last point.

    Only games that gave points count.
    """

    person: int
    points: int = 0
    games: int = 0
    met: frozenset[int] = frozenset()
    at: datetime = _NEVER

    @property
    def may_stand(self) -> bool:
        """Whether they have played enough for a step."""
        return self.games >= STEP_GAMES and len(self.met) >= STEP_PEOPLE

    @property
    def order(self) -> tuple[int, int, datetime]:
        """Sorts the best first: by points, people met, and who had the points first."""
        return -self.points, -len(self.met), self.at


Contestants: TypeAlias = Mapping[int, Contestant]
"""What people have done in a season, by their ids."""


def contestants(games: Iterable[JournalEntry], person: Callable[[int], int]) -> Contestants:
    """What people have done in the *games* of a season; *person* says who an id is now."""
    found, pairs = dict[int, Contestant](), Counter[frozenset[int]]()
    for entry in games:
        people = tuple(map(person, entry.people))
        if len(set(people)) < len(people):
            continue  # two of them have become one person
        fresh = {p for p in map(frozenset, combinations(people, 2)) if pairs[p] < PAIR_GAMES}
        pairs.update(fresh)
        for one, place in zip(people, entry.places, strict=True):
            others = {
                other: its
                for other, its in zip(people, entry.places, strict=True)
                if frozenset((one, other)) in fresh
            }
            if others:
                before = found.get(one, Contestant(one))
                points = 1 + sum((its > place) + (its >= place) for its in others.values())
                met = before.met | others.keys()
                found[one] = Contestant(
                    one, before.points + points, before.games + 1, met, entry.at
                )
    return found


def standings_of(divisions: Divisions, played: Contestants) -> tuple[tuple[Contestant, ...], ...]:
    """How each division stands, the best first; who is new plays in the last one."""
    old = {one for division in divisions for one in division}
    new = tuple(one for one in played if one not in old)
    every = (*divisions[:-1], (*(divisions[-1] if divisions else ()), *new))
    return tuple(
        tuple(sorted((played.get(one, Contestant(one)) for one in each), key=lambda c: c.order))
        for each in every
    )


def next_divisions(divisions: Divisions, played: Contestants) -> Divisions:
    """The divisions of the next season: one up, one down, and who has not played is gone."""
    now = [[one for one in each if one.games] for each in standings_of(divisions, played)]
    for upper, lower in pairwise(now):
        if upper and len(lower) > 1 and lower[0].may_stand:
            upper[-1], lower[0] = lower[0], upper[-1]
    return tuple(tuple(one.person for one in each) for each in _cut(now))


def _cut(divisions: list[list[Contestant]]) -> list[list[Contestant]]:
    """The same people in divisions of about ``DIVISION``; who fills a gap moves up."""
    for upper, lower in pairwise(divisions):
        missing = max(0, FEWEST - len(upper))
        upper += lower[:missing]
        del lower[:missing]
    kept = [each for each in divisions if each]
    if sum(map(len, kept)) < DIVIDED:
        return [[one for each in kept for one in each]] if kept else []
    if len(kept) > 1 and len(kept[-1]) < FEWEST / 2:
        kept[-2:] = [kept[-2] + kept[-1]]
    while len(last := kept[-1]) >= DIVIDED:
        size = DIVISION if len(last) >= 2 * DIVISION else -(-len(last) // 2)
        kept[-1:] = [last[:size], last[size:]]
    return kept


def places_in(division: Iterable[Contestant]) -> Mapping[int, int]:
    """The places of those who may stand on a step, by person; the same points share one."""
    able = [one for one in division if one.may_stand]
    return {one.person: 1 + sum(other.points > one.points for other in able) for one in able}
