"""Codes by which a person links two chats to themselves; each is good once."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema

KEPT = timedelta(minutes=10)
"""How long a code is good."""

_link = schema.link


async def put_link_code(tx: AsyncConnection, code: str, person: int, at: datetime) -> None:
    """Stores a new code of *person*, and deletes their last one and those that are too old."""
    await tx.execute(_link.delete().where((_link.c.person == person) | (_link.c.at <= at - KEPT)))
    await tx.execute(_link.insert().values(code=code, person=person, at=at))


async def find_link_owner(tx: AsyncConnection, code: str, now: datetime) -> int | None:
    """The person with this code, ``None`` if it is unknown, used or too old."""
    asked = select(_link.c.person).where(_link.c.code == code, _link.c.at > now - KEPT)
    return (await tx.execute(asked)).scalar_one_or_none()


async def delete_link_codes(tx: AsyncConnection, person: int) -> None:
    """Deletes the code of *person*, which was used."""
    await tx.execute(_link.delete().where(_link.c.person == person))


async def prune_link_codes(tx: AsyncConnection, now: datetime) -> None:
    """Deletes the codes that are too old."""
    await tx.execute(_link.delete().where(_link.c.at <= now - KEPT))
