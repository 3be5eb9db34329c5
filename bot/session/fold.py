"""How the events of a table make the table: the fold. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final, assert_never

from bot.session import events
from bot.session.events import EVENTS, Event, OfferKind
from bot.session.game_clock import GameClock, instant
from bot.session.match import read_match
from bot.session.table import (
    CLOSED,
    ENDED,
    PLAYING,
    BrokenTable,
    HistoryEntry,
    ManagerRuling,
    Offer,
    Player,
    Table,
)
from bot.session.time_controls import read_control
from bot.session.visibility import KEPT_GLIMPSES, still_news
from bot.texts import language
from games.core import CHANCE, Entry, RuleError, Seat, replay
from games.core.move_parsing import read_entry
from games.core.shelf import find_stored_game
from storage.records import EventRow, Fold, Written


def _reason(row: EventRow, wrong: Exception) -> str:
    said = language("en").say(wrong.phrase) if isinstance(wrong, RuleError) else str(wrong)
    return f"{row.kind} {row.text!r}: {said or type(wrong).__name__}"


def opened_table(code: str, written: Written[Event], parent: str | None = None) -> Table:
    """The table that its first event makes."""
    event = written.event
    if not isinstance(event, events.Opened):
        raise ValueError("the first event does not open the table")
    game = find_stored_game(event.game)
    if event.rules > game.rules.version:
        raise ValueError(f"rules {event.rules} of {game.key} are newer than {game.rules.version}")
    return Table(
        code=code,
        game=game,
        options=game.chosen(event.options),
        begins=event.begins,
        host=event.host,
        players=tuple(Player() for _ in range(event.seats)),
        commitment=event.commitment,
        hints=event.hints,
        created=written.at,
        touched=written.at,
        stirred=written.moment,
        version=written.number,
        parent=parent,
        turns=(written.number,) * event.seats,
        acted=(0,) * event.seats,
        control=event.clock,
        match=read_match(event.match),
        rated=event.rated,
        casual=event.casual,
        tournament=event.tournament,
        start=event.start,
        stand_in=event.stand_in,
        computer_clock=event.computer_clock,
    )


def after(table: Table, written: Written[Event]) -> Table:
    """*table* once something more has happened."""
    changed, steady = _folded(table, written), written.moment
    if isinstance(written.event, events.Ended):
        changed = replace(changed, ended=steady)
    if changed.clock is not None:
        now = instant(steady)
        clock = changed.clock.after(written.event, now, changed.log)
        changed = replace(changed, clock=clock.running(changed.timed(), now))
    changed = replace(
        changed, turns=_turns(table, changed, written), acted=_last_choices(changed, written)
    )
    return replace(changed, version=written.number, touched=written.at, stirred=steady)


def _folded(table: Table, written: Written[Event]) -> Table:
    event = written.event
    if isinstance(event, events.Seating):
        return _after_seat(table, event)
    if isinstance(event, events.Playing):
        return _after_play(table, event, written.moment)
    if isinstance(event, events.Agreeing):
        return _after_offer(table, event)
    if isinstance(event, events.Missing):
        absence = event.why if isinstance(event, events.Missed) else None
        return _with_player(table, event.seat, replace(table.players[event.seat], absence=absence))
    match event:
        case events.Opened():
            raise ValueError("the table is open already")
        case events.Started():
            return _started(table, event)
        case events.Ended(by_rule=by_rule):
            return replace(
                table,
                status=ENDED,
                outcome=event.outcome,
                by_rule=by_rule,
                offers=(),
                declined=None,
            )
        case events.Revealed(secret):
            return replace(table, secret=secret)
        case events.Closed(why, seat, person):
            by = Player(person) if seat is None else table.players[seat]
            return replace(table, status=CLOSED, offers=(), closed=why, closer=by)
        case events.Uncounted(by):
            return replace(table, uncounted=Player(by))
        case events.Ruled(by, points):
            return replace(table, ruling=ManagerRuling(Player(by), points))
        case events.GivenBack() | events.Overstepped() | events.Granted() | events.Flagged():
            return table
        case other:
            assert_never(other)


def _after_seat(table: Table, event: events.Seating) -> Table:
    match event:
        case events.Sat(seat, person, level, side, invited):
            if side is not None:
                _check_sides(table, (side,))
            return _with_player(table, seat, Player(person, "", level, side, invited))
        case events.Stood(seat):
            return _with_player(table, seat, Player())
        case events.Worded(seat, words) if table.status == ENDED:
            return replace(table, next_words=(*table.next_words, (seat, words)))
        case events.Worded(_, words):
            return replace(table, words=(*table.words, words))
        case events.Counted(rated, casual):
            return replace(table, rated=rated, casual=casual)
        case events.Left(seat, level, absent):
            old = table.players[seat]
            gone = replace(old, left=old.person, left_at=len(table.log))
            substitute = replace(gone, person=None, level=level, absence=None)
            away = (*table.absent, seat) if absent else table.absent
            without = replace(table, gone=(*table.gone, seat), absent=away)
            return _with_player(without, seat, substitute)


def _after_play(table: Table, event: events.Playing, at: datetime) -> Table:
    match event:
        case events.Moved(seat, text, forced, hurried):
            return _played(table, Entry(seat, text), at, chosen=not forced, hurried=hurried)
        case events.Drawn(text, draw):
            return _played(table, Entry(CHANCE, text, draw=draw), at, chosen=False)
        case events.SaidAside(seat, text):
            return _played(table, Entry(seat, text, aside=True), at, chosen=False)
        case events.Judged(seat, text, line):
            proofs = (*table.proofs, (len(table.log), line))
            played = _played(table, Entry(seat, text, aside=True), at, chosen=False)
            return replace(played, proofs=proofs)
        case events.Undone(_, count):
            return replace(_replayed(table, table.log[:count]), offers=(), declined=None)


def _after_offer(table: Table, event: events.Agreeing) -> Table:
    match event:
        case events.Offered(seat, kind):
            others = tuple(offer for offer in table.offers if offer.kind != kind)
            made = Offer(kind, seat, frozenset({seat}))
            return replace(table, offers=(*others, made), declined=None)
        case events.Answered(seat, OfferKind.REMATCH, accepted=True):
            offers = (replace(offer, agreed=offer.agreed | {seat}) for offer in table.offers)
            return replace(table, offers=tuple(offers))
        case events.Answered(seat, kind, accepted):
            offer = table.offered(kind)
            declines = not (accepted or offer is None or seat in offer.agreed)
            declined = Offer(kind, seat) if declines else None
            return replace(_without_offer(table, kind), declined=declined)
        case events.Rematched(child):
            return replace(_without_offer(table, OfferKind.REMATCH), child=child)
        case events.Paused() | events.Resumed():
            return _without_offer(table, OfferKind.PAUSE)


def _with_player(table: Table, seat: Seat, player: Player) -> Table:
    players = tuple(player if n == seat else old for n, old in enumerate(table.players))
    return replace(table, players=players)


def _without_offer(table: Table, kind: OfferKind) -> Table:
    return replace(table, offers=tuple(o for o in table.offers if o.kind != kind))


def _check_sides(table: Table, sides: Iterable[str]) -> None:
    """Raise ``ValueError`` for a side that the game of *table* has not: it has no words either."""
    strange = set(sides) - set(table.game.rules.sides)
    if strange:
        raise ValueError(f"{table.game.key} has no side {min(strange)!r}")


def _started(table: Table, event: events.Started) -> Table:
    _check_sides(table, event.sides)
    players = tuple(
        replace(table.players[chair], side=side)
        for chair, side in zip(event.chairs, event.sides, strict=True)
    )
    control = read_control(table.control)
    seated = replace(
        table,
        clock=None if control is None else GameClock.of(control, len(players)),
        match=None if table.match is None else table.match.seated(event.chairs),
        players=players,
        status=PLAYING,
        chairs=event.chairs,
        first=event.first,
        lot=event.lot,
        draws=0 if event.lot is None else 1,
        turns=table.turns[: len(players)],
        acted=table.acted[: len(players)],
        rated=event.rated,
        casual=event.casual,
    )
    return replace(seated, position=table.game.start(seated.setting))


def _replayed(table: Table, log: tuple[Entry, ...]) -> Table:
    game, far = table.game, max(0, len(log) - KEPT_GLIMPSES)
    position = replay(game, game.start(table.setting), log[:far])
    told: tuple[HistoryEntry, ...] = ()
    for entry in log[far:]:
        move = read_entry(game, position, entry)
        forced = len(position.actors()) == 1 and position.forced(entry.seat) is not None
        chosen = not (entry.aside or entry.seat == CHANCE or forced)
        told = still_news(
            (*told, HistoryEntry(position, entry.seat, move, chosen)), range(len(table.players))
        )
        position = position.after(move)
    proofs = tuple(one for one in table.proofs if one[0] < len(log))
    return replace(table, log=log, position=position, recent=told, proofs=proofs)


def _played(
    table: Table, entry: Entry, at: datetime, *, chosen: bool, hurried: bool = False
) -> Table:
    seat, before = entry.seat, table.present
    move = read_entry(table.game, before, entry)
    position = before.after(move)
    told = HistoryEntry(before, seat, move, chosen, hurried, at)
    log = (*table.log, entry)
    played = replace(
        table,
        log=log,
        floor=len(log) if seat == CHANCE or len(before.actors()) > 1 else table.floor,
        position=position,
        recent=still_news((*table.recent, told), range(len(table.players))),
        draws=table.draws if entry.draw is None else entry.draw + 1,
    )
    if entry.aside:
        if table.status == ENDED and position.outcome() is None:
            return replace(played, status=PLAYING, outcome=None)
        return played
    return replace(played, offers=(), declined=None) if seat != CHANCE else played


_TURNLESS = (
    events.Agreeing
    | events.Timing
    | events.Missing
    | events.Worded
    | events.Revealed
    | events.Managing
)
"""The events that change nothing of what a seat may do."""

_ACTED = events.Moved | events.SaidAside | events.Left | events.Closed


def _turns(before: Table, after: Table, written: Written[Event]) -> tuple[int, ...]:
    """By seat, the number of the last event that changed what the seat may do."""
    old, event, number = before.turns, written.event, written.number
    if isinstance(event, _TURNLESS):
        return old
    anew = isinstance(event, events.Undone | events.Ended)
    if before.position is None or after.position is None or anew:
        return (number,) * len(after.players)
    mover = event.seat if isinstance(event, _ACTED) else None
    was, now = before.position.actors(), after.position.actors()
    moves = (before.position.legal_moves, after.position.legal_moves)
    return tuple(
        number
        if (seat in was) != (seat in now)
        or (seat in now and (mover == seat or moves[0](seat) != moves[1](seat)))
        else old[seat]
        for seat in range(len(after.players))
    )


def _last_choices(after: Table, written: Written[Event]) -> tuple[int, ...]:
    """By seat, the number of its last chosen move, or of the event that took moves back.

    An announcement changes nothing in what the key of a move means.
    """
    event, number = written.event, written.number
    if isinstance(event, events.Undone):
        return (number,) * len(after.players)
    own = event.seat if isinstance(event, events.Moved) and not event.forced else None
    return tuple(number if seat == own else old for seat, old in enumerate(after.acted))


TABLES: Final = Fold(EVENTS, opened_table, after, BrokenTable, _reason)
"""How the events of a table make it, but for its parent, which is in none of them."""
