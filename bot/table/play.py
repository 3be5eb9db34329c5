"""What may happen at a table: each function decides, and writes the events down. Pure.

A ``Pen`` folds every event it writes into the table at once, so that what follows is
decided on the new state. Nothing is stored here; ``bot.table.manager`` stores what was written.
What players offer and ask each other is in ``bot.table.offers``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from bot.table import events
from bot.table.controls import Control
from bot.table.events import Written
from bot.table.fold import opened
from bot.table.match import Match
from bot.table.names import cleaned
from bot.table.pen import Pen, Refused
from bot.table.sight import Seen
from bot.table.table import ENDED, OPEN, PLAYING, Player
from games.core import CHANCE, Game, Outcome, Phrase, Seat, phrase, ranking
from games.core.chance import commitment, draw
from games.core.game import LOT, ROLLS
from games.core.position import leavers_last

LONGEST_WORDS = 64
LONGEST_CHAIN = 2000
"""How many draws and forced moves may follow one another before we call it a fault."""


def open_table(
    code: str,
    game: Game,
    *,
    options: Mapping[str, str],
    begins: str,
    hints: bool = False,
    seats: int,
    host: int,
    secret: bytes,
    now: datetime,
    steady: datetime | None = None,
    parent: str | None = None,
    control: Control | None = None,
    match: Match | None = None,
) -> Pen:
    """A new table with empty chairs; raises ``BadOption`` for what the game has not."""
    game.sides_for(seats)
    chosen = game.chosen(options)
    begin = begins or game.begins[0]
    if begin not in game.begins:
        raise Refused(phrase("house.bad-begins", value=begin, known=game.begins))
    sealed = commitment(secret)
    event = events.Opened(
        *(game.key, game.rules_version, chosen, begin, host, seats, sealed, hints),
        clock="" if control is None else control.text,
        match="" if match is None else match.text,
    )
    first = Written(1, now, event, steady)
    return Pen(opened(code, first, parent), now, secret, [first], steady=steady)


def sit(pen: Pen, player: Player, chair: Seat | None = None) -> None:
    """Seat *player* in *chair*, or in the first free one; a full table starts by itself."""
    table = pen.table
    if table.status != OPEN:
        raise Refused(phrase("house.already-started"))
    if chair is None:
        free = (n for n, p in enumerate(table.players) if not p.seated and not p.invited)
        mine = None if player.person is None else table.seat_of(player.person)
        chair = mine if mine is not None else next(free, None)
    if chair is None:
        raise Refused(phrase("house.table-full"))
    taken = table.players[chair]
    if taken.seated and taken.person != player.person:
        raise Refused(phrase("house.chair-taken"))
    if player.side is not None:
        if player.side not in table.game.sides:
            known = tuple(phrase(f"{table.game.key}.side.{one}") for one in table.game.sides)
            raise Refused(phrase("house.bad-side", value=player.side, known=known))
        if any(p.side == player.side for n, p in enumerate(table.players) if n != chair):
            raise Refused(phrase("house.side-taken"))
    elif taken.side is not None:
        player = replace(player, side=taken.side)
    pen.write(events.Sat(chair, player.person, player.level, player.side, player.invited))


def start_if_full(pen: Pen) -> None:
    """Start the game when every chair is taken by somebody who has agreed."""
    if all(player.seated for player in pen.table.players):
        start(pen)


def start(pen: Pen) -> None:
    """Start with those who sit; raises ``Refused`` while they are too few."""
    table = pen.table
    if table.status != OPEN:
        raise Refused(phrase("house.already-started"))
    chairs = [n for n, player in enumerate(table.players) if player.seated]
    if len(chairs) not in table.game.seats:
        raise Refused(phrase("house.too-few", n=min(table.game.seats)))
    if all(table.players[n].person is None for n in chairs):
        raise Refused(phrase("house.no-people"))
    chairs, sides, lot = _dealt(pen, chairs)
    first = 0
    if table.begins == LOT:
        lot = (len(sides), draw(pen.secret, table.code, table.chance_words, 0, len(sides)))
        first = lot[1]
    elif table.begins in sides:
        first = sides.index(table.begins)
    pen.write(events.Started(tuple(chairs), sides, first, lot))
    _go_on(pen)


def _dealt(
    pen: Pen, chairs: list[int]
) -> tuple[list[int], tuple[str, ...], tuple[int, int] | None]:
    """The chairs in turn order, their sides, and the lot that dealt them, if one did."""
    table = pen.table
    wishes = {n: table.players[n].side for n in chairs}
    sides = table.game.sides_for(len(chairs))
    wished = {side for side in wishes.values() if side}
    if not wished <= set(sides):
        others = [side for side in table.game.sides if side not in wished]
        chosen = [*wished, *others][: len(chairs)]
        sides = tuple(side for side in table.game.sides if side in chosen)
    free = [n for n in chairs if wishes[n] is None]
    left = [side for side in sides if side not in wished]
    lot = None
    if len(free) == len(chairs) == 2 and table.begins not in (LOT, ROLLS):
        # Where a side always begins, the lot deals the sides (C4).
        lot = (2, draw(pen.secret, table.code, table.chance_words, 0, 2))
        free = free[::-1] if lot[1] else free
    side_of = {n: side for n, side in wishes.items() if side} | dict(zip(free, left, strict=True))
    seated = sorted(chairs, key=lambda n: sides.index(side_of[n]))
    return seated, sides, lot


def say_words(pen: Pen, person: int, text: str) -> None:
    """Add a player's own words to the draws, while the table is still open (§4).

    Once the game is over they are for the rematch, until it begins.
    """
    if pen.table.status not in (OPEN, ENDED) or pen.table.child is not None:
        raise Refused(phrase("house.words-late"))
    seat = pen.table.seat_of(person)
    if seat is None:
        raise Refused(phrase("house.not-seated"))
    pen.write(events.Worded(seat, own_words(text)))


def own_words(text: str) -> str:
    """The words that *text* adds to the draws; raises ``Refused`` where there are none."""
    # A record writes ” for ", so that only one of them can be among the words.
    words = cleaned(text.replace("”", '"'), LONGEST_WORDS).replace("|", "").replace("/", "").strip()
    if not words:
        raise Refused(phrase("house.words-empty"))
    return words


def move(pen: Pen, seat: Seat, moves: Sequence[Any], *, hurried: bool = False) -> None:
    """Play *moves* of *seat*, legal one after the other, and all that follows by itself.

    *hurried* says of a computer's move that it was found at a glance.
    """
    waited = pen.waited
    if pen.table.clock is not None and pen.table.clock.paused:
        pen.write(events.Resumed(seat))
        waited = 0
    for one in moves:
        uncounted = waited + pen.lost(seat, pen.arrived)
        moved = events.Moved(seat, _written(pen, one), hurried=hurried, uncounted=uncounted)
        pen.write(moved)
        _go_on(pen)


def end_set_up(pen: Pen) -> None:
    """Let the rules arrange what was not arranged in time (G14)."""
    for seat in sorted(pen.table.actors()):
        move(pen, seat, pen.table.present.overdue(seat))


def what_happened(pen: Pen, seat: Seat | None) -> Phrase:
    """What *pen* has written of moves and draws, as *seat* may hear it: «toma M2; sale un 5».

    For ``None`` only what everybody may know is said.
    """
    played = (events.Moved, events.Drawn, events.Said)
    count = sum(isinstance(one.event, played) for one in pen.written)
    happened = Seen(pen.table, seat).last(min(count, len(pen.table.recent)))
    said = [pen.table.game.speech.spoken(one.before, one.move) for one in happened]
    most = said if len(said) <= 4 else [said[0], *said[-3:]]
    if not most:
        return phrase("house.done-quietly")
    told = most[-1]
    for earlier in reversed(most[:-1]):
        told = phrase("house.then", first=earlier, second=told)
    return phrase("house.done", what=told)


CLAIM = timedelta(hours=24)
"""For how long after the end something may still be said that concerns the game (R1)."""


def say_aside(pen: Pen, seat: Seat, aside: Any) -> None:
    """Say an aside, which may even reopen a game that its rules had ended (R1).

    That right ends with the rematch, or ``CLAIM`` after the end.
    """
    table = pen.table
    # R1: nothing that happens afterwards, such as the offer of a rematch, begins the day anew.
    late = table.child is not None or pen.since(table.ended) > CLAIM
    if table.status != PLAYING and (late or not table.by_rule):
        raise Refused(phrase("house.over"))
    pen.write(events.Said(seat, _written(pen, aside)))
    outcome = pen.table.present.outcome()
    if pen.table.status == ENDED and outcome is not None and outcome != pen.table.outcome:
        end(pen, outcome, rule=True)
        return
    _go_on(pen)


def judge(pen: Pen, seat: Seat, ruling: Any, line: Sequence[str]) -> None:
    """Write down the verdict on what *seat* has claimed, and the *line* that shows it."""
    pen.write(events.Judged(seat, _written(pen, ruling), tuple(line)))
    _go_on(pen)


def _written(pen: Pen, move: Any) -> str:
    return pen.table.game.notation.written(pen.table.present, move)


def _go_on(pen: Pen) -> None:
    """Draws, forced moves and the end, until a player must decide."""
    draws = pen.draws()
    for _ in range(LONGEST_CHAIN):
        position = pen.table.present
        if pen.table.status != PLAYING:
            return
        outcome = position.outcome()
        if outcome is not None:
            end(pen, outcome, rule=True)
            return
        actors = position.actors()
        if CHANCE in actors:
            cases = position.legal_moves(CHANCE)
            number, case = draws(len(cases))
            pen.write(events.Drawn(_written(pen, cases[case]), number))
            continue
        forced = position.forced(min(actors)) if len(actors) == 1 else None
        if forced is None:
            return
        pen.write(events.Moved(min(actors), _written(pen, forced), forced=True))
    raise RuntimeError(f"table {pen.table.code}: draws and forced moves without end")


def end(pen: Pen, outcome: Outcome, *, rule: bool) -> None:
    """Let the game end with *outcome*; *rule* says that its own rules ended it."""
    # Whoever left a table of three or four is placed last, whatever his computer achieved.
    outcome = leavers_last(outcome, pen.table.leavers)
    pen.write(events.Ended(outcome.reason, outcome.places, by_rule=rule))
    if pen.table.secret is None:
        pen.write(events.Revealed(pen.secret))


def resign(pen: Pen, seat: Seat) -> None:
    """Give up: the other wins; at a table of three or four a computer takes over."""
    if pen.table.status != PLAYING:
        raise Refused(phrase("house.not-playing"))
    drop_out(pen, seat, "resign")


def drop_out(pen: Pen, seat: Seat, reason: str) -> None:
    """*seat* plays no further, and is last; among three or four a computer plays on for it."""
    table = pen.table
    people = [n for n, p in enumerate(table.players) if p.person is not None]
    if len(table.players) == 2 or people == [seat]:
        others = [n for n in range(len(table.players)) if n != seat]
        end(pen, ranking(reason, [others, [seat]]), rule=False)
        return
    pen.write(events.Left(seat, (table.game.levels + 2) // 2))


def stand_up(pen: Pen, person: int) -> None:
    """Leave a table that has not started; when the host leaves, the table is closed."""
    table = pen.table
    chair = table.seat_of(person)
    if table.status != OPEN:
        raise Refused(phrase(f"house.{'already-started' if table.status == PLAYING else 'over'}"))
    if person == table.host:
        pen.write(events.Closed("cancelled", chair))
        return
    if chair is None:
        raise Refused(phrase("house.not-seated"))
    if table.players[chair].invited:
        pen.write(events.Closed("declined", chair))
        return
    pen.write(events.Stood(chair))


def close(pen: Pen, why: str, person: int | None = None) -> None:
    """Close a table for good: by *person* if one did.

    *why* is ``expired``, ``idle``, ``cancelled`` or ``managed``.
    """
    seat = pen.table.seat_of(person)
    pen.write(events.Closed(why, seat, person if seat is None else None))
    if pen.table.secret is None and pen.table.log:
        pen.write(events.Revealed(pen.secret))
