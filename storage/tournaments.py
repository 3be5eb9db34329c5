"""Tournaments, their events, and who has entered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import literal, null, or_, select

from storage import schema
from storage.errors import Conflict
from storage.person import people
from storage.records import EntrantRow, EventRow, TournamentRow
from storage.schema import Transaction

_tournament, _event = schema.tournament, schema.tournament_event
_entrant, _view = schema.entrant, schema.view
_ROW = select(*schema.columns_of(_tournament, TournamentRow))
_EVENT = (*_event.c["number", "at", "kind"], null(), literal(""), *_event.c["data", "steady"])


# ------------------------------------------------------------------------------ tournaments


async def create_tournament(
    tx: Transaction, row: TournamentRow, events: Sequence[EventRow]
) -> None:
    """Adds a tournament with its events; raises ``Conflict`` if the code is taken."""
    if not await schema.add_new(tx, _tournament, [row]):
        raise Conflict(f"the code {row.code} is taken")
    await _add_events(tx, row.code, events)


async def load_tournament(
    tx: Transaction, code: str, *, lock: bool = False
) -> TournamentRow | None:
    """The tournament of this code; with *lock* nobody else changes it before the end."""
    asked = _ROW.where(_tournament.c.code == code)
    return await schema.fetch_one(tx, TournamentRow, asked.with_for_update() if lock else asked)


async def load_tournament_events(
    tx: Transaction, code: str, after: int = 0
) -> tuple[EventRow, ...]:
    """The events of a tournament with numbers beyond *after*, as ``schema.read_events`` does it."""
    newer = (_event.c.tournament == code, _event.c.number > after)
    asked = select(*_EVENT).where(*newer).order_by(_event.c.number)
    return schema.read_events(await tx.execute(asked), after)


async def append_tournament_events(
    tx: Transaction, row: TournamentRow, before: int, events: Sequence[EventRow]
) -> None:
    """Adds events to a tournament that is still at the version *before*, which becomes *row*.

    Raises ``Conflict``, and changes nothing, if it has another version.
    """
    here = (_tournament.c.code == row.code, _tournament.c.version == before)
    new = {"phase": row.phase, "version": row.version, "touched": row.touched, "due": row.due}
    if (await tx.execute(_tournament.update().where(*here).values(new))).rowcount == 0:
        raise Conflict(f"tournament {row.code} is no longer at version {before}")
    await _add_events(tx, row.code, events)


async def _add_events(tx: Transaction, code: str, events: Sequence[EventRow]) -> None:
    for one in events:
        kept = {name: value for name, value in schema.values_of(one).items() if name in _event.c}
        await tx.execute(_event.insert(), {"tournament": code, **kept})


async def set_tournament_due(
    tx: Transaction, code: str, version: int, due: datetime | None
) -> None:
    """Sets when a tournament must be looked at, if it is still at *version*."""
    await tx.execute(_tournament.update().filter_by(code=code, version=version).values(due=due))


async def due_tournaments(tx: Transaction, now: datetime) -> tuple[str, ...]:
    """The tournaments that must be looked at by *now*, the earliest first."""
    asked = select(_tournament.c.code).where(_tournament.c.due <= now)
    return tuple((await tx.execute(asked.order_by(_tournament.c.due))).scalars())


async def hasten_open_tournaments(tx: Transaction, now: datetime) -> None:
    """Lets every tournament that waits for its beginning be looked at *now*."""
    waiting = _tournament.c.due.is_not(None) & (_tournament.c.phase == "open")
    await tx.execute(_tournament.update().where(waiting).values(due=now))


async def next_due_tournament(tx: Transaction, now: datetime) -> datetime | None:
    """When the next tournament must be looked at after *now*."""
    asked = select(_tournament.c.due).where(_tournament.c.due > now)
    return (await tx.execute(asked.order_by(_tournament.c.due).limit(1))).scalar()


async def tournaments_in(
    tx: Transaction,
    platform: str,
    places: Sequence[str] | None,
    person: int,
    phases: Sequence[str],
    limit: int,
) -> tuple[TournamentRow, ...]:
    """The tournaments of *places*, or shown there, in these *phases*, and those *person* entered.

    ``None`` are all places of the platform. The newest come first.
    """
    mine = select(_entrant.c.tournament).where(_entrant.c.person == person)
    here = _tournament.c.platform == platform
    if places is not None:
        shown = select(_view.c.subject).filter_by(platform=platform)
        shown = shown.where(_view.c.place.in_(places))
        here &= or_(_tournament.c.place.in_(places), _tournament.c.code.in_(shown))
    asked = _ROW.where(_tournament.c.phase.in_(phases), or_(here, _tournament.c.code.in_(mine)))
    ordered = asked.order_by(_tournament.c.created.desc(), _tournament.c.code)
    return await schema.fetch_all(tx, TournamentRow, ordered.limit(limit))


async def put_entrants(tx: Transaction, rows: Sequence[EntrantRow]) -> None:
    """Stores who has entered, and from where they play now; raises ``ForgottenPerson``."""
    for row in rows:
        await people.check_known(tx, row.person)
        await schema.upsert(tx, _entrant, schema.values_of(row))


async def load_entrants(tx: Transaction, code: str) -> tuple[EntrantRow, ...]:
    """Who has entered a tournament, without those who were forgotten."""
    asked = select(*schema.columns_of(_entrant, EntrantRow)).where(_entrant.c.tournament == code)
    return await schema.fetch_all(tx, EntrantRow, asked)
