"""Places: chats, channels and groups, and whether they may be written to."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema
from storage.records import JSON, PlaceRow

_place = schema.place
_DEFAULTS: Mapping[str, object] = {
    "retry_at": None,
    "suspended": False,
    "language": None,
    "settings": {},
}


async def place(tx: AsyncConnection, platform: str, place: str) -> PlaceRow:
    """What is known of a place; one that was never seen has no settings and may be written to."""
    found = await tx.execute(
        select(_place).where(_place.c.platform == platform, _place.c.place == place)
    )
    row = found.one_or_none()
    return PlaceRow(platform, place, None, False, None, {}) if row is None else PlaceRow(*row)


async def set_language(
    tx: AsyncConnection, platform: str, place: str, language: str | None
) -> None:
    """The language of a place, None for the house's."""
    await _put(tx, platform, place, {"language": language})


async def set_settings(
    tx: AsyncConnection, platform: str, place: str, settings: Mapping[str, JSON]
) -> None:
    """Replaces the settings of a place."""
    await _put(tx, platform, place, {"settings": dict(settings)})


async def pause(tx: AsyncConnection, platform: str, place: str, retry_at: datetime | None) -> None:
    """A place may not be written to before an instant; None lifts that."""
    await _put(tx, platform, place, {"retry_at": retry_at})


async def paused(tx: AsyncConnection, now: datetime) -> tuple[PlaceRow, ...]:
    """The places that may not be written to yet at *now*."""
    found = await tx.execute(select(_place).where(_place.c.retry_at > now))
    return tuple(PlaceRow(*row) for row in found)


async def suspend(tx: AsyncConnection, platform: str, place: str) -> None:
    """A place does not let the bot in any more; what is owed there waits."""
    await _put(tx, platform, place, {"suspended": True})


async def resume(tx: AsyncConnection, platform: str, place: str) -> None:
    """A place lets the bot in again."""
    await _put(tx, platform, place, {"suspended": False})


async def renamed(tx: AsyncConnection, platform: str, old: str, new: str) -> None:
    """A place has another id; what *new* has set itself goes before what *old* had."""
    before = await place(tx, platform, old)
    after = await place(tx, platform, new)
    await tx.execute(_place.delete().where(_place.c.platform == platform, _place.c.place == old))
    await _put(
        tx,
        platform,
        new,
        {
            "language": after.language or before.language,
            "settings": {**before.settings, **after.settings},
        },
    )


async def _put(
    tx: AsyncConnection, platform: str, place: str, values: Mapping[str, object]
) -> None:
    await tx.execute(
        insert(_place)
        .values({"platform": platform, "place": place, **_DEFAULTS, **values})
        .on_conflict_do_update(index_elements=[_place.c.platform, _place.c.place], set_=values)
    )
