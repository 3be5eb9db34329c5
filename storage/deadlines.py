"""Deadlines: when a table must be looked at without anybody's click."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import rows, schema
from storage.records import DeadlineRow

_deadline = schema.deadline


async def set(  # noqa: A001 - read as deadlines.set
    tx: AsyncConnection, game: str, kind: str, version: int, at: datetime
) -> None:
    """Sets the one deadline of a kind that a game has; it counts for this *version* only."""
    await rows.put(tx, _deadline, {"game": game, "kind": kind, "version": version, "at": at})


async def due(
    tx: AsyncConnection, now: datetime, limit: int | None = None
) -> tuple[DeadlineRow, ...]:
    """The deadlines, at most *limit*, that have come by *now*, the earliest first.

    Those of games that are set aside wait with them.
    """
    aside = select(schema.fault.c.game).where(schema.fault.c.game == _deadline.c.game).exists()
    come = select(_deadline).where(_deadline.c.at <= now, ~aside)
    ordered = come.order_by(_deadline.c.at, _deadline.c.game, _deadline.c.kind)
    return await rows.each(tx, DeadlineRow, ordered.limit(limit))


async def following(tx: AsyncConnection, now: datetime) -> datetime | None:
    """The instant of the first deadline after *now*."""
    asked = select(_deadline.c.at).where(_deadline.c.at > now).order_by(_deadline.c.at).limit(1)
    return (await tx.execute(asked)).scalar()


async def of_game(tx: AsyncConnection, game: str) -> tuple[DeadlineRow, ...]:
    """The deadlines of a game, by their kinds."""
    asked = select(_deadline).where(_deadline.c.game == game).order_by(_deadline.c.kind)
    return await rows.each(tx, DeadlineRow, asked)


async def clear(tx: AsyncConnection, game: str, kind: str) -> None:
    """Takes a deadline away, if it is there."""
    await tx.execute(_deadline.delete().where(_deadline.c.game == game, _deadline.c.kind == kind))
