"""All data of a person: joined with another person's, exported, or erased."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import people, schema
from storage.records import JSON, IdentityRow

_person, _identity, _seat, _view = schema.person, schema.identity, schema.seat, schema.view
_event, _game, _setting, _place = schema.event, schema.game, schema.setting, schema.place
_inbox, _draft, _call, _link = schema.inbox, schema.draft, schema.call, schema.link
_presence, _deadline, _talk = schema.presence, schema.deadline, schema.talk

GUEST = ":guest:"
"""The part of a setting's key between the platform and the id of its guest."""


async def join_people(tx: AsyncConnection, kept: int, other: int) -> None:
    """Makes *other* the same person as *kept*; the settings of *kept* come first.

    Events that name the id of *other* mean *kept* from now on.
    """
    first, second = await people.load_person(tx, kept), await people.load_person(tx, other)
    if first is None or second is None or first.id == second.id:
        return
    settings = {**second.settings, **first.settings}
    language = first.language or second.language
    mine = _person.c.id == first.id
    await tx.execute(_person.update().where(mine).values(settings=settings, language=language))
    for table in (_call, _presence):
        there = select(table.c.game).where(table.c.person == first.id)
        twice = and_(table.c.person == second.id, table.c.game.in_(there))
        await tx.execute(table.delete().where(twice))
    await tx.execute(_link.delete().where(_link.c.person == second.id))
    for table in (_identity, _seat, _view, _draft, _call, _presence, _deadline, _talk):
        moved = table.update().where(table.c.person == second.id)
        await tx.execute(moved.values(person=first.id))
    nobody: dict[str, Any] = {"name": "", "language": None, "settings": {}, "same_as": first.id}
    gone = or_(_person.c.id == second.id, _person.c.same_as == second.id)
    await tx.execute(_person.update().where(gone).values(nobody))


async def common_games(tx: AsyncConnection, one: int, other: int) -> tuple[str, ...]:
    """The living tables at which both persons sit."""
    mine, theirs = _seat.alias(), _seat.alias()
    asked = (
        select(mine.c.game)
        .join(theirs, theirs.c.game == mine.c.game)
        .where(mine.c.person == one, theirs.c.person == other, mine.c.over_at.is_(None))
        .order_by(mine.c.game)
    )
    return tuple((await tx.execute(asked)).scalars())


async def export_person(tx: AsyncConnection, person: int) -> dict[str, JSON]:
    """All stored data of *person*, by table and column."""
    mine = or_(_person.c.id == person, _person.c.same_as == person)
    known = await people.load_identities(tx, person)
    seats = select(_seat.c.game).where(_seat.c.person == person)
    sat = select(_seat.c.game, _seat.c.seat).where(_seat.c.person == person).subquery()
    done = select(_event).join(sat, and_(sat.c.game == _event.c.game, sat.c.seat == _event.c.seat))
    game = select(_game.c.code, _game.c.game, _game.c.status, _game.c.created, _game.c.touched)

    def own(*tables: Table) -> dict[str, Select[Any]]:
        return {table.name: select(table).where(_mine(table, person)) for table in tables}

    asked = {
        "person": select(_person).where(mine),
        **own(_identity),
        "game": game.where(_game.c.code.in_(seats)),
        **own(_seat),
        "event": done.order_by(_event.c.game, _event.c.number),
        **own(_view, _draft, _call, _presence, _deadline, _talk, _link),
        "place": select(_place).where(await _alone(tx, person, known)),
        "setting": select(_setting).where(_guest(known)),
        "inbox": select(_inbox).where(_says(known)),
    }
    return {name: await _each(tx, query) for name, query in asked.items()}


async def erase_person_data(tx: AsyncConnection, person: int) -> None:
    """Erases a person's name, ids in chats, settings, and all that only they saw.

    Their id stays where games name it.
    """
    known = await people.load_identities(tx, person)
    alone = await _alone(tx, person, known)
    await tx.execute(_place.delete().where(alone))
    await tx.execute(_setting.delete().where(_guest(known)))
    await tx.execute(_inbox.update().where(_says(known)).values(payload=None))
    for table in (_view, _draft, _call, _presence, _link, _talk, _identity):
        await tx.execute(table.delete().where(_mine(table, person)))
    nobody: dict[str, Any] = {"name": "", "language": None, "settings": {}, "reminded": None}
    mine = or_(_person.c.id == person, _person.c.same_as == person)
    await tx.execute(_person.update().where(mine).values(nobody))


def _mine(table: Table, person: int) -> ColumnElement[bool]:
    found: ColumnElement[bool] = table.c.person == person
    return found


async def _alone(
    tx: AsyncConnection, person: int, known: Sequence[IdentityRow]
) -> ColumnElement[bool]:
    """The places that only *person* reads: those of their own boards, and private chats."""
    seen = select(_view.c.platform, _view.c.place).where(_view.c.person == person).distinct()
    found = {(one.platform, one.place) for one in await tx.execute(seen)}
    found |= {(one.platform, one.external) for one in known}
    here = (and_(_place.c.platform == a, _place.c.place == b) for a, b in sorted(found))
    return or_(_place.c.platform.is_(None), *here)


def _guest(known: Sequence[IdentityRow]) -> ColumnElement[bool]:
    return _setting.c.key.in_([f"{one.platform}{GUEST}{one.external}" for one in known])


def _says(known: Sequence[IdentityRow]) -> ColumnElement[bool]:
    here = (
        and_(
            _inbox.c.platform == one.platform,
            _inbox.c.payload.contains(one.external, autoescape=True),
        )
        for one in known
    )
    return or_(_inbox.c.platform.is_(None), *here)


async def _each(tx: AsyncConnection, asked: Select[Any]) -> list[JSON]:
    return [_plain(row._mapping) for row in await tx.execute(asked)]


def _plain(row: Mapping[Any, object]) -> dict[str, JSON]:
    return {str(name): _value(value) for name, value in row.items()}


def _value(value: object) -> JSON:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case datetime():
            return value.isoformat()
        case bytes():
            return value.hex()
        case Mapping():
            return _plain(value)
        case list() | tuple():
            return [_value(one) for one in value]
    return str(value)
