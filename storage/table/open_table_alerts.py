"""Alerts: who wants to be told when somebody opens a table of a game in a place."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, or_, select

from storage import schema
from storage.person import people
from storage.records import AlertRow
from storage.schema import Transaction

_alert = schema.alert


async def set_alert(tx: Transaction, row: AlertRow) -> None:
    """Notes what a person wants to be told of; one that is noted already stays as it is.

    Raises ``ForgottenPerson``.
    """
    await people.check_known(tx, row.person)
    await schema.add_new(tx, _alert, [row])


async def clear_alerts(
    tx: Transaction, person: int, platform: str, place: str, *games: str
) -> None:
    """A person wants to be told no more of these *games* in a place, or of any, as who has left."""
    mine = delete(_alert).filter_by(person=person, platform=platform, place=place)
    await tx.execute(mine.where(_alert.c.game.in_(games)) if games else mine)


async def alerts_of(tx: Transaction, person: int, platform: str, place: str) -> frozenset[str]:
    """The games of whose tables in a place a person wants to be told."""
    here = (_alert.c.platform == platform, _alert.c.place == place)
    asked = select(_alert.c.game).where(_alert.c.person == person, *here)
    return frozenset((await tx.execute(asked)).scalars())


async def take_alerts(
    tx: Transaction, platform: str, place: str, game: str, now: datetime, since: datetime
) -> Sequence[int]:
    """The people to be told *now* of a table of a game in a place, in the order of their alerts.

    Who was told after *since* is left out; the others are noted as told.
    """
    here = (_alert.c.platform == platform, _alert.c.place == place, _alert.c.game == game)
    due = or_(_alert.c.told.is_(None), _alert.c.told <= since)
    asked = select(_alert.c.person).where(*here, due).order_by(_alert.c.at, _alert.c.person)
    found = tuple((await tx.execute(asked)).scalars())
    if found:
        await tx.execute(_alert.update().where(*here, _alert.c.person.in_(found)).values(told=now))
    return found
