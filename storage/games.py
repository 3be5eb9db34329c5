"""Games, their seats and their events."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import cast

from sqlalchemy import Select, String, bindparam, select, type_coerce
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import schema
from storage.errors import Conflict
from storage.records import JSON, EventRow, GameRow, SeatRow, Status

_game, _seat, _event, _view = schema.game, schema.seat, schema.event, schema.view

_ADD = insert(_game).on_conflict_do_nothing(index_elements=[_game.c.code])
_ADVANCE = (
    _game.update()
    .where(_game.c.code == bindparam("of_code"), _game.c.version == bindparam("of_version"))
    .values(
        version=bindparam("new_version"),
        status=bindparam("new_status"),
        summary=bindparam("new_summary"),
        touched=bindparam("new_touched"),
    )
)
_ADD_EVENTS = _event.insert()
_EVENTS = (
    select(
        *(_event.c.number, _event.c.at, _event.c.kind, _event.c.seat, _event.c.text),
        type_coerce(_event.c.data, String).label("data"),
    )
    .where(_event.c.game == bindparam("code"))
    .order_by(_event.c.number)
)
_SEATS = (
    select(_seat.c.seat, _seat.c.person, _seat.c.level, _seat.c.side, _seat.c.place)
    .where(_seat.c.game == bindparam("code"))
    .order_by(_seat.c.seat)
)


async def create(
    tx: AsyncConnection, row: GameRow, events: Sequence[EventRow], seats: Sequence[SeatRow]
) -> None:
    """Adds a game with its first events and its seats.

    Raises ``Conflict`` where the code is taken, ``ValueError`` where the events are not numbered
    from 1 to ``row.version``.
    """
    _numbered(events, 0)
    if row.version != len(events):
        raise ValueError(f"version {row.version} is not the number of the last event")
    added = await tx.execute(_ADD, _values(row))
    if added.rowcount == 0:
        raise Conflict(f"the code {row.code} is taken")
    await _add_events(tx, row.code, events)
    await _add_seats(tx, row.code, seats)


async def exists(tx: AsyncConnection, code: str) -> bool:
    """Whether a game has this code."""
    found = await tx.execute(select(_game.c.code).where(_game.c.code == code))
    return found.first() is not None


async def load(tx: AsyncConnection, code: str) -> GameRow | None:
    """The game of this code."""
    found = (await tx.execute(select(_game).where(_game.c.code == code))).one_or_none()
    return None if found is None else GameRow(*found)


async def events(tx: AsyncConnection, code: str) -> tuple[EventRow, ...]:
    """All events of a game, from the first to the last."""
    found = await tx.execute(_EVENTS, {"code": code})
    return tuple(
        EventRow(number, at, kind, seat, text, _data(data))
        for number, at, kind, seat, text, data in found
    )


def _data(text: str) -> JSON:
    """What a damaged database keeps for data may be anything: no other event suffers from it."""
    try:
        return cast(JSON, json.loads(text))
    except ValueError:
        return text


async def append(
    tx: AsyncConnection,
    code: str,
    expected_version: int,
    events: Sequence[EventRow],
    *,
    status: Status,
    summary: str,
    at: datetime,
) -> None:
    """Adds events to a game that is still at *expected_version*; its version is then the last's.

    Raises ``Conflict``, and changes nothing, where the game is elsewhere or absent, and
    ``ValueError`` where the events are not numbered from *expected_version* + 1 on.
    """
    _numbered(events, expected_version)
    advanced = await tx.execute(
        _ADVANCE,
        {
            "of_code": code,
            "of_version": expected_version,
            "new_version": expected_version + len(events),
            "new_status": status,
            "new_summary": summary,
            "new_touched": at,
        },
    )
    if advanced.rowcount == 0:
        raise Conflict(f"game {code} is no longer at version {expected_version}")
    await _add_events(tx, code, events)


async def set_seats(tx: AsyncConnection, code: str, seats: Sequence[SeatRow]) -> None:
    """Replaces all seats of a game."""
    await tx.execute(_seat.delete().where(_seat.c.game == code))
    await _add_seats(tx, code, seats)


async def seats(tx: AsyncConnection, code: str) -> tuple[SeatRow, ...]:
    """The seats of a game, in their order."""
    found = await tx.execute(_SEATS, {"code": code})
    return tuple(SeatRow(*row) for row in found)


async def clear_secret(tx: AsyncConnection, code: str) -> None:
    """Forgets the secret of a game's draws, once an event has published it."""
    await tx.execute(_game.update().where(_game.c.code == code).values(secret=None))


async def of_person(
    tx: AsyncConnection, person: int, *, statuses: Sequence[Status]
) -> tuple[GameRow, ...]:
    """The games where a person has a seat, the last touched first."""
    theirs = select(_seat.c.game).where(_seat.c.person == person)
    return await _listed(tx, theirs, statuses)


async def in_place(
    tx: AsyncConnection, platform: str, place: str, statuses: Sequence[Status]
) -> tuple[GameRow, ...]:
    """The games that are shown in a place, the last touched first."""
    here = select(_view.c.game).where(_view.c.platform == platform, _view.c.place == place)
    return await _listed(tx, here, statuses)


async def playing(tx: AsyncConnection) -> tuple[str, ...]:
    """The codes of all games that are open or being played, for the start of the bot."""
    found = await tx.execute(
        select(_game.c.code)
        .where(_game.c.status.in_(("open", "playing")))
        .order_by(_game.c.created, _game.c.code)
    )
    return tuple(found.scalars())


async def _listed(
    tx: AsyncConnection, codes: Select[str], statuses: Sequence[Status]
) -> tuple[GameRow, ...]:
    found = await tx.execute(
        select(_game)
        .where(_game.c.code.in_(codes), _game.c.status.in_(statuses))
        .order_by(_game.c.touched.desc(), _game.c.code)
    )
    return tuple(GameRow(*row) for row in found)


def _numbered(events: Sequence[EventRow], last: int) -> None:
    for number, event in enumerate(events, last + 1):
        if event.number != number:
            raise ValueError(f"event {event.number} stands where {number} belongs")


async def _add_events(tx: AsyncConnection, code: str, events: Sequence[EventRow]) -> None:
    if events:
        await tx.execute(_ADD_EVENTS, [{"game": code, **_values(event)} for event in events])


async def _add_seats(tx: AsyncConnection, code: str, seats: Sequence[SeatRow]) -> None:
    if seats:
        await tx.execute(_seat.insert(), [{"game": code, **_values(row)} for row in seats])


def _values(row: GameRow | EventRow | SeatRow) -> dict[str, object]:
    return {field.name: getattr(row, field.name) for field in fields(row)}
