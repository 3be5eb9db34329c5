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


async def due(tx: AsyncConnection, now: datetime) -> tuple[DeadlineRow, ...]:
    """The deadlines that have come by *now*, the earliest first.

    Those of games that are set aside wait with them.
    """
    aside = select(schema.fault.c.game).where(schema.fault.c.game == _deadline.c.game).exists()
    come = select(_deadline).where(_deadline.c.at <= now, ~aside)
    ordered = come.order_by(_deadline.c.at, _deadline.c.game, _deadline.c.kind)
    return await rows.each(tx, DeadlineRow, ordered)


async def clear(tx: AsyncConnection, game: str, kind: str) -> None:
    """Takes a deadline away, if it is there."""
    await tx.execute(_deadline.delete().where(_deadline.c.game == game, _deadline.c.kind == kind))
