"""People, and how each chat knows them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema
from storage.records import IdentityRow, PersonRow

_person, _identity = schema.person, schema.identity
_COLUMNS = (_person.c.id, _person.c.name, _person.c.language)


async def person_of(
    tx: AsyncConnection, platform: str, external: str, name: str, at: datetime
) -> PersonRow:
    """The person behind a chat's id, made at their first coming, renamed where *name* differs."""
    found = await tx.execute(
        select(*_COLUMNS)
        .join(_identity, _identity.c.person == _person.c.id)
        .where(_identity.c.platform == platform, _identity.c.external == external)
    )
    row = found.one_or_none()
    if row is None:
        return await _welcomed(tx, platform, external, name, at)
    if row.name != name:
        await tx.execute(_person.update().where(_person.c.id == row.id).values(name=name))
    return PersonRow(row.id, name, row.language)


async def get(tx: AsyncConnection, person: int) -> PersonRow | None:
    """The person of this id."""
    found = await tx.execute(select(*_COLUMNS).where(_person.c.id == person))
    row = found.one_or_none()
    return None if row is None else PersonRow(*row)


async def identities(tx: AsyncConnection, person: int) -> tuple[IdentityRow, ...]:
    """How the chats know a person."""
    found = await tx.execute(
        select(_identity)
        .where(_identity.c.person == person)
        .order_by(_identity.c.platform, _identity.c.external)
    )
    return tuple(IdentityRow(*row) for row in found)


async def set_language(tx: AsyncConnection, person: int, language: str | None) -> None:
    """The language a person wants, None for that of the place."""
    await tx.execute(_person.update().where(_person.c.id == person).values(language=language))


async def _welcomed(
    tx: AsyncConnection, platform: str, external: str, name: str, at: datetime
) -> PersonRow:
    added = await tx.execute(
        _person.insert().values(name=name, language=None, created=at).returning(_person.c.id)
    )
    person = added.scalar_one()
    await tx.execute(_identity.insert().values(platform=platform, external=external, person=person))
    return PersonRow(person, name, None)
