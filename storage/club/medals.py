"""Medals: what somebody was given once, for which game, and where that was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, union

from storage import schema
from storage.records import JSON, MedalRow
from storage.schema import Transaction

_medal = schema.medal
_COLUMNS = schema.columns_of(_medal, MedalRow)


async def give_medals(tx: Transaction, rows: Sequence[MedalRow]) -> tuple[MedalRow, ...]:
    """Stores those of *rows* that nobody has given yet, and answers them."""
    keys = await schema.add_new(tx, _medal, rows)
    return tuple(row for row in rows if (row.person, row.key, row.pool) in keys)


async def medals_of(tx: Transaction, /, **of: int | str) -> tuple[MedalRow, ...]:
    """What a *person* was given, or the people of a table at its end (*game*), the first first."""
    asked = select(*_COLUMNS).filter_by(**of)
    ordered = asked.order_by(_medal.c.at, _medal.c.person, _medal.c.key, _medal.c.pool)
    return await schema.fetch_all(tx, MedalRow, ordered)


async def medals_between(tx: Transaction, begin: datetime, end: datetime) -> tuple[MedalRow, ...]:
    """What was given anywhere from *begin* until *end*, the last first."""
    asked = select(*_COLUMNS).where(_medal.c.at >= begin, _medal.c.at < end)
    ordered = asked.order_by(_medal.c.at.desc(), _medal.c.person, _medal.c.key)
    return await schema.fetch_all(tx, MedalRow, ordered)


async def newest_deeds(tx: Transaction, most: int) -> tuple[MedalRow, ...]:
    """At most *most* of what was given for no single game, the last first."""
    asked = select(*_COLUMNS).where(_medal.c.game.is_(None))
    ordered = asked.order_by(_medal.c.at.desc(), _medal.c.person, _medal.c.key)
    return await schema.fetch_all(tx, MedalRow, ordered.limit(most))


@dataclass(frozen=True, slots=True)
class Rarity:
    """How many people have a medal, and the newest *holders*, each with what their row says."""

    many: int
    holders: tuple[tuple[int, Mapping[str, JSON]], ...]


async def count_holders(
    tx: Transaction, newest: int
) -> tuple[Mapping[tuple[str, str], Rarity], int]:
    """Every medal by key and pool with its *newest* holders, and how many people the club has.

    That is whoever was given one or has ended a rated game.
    """
    same = (_medal.c.key, _medal.c.pool)
    newest_first = (_medal.c.at.desc(), _medal.c.person)
    number = func.row_number().over(partition_by=same, order_by=newest_first)
    many = func.count().over(partition_by=same)
    rows = select(*_COLUMNS, number.label("number"), many.label("many")).subquery()
    asked = select(rows.c.key, rows.c.pool, rows.c.many, rows.c.person, rows.c.data)
    found = dict[tuple[str, str], Rarity]()
    for key, pool, total, person, data in await tx.execute(
        asked.where(rows.c.number <= newest).order_by(rows.c.number)
    ):
        before = found.get((key, pool), Rarity(total, ()))
        found[key, pool] = Rarity(total, (*before.holders, (person, data)))
    people = union(select(_medal.c.person), select(schema.tally.c.person)).subquery()
    return found, int((await tx.execute(select(func.count()).select_from(people))).scalar_one())


async def solved_exercises(tx: Transaction, person: int) -> Sequence[tuple[str, str]]:
    """The game of each exercise that *person* has solved, and its step, "" for a puzzle."""
    done = schema.attempt.c
    asked = select(done.game, done.step).where(done.person == person, done.solved.is_not(None))
    return [(game, step) for game, step in await tx.execute(asked)]


async def count_mended(tx: Transaction, person: int, distance: int) -> int:
    """How many mistakes of *person* are put again only *distance* days after their last answer."""
    kept = schema.mistake.c
    far = (kept.person == person, kept.last > 0, kept.due - kept.last >= distance)
    return int((await tx.execute(select(func.count()).where(*far))).scalar_one())
