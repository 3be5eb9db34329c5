"""Medals: what somebody was given once, for which game, and where that was played."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema
from storage.records import MedalRow

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
