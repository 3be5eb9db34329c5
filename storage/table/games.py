"""Games, their seats and their events."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Integer,
    Select,
    and_,
    bindparam,
    func,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT

from storage import schema
from storage.column_types import Instant
from storage.errors import Conflict
from storage.records import (
    BOARD,
    EventRow,
    FaultRow,
    GameLine,
    GameRow,
    PlaceKey,
    SeatLine,
    SeatRow,
    Standing,
    Status,
)
from storage.schema import Transaction

_game, _seat, _event, _view = schema.game, schema.seat, schema.event, schema.view
_person, _fault = schema.person, schema.fault

AT_ONCE = 1000
"""How many codes one statement names; drivers take some ten thousand values."""

OVER: tuple[Status, ...] = ("ended", "closed")
LIVING: tuple[Status, ...] = ("open", "playing")

_ADD = insert(_game).on_conflict_do_nothing(index_elements=[_game.c.code])
_ADVANCE = (
    _game.update()
    .where(_game.c.code == bindparam("of_code"), _game.c.version == bindparam("of_version"))
    .values(over_at=func.coalesce(_game.c.over_at, bindparam("now_over", type_=Instant())))
    .returning(_game.c.over_at)
)
_PUBLISH = _ADVANCE.values(secret=None)
_OVER_AT = select(_game.c.over_at).where(_game.c.code == bindparam("of_game")).scalar_subquery()
_SITS = select(_person.c.id).where(_person.c.id == bindparam("of_person")).scalar_subquery()
_ADD_SEATS = _seat.insert().values(over_at=_OVER_AT, person=_SITS)
_NAME = func.coalesce(_person.c.name, "")
_SEAT_LINE = (_seat.c.seat, _seat.c.person, _NAME, _seat.c.level, _seat.c.side)
_LINE = (
    *(_game.c.code, _game.c.game, _game.c.status, _game.c.touched, _game.c.to_move),
    _game.c.match,
)
_ROW = select(*schema.columns_of(_game, GameRow))
_ONE = _ROW.where(_game.c.code == bindparam("of_code"))
_SEATS = (
    select(*schema.columns_of(_seat, SeatRow))
    .where(_seat.c.game == bindparam("of_game"))
    .order_by(_seat.c.seat)
)
_SEAT_LINES = (
    select(*_SEAT_LINE, _seat.c.game)
    .outerjoin(_person, _person.c.id == _seat.c.person)
    .where(_seat.c.game.in_(bindparam("of_codes", expanding=True)))
    .order_by(_seat.c.game, _seat.c.seat)
)
_LINES = (
    select(*_LINE, *_fault.c)
    .outerjoin(_fault, _fault.c.game == _game.c.code)
    .where(_game.c.code.in_(bindparam("of_codes", expanding=True)))
)
_ADD_EVENTS = _event.insert()
_EVENTS = (
    select(*schema.columns_of(_event, EventRow))
    .where(_event.c.game == bindparam("code"), _event.c.number > bindparam("after"))
    .order_by(_event.c.number)
)


async def create_game(
    tx: Transaction,
    row: GameRow,
    events: Sequence[EventRow],
    seats: Sequence[SeatRow],
    holder: int = 0,
) -> None:
    """Adds a game with its events and seats; its computers think in the process *holder*.

    Raises ``Conflict`` if the code is taken, ``ValueError`` if the events are not numbered from 1
    to ``row.version``.
    """
    if row.version != len(events):
        raise ValueError(f"version {row.version} is not the number of the last event")
    over_at = row.touched if row.status in OVER else None
    added = await tx.execute(_ADD, {**schema.values_of(row), "over_at": over_at, "holder": holder})
    if added.rowcount == 0:
        raise Conflict(f"the code {row.code} is taken")
    await _add_events(tx, row.code, events, 0)
    await _add_seats(tx, row.code, seats)


async def load_game(tx: Transaction, code: str) -> GameRow | None:
    """The game of this code."""
    return await schema.fetch_one(tx, GameRow, _ONE, {"of_code": code})


async def load_events(tx: Transaction, code: str, after: int = 0) -> tuple[EventRow, ...]:
    """The events of a game with numbers beyond *after*, as ``schema.read_events`` does it."""
    return schema.read_events(await tx.execute(_EVENTS, {"code": code, "after": after}), after)


async def append_events(
    tx: Transaction,
    code: str,
    expected_version: int,
    events: Sequence[EventRow],
    *,
    standing: Standing,
    at: datetime,
    holder: int = 0,
    publishes: bool = False,
) -> None:
    """Adds events to a game that is still at *expected_version*.

    Its computers think in the process *holder*. Where an event *publishes* the secret of its draws,
    that is deleted. Raises ``Conflict``, and changes nothing, if the
    game has another version or is absent, ``ValueError`` if the events are not numbered from
    *expected_version* + 1 on.
    """
    over = standing.status in OVER
    of = {"of_code": code, "of_version": expected_version, "now_over": at if over else None}
    new = {"version": expected_version + len(events), "touched": at, **schema.values_of(standing)}
    new["holder"] = holder
    found = (await tx.execute(_PUBLISH if publishes else _ADVANCE, {**of, **new})).one_or_none()
    if found is None:
        raise Conflict(f"game {code} is no longer at version {expected_version}")
    await _add_events(tx, code, events, expected_version)
    if found.over_at is not None:  # it is over, or was over and lives again
        await _set_over(tx, code, found.over_at if over else None)


async def set_standing(
    tx: Transaction, code: str, version: int, game: str, at: datetime, standing: Standing
) -> None:
    """Stores what its events tell of a table at *version*: *game*, last change and standing."""
    await tx.execute(_fault.delete().where(_fault.c.game == code))
    await tx.execute(
        _game.update()
        .where(_game.c.code == code, _game.c.version == version)
        .values(game=game, touched=at, **schema.values_of(standing))
    )


async def set_game_aside(tx: Transaction, row: FaultRow) -> None:
    """Sets a game aside that cannot be read; it waits for no move until it can."""
    await schema.upsert(tx, _fault, schema.values_of(row))
    await tx.execute(
        _game.update().where(_game.c.code == row.game).values(to_move=(), computer=False)
    )


async def games_set_aside(tx: Transaction) -> tuple[FaultRow, ...]:
    """The games that are set aside, the earliest first."""
    return await schema.fetch_all(tx, FaultRow, select(_fault).order_by(_fault.c.at, _fault.c.game))


async def replace_seats(tx: Transaction, code: str, seats: Sequence[SeatRow]) -> None:
    """Replaces all seats of a game."""
    await tx.execute(_seat.delete().where(_seat.c.game == code))
    await _add_seats(tx, code, seats)


async def load_seats(tx: Transaction, code: str) -> tuple[SeatRow, ...]:
    """The seats of a game, in their order."""
    return await schema.fetch_all(tx, SeatRow, _SEATS, {"of_game": code})


async def list_games(
    tx: Transaction,
    statuses: Sequence[Status],
    limit: int,
    *,
    person: int | None = None,
    place: PlaceKey | None = None,
) -> tuple[GameLine, ...]:
    """The games of ``list_game_codes`` as lists show them."""
    return await load_game_lines(
        tx, await list_game_codes(tx, statuses, limit, person=person, place=place)
    )


async def list_game_codes(
    tx: Transaction,
    statuses: Sequence[Status],
    limit: int,
    *,
    person: int | None = None,
    place: PlaceKey | None = None,
) -> tuple[str, ...]:
    """At most *limit* games of a person, or shown in a place (platform, place), or both.

    The living games come first, the last touched before the others, then those that are over, the
    latest first. Only the answered rows of games that are over are read.
    """
    living, over = _select_lines(person is not None, place is not None)
    of: dict[str, object] = {} if person is None else {"of_person": person}
    if place is not None:
        of |= {"of_platform": place[0], "of_place": place[1]}
    of["of_statuses"] = statuses
    found = list((await tx.execute(living, {**of, "most": limit})).scalars())
    if len(found) < limit and not set(statuses) <= set(LIVING):
        found += (await tx.execute(over, {**of, "most": limit - len(found)})).scalars()
    return tuple(found)


async def count_games(tx: Transaction, person: int, game: str, most: int) -> int:
    """How many games of the kind *game* a person has begun; *most* where there are more."""
    begun = (
        select(_game.c.code)
        .join_from(_seat, _game, _game.c.code == _seat.c.game)
        .where(_seat.c.person == person, _game.c.game == game, _game.c.status != "open")
        .limit(most)
    )
    return (await tx.execute(select(func.count()).select_from(begun.subquery()))).scalar_one()


async def latest_games(tx: Transaction, status: Status, limit: int) -> tuple[GameLine, ...]:
    """At most *limit* games of *status* anywhere, the last touched first."""
    asked = select(_game.c.code).where(_game.c.status == status)
    newest = asked.order_by(_game.c.touched.desc(), _game.c.code).limit(limit)
    return await load_game_lines(tx, tuple((await tx.execute(newest)).scalars()))


async def load_game_lines(tx: Transaction, codes: Sequence[str]) -> tuple[GameLine, ...]:
    """The games of these codes as lists show them, in the order of the codes."""
    if not codes:
        return ()
    seated: dict[str, list[SeatLine]] = {code: [] for code in codes}
    for *line, code in await tx.execute(_SEAT_LINES, {"of_codes": codes}):
        seated[code].append(SeatLine(*line))
    games = await tx.execute(_LINES, {"of_codes": codes})
    by_code = {
        code: GameLine(
            *(code, game, status, touched, to_move, match),
            seats=tuple(seated[code]),
            fault=FaultRow(*fault) if fault[0] is not None else None,
        )
        for code, game, status, touched, to_move, match, *fault in games
    }
    return tuple(by_code[code] for code in codes if code in by_code)


async def games_awaiting_computer(tx: Transaction) -> tuple[str, ...]:
    """The games in which a computer is to move."""
    return tuple((await tx.execute(select(_game.c.code).where(_game.c.computer))).scalars())


async def adopt_orphaned_games(tx: Transaction, holder: int, limit: int) -> tuple[str, ...]:
    """Gives at most *limit* games that wait for a computer of a dead process to *holder*."""
    living = select(schema.process.c.number)
    left = select(_game.c.code).where(_game.c.computer, _game.c.holder.not_in(living)).limit(limit)
    ours = _game.update().where(_game.c.code.in_(left.with_for_update(skip_locked=True)))
    return tuple((await tx.execute(ours.values(holder=holder).returning(_game.c.code))).scalars())


async def load_versions(tx: Transaction, codes: Sequence[str]) -> dict[str, int]:
    """The versions of those of the games *codes* that there are."""
    found: dict[str, int] = {}
    for at in range(0, len(codes), AT_ONCE):
        some = _game.c.code.in_(codes[at : at + AT_ONCE])
        asked = select(_game.c.code, _game.c.version).where(some)
        found |= {row.code: row.version for row in await tx.execute(asked)}
    return found


async def games_without_standing(tx: Transaction, limit: int) -> tuple[str, ...]:
    """At most *limit* games of an earlier release; only their events know the turn."""
    asked = select(_game.c.code).where(_game.c.to_move.is_(None)).limit(limit)
    return tuple((await tx.execute(asked)).scalars())


async def count_living_games(tx: Transaction) -> dict[tuple[str, str], int]:
    """The number of living games by game and status."""
    kinds = (_game.c.game, _game.c.status)
    asked = select(*kinds, func.count()).where(_game.c.status.in_(LIVING)).group_by(*kinds)
    return {(game, status): count for game, status, count in await tx.execute(asked)}


async def count_people_playing(tx: Transaction) -> int:
    """How many people sit at games that are being played."""
    asked = (
        select(func.count(_seat.c.person.distinct()))
        .join_from(_seat, _game, _game.c.code == _seat.c.game)
        .where(_game.c.status == "playing", _seat.c.over_at.is_(None))
    )
    return int((await tx.execute(asked)).scalar_one())


async def ended_after(tx: Transaction, at: datetime, code: str) -> tuple[datetime, str] | None:
    """When the next game ended after that of this *code* at this instant, and its code."""
    later = or_(_game.c.touched > at, and_(_game.c.touched == at, _game.c.code > code))
    asked = select(_game.c.touched, _game.c.code).where(_game.c.status == "ended", later)
    found = (await tx.execute(asked.order_by(_game.c.touched, _game.c.code).limit(1))).first()
    return None if found is None else (found[0], found[1])


async def codes_by_status(tx: Transaction, statuses: Sequence[Status]) -> tuple[str, ...]:
    """The codes of all games of these *statuses*, the last touched first."""
    asked = select(_game.c.code).where(_game.c.status.in_(statuses))
    return tuple((await tx.execute(asked.order_by(_game.c.touched.desc()))).scalars())


@cache
def _select_lines(person: bool, place: bool) -> tuple[Select[str], Select[str]]:
    """The statements for living games, and for those that are over, of a person or in a place."""
    mine, game, where = _of(person=person, place=place)
    where = (*where, _game.c.status.in_(bindparam("of_statuses", expanding=True)))
    most = bindparam("most", type_=Integer())
    tied = _game.c.code == game
    living = (
        select(_game.c.code)
        .join_from(mine, _game, tied)
        .where(*where, mine.c.over_at.is_(None))
        .group_by(_game.c.code)
        .order_by(_game.c.touched.desc(), _game.c.code)
    )
    over = (
        select(game)
        .join_from(mine, _game, tied)
        .where(*where, mine.c.over_at.is_not(None))
        .group_by(mine.c.over_at, game)  # in the order of the index: stops at the limit
        .order_by(mine.c.over_at.desc(), game.desc())
    )
    return living.limit(most), over.limit(most)


def _of(
    *, person: bool, place: bool
) -> tuple[FromClause, ColumnElement[str], tuple[ColumnElement[bool], ...]]:
    """The table, seat or view, that ties games to a person or a place, its game, the condition."""
    # Without either: those with a seat that nobody has.
    nobody, someone = _seat.c.person.is_(None), _seat.c.person == bindparam("of_person")
    sits = someone if person else nobody
    if not place:
        return _seat, _seat.c.game, (sits,)
    names = ("platform", "place")
    shown = (_view.c.kind == BOARD, *(_view.c[name] == bindparam(f"of_{name}") for name in names))
    if not person:
        return _view, _view.c.subject, shown
    here = select(_view.c.id).where(_view.c.subject == _seat.c.game, *shown).exists()
    return _seat, _seat.c.game, (sits, here)


async def _set_over(tx: Transaction, code: str, at: datetime | None) -> None:
    """Notes with what belongs to a game since when it is over; of the game itself that is known."""
    if at is None:
        await tx.execute(_game.update().where(_game.c.code == code).values(over_at=at))
    await tx.execute(_seat.update().where(_seat.c.game == code).values(over_at=at))
    await tx.execute(_view.update().filter_by(kind=BOARD, subject=code).values(over_at=at))


async def _add_events(tx: Transaction, code: str, events: Sequence[EventRow], last: int) -> None:
    """Adds *events*, which must be numbered on from *last*."""
    for number, event in enumerate(events, last + 1):
        if event.number != number:
            raise ValueError(f"event {event.number} stands where {number} belongs")
    if events:
        await tx.execute(
            _ADD_EVENTS, [{"game": code, **schema.values_of(event)} for event in events]
        )


async def _add_seats(tx: Transaction, code: str, seats: Sequence[SeatRow]) -> None:
    if seats:
        of = {"of_game": code, "game": code}
        given = [{**of, **schema.values_of(row), "of_person": row.person} for row in seats]
        for one in given:
            del one["person"]  # which is empty where nobody has that id
        await tx.execute(_ADD_SEATS, given)


async def latest_against_computer(tx: Transaction, person: int) -> tuple[str, int, int, int] | None:
    """The game that *person* ended last against a computer: its key, the level, and both places."""
    theirs = _seat.alias()
    both = _seat.join(theirs, theirs.c.game == _seat.c.game).join(
        _game, _game.c.code == _seat.c.game
    )
    ended = (_seat.c.person == person, _seat.c.over_at.is_not(None), _seat.c.place.is_not(None))
    asked = select(_game.c.game, theirs.c.level, _seat.c.place, theirs.c.place).select_from(both)
    asked = asked.where(*ended, theirs.c.level.is_not(None), theirs.c.place.is_not(None))
    found = (await tx.execute(asked.order_by(_seat.c.over_at.desc()).limit(1))).first()
    return None if found is None else tuple(found)
