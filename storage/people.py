"""People, and how each chat knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import rows, schema
from storage.records import JSON, IdentityRow, PersonRow

_person, _identity = schema.person, schema.identity
_COLUMNS = rows.columns(_person, PersonRow)


async def find(tx: AsyncConnection, platform: str, external: str) -> PersonRow | None:
    """The person behind a chat's id."""
    known = select(*_COLUMNS).join(_identity, _identity.c.person == _person.c.id)
    asked = known.where(_identity.c.platform == platform, _identity.c.external == external)
    return await rows.one(tx, PersonRow, asked)


async def person_of(
    tx: AsyncConnection, platform: str, external: str, name: str, at: datetime
) -> PersonRow:
    """The person behind a chat's id, made at their first coming, renamed where *name* differs.

    Of somebody who was only named by others *external* is ``@`` and that name, case-folded.
    """
    person = await find(tx, platform, external)
    if person is None:
        return await _welcomed(tx, platform, external, name, at)
    if person.name != name:
        await tx.execute(_person.update().where(_person.c.id == person.id).values(name=name))
    return replace(person, name=name)


async def names(tx: AsyncConnection, persons: Sequence[int]) -> dict[int, str]:
    """What these people are called, by id."""
    found = await tx.execute(select(_person.c.id, _person.c.name).where(_person.c.id.in_(persons)))
    return {row.id: row.name for row in found}


async def get(tx: AsyncConnection, person: int) -> PersonRow | None:
    """The person of this id."""
    return await rows.one(tx, PersonRow, select(*_COLUMNS).where(_person.c.id == person))


async def identities(tx: AsyncConnection, person: int) -> tuple[IdentityRow, ...]:
    """How the chats know a person."""
    asked = select(_identity).where(_identity.c.person == person)
    ordered = asked.order_by(_identity.c.platform, _identity.c.external)
    return await rows.each(tx, IdentityRow, ordered)


async def set_language(tx: AsyncConnection, person: int, language: str | None) -> None:
    """The language a person wants, None for that of the place."""
    await tx.execute(_person.update().where(_person.c.id == person).values(language=language))


async def set_settings(tx: AsyncConnection, person: int, settings: Mapping[str, JSON]) -> None:
    """What a person has chosen, all of it."""
    await tx.execute(_person.update().where(_person.c.id == person).values(settings=settings))


async def _welcomed(
    tx: AsyncConnection, platform: str, external: str, name: str, at: datetime
) -> PersonRow:
    added = await tx.execute(
        _person.insert().values(name=name, language=None, created=at).returning(_person.c.id)
    )
    person = added.scalar_one()
    await tx.execute(_identity.insert().values(platform=platform, external=external, person=person))
    return PersonRow(person, name, None)
