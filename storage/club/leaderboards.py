"""Ladders: who stands where in a place, and what people have played against each other.

Every question is answered from an index, so that a place of thousands costs little more than one of
ten.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, String, and_, cast, func, select

from storage import schema
from storage.club.ratings import CHANGE_ROWS, GAME_ENTRIES
from storage.person.bars import BANNED
from storage.records import RatingChangeRow, RatingEntryRow, TallyRow
from storage.schema import Transaction

_tally, _person, _change = schema.tally, schema.person, schema.rating_change
_entry = schema.rating_entry
_TALLY = select(*schema.columns_of(_tally, TallyRow))
_GAMES_OF_PEOPLE = GAME_ENTRIES.join(_change, _change.c.entry == _entry.c.number)

_SEEN = and_(_tally.c.listed, _tally.c.person.not_in(BANNED))
"""Whom others see: asked at each look, so that who is banned is gone, and back, at once."""


@dataclass(frozen=True, slots=True)
class LadderKey:
    """A ladder: of a *pool* in a place, by mu less *careful* times sigma.

    Above its line stands who has played *since* then, below it everybody else, or nobody if it is
    *brief*.
    """

    pool: str
    platform: str
    place: str
    since: datetime
    careful: float
    brief: bool = False

    @property
    def strength(self) -> ColumnElement[float]:
        """By what it is ordered."""
        return _tally.c.mu - self.careful * _tally.c.sigma

    def strength_of(self, row: TallyRow) -> float:
        """The same of *row*."""
        return row.mu - self.careful * row.sigma

    @property
    def here(self) -> ColumnElement[bool]:
        """The rows of its place."""
        place = (_tally.c.platform == self.platform, _tally.c.place == self.place)
        return and_(_tally.c.pool == self.pool, *place)

    @property
    def all(self) -> ColumnElement[bool]:
        """Who stands above or below it."""
        return and_(self.here, _SEEN, *((_tally.c.last >= self.since,) if self.brief else ()))


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A row of a ladder, and the *name* of its person."""

    tally: TallyRow
    name: str


async def count_rows(tx: Transaction, key: LadderKey) -> tuple[int, int]:
    """How many stand above the line of a ladder, and how many in all."""
    above = func.count().filter(_tally.c.last >= key.since)
    row = (await tx.execute(select(above, func.count()).where(key.all))).one()
    return int(row[0]), int(row[1])


async def ladder_rows(
    tx: Transaction, key: LadderKey, first: int, many: int
) -> tuple[LadderRow, ...]:
    """At most *many* rows from number *first* on, counted from 0; the strongest above first."""
    order = (_tally.c.last < key.since, key.strength.desc(), _tally.c.person)
    # The index has all that this asks; only then whole rows are read.
    these = select(_tally.c.person).where(key.all).order_by(*order).offset(first).limit(many)
    asked = (
        _TALLY.add_columns(_person.c.name)
        .join(_person, _person.c.id == _tally.c.person)
        .where(key.here, _tally.c.person.in_((await tx.execute(these)).scalars().all()))
        .order_by(*order)
    )
    return tuple(LadderRow(TallyRow(*row), name) for *row, name in await tx.execute(asked))


async def played_most(tx: Transaction, platform: str, place: str) -> tuple[str, ...]:
    """The pools in which games have counted in a place, that with the most games first.

    Each game has one sole winner, or two or more who share the first place.
    """
    games = func.sum(2 * _tally.c.won + _tally.c.drawn)
    asked = select(_tally.c.pool).where(_tally.c.platform == platform, _tally.c.place == place)
    ordered = asked.group_by(_tally.c.pool).order_by(games.desc(), _tally.c.pool)
    return tuple((await tx.execute(ordered)).scalars())


async def own_row(tx: Transaction, key: LadderKey, person: int) -> TallyRow | None:
    """The row of *person*, whether others see it or not."""
    return await schema.fetch_one(tx, TallyRow, _TALLY.where(key.here, _tally.c.person == person))


async def count_better(tx: Transaction, key: LadderKey, row: TallyRow) -> int:
    """How many stand above the line and are stronger than *row*."""
    better = (key.all, _tally.c.last >= key.since, key.strength > key.strength_of(row))
    return int((await tx.execute(select(func.count()).where(*better))).scalar_one())


async def ratings_before(
    tx: Transaction, pool: str, persons: Collection[int], at: datetime
) -> dict[int, RatingChangeRow]:
    """What had last changed the rating of each of *persons* before *at*, if anything had."""
    found = {person: await change_before(tx, pool, (person,), at) for person in persons}
    return {person: row for person, row in found.items() if row is not None}


async def course_of(
    tx: Transaction, pool: str, persons: Collection[int], many: int
) -> tuple[RatingChangeRow, ...]:
    """The newest *many* changes of somebody's rating, under any of their ids, the first first."""
    asked = CHANGE_ROWS.where(_change.c.person.in_(persons), _change.c.pool == pool)
    newest = asked.order_by(_change.c.entry.desc()).limit(many)
    return (await schema.fetch_all(tx, RatingChangeRow, newest))[::-1]


async def newest_games(
    tx: Transaction,
    persons: Collection[int],
    many: int,
    pool: str = "",
    others: Collection[int] = (),
) -> tuple[RatingEntryRow, ...]:
    """The newest *many* games that count of somebody, the first first.

    Of *pool* alone, and of those that one of *others* has played too, if given. Both go by all of
    their ids.
    """
    asked, theirs = _GAMES_OF_PEOPLE.where(_change.c.person.in_(persons)), _change.alias()
    if pool:
        asked = asked.where(_change.c.pool == pool)
    if others:
        met = and_(theirs.c.entry == _entry.c.number, theirs.c.person.in_(others))
        asked = asked.join(theirs, met)
    newest = asked.order_by(_change.c.entry.desc()).limit(many)
    return (await schema.fetch_all(tx, RatingEntryRow, newest))[::-1]


async def tallies_of_person(tx: Transaction, person: int) -> Sequence[TallyRow]:
    """What *person* has won, drawn and lost, in every pool and place."""
    mine = _TALLY.where(_tally.c.person == person)
    ordered = mine.order_by(_tally.c.pool, _tally.c.platform, _tally.c.place)
    return await schema.fetch_all(tx, TallyRow, ordered)


async def rated_people(
    tx: Transaction, platform: str, place: str, many: int
) -> tuple[tuple[int, str], ...]:
    """At most *many* people, by id and name, with rated games in a place, the last first."""
    asked = (
        select(_person.c.id, _person.c.name)
        .join(_tally, _tally.c.person == _person.c.id)
        .where(_tally.c.platform == platform, _tally.c.place == place, _person.c.name != "")
        .group_by(_person.c.id, _person.c.name)
        .order_by(func.max(_tally.c.last).desc(), _person.c.id)
        .limit(many)
    )
    return tuple((one.id, one.name) for one in await tx.execute(asked))


async def games_between(
    tx: Transaction, begin: datetime, end: datetime, place: str
) -> tuple[RatingEntryRow, ...]:
    """The games that count and ended from *begin* until *end*, as far as they may name *place*."""
    named = cast(_entry.c.data, String).contains(json.dumps(place), autoescape=True)
    asked = GAME_ENTRIES.where(_entry.c.at >= begin, _entry.c.at < end, named)
    return await schema.fetch_all(tx, RatingEntryRow, asked.order_by(_entry.c.number))


async def changes_by(tx: Transaction, entries: Collection[int]) -> tuple[RatingChangeRow, ...]:
    """What the *entries* of these numbers have changed."""
    asked = CHANGE_ROWS.where(_change.c.entry.in_(entries))
    ordered = asked.order_by(_change.c.entry, _change.c.person)
    return await schema.fetch_all(tx, RatingChangeRow, ordered)


async def change_before(
    tx: Transaction, pool: str, persons: Collection[int], at: datetime
) -> RatingChangeRow | None:
    """The last change before *at* of the rating of somebody, under any of their ids."""
    asked = CHANGE_ROWS.where(
        _change.c.person.in_(persons), _change.c.pool == pool, _change.c.at < at
    )
    latest = asked.order_by(_change.c.entry.desc()).limit(1)
    return await schema.fetch_one(tx, RatingChangeRow, latest)
