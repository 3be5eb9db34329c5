"""Medals: what somebody was given once, for which game, and where that was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select, union
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema
from storage.records import JSON, MedalRow

_medal = schema.medal
_COLUMNS = schema.columns_of(_medal, MedalRow)


async def give_medals(tx: AsyncConnection, rows: Sequence[MedalRow]) -> tuple[MedalRow, ...]:
    """Stores those of *rows* that nobody has given yet, and answers them."""
    if not rows:
        return ()
    adding = insert(_medal).values([schema.values_of(row) for row in rows])
    new = adding.on_conflict_do_nothing(index_elements=_medal.primary_key)
    given = await tx.execute(new.returning(_medal.c.person, _medal.c.key, _medal.c.pool))
    keys = {tuple(one) for one in given}
    return tuple(row for row in rows if (row.person, row.key, row.pool) in keys)


async def medals_of_person(tx: AsyncConnection, person: int) -> tuple[MedalRow, ...]:
    """What *person* was given, the first first."""
    asked = select(*_COLUMNS).where(_medal.c.person == person)
    ordered = asked.order_by(_medal.c.at, _medal.c.key, _medal.c.pool)
    return await schema.fetch_all(tx, MedalRow, ordered)


async def medals_of_game(tx: AsyncConnection, code: str) -> tuple[MedalRow, ...]:
    """What the people of the table *code* were given at its end."""
    asked = select(*_COLUMNS).where(_medal.c.game == code)
    ordered = asked.order_by(_medal.c.person, _medal.c.key, _medal.c.pool)
    return await schema.fetch_all(tx, MedalRow, ordered)


@dataclass(frozen=True, slots=True)
class Rarity:
    """How many people have a medal, and the newest *holders*, each with what their row says."""

    many: int
    holders: tuple[tuple[int, Mapping[str, JSON]], ...]


async def count_holders(
    tx: AsyncConnection, newest: int
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
    club = await tx.execute(select(func.count()).select_from(people))
    return found, int(club.scalar_one())


@dataclass(frozen=True, slots=True)
class Exercised:
    """What *person* has done at school: puzzles *solved*, *steps* of courses by game and name.

    *days* is how many days in a row they solved one at most, *streak* the last time, until the
    day *last*; *mended* is how many mistakes are put again only after a while.
    """

    solved: int
    steps: frozenset[tuple[str, str]]
    days: int
    streak: int
    last: int
    mended: int


async def load_exercised(tx: AsyncConnection, person: int, distance: int) -> Exercised:
    """What *person* has done; a mistake is mended if it is put again after *distance* days."""
    attempt, solver, mistake = schema.attempt, schema.solver, schema.mistake
    asked = select(attempt.c.game, attempt.c.step).where(
        attempt.c.person == person, attempt.c.solved.is_not(None)
    )
    done = [(game, step) for game, step in await tx.execute(asked)]
    days = select(solver.c.longest, solver.c.streak, solver.c.day)
    row = (await tx.execute(days.where(solver.c.person == person, solver.c.pool == ""))).first()
    far = (mistake.c.person == person, mistake.c.due - mistake.c.last >= distance)
    mended = await tx.execute(select(func.count()).where(*far, mistake.c.last > 0))
    steps = frozenset(one for one in done if one[1])
    solved = sum(not step for _, step in done)
    longest, streak, last = (0, 0, 0) if row is None else row
    return Exercised(solved, steps, longest, streak, last, int(mended.scalar_one()))
