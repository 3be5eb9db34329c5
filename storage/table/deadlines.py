"""Deadlines: when a game must be looked at without a click."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import bindparam, select

from storage import schema
from storage.records import DeadlineRow
from storage.schema import Transaction

_deadline = schema.deadline
_ASIDE = select(schema.fault.c.game).where(schema.fault.c.game == _deadline.c.game).exists()
_DUE = (
    select(_deadline)
    .where(_deadline.c.at <= bindparam("until"), ~_ASIDE)
    .order_by(_deadline.c.at, _deadline.c.game, _deadline.c.kind)
)
_NEXT = (
    select(_deadline.c.at)
    .where(_deadline.c.at > bindparam("after"))
    .order_by(_deadline.c.at)
    .limit(1)
)


async def set_deadline(
    tx: Transaction, game: str, kind: str, version: int, at: datetime, person: int | None = None
) -> None:
    """Sets the game's one deadline of a kind; it counts for this *version* only."""
    row = DeadlineRow(game, kind, version, at, person)
    await schema.upsert(tx, _deadline, schema.values_of(row))


async def due_deadlines(
    tx: Transaction, now: datetime, limit: int | None = None
) -> tuple[DeadlineRow, ...]:
    """At most *limit* deadlines that have come by *now*, the earliest first.

    Those of games that are set aside wait.
    """
    asked = _DUE if limit is None else _DUE.limit(limit)
    return await schema.fetch_all(tx, DeadlineRow, asked, {"until": now})


async def next_deadline(tx: Transaction, now: datetime) -> datetime | None:
    """The instant of the first deadline after *now*."""
    return (await tx.execute(_NEXT, {"after": now})).scalar()


async def deadlines_of_person(
    tx: Transaction, person: int, until: datetime
) -> tuple[DeadlineRow, ...]:
    """The deadlines of a person that come by *until*, the earliest first."""
    asked = select(_deadline).where(_deadline.c.person == person, _deadline.c.at <= until)
    return await schema.fetch_all(tx, DeadlineRow, asked.order_by(_deadline.c.at, _deadline.c.game))


async def hasten_deadlines(tx: Transaction, person: int, at: datetime) -> None:
    """Brings the deadlines of a person forward to *at*: their time has changed."""
    theirs = _deadline.update().where(_deadline.c.person == person, _deadline.c.at > at)
    await tx.execute(theirs.values(at=at))


async def hasten_deadlines_of_kind(
    tx: Transaction, kind: str, games: Iterable[str], at: datetime
) -> None:
    """Brings the deadlines of one *kind* of these *games* forward to *at*."""
    of = _deadline.update().where(_deadline.c.kind == kind, _deadline.c.at > at)
    await tx.execute(of.where(_deadline.c.game.in_(tuple(games))).values(at=at))


async def last_reminder(tx: Transaction, person: int) -> datetime | None:
    """When a person was last reminded."""
    asked = select(schema.person.c.reminded).where(schema.person.c.id == person)
    return (await tx.execute(asked)).scalar_one_or_none()


async def note_reminder(tx: Transaction, person: int, at: datetime) -> None:
    """Notes that a person is reminded at an instant."""
    await tx.execute(schema.person.update().where(schema.person.c.id == person).values(reminded=at))


async def deadlines_of_game(tx: Transaction, game: str) -> tuple[DeadlineRow, ...]:
    """The deadlines of a game, by their kinds."""
    asked = select(_deadline).where(_deadline.c.game == game).order_by(_deadline.c.kind)
    return await schema.fetch_all(tx, DeadlineRow, asked)


async def clear_deadline(tx: Transaction, game: str, *kinds: str) -> None:
    """Deletes the deadlines of these kinds, where there are any."""
    of = (_deadline.c.game == game, _deadline.c.kind.in_(kinds))
    await tx.execute(_deadline.delete().where(*of))
