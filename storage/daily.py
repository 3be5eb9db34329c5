"""The daily puzzle of places: which day was the last, and whether anybody cares."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import String, cast, func, select
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema
from storage.records import DailyRow, PlaceRow

_daily, _place, _attempt = schema.daily, schema.place, schema.attempt
_COLUMNS = schema.columns_of(_daily, DailyRow)


async def places_that_choose(tx: AsyncConnection, key: str) -> Sequence[PlaceRow]:
    """The places with something chosen for the setting *key*."""
    # Compared here: SQLite fails at every row where one holds no JSON.
    named = cast(_place.c.settings, String).contains(f'"{key}"', autoescape=True)
    found = await schema.fetch_all(tx, PlaceRow, select(_place).where(named))
    return tuple(one for one in found if one.settings.get(key))


async def load_daily(tx: AsyncConnection, platform: str, place: str) -> DailyRow | None:
    """What was posted last in a place; ``None`` where nothing ever was."""
    here = (_daily.c.platform == platform, _daily.c.place == place)
    return await schema.fetch_one(tx, DailyRow, select(*_COLUMNS).where(*here))


async def claim_day(tx: AsyncConnection, row: DailyRow) -> bool:
    """Makes the day of *row* ours; False where it, or a later one, was taken before."""
    adding = insert(_daily).values(schema.values_of(row))
    later = adding.on_conflict_do_update(
        index_elements=_daily.primary_key,
        set_=schema.values_of(row),
        where=_daily.c.day < row.day,
    ).returning(_daily.c.day)
    return (await tx.execute(later)).scalar() is not None


async def attempts_since(tx: AsyncConnection, exercise: str, since: datetime) -> int:
    """How many people have been at an exercise *since* then."""
    asked = select(func.count()).where(_attempt.c.exercise == exercise, _attempt.c.at >= since)
    return int((await tx.execute(asked)).scalar_one())
