"""Ratings: the journal of what counts, what it changed, what people have, and their tallies.

Whoever writes has locked the ratings of all its people first (``lock_people``, then
``lock_ratings``), in the order of pools and ids: no two writers wait for each other, and the
numbers of the entries of one person are in the order in which they were reckoned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    func,
    or_,
    select,
)

from storage import schema
from storage.records import (
    BOARD,
    PersonRow,
    PlaceKey,
    RatingChangeRow,
    RatingEntryRow,
    RatingRow,
    TallyRow,
)
from storage.schema import Transaction, fetch_all

FEW_PEOPLE: Final = 4
"""So many people are named one by one."""


@dataclass(frozen=True)
class PeopleQuery:
    """A query about people, spelled once for a *few*, and anew at each execution for *many*.

    To spell it anew takes a third of what a query takes altogether.
    """

    few: Select[Any]
    many: Select[Any]

    @classmethod
    def about(
        cls, column: Column[Any], make: Callable[[ColumnElement[bool]], Select[Any]]
    ) -> PeopleQuery:
        """What *make* makes of the condition that *column* is one of the people."""
        named = [bindparam(f"person_{number}", type_=Integer) for number in range(FEW_PEOPLE)]
        listed = bindparam("persons", expanding=True, type_=Integer)
        return cls(make(column.in_(named)), make(column.in_(listed)))

    async def run(
        self, tx: Transaction, persons: Iterable[int], **given: str
    ) -> Sequence[Sequence[Any]]:
        """The rows for *persons*, with all else that is *given* by its name."""
        ids = tuple(persons)
        if not 0 < len(ids) <= FEW_PEOPLE:
            return await fetch_all(tx, _as_it_is, self.many, {"persons": ids, **given})
        named = (*ids, *ids[:1] * (FEW_PEOPLE - len(ids)))
        people = {f"person_{number}": one for number, one in enumerate(named)}
        return await fetch_all(tx, _as_it_is, self.few, {**people, **given})


def _as_it_is(*row: object) -> Sequence[Any]:
    return row


_game, _seat, _person, _view = schema.game, schema.seat, schema.person, schema.view
_event = schema.event
_entry, _change, _rating = schema.rating_entry, schema.rating_change, schema.rating
_tally = schema.tally

_ENTRY = select(*schema.columns_of(_entry, RatingEntryRow))
CHANGE_ROWS = select(*schema.columns_of(_change, RatingChangeRow))
_RATING = select(*schema.columns_of(_rating, RatingRow))
_TALLY = schema.columns_of(_tally, TallyRow)

_correction = _entry.alias()
_COUNTS = (
    _entry.c.kind == "game",
    ~select(_correction.c.number).where(_correction.c.of == _entry.c.number).exists(),
)
GAME_ENTRIES = _ENTRY.where(*_COUNTS)
"""The games that no correction has taken out."""

_PERSON = schema.columns_of(_person, PersonRow)


def _people(which: ColumnElement[bool]) -> Select[Any]:
    return select(*_PERSON, _person.c.same_as).where(which).order_by(_person.c.id)


_COUNTING = PeopleQuery.about(_person.c.id, lambda which: _people(which).with_for_update(read=True))
_JOINING = PeopleQuery.about(_person.c.id, lambda which: _people(which).with_for_update())
_LOCKED_RATINGS = PeopleQuery.about(
    _rating.c.person,
    lambda which: (
        _RATING.where(_rating.c.pool == bindparam("of_pool"), which)
        .order_by(_rating.c.person)
        .with_for_update()
    ),
)
_TALLIES = PeopleQuery.about(
    _tally.c.person,
    lambda which: select(*_TALLY).where(_tally.c.pool == bindparam("of_pool"), which),
)
_SHARED = (_view.c.kind == BOARD, _view.c.subject == bindparam("of_game"), _view.c.person.is_(None))
_SHARED_PLACES = (
    select(_view.c.platform, _view.c.place)
    .where(*_SHARED)
    .distinct()
    .order_by(_view.c.platform, _view.c.place)
)
_COUNTED = PeopleQuery.about(
    _tally.c.person,
    lambda which: (
        select(_view.c.platform, _view.c.place, *_TALLY)
        .select_from(_view.outerjoin(_tally, and_(_tally.c.pool == bindparam("of_pool"), which)))
        .where(*_SHARED)
        .order_by(_view.c.platform, _view.c.place)
    ),
)
_TALLY_OF_ALL = (
    _tally.update()
    .where(_tally.c.pool == bindparam("of_pool"), _tally.c.person == bindparam("of_person"))
    .values(mu=bindparam("now_mu"), sigma=bindparam("now_sigma"))
)


_KEPT = {"listed", *(column.name for column in _tally.primary_key)}
_PUT_TALLIES = schema.upserting(_tally, tuple(c.name for c in _TALLY if c.name not in _KEPT))
_PUT_RATINGS = schema.upserting(_rating, ("mu", "sigma", "last"))


async def frequent_pairs(
    tx: Transaction, persons: Sequence[int], since: datetime, most: int
) -> Collection[frozenset[int]]:
    """Those two of *persons* who have begun *most* or more rated games together after *since*.

    The games of a match count as one, those of a tournament not at all.
    """
    if len(persons) < 2:
        return ()
    asked = (
        select(_game.c.code, _game.c.status, _game.c.match, _seat.c.person)
        .join(_seat, _seat.c.game == _game.c.code)
        .where(
            _seat.c.person.in_(persons),
            or_(_seat.c.over_at.is_(None), _seat.c.over_at >= since),
            _game.c.rated,
            _game.c.created >= since,
        )
    )
    seated: dict[str, list[int]] = {}
    for code, status, match, person in await tx.execute(asked):
        # The score that stands behind the length of a match has this game once it is over.
        if len(match.split(" ")) - (status == "ended") <= 1:
            seated.setdefault(code, []).append(person)
    if any(len(all_) > 1 for all_ in seated.values()):
        opening = select(_event.c.game, _event.c.data)
        opening = opening.where(_event.c.game.in_(sorted(seated)), _event.c.number == 1)
        for code, data in await tx.execute(opening):
            if isinstance(data, Mapping) and data.get("tournament"):
                del seated[code]
    counted = Counter(frozenset(two) for all_ in seated.values() for two in combinations(all_, 2))
    return frozenset(pair for pair, count in counted.items() if count >= most)


# ------------------------------------------------------------------------------ writing


async def lock_people(
    tx: Transaction, persons: Iterable[int], *, joining: bool = False
) -> dict[int, PersonRow]:
    """The people that these ids mean now; nobody is joined to another before the end.

    Whoever is *joining* two of them waits until nobody counts a game of theirs.
    """
    found = await (_JOINING if joining else _COUNTING).run(tx, persons)
    rows, now = {}, {}
    for *row, same in found:
        one = PersonRow(*row)
        rows[one.id], now[one.id] = one, same or one.id
    if joined := set(now.values()) - rows.keys():
        known = select(*_PERSON).where(_person.c.id.in_(joined))
        rows |= {row.id: row for row in await schema.fetch_all(tx, PersonRow, known)}
    return {one: rows[same] for one, same in now.items() if same in rows}


async def lock_ratings(
    tx: Transaction, pools: Sequence[str], persons: Iterable[int]
) -> dict[tuple[str, int], RatingRow]:
    """The ratings of *persons* in these *pools*, which nobody else changes before the end.

    A row is added for whoever has none.
    """
    found: dict[tuple[str, int], RatingRow] = {}
    for pool in sorted(pools):
        ordered = sorted(set(persons))
        rows = await _lock(tx, pool, ordered)
        if len(rows) < len(ordered):
            new = [RatingRow(pool, one, 25.0, 25.0 / 3, None) for one in ordered]
            await schema.add_new(tx, _rating, new)
            rows = await _lock(tx, pool, ordered)
        found |= {(row.pool, row.person): row for row in rows}
    return found


async def _lock(tx: Transaction, pool: str, persons: Sequence[int]) -> tuple[RatingRow, ...]:
    return tuple(RatingRow(*row) for row in await _LOCKED_RATINGS.run(tx, persons, of_pool=pool))


async def add_entry(tx: Transaction, row: RatingEntryRow) -> RatingEntryRow:
    """Appends *row* to the journal; the same with its number, which is drawn now."""
    return await schema.add_numbered(tx, _entry, row)


async def put_changes(
    tx: Transaction, rows: Sequence[RatingChangeRow], *, repeated: bool = True
) -> None:
    """Stores what an entry has changed: *rows*, and the ratings.

    With *repeated* the tallies of these people that repeat them are brought along too.
    """
    if not rows:
        return
    await add_changes(tx, rows)
    await put_ratings(tx, [RatingRow(r.pool, r.person, r.mu, r.sigma, r.last) for r in rows])
    if not repeated:
        return
    told = [
        {"of_pool": r.pool, "of_person": r.person, "now_mu": r.mu, "now_sigma": r.sigma}
        for r in rows
    ]
    await tx.execute(_TALLY_OF_ALL, told)


async def add_changes(tx: Transaction, rows: Sequence[RatingChangeRow]) -> None:
    """Stores *rows* alone."""
    if rows:
        await tx.execute(_change.insert(), [schema.values_of(row) for row in rows])


async def put_ratings(tx: Transaction, rows: Sequence[RatingRow]) -> None:
    """Stores what people have now."""
    if rows:
        await tx.execute(_PUT_RATINGS, [schema.values_of(row) for row in rows])


async def delete_ratings(tx: Transaction, person: int) -> None:
    """Deletes what *person*, who was joined to somebody, had by themselves; the changes stay."""
    for table in (_rating, _tally):
        await tx.execute(table.delete().where(table.c.person == person))


async def put_tallies(tx: Transaction, rows: Sequence[TallyRow]) -> None:
    """Stores tallies; of a row that is there *listed* stays."""
    if rows:
        await tx.execute(_PUT_TALLIES, [schema.values_of(row) for row in rows])


async def delete_tallies(tx: Transaction, pool: str, person: int) -> None:
    """Deletes the tallies of *person* in *pool*, to be counted anew."""
    await tx.execute(_tally.delete().where(_tally.c.pool == pool, _tally.c.person == person))


async def set_listed(tx: Transaction, person: int, *, here: bool, everywhere: bool) -> None:
    """Sets whether others see *person* on the ladders of places, and on those of all places."""
    mine, all_ = _tally.c.person == person, _tally.c.platform == ""
    await tx.execute(_tally.update().where(mine, all_).values(listed=everywhere))
    await tx.execute(_tally.update().where(mine, ~all_).values(listed=here))


# ------------------------------------------------------------------------------ reading


async def shared_places(tx: Transaction, code: str) -> tuple[PlaceKey, ...]:
    """The platforms and places in which several people see the table *code*."""
    found = await tx.execute(_SHARED_PLACES, {"of_game": code})
    return tuple((one.platform, one.place) for one in found)


async def load_tallies(
    tx: Transaction, pool: str, persons: Collection[int]
) -> dict[tuple[str, str, int], TallyRow]:
    """The tallies of these people in *pool*, by platform, place and person."""
    rows = [TallyRow(*row) for row in await _TALLIES.run(tx, persons, of_pool=pool)]
    return {(row.platform, row.place, row.person): row for row in rows}


async def load_counted(
    tx: Transaction, code: str, pool: str, persons: Collection[int]
) -> tuple[tuple[PlaceKey, ...], dict[tuple[str, str, int], TallyRow]]:
    """The ``shared_places`` of the table *code*, and the tallies of its people, by one statement.

    Their ratings must have been locked by an earlier one: this one sees what it finds at its start.
    """
    rows = await _COUNTED.run(tx, persons, of_game=code, of_pool=pool)
    places = tuple(dict.fromkeys((row[0], row[1]) for row in rows))
    if not places:
        return (), await load_tallies(tx, pool, persons)
    found = [TallyRow(*row[2:]) for row in rows if row[2] is not None]
    return places, {(row.platform, row.place, row.person): row for row in found}


async def counted_entry(tx: Transaction, code: str) -> RatingEntryRow | None:
    """The entry by which the game *code* counts; None where it does not, or no more."""
    asked = GAME_ENTRIES.where(_entry.c.game == code)
    rows = await schema.fetch_all(tx, RatingEntryRow, asked.order_by(_entry.c.number.desc()))
    return rows[0] if rows else None


async def changes_of_game(tx: Transaction, code: str) -> tuple[RatingChangeRow, ...]:
    """What the game *code*, as far as it counts, has changed."""
    asked = CHANGE_ROWS.join(_entry, _entry.c.number == _change.c.entry).where(
        _entry.c.game == code, *_COUNTS
    )
    return await schema.fetch_all(tx, RatingChangeRow, asked.order_by(_change.c.person))


async def load_ratings(tx: Transaction, person: int) -> tuple[RatingRow, ...]:
    """What *person* has, by pool."""
    asked = _RATING.where(_rating.c.person == person).order_by(_rating.c.pool)
    return await schema.fetch_all(tx, RatingRow, asked)


async def same_people(tx: Transaction, persons: Iterable[int]) -> dict[int, int]:
    """The present ids of these people and of everybody who was joined to them, by their ids."""
    now = func.coalesce(_person.c.same_as, _person.c.id)
    asked = select(_person.c.id, now.label("now")).where(now.in_(tuple(persons)))
    return {one.id: one.now for one in await tx.execute(asked)}


async def games_of_people(
    tx: Transaction, pool: str, persons: Collection[int]
) -> tuple[RatingEntryRow, ...]:
    """The games of *pool* that count and that one of *persons* has played, the first first.

    The ids are those of the journal: of people who were joined, too.
    """
    mine = select(_change.c.entry).where(_change.c.person.in_(persons), _change.c.pool == pool)
    asked = GAME_ENTRIES.where(_entry.c.number.in_(mine))
    return await schema.fetch_all(tx, RatingEntryRow, asked.order_by(_entry.c.number))


async def pools_of(tx: Transaction, persons: Collection[int]) -> tuple[str, ...]:
    """The pools in which one of *persons* has a rating."""
    asked = select(_rating.c.pool).where(_rating.c.person.in_(persons)).distinct()
    return tuple((await tx.execute(asked.order_by(_rating.c.pool))).scalars())


PORTION = 2000
"""How many rows of the journal are read at a time."""


async def journal(tx: Transaction, after: int = 0) -> tuple[RatingEntryRow, ...]:
    """The next ``PORTION`` entries after the number *after*, in their order."""
    asked = _ENTRY.where(_entry.c.number > after).order_by(_entry.c.number)
    return await schema.fetch_all(tx, RatingEntryRow, asked.limit(PORTION))


async def changes_between(tx: Transaction, first: int, last: int) -> tuple[RatingChangeRow, ...]:
    """What the entries of these numbers have changed."""
    asked = CHANGE_ROWS.where(_change.c.entry >= first, _change.c.entry <= last)
    ordered = asked.order_by(_change.c.entry, _change.c.person, _change.c.pool)
    return await schema.fetch_all(tx, RatingChangeRow, ordered)


async def all_ratings(tx: Transaction) -> tuple[RatingRow, ...]:
    """What everybody has."""
    return await schema.fetch_all(tx, RatingRow, _RATING.order_by(_rating.c.pool, _rating.c.person))


async def all_tallies(tx: Transaction) -> tuple[TallyRow, ...]:
    """All tallies."""
    return await schema.fetch_all(tx, TallyRow, select(*_TALLY))


async def load_people(tx: Transaction, persons: Sequence[int]) -> dict[int, PersonRow]:
    """The people of these ids, without those who were joined to them."""
    found: dict[int, PersonRow] = {}
    for first in range(0, len(persons), PORTION):
        asked = select(*schema.columns_of(_person, PersonRow))
        some = asked.where(_person.c.id.in_(persons[first : first + PORTION]))
        found |= {row.id: row for row in await schema.fetch_all(tx, PersonRow, some)}
    return found


async def clear(tx: Transaction) -> None:
    """Deletes changes, ratings and tallies, to be reckoned anew."""
    for table in (_change, _rating, _tally):
        await tx.execute(table.delete())
