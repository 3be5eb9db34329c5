"""Codes by which somebody says in one chat that he is who he is in another; each is good once."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema

KEPT = timedelta(minutes=10)
"""How long a code is good."""

_link = schema.link


async def put_link_code(tx: AsyncConnection, code: str, person: int, at: datetime) -> None:
    """A new code of *person*; the one before is void, and so are those that are too old."""
    await tx.execute(_link.delete().where((_link.c.person == person) | (_link.c.at <= at - KEPT)))
    await tx.execute(_link.insert().values(code=code, person=person, at=at))


async def find_link_owner(tx: AsyncConnection, code: str, now: datetime) -> int | None:
    """Whose code this is, ``None`` where it is nobody's, used or too old."""
    asked = select(_link.c.person).where(_link.c.code == code, _link.c.at > now - KEPT)
    return (await tx.execute(asked)).scalar_one_or_none()


async def delete_link_codes(tx: AsyncConnection, person: int) -> None:
    """Makes the code of *person* void: it was used."""
    await tx.execute(_link.delete().where(_link.c.person == person))


async def prune_link_codes(tx: AsyncConnection, now: datetime) -> None:
    """Forgets the codes that are too old at *now*."""
    await tx.execute(_link.delete().where(_link.c.at <= now - KEPT))
