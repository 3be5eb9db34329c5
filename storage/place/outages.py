"""Outages: when a platform was down or a place was shut."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from storage import schema
from storage.records import OutageRow
from storage.schema import Transaction

_outage = schema.outage


async def begin_outage(tx: Transaction, platform: str, place: str, at: datetime) -> None:
    """Begins an outage of a *place*, or "" for the whole platform, unless one lasts already."""
    here = (_outage.c.platform == platform, _outage.c.place == place, _outage.c.ended.is_(None))
    if (await tx.execute(select(_outage.c.id).where(*here))).first() is None:
        await tx.execute(_outage.insert().values(platform=platform, place=place, began=at))


async def end_outage(tx: Transaction, platform: str, place: str, at: datetime) -> None:
    """Ends an outage, if one lasts."""
    here = (_outage.c.platform == platform, _outage.c.place == place, _outage.c.ended.is_(None))
    await tx.execute(_outage.update().where(*here).values(ended=at))


async def cut_outages(tx: Transaction, at: datetime) -> None:
    """Deletes what the steady clock noted beyond an instant: a kill has set it back there."""
    await tx.execute(_outage.delete().where(_outage.c.began > at))
    await tx.execute(_outage.update().where(_outage.c.ended > at).values(ended=at))


async def all_outages(tx: Transaction) -> tuple[OutageRow, ...]:
    """All stored outages, the earliest first."""
    asked = select(*schema.columns_of(_outage, OutageRow))
    return await schema.fetch_all(tx, OutageRow, asked.order_by(_outage.c.began, _outage.c.id))


async def prune_outages(tx: Transaction, before: datetime) -> None:
    """Deletes the outages that were over before an instant."""
    await tx.execute(_outage.delete().where(_outage.c.ended < before))
