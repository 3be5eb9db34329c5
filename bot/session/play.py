"""What may happen at a table: each function decides, and writes the events down. Pure.

A ``UnitOfWork`` folds each event into the table at once: what follows is decided on the new state.
``bot.service.table.changes`` stores what was written. Offers are in ``bot.session.offers``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from bot.session import events
from bot.session.fold import opened_table
from bot.session.match import Match
from bot.session.names import cleaned
from bot.session.rated import casual_at_start, casual_by_rules, is_abortable, turns_made
from bot.session.table import ENDED, OPEN, PLAYING, HistoryEntry, Player, Table
from bot.session.time_controls import Control
from bot.session.unit_of_work import Refused, UnitOfWork, need, refuse_if
from bot.session.visibility import Glimpse, VisibleTable, hides
from games.core import (
    CHANCE,
    Game,
    IllegalMove,
    Menu,
    Outcome,
    Phrase,
    Seat,
    Steps,
    phrase,
    pick,
    ranking,
)
from games.core.chance import commitment, draw
from games.core.game import LOT, ROLLS
from games.core.move_parsing import spelled
from games.core.position import leavers_last
from storage.records import Written

FORFEIT = "forfeit"
"""Why a table is closed, or somebody leaves it, to which they did not come."""

ALONE = "alone"
"""Why a game of a tournament ends where all others have left."""

JUDGED = "judged"
"""Why a table is closed whose game somebody decided."""

SETTLED, TAPPED = timedelta(seconds=1.5), timedelta(seconds=0.7)
"""How long after a choice its key, pressed once more, is the same press and not the next one; and
how long a key is for a move and what follows it: nobody has read the toast before."""

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
    rated: bool = False,
    casual: str = "",
    tournament: str = "",
    start: str = "",
    stand_in: int = 0,
    computer_clock: bool = False,
) -> UnitOfWork:
    """A new table with empty chairs; raises ``BadOption`` for what the game has not.

    *rated*: its game is to count for the ratings, if nothing speaks against it; *casual* is what
    does, where the opener knows it. One that begins from the position *start* never counts.
    *stand_in* is the level of the computers that sit down where nobody comes soon;
    *computer_clock*: their time counts too.
    """
    game.sides_for(seats)
    chosen, begin = game.chosen(options), begins or game.rules.begins[0]
    if begin not in game.rules.begins:
        raise Refused(phrase("house.bad-begins", value=begin, known=game.rules.begins))
    sealed = commitment(secret)
    why = casual or casual_by_rules(game, chosen, hints=hints) or ""
    event = events.Opened(
        *(game.key, game.rules.version, chosen, begin, host, seats, sealed, hints),
        clock="" if control is None else control.text,
        match="" if match is None else match.text,
        rated=rated and not why and not start,
        casual=why if rated else "",
        tournament=tournament,
        start=start,
        stand_in=stand_in,
        computer_clock=computer_clock,
    )
    first: Written[events.Event] = Written(1, now, event, steady)
    return UnitOfWork(opened_table(code, first, parent), now, steady, secret, written=[first])


def take_chair(work: UnitOfWork, player: Player, chair: Seat | None = None) -> None:
    """Seat *player* in *chair*, or in the first free one; a full table starts by itself."""
    table = work.table
    refuse_if(table.status != OPEN, "house.already-started")
    chair = _free_chair(table, player) if chair is None else chair
    taken = table.players[chair]
    refuse_if(taken.is_seated and taken.person != player.person, "house.chair-taken")
    if player.side is not None:
        if player.side not in table.game.rules.sides:
            known = tuple(phrase(f"{table.game.key}.side.{one}") for one in table.game.rules.sides)
            raise Refused(phrase("house.bad-side", value=player.side, known=known))
        if any(p.side == player.side for n, p in enumerate(table.players) if n != chair):
            raise Refused(phrase("house.side-taken"))
    side = player.side if player.side is not None else taken.side
    work.write(events.Sat(chair, player.person, player.level, side, player.invited))


def _free_chair(table: Table, player: Player) -> Seat:
    mine = None if player.person is None else table.seat_of(player.person)
    if mine is not None:
        return mine
    free = (n for n, p in enumerate(table.players) if not p.is_seated and not p.invited)
    return need(next(free, None), "house.table-full")


YIELDING: Final = 3
"""Before its move of this number a computer that stands in lets a person take its place."""


def yielding_seat(table: Table) -> Seat | None:
    """The seat of the computer whose place a person may take, with board and clock as they stand.

    None while somebody arranges what the other may not see (G14).
    """
    if table.status != PLAYING or not table.stand_in or len(table.actors()) > 1:
        return None
    turns, seats = turns_made(table), range(len(table.players))
    free = [n for n in seats if table.players[n].level and turns.get(n, 0) < YIELDING]
    return None if not free or hides(table, *seats) else free[0]


def may_sit(table: Table) -> bool:
    """Whether anybody may sit down: on a free chair, or in place of a computer that yields."""
    return table.seeks or yielding_seat(table) is not None


def take_over(work: UnitOfWork, person: int) -> None:
    """Let *person* play on in place of a computer that stands in; raises ``Refused``."""
    seat = yielding_seat(work.table)
    if seat is None or work.table.seat_of(person) is not None:
        raise Refused(phrase("house.already-started"))
    work.write(events.Sat(seat, person, None, work.table.players[seat].side))


def seat_computers(work: UnitOfWork, level: int) -> None:
    """Let computers of *level* take all free chairs, so that the game begins."""
    while any(not one.is_seated for one in work.table.players):
        take_chair(work, Player(level=level))
    start_if_full(work)


def agree_counting(work: UnitOfWork, person: int, casual: str, *, rated: bool) -> None:
    """Let the game count or not as its host, *person*, wants while nobody else sits.

    *casual* is what speaks against it, where that is known.
    """
    table = work.table
    if table.status != OPEN or person != table.host or not table.has_open_stakes:
        raise Refused(phrase("standing.agreed"))
    why = casual or casual_by_rules(table.game, table.options, hints=table.hints) or ""
    work.write(events.Counted(rated=rated and not why, casual=why if rated else ""))


def start_if_full(work: UnitOfWork) -> None:
    """Start the game when every chair is taken by somebody who has agreed."""
    if all(player.is_seated for player in work.table.players):
        start(work)


def start(work: UnitOfWork) -> None:
    """Start with the players who sit; raises ``Refused`` while they are too few."""
    table = work.table
    refuse_if(table.status != OPEN, "house.already-started")
    chairs = [n for n, player in enumerate(table.players) if player.is_seated]
    if len(chairs) not in table.game.rules.seats:
        raise Refused(phrase("house.too-few", n=min(table.game.rules.seats)))
    refuse_if(all(table.players[n].person is None for n in chairs), "house.no-people")
    chairs, sides, lot = _deal(work, chairs)
    first = 0
    if table.begins == LOT:
        lot = (len(sides), draw(work.secret, table.code, table.chance_words, 0, len(sides)))
        first = lot[1]
    elif table.begins in sides:
        first = sides.index(table.begins)
    casual: str | None = table.casual
    if table.rated:
        casual = casual_at_start(table, chairs, work.often, work.barred)
    started = events.Started(
        tuple(chairs), sides, first, lot, rated=table.rated and not casual, casual=casual or ""
    )
    work.write(started)
    _go_on(work)


def _deal(
    work: UnitOfWork, chairs: list[int]
) -> tuple[list[int], tuple[str, ...], tuple[int, int] | None]:
    """The chairs in turn order, their sides, and the lot that dealt them, if one did."""
    table = work.table
    wishes = {n: side for n in chairs if (side := table.players[n].side)}
    sides = _sides_wished(table, set(wishes.values()), len(chairs))
    free = [n for n in chairs if n not in wishes]
    left = [side for side in sides if side not in wishes.values()]
    lot = None
    if len(free) == len(chairs) == 2 and table.begins not in (LOT, ROLLS):
        # Where a side always begins, the lot deals the sides (C4).
        lot = (2, draw(work.secret, table.code, table.chance_words, 0, 2))
        free = free[::-1] if lot[1] else free
    side_of = wishes | dict(zip(free, left, strict=True))
    return sorted(chairs, key=lambda n: sides.index(side_of[n])), sides, lot


def _sides_wished(table: Table, wished: set[str], count: int) -> tuple[str, ...]:
    """The sides of *count* players, those *wished* among them."""
    sides = table.game.sides_for(count)
    if wished <= set(sides):
        return sides
    chosen = [*wished, *[side for side in table.game.rules.sides if side not in wished]][:count]
    return tuple(side for side in table.game.rules.sides if side in chosen)


def stranger(table: Table) -> Refused:
    """Why somebody without a seat at *table* may not act there, and how they may."""
    if not table.seeks:
        return Refused(phrase("house.not-seated"))
    return Refused(phrase("house.not-seated.open", button=phrase("house.button.join")))


def say_words(work: UnitOfWork, person: int, text: str) -> None:
    """Add a player's own words to the draws before the game (§4), or after it to the rematch's."""
    if work.table.status not in (OPEN, ENDED) or work.table.child is not None:
        raise Refused(phrase("house.words-late"))
    seat = work.table.seat_of(person)
    if seat is None:
        raise stranger(work.table)
    work.write(events.Worded(seat, own_words(text)))


def own_words(text: str) -> str:
    """The words that *text* adds to the draws; raises ``Refused`` where there are none."""
    # A record writes ” for ", so that only one of them can be among the words.
    words = cleaned(text.replace("”", '"'), LONGEST_WORDS).replace("|", "").replace("/", "").strip()
    refuse_if(not words, "house.words-empty")
    return words


def play_moves(
    work: UnitOfWork, seat: Seat, moves: Sequence[Any], *, hurried: bool = False
) -> None:
    """Play *moves* of *seat*, and all that follows by itself; *hurried* ones had no search."""
    waited = work.waited
    if work.table.clock is not None and work.table.clock.paused:
        work.write(events.Resumed(seat))
        waited = 0
    for one in moves:
        lost = 0 if work.table.clock is None else work.lost(seat, work.arrived)
        work.write(events.Moved(seat, _write(work, one), hurried=hurried, uncounted=waited + lost))
        _go_on(work)


def play_pressed(work: UnitOfWork, seat: Seat, move: Any, steps: Steps) -> None:
    """Play the *move* that *steps* of a key mean, and what they name behind a throw if it may go.

    Where the throw has forced a move, *seat* is asked what follows that.
    """
    play_moves(work, seat, (move,))
    thrown = _holds(work.table, steps) and work.table.log[-1].seat == CHANCE
    if thrown and steps[1] in choices_held(work.table, seat):
        moves = work.table.present.legal_moves(seat)
        play_moves(work, seat, (spelled(work.table.game, work.table.present, moves)[steps[1:]],))


class Outdated(Refused):
    """The key is of an earlier turn, and its steps do not mean what they did then."""


def pressed_move(table: Table, seat: Seat, turn: int, steps: Steps, moment: datetime) -> Any:
    """The move of *seat*, who is to move, or the ``Menu``, that *steps* of the board *turn* mean.

    A key is judged by what it means and not by its board, which may be late: it is taken if the
    seat has chosen nothing since that board. If it has, it is taken where nothing else can be
    chosen, and after a while where the keys of the game last. *moment* is when it was pressed.
    Raises ``Outdated``.
    """
    due = _steps_due(table, seat, steps)
    try:
        found = pick(table.game, table.present, seat, due)
    except IllegalMove:
        if turn != table.turns[seat]:
            raise Outdated(phrase("house.stale")) from None
        raise
    if isinstance(found, Menu) or turn >= table.acted[seat] or _holds(table, steps):
        return found
    last = table.last_choice(seat)
    # What was taken back leaves no key that lasts.
    lasts = table.game.menus.lasting and (last is None or last.at is not None)
    if len(table.present.legal_moves(seat)) != 1 and (not lasts or _is_close(last, moment)):
        raise Outdated(phrase("house.stale"))
    return found


def _holds(table: Table, steps: Steps) -> bool:
    """Whether *steps* are of a key for a move and what follows it (``Menus.onward``)."""
    return table.game.menus.onward is not None and len(steps) > 1


def _steps_due(table: Table, seat: Seat, steps: Steps) -> Steps:
    """What is to be done now of *steps*, which may spell a move and what follows it."""
    if not _holds(table, steps):
        return steps
    found = spelled(table.game, table.present, table.present.legal_moves(seat))
    return steps[:1] if steps[:1] in found else steps[1:]


def entries_of_press(
    table: Table, seat: Seat, turn: int, steps: Steps, moment: datetime | None
) -> int:
    """How many of the last entries *seat* has made by the same press, just before *moment*.

    None where *steps* of the board *turn* mean something else. ``None`` is a moment of a board that
    is late: it still offers what was done, however long ago.
    """
    last = table.last_choice(seat)
    if last is None or turn >= table.acted[seat]:
        return 0
    done, within, pressed = table.game.menus.steps(last.before, last.move), SETTLED, tuple(steps)
    if _holds(table, steps):
        within, pressed = (TAPPED, done) if done == pressed[:1] else (SETTLED, pressed[1:])
    if done != pressed or (moment is not None and not _is_close(last, moment, within)):
        return 0
    return next(n for n, one in enumerate(reversed(table.recent), 1) if one is last)


def is_asked_again(table: Table, held: Steps = ()) -> bool:
    """Whether the seat that has just chosen is to press a key that its board shows already.

    That is its only one, once more, or one of those that are *held* (P3: whoever rolls a six rolls
    again). A board that shows the key shows whose turn it is, too.
    """
    actors, played = table.actors(), [one for one in table.recent if one.seat != CHANCE]
    if len(actors) != 1 or not played or played[-1].seat not in actors:
        return False
    seat, steps = min(actors), table.game.menus.steps
    last, moves = table.last_choice(seat), table.present.legal_moves(seat)
    found = {steps(table.present, one) for one in moves}
    again = last is not None and found == {steps(last.before, last.move)}
    return again or {one[0] for one in found} <= {*held}


def keys_that_hold(table: Table) -> Steps:
    """What keys may offer beside the only move of whose turn it is (``Menus.onward``)."""
    onward, actors = table.game.menus.onward, table.actors()
    return () if onward is None or not actors else onward(table.present, min(actors))


def choices_held(table: Table, seat: Seat) -> Steps:
    """What *seat* may choose now if keys have offered all of it before its move, else nothing."""
    menus, last = table.game.menus, table.last_choice(seat)
    if menus.onward is None or last is None:
        return ()
    choices = [menus.steps(table.present, one)[0] for one in table.present.legal_moves(seat)]
    held = len(choices) > 1 and {*choices} <= {*menus.onward(last.before, seat)}
    return tuple(choices) if held else ()


def _is_close(last: HistoryEntry | None, moment: datetime, within: timedelta = SETTLED) -> bool:
    return last is not None and last.at is not None and moment - last.at < within


def end_set_up(work: UnitOfWork) -> None:
    """Let the rules arrange what was not arranged in time (G14)."""
    for seat in sorted(work.table.actors()):
        play_moves(work, seat, work.table.present.overdue(seat))


def what_happened(table: Table, seat: Seat, ear: Seat | None, count: int) -> Phrase | None:
    """What *seat* has done and drawn among the last *count* entries, as *ear* may know it.

    ``None`` stands for anybody's ear, and for nothing that may be known. What others did then is
    told by the board; a draw belongs to whoever acts after it.
    """
    speech, mover = table.game.speech, min(table.actors(), default=seat)
    mine: list[Glimpse] = []
    for one in reversed(VisibleTable(table, ear).last(count)):
        mover = mover if one.seat == CHANCE else one.seat
        told = not mine or one.seat == CHANCE or speech.weight(one.before, one.move)
        if mover == seat and told:
            mine.append(one)
    happened: Phrase | None = None
    for one in mine if len(mine) <= 4 else (*mine[:3], mine[-1]):
        said = speech.spoken(one.before, one.move)
        then = "house.drawn" if one.seat == CHANCE else "house.then"
        happened = said if happened is None else phrase(then, first=said, second=happened)
    return happened


CLAIM = timedelta(hours=24)
"""For how long after the end something may still be said that concerns the game (R1)."""


def say_aside(work: UnitOfWork, seat: Seat, aside: Any) -> None:
    """Say an aside, which may even reopen a game that its rules had ended (R1).

    That right ends with the rematch, or ``CLAIM`` after the end.
    """
    table = work.table
    # R1: nothing that happens afterwards, such as the offer of a rematch, begins the day anew.
    late = table.child is not None or work.since(table.ended) > CLAIM
    refuse_if(table.status != PLAYING and (late or not table.by_rule), "house.over")
    work.write(events.SaidAside(seat, _write(work, aside)))
    outcome = work.table.present.outcome()
    if work.table.status == ENDED and outcome is not None and outcome != work.table.outcome:
        end_game(work, outcome, rule=True)
    _go_on(work)


def judge(work: UnitOfWork, seat: Seat, ruling: Any, line: Sequence[str]) -> None:
    """Write down the verdict on what *seat* has claimed, and the *line* that shows it."""
    work.write(events.Judged(seat, _write(work, ruling), tuple(line)))
    _go_on(work)


def _write(work: UnitOfWork, move: Any) -> str:
    return work.table.game.notation.written(work.table.present, move)


def _go_on(work: UnitOfWork) -> None:
    """Play draws and forced moves, until a player must decide or the game is over."""
    draws = work.draws()
    for _ in range(LONGEST_CHAIN):
        position = work.table.present
        if work.table.status != PLAYING:
            return
        outcome = position.outcome()
        if outcome is not None:
            end_game(work, outcome, rule=True)
            return
        actors = position.actors()
        if CHANCE in actors:
            cases = position.legal_moves(CHANCE)
            number, case = draws(len(cases))
            work.write(events.Drawn(_write(work, cases[case]), number))
            continue
        forced = position.forced(min(actors)) if len(actors) == 1 else None
        if forced is None:
            return
        work.write(events.Moved(min(actors), _write(work, forced), forced=True))
    raise RuntimeError(f"table {work.table.code}: draws and forced moves without end")


def end_game(work: UnitOfWork, outcome: Outcome, *, rule: bool) -> None:
    """Let the game end with *outcome*; *rule* says that its own rules ended it."""
    # A player who left a table of three or four is placed last, whatever their computer achieved.
    outcome = leavers_last(outcome, work.table.leavers)
    work.write(events.Ended(outcome.reason, outcome.places, by_rule=rule))
    if work.table.secret is None:
        work.write(events.Revealed(work.secret))


def resign(work: UnitOfWork, seat: Seat) -> None:
    """Give up: the other wins; at a table of three or four a computer takes over.

    A game that counts and has hardly begun is aborted instead.
    """
    refuse_if(work.table.status != PLAYING, "house.not-playing")
    if is_abortable(work.table):
        close(work, "aborted", work.table.players[seat].person)
        return
    drop_out(work, seat, "resign")


def drop_out(work: UnitOfWork, seat: Seat, reason: str) -> None:
    """*seat* plays no further, and is last; among three or four a computer plays on for it.

    A game of a tournament ends once nobody but one of them is left.
    """
    table = work.table
    people = [n for n, p in enumerate(table.players) if p.person is not None]
    if len(table.players) == 2 or people == [seat]:
        others = [n for n in range(len(table.players)) if n != seat]
        end_game(work, ranking(reason, [others, [seat]]), rule=False)
        return
    substitute(work, seat, absent=reason == FORFEIT)
    left = [n for n in people if n != seat]
    if table.tournament and len(left) == 1:
        # Its round waits for it, and whoever is left comes first whatever the computers do.
        end_game(work, ranking(ALONE, [left, sorted(work.table.leavers)]), rule=False)


def substitute(work: UnitOfWork, seat: Seat, *, absent: bool = False) -> None:
    """A computer plays on for *seat*, whose player may not have come at all."""
    work.write(events.Left(seat, (work.table.game.computer.levels + 2) // 2, absent))


def stand_up(work: UnitOfWork, person: int) -> None:
    """Leave a table that has not started; when the host leaves, the table is closed."""
    table = work.table
    chair = table.seat_of(person)
    if table.status != OPEN:
        raise Refused(phrase(f"house.{'already-started' if table.status == PLAYING else 'over'}"))
    if person == table.host:
        close(work, "cancelled", person)
    elif chair is None:
        raise stranger(table)
    else:
        others = [one for n, one in enumerate(table.players) if n != chair and one != Player()]
        declined = table.players[chair].invited and len(others) == 1
        work.write(events.Closed("declined", chair) if declined else events.Stood(chair))


def close(work: UnitOfWork, why: str, person: int | None = None) -> None:
    """Close a table for good, by *person* if any.

    *why* is expired, idle, cancelled, managed, aborted, forfeit or judged.
    """
    seat = work.table.seat_of(person)
    work.write(events.Closed(why, seat, person if seat is None else None))
    if work.table.secret is None and work.table.log:
        work.write(events.Revealed(work.secret))


def take_out_of_ratings(work: UnitOfWork, by: int) -> None:
    """Let the ended game count no more, as the person *by* wants, who manages its place."""
    table = work.table
    if table.status != ENDED or not table.rated or table.uncounted is not None:
        raise Refused(phrase("moderation.not-counted"))
    work.write(events.Uncounted(by))


def give_result(work: UnitOfWork, by: int, points: Sequence[int]) -> None:
    """Give the game of a tournament the half *points* by seat, as its manager *by* wants.

    A game that is still played ends so.
    """
    if work.table.status == PLAYING:
        close(work, JUDGED)
    work.write(events.Ruled(by, tuple(points)))
