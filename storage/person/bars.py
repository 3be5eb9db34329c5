"""Bars: who is kept out of the tables of a place, or of all (a place without a name).

They go by ids of chats, so that whoever is forgotten and comes back is still kept out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import and_, or_, select

from storage import schema
from storage.person import people
from storage.records import BOARD, BarRow, PlaceKey
from storage.schema import Transaction

_bar, _identity, _person, _view, _seat = (
    schema.bar,
    schema.identity,
    schema.person,
    schema.view,
    schema.seat,
)

HOUSE = ("", "")
"""Stands for every place."""

BANNED: Final = (
    select(_identity.c.person)
    .join(
        _bar, and_(_bar.c.platform == _identity.c.platform, _bar.c.external == _identity.c.external)
    )
    .where(_bar.c.at_platform == HOUSE[0], _bar.c.at_place == HOUSE[1])
)
"""The people whom the operator keeps out, as a part of other statements: no ladder shows them."""

LOOKED_AT = 300
"""The newest boards of a place at which is looked for people."""


@dataclass(frozen=True, slots=True)
class Barred:
    """Somebody who is kept out of a place; no *person* where they were forgotten."""

    platform: str
    external: str
    person: int | None
    name: str


async def places_barring(tx: Transaction, platform: str, external: str) -> frozenset[PlaceKey]:
    """The places out of which somebody is kept by this id, or by another one of theirs."""
    mine = and_(_identity.c.platform == platform, _identity.c.external == external)
    others = (
        select(_identity.c.external)
        .where(
            _identity.c.platform == _bar.c.platform,
            _identity.c.external == _bar.c.external,
            _identity.c.person == select(_identity.c.person).where(mine).scalar_subquery(),
        )
        .exists()
    )
    this = and_(_bar.c.platform == platform, _bar.c.external == external)
    asked = select(_bar.c.at_platform, _bar.c.at_place).where(or_(this, others)).distinct()
    return frozenset((one.at_platform, one.at_place) for one in await tx.execute(asked))


async def ids_of(
    tx: Transaction, platform: str, external: str
) -> tuple[int | None, list[PlaceKey]]:
    """Who has this id, if anybody, and all ids of theirs; of nobody this one alone."""
    person = await people.find_person(tx, platform, external)
    if person is None:
        return None, [(platform, external)]
    known = await people.load_identities(tx, person.id)
    return person.id, [(one.platform, one.external) for one in known]


async def banned_people(tx: Transaction) -> frozenset[int]:
    """All whom the operator keeps out and who are known."""
    return frozenset((await tx.execute(BANNED)).scalars())


async def put_bars(tx: Transaction, rows: Sequence[BarRow]) -> None:
    """Stores *rows*; those that are there stay as they are."""
    await schema.add_new(tx, _bar, rows)


async def delete_bars(tx: Transaction, known: Sequence[PlaceKey], at: PlaceKey) -> int:
    """Deletes the bars of the place *at* for these ids of chats; how many there were."""
    platform, place = at
    here = (_bar.c.at_platform == platform, _bar.c.at_place == place)
    count = 0
    for one, external in known:
        this = (_bar.c.platform == one, _bar.c.external == external)
        count += (await tx.execute(_bar.delete().where(*here, *this))).rowcount
    return count


async def barred_from(tx: Transaction, platform: str, place: str) -> tuple[Barred, ...]:
    """Who is kept out of a place, the last one first; somebody with two ids stands there once."""
    same = and_(_identity.c.platform == _bar.c.platform, _identity.c.external == _bar.c.external)
    asked = (
        select(_bar.c.platform, _bar.c.external, _identity.c.person, _person.c.name)
        .outerjoin(_identity, same)
        .outerjoin(_person, _person.c.id == _identity.c.person)
        .where(_bar.c.at_platform == platform, _bar.c.at_place == place)
        .order_by(_bar.c.since.desc(), _bar.c.platform, _bar.c.external)
    )
    found: dict[object, Barred] = {}
    for chat, external, person, name in await tx.execute(asked):
        key = (chat, external) if person is None else person
        found.setdefault(key, Barred(chat, external, person, name or ""))
    return tuple(found.values())


async def people_of_place(
    tx: Transaction, platform: str, places: Sequence[str], many: int
) -> tuple[tuple[int, str], ...]:
    """At most *many* people, by id and name, who sat at the newest boards of these *places*."""
    newest = (
        select(_view.c.subject, _view.c.id)
        .where(_view.c.kind == BOARD)
        .where(_view.c.platform == platform, _view.c.place.in_(places), _view.c.person.is_(None))
        .order_by(_view.c.id.desc())
        .limit(LOOKED_AT)
        .subquery()
    )
    asked = (
        select(_person.c.id, _person.c.name)
        .join(_seat, _seat.c.person == _person.c.id)
        .join(newest, newest.c.subject == _seat.c.game)
        .where(_person.c.name != "")
        .order_by(newest.c.id.desc(), _seat.c.seat)
    )
    return tuple({one.id: one.name for one in (await tx.execute(asked)).all()}.items())[:many]
