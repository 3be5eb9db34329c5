"""A table as a program may know it: plain values, without a board or words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.presenters.table.move_history import count_unknown
from bot.presenters.table.viewers import player_names
from bot.session.table import ENDED, PLAYING, Player, Table
from bot.session.visibility import VisibleTable, hides
from bot.texts import language
from games.core import Game, Seat

WHOLE = -1
"""Asks for no entry of a log."""


@dataclass(frozen=True)
class SeatFacts:
    """Who sits: *kind* is ``person``, ``program``, ``computer`` or ``free``."""

    seat: Seat
    kind: str
    name: str
    side: str
    level: int | None


@dataclass(frozen=True)
class MoveFacts:
    """An entry of the log; a *seat* of ``None`` is chance. *aside* was said out of turn."""

    number: int
    seat: Seat | None
    text: str
    aside: bool


@dataclass(frozen=True)
class ClockFacts:
    """What each seat has *left* in milliseconds, and of its periods; *running* are whose runs."""

    control: str
    left: tuple[int, ...]
    periods: tuple[int, ...]
    running: tuple[Seat, ...]


@dataclass(frozen=True)
class OutcomeFacts:
    """The seats from first place to last; ties share a place."""

    reason: str
    places: tuple[tuple[Seat, ...], ...]


@dataclass(frozen=True)
class TableFacts:
    """A table as a program may know it, which sits in the seat *you*.

    *moves* begin with the entry *moves_from* of the log, which has *moves_total* of them. While a
    seat hides something the log is told as empty, since its length would tell of it.
    """

    code: str
    game: str
    status: str
    version: int
    options: Mapping[str, str]
    you: Seat | None
    seats: tuple[SeatFacts, ...]
    to_move: tuple[Seat, ...]
    position: str | None
    legal: tuple[str, ...]
    asides: tuple[str, ...]
    clock: ClockFacts | None
    moves_from: int
    moves_total: int
    moves: tuple[MoveFacts, ...]
    outcome: OutcomeFacts | None
    closed: str


def table_facts(table: Table, me: Seat | None, since: int, now: int, spoken: str) -> TableFacts:
    """*table* as the seat *me* may know it at the instant *now*; names are in *spoken*. Pure."""
    game, seen, acts = table.game, VisibleTable(table, me), me in table.actors()
    names = player_names(game.key, table.players, language(spoken))
    position = None if table.position is None else seen.position
    many = 0 if hides(table, *range(len(table.players))) else len(table.log)
    first = many if since == WHOLE else since if since <= many else 0
    return TableFacts(
        code=table.code,
        game=game.key,
        status=table.status,
        version=table.version - count_unknown(seen),
        options=dict(table.options),
        you=me,
        seats=tuple(
            _seat_facts(seat, player, names[seat]) for seat, player in enumerate(table.players)
        ),
        to_move=tuple(sorted(table.actors())),
        position=None if position is None else game.notation.text(position),
        legal=_write_moves(game, table, me, asides=False) if acts else (),
        asides=() if me is None else _write_moves(game, table, me, asides=True),
        clock=_clock_facts(table, now),
        moves_from=first,
        moves_total=many,
        moves=tuple(
            MoveFacts(number, None if one.seat < 0 else one.seat, one.text, one.aside)
            for number, one in enumerate(table.log[first:many], first)
        ),
        outcome=_outcome_facts(table),
        closed=table.closed,
    )


def _seat_facts(seat: Seat, player: Player, name: str) -> SeatFacts:
    kind = "free"
    if player.person is not None and player.is_seated:
        kind = "program" if player.owner else "person"
    elif player.level is not None:
        kind = "computer"
    return SeatFacts(seat, kind, name if kind != "free" else "", player.side or "", player.level)


def _write_moves(game: Game, table: Table, me: Seat | None, *, asides: bool) -> tuple[str, ...]:
    """The moves of *me*, or its *asides*, as they may be played."""
    if table.position is None or me is None:
        return ()
    position = VisibleTable(table, me).position
    if asides:
        moves = position.asides(me) if table.status in (PLAYING, ENDED) else ()
    else:
        moves = position.legal_moves(me)
    return tuple(game.notation.written(position, move) for move in moves)


def _clock_facts(table: Table, now: int) -> ClockFacts | None:
    clock = table.clock
    if clock is None:
        return None
    seats = range(len(table.players))
    banks = [clock.bank(seat, now) for seat in seats]
    control = clock.control
    left = [
        max(0, control.move - (0 if turn is None else turn.elapsed(now))) if control.move else bank
        for (bank, _), turn in zip(banks, clock.turns, strict=True)
    ]
    running = () if clock.paused else tuple(s for s in seats if clock.turns[s] is not None)
    return ClockFacts(control.text, tuple(left), tuple(one for _, one in banks), running)


def _outcome_facts(table: Table) -> OutcomeFacts | None:
    if table.outcome is None:
        return None
    places = tuple(tuple(sorted(place)) for place in table.outcome.places)
    return OutcomeFacts(table.outcome.reason, places)
