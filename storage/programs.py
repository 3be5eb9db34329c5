"""The programs of people: each is an identity of its own, which says whose it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema

PLATFORM: Final = "api"
"""The platform of programs, as identities and places name it."""

NOTE: Final = f"{PLATFORM}:guest:"
"""Begins the key of the setting that keeps one program; its id follows."""

_person, _setting = schema.person, schema.setting


def owner_of(platform: str, external: str) -> int | None:
    """The person whose program has the id *external* on *platform*; ``None`` for people."""
    owner = external.partition("-")[0]
    return int(owner) if platform == PLATFORM and owner.isascii() and owner.isdigit() else None


async def programs_of(tx: AsyncConnection, person: int) -> Mapping[str, str]:
    """What is kept of the programs of *person*, and of whoever became the same, by their ids."""
    same = or_(_person.c.id == person, _person.c.same_as == person)
    owners = (await tx.execute(select(_person.c.id).where(same))).scalars().all()
    begins = [_setting.c.key.startswith(f"{NOTE}{one}-", autoescape=True) for one in owners]
    if not begins:
        return {}
    found = await tx.execute(select(_setting).where(or_(*begins)).order_by(_setting.c.key))
    return {key.removeprefix(NOTE): value for key, value in found}
