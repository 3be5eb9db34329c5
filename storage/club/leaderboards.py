"""Ladders: who stands where in a place, and what people have played against each other.

Every question is answered from an index, so that a place of thousands costs little more than one of
ten.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, String, and_, cast, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema
from storage.person.bars import BANNED
from storage.records import RatingChangeRow, RatingEntryRow, TallyRow

_tally, _person, _change = schema.tally, schema.person, schema.rating_change
_entry = schema.rating_entry
_ROW = (*schema.columns_of(_tally, TallyRow), _person.c.name)
_CHANGE = schema.columns_of(_change, RatingChangeRow)
_correction = _entry.alias()
_GAMES = select(*schema.columns_of(_entry, RatingEntryRow)).where(
    _entry.c.kind == "game",
    ~select(_correction.c.number).where(_correction.c.of == _entry.c.number).exists(),
)
"""The games that count: no correction takes them out."""
_GAMES_OF_PEOPLE = _GAMES.join(_change, _change.c.entry == _entry.c.number)

_SEEN = and_(_tally.c.listed, _tally.c.person.not_in(BANNED))
"""Whom others see: asked at each look, so that who is banned is gone, and back, at once."""


@dataclass(frozen=True, slots=True)
class LadderKey:
    """A ladder: of a *pool* in a place, with who has played *since* then.

    Above its line stand those whose sigma is at most *sure* and who have met *met* others.
    """

    pool: str
    platform: str
    place: str
    since: datetime
    sure: float
    met: int

    @property
    def _here(self) -> ColumnElement[bool]:
        place = (_tally.c.platform == self.platform, _tally.c.place == self.place)
        return and_(_tally.c.pool == self.pool, *place, _SEEN)

    @property
    def above(self) -> ColumnElement[bool]:
        """Who stands above the line."""
        known = (_tally.c.sigma <= self.sure, _tally.c.met >= self.met)
        return and_(self._here, _tally.c.last >= self.since, *known)

    @property
    def below(self) -> ColumnElement[bool]:
        """Who stands below it."""
        known = and_(_tally.c.sigma <= self.sure, _tally.c.met >= self.met)
        return and_(self._here, _tally.c.last >= self.since, ~known)


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A row of a ladder, and the *name* of its person."""

    tally: TallyRow
    name: str


async def count_rated(
    tx: AsyncConnection, pool: str, platform: str, place: str, since: datetime, most: int
) -> int:
    """How many people have played in a place since then; *most* where there are more."""
    some = (
        select(_tally.c.person)
        .where(
            *(_tally.c.pool == pool, _tally.c.platform == platform, _tally.c.place == place),
            _SEEN,
            _tally.c.last >= since,
        )
        .limit(most)
    )
    return (await tx.execute(select(func.count()).select_from(some.subquery()))).scalar_one()


async def count_rows(tx: AsyncConnection, which: ColumnElement[bool]) -> int:
    """How many rows *which* has, of a ladder above or below its line."""
    return (await tx.execute(select(func.count()).where(which))).scalar_one()


async def ladder_rows(
    tx: AsyncConnection, which: ColumnElement[bool], first: int, many: int
) -> tuple[LadderRow, ...]:
    """At most *many* rows of a ladder from number *first* on, counted from 0; the best first."""
    asked = (
        select(*_ROW)
        .join(_person, _person.c.id == _tally.c.person)
        .where(which)
        .order_by(_tally.c.mu.desc(), _tally.c.person)
        .offset(first)
        .limit(many)
    )
    return tuple(LadderRow(TallyRow(*row), name) for *row, name in await tx.execute(asked))


async def own_row(tx: AsyncConnection, key: LadderKey, person: int) -> TallyRow | None:
    """The row of *person*, whether others see it or not."""
    asked = select(*schema.columns_of(_tally, TallyRow)).where(
        *(_tally.c.pool == key.pool, _tally.c.platform == key.platform),
        *(_tally.c.place == key.place, _tally.c.person == person),
    )
    return await schema.fetch_one(tx, TallyRow, asked)


async def count_better(
    tx: AsyncConnection, which: ColumnElement[bool], mu: float, person: int
) -> int:
    """How many rows of *which* stand before one of *person* with this *mu*."""
    equal = and_(_tally.c.mu == mu, _tally.c.person < person)
    return await count_rows(tx, and_(which, or_(_tally.c.mu > mu, equal)))


async def mu_before(
    tx: AsyncConnection, pool: str, persons: Collection[int], at: datetime
) -> dict[int, float]:
    """The mu that each of *persons* had at the instant *at*; nothing of whoever had none."""
    found = {}
    for person in persons:
        asked = (
            select(_change.c.mu)
            .where(_change.c.person == person, _change.c.pool == pool, _change.c.at < at)
            .order_by(_change.c.entry.desc())
            .limit(1)
        )
        mu = (await tx.execute(asked)).scalar_one_or_none()
        if mu is not None:
            found[person] = mu
    return found


async def course_of(
    tx: AsyncConnection, pool: str, persons: Collection[int], many: int
) -> tuple[RatingChangeRow, ...]:
    """The newest *many* changes of somebody's rating, under any of their ids, the first first."""
    asked = select(*_CHANGE).where(_change.c.person.in_(persons), _change.c.pool == pool)
    newest = await schema.fetch_all(
        tx, RatingChangeRow, asked.order_by(_change.c.entry.desc()).limit(many)
    )
    return newest[::-1]


async def newest_games(
    tx: AsyncConnection, pool: str, persons: Collection[int], many: int
) -> tuple[RatingEntryRow, ...]:
    """The newest *many* games of *pool* that count and that one of *persons* has played."""
    asked = _GAMES_OF_PEOPLE.where(_change.c.person.in_(persons), _change.c.pool == pool)
    newest = asked.order_by(_change.c.entry.desc()).limit(many)
    return (await schema.fetch_all(tx, RatingEntryRow, newest))[::-1]


async def tallies_of_person(tx: AsyncConnection, person: int) -> Sequence[TallyRow]:
    """What *person* has won, drawn and lost, in every pool and place."""
    asked = select(*schema.columns_of(_tally, TallyRow)).where(_tally.c.person == person)
    ordered = asked.order_by(_tally.c.pool, _tally.c.platform, _tally.c.place)
    return await schema.fetch_all(tx, TallyRow, ordered)


async def rated_people(
    tx: AsyncConnection, platform: str, place: str, many: int
) -> tuple[tuple[int, str], ...]:
    """At most *many* people, by id and name, with rated games in a place, the last first."""
    last = func.max(_tally.c.last)
    asked = (
        select(_person.c.id, _person.c.name)
        .join(_tally, _tally.c.person == _person.c.id)
        .where(_tally.c.platform == platform, _tally.c.place == place, _person.c.name != "")
        .group_by(_person.c.id, _person.c.name)
        .order_by(last.desc(), _person.c.id)
        .limit(many)
    )
    return tuple((one.id, one.name) for one in await tx.execute(asked))


async def games_of_both(
    tx: AsyncConnection, persons: Collection[int], others: Collection[int], many: int
) -> tuple[RatingEntryRow, ...]:
    """The newest *many* games that count of somebody and, if given, of one of *others*, last first.

    Both go by all of their ids.
    """
    theirs = _change.alias()
    asked = _GAMES_OF_PEOPLE.where(_change.c.person.in_(persons))
    if others:
        asked = asked.join(
            theirs, and_(theirs.c.entry == _entry.c.number, theirs.c.person.in_(others))
        )
    return await schema.fetch_all(
        tx, RatingEntryRow, asked.order_by(_entry.c.number.desc()).limit(many)
    )


async def games_between(
    tx: AsyncConnection, begin: datetime, end: datetime, place: str
) -> tuple[RatingEntryRow, ...]:
    """The games that count and ended from *begin* until *end*, as far as they may name *place*."""
    named = cast(_entry.c.data, String).contains(json.dumps(place), autoescape=True)
    asked = _GAMES.where(_entry.c.at >= begin, _entry.c.at < end, named)
    return await schema.fetch_all(tx, RatingEntryRow, asked.order_by(_entry.c.number))


async def change_before(
    tx: AsyncConnection, pool: str, persons: Collection[int], at: datetime
) -> RatingChangeRow | None:
    """The last change before *at* of the rating of somebody, under any of their ids."""
    asked = select(*_CHANGE).where(
        _change.c.person.in_(persons), _change.c.pool == pool, _change.c.at < at
    )
    rows = await schema.fetch_all(
        tx, RatingChangeRow, asked.order_by(_change.c.entry.desc()).limit(1)
    )
    return rows[0] if rows else None
