"""Places: chats, channels and groups, and whether they may be written to."""

from __future__ import annotations

import json
from typing import Unpack

from sqlalchemy import String, cast, select

from storage import schema
from storage.records import PlaceChange, PlaceRow
from storage.schema import Transaction

_place, _daily = schema.place, schema.daily


_DEFAULTS: PlaceChange = {"retry_at": None, "suspended": False, "language": None, "settings": {}}


async def load_place(tx: Transaction, platform: str, place: str) -> PlaceRow:
    """The place; a new one has no settings and may be written to."""
    asked = select(_place).where(_place.c.platform == platform, _place.c.place == place)
    return await schema.fetch_one(tx, PlaceRow, asked) or PlaceRow(platform, place, **_DEFAULTS)


async def put_place(
    tx: Transaction, platform: str, place: str, **noted: Unpack[PlaceChange]
) -> None:
    """Changes fields of a place; the others stay."""
    await schema.upsert(tx, _place, {"platform": platform, "place": place, **noted}, _DEFAULTS)


async def places_of_home(tx: Transaction, platform: str, home: str, *keys: str) -> tuple[str, ...]:
    """The place *home*, and those of which a setting among *keys* names it."""
    # Compared here: SQLite fails at every row where one holds no JSON.
    named = cast(_place.c.settings, String).contains(json.dumps(home), autoescape=True)
    asked = select(_place.c.place, _place.c.settings).where(_place.c.platform == platform, named)
    of_home = (place for place, told in await tx.execute(asked) if home in map(told.get, keys))
    return (home, *of_home)


async def places_with(tx: Transaction, key: str) -> tuple[PlaceRow, ...]:
    """The places that have a setting *key*."""
    named = cast(_place.c.settings, String).contains(json.dumps(key), autoescape=True)
    rows = await schema.fetch_all(tx, PlaceRow, select(_place).where(named))
    return tuple(row for row in rows if key in row.settings)


async def rename_place(tx: Transaction, platform: str, old: str, new: str) -> None:
    """Gives a place its new id; settings of *new* come before those of *old*."""
    before = await load_place(tx, platform, old)
    after = await load_place(tx, platform, new)
    await tx.execute(_place.delete().where(_place.c.platform == platform, _place.c.place == old))
    await tx.execute(_daily.delete().where(_daily.c.platform == platform, _daily.c.place == new))
    await tx.execute(_daily.update().filter_by(platform=platform, place=old).values(place=new))
    settings = {**before.settings, **after.settings}
    await put_place(
        tx, platform, new, language=after.language or before.language, settings=settings
    )


REMINDED = "day_person"
"""The setting of a private chat that says who is reminded there of the move of the day."""


async def places_of_reminders(tx: Transaction, person: int) -> tuple[PlaceRow, ...]:
    """The private chats in which *person* is reminded of the move of the day."""
    return tuple(one for one in await places_with(tx, REMINDED) if one.settings[REMINDED] == person)
