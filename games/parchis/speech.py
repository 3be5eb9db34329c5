"""Parchís in words: what the picture shows, moves, answers, and the winner's title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.core import (
    Asking,
    Deed,
    Feat,
    MoveReason,
    Outcome,
    Phrase,
    Seat,
    Who,
    casefolded,
    phrase,
    verbatim,
)
from games.parchis.board import HOME, LAST, LETTERS, META, ROUTES, SAFE, SALIDA, SALIDAS, SIDES
from games.parchis.moves import Go, Lapse, Man, Move, Roll, Stage, Throw
from games.parchis.notation import piece_name, square_name, tidied, written
from games.parchis.rules import FIVE, SIX, Parchis

TURNS = frozenset(f"parchis.due.{due}" for due in ("opening", "throw", "air", "die", "bonus"))
"""The keys of whose turn it is."""


def describe(seen: Parchis) -> Sequence[Phrase]:
    """Everything the picture shows, whose turn it is first."""
    return [
        _due(seen),
        *_way_out(seen),
        *_turn_so_far(seen),
        *(_colour(seen, seat) for seat in range(len(seen.colours))),
        *_shared_squares(seen),
        *(chase for seat in range(len(seen.colours)) for chase in threats(seen, seat)),
        *_places(seen),
    ]


def side_name(state: Parchis, seat: Seat) -> Phrase:
    """The colour of *seat*."""
    return phrase(f"parchis.side.{SIDES[state.colours[seat]]}")


def _due(state: Parchis) -> Phrase:
    who, side = Who(state.turn), side_name(state, state.turn)
    match state.stage:
        case Stage.OVER:
            return phrase("parchis.due.over")
        case Stage.OPENING:
            rolls = [_start_roll(state, seat) for seat, roll in enumerate(state.rolls) if roll != 0]
            return phrase("parchis.due.opening", who=who, side=side, rolls=tuple(rolls))
        case stage:
            due = f"parchis.due.{stage.name.lower()}"
            return phrase(due, who=who, side=side, eyes=state.count, count=state.count)


def _start_roll(state: Parchis, seat: Seat) -> Phrase:
    roll = state.rolls[seat]
    if roll is None:
        return phrase("parchis.start.waits", side=side_name(state, seat))
    return phrase("parchis.start.rolled", side=side_name(state, seat), eyes=roll)


def _way_out(state: Parchis) -> list[Phrase]:
    """What the player on turn needs who has nothing on the way (rule of the 5)."""
    waits = state.stage in (Stage.THROW, Stage.AIR) and HOME in state.own
    out = waits and all(index in (HOME, META) for index in state.own)
    return [phrase("parchis.notice.out", who=Who(state.turn))] if out else []


def _turn_so_far(state: Parchis) -> list[Phrase]:
    said = []
    if state.sixes and state.stage is not Stage.OVER:
        said.append(phrase("parchis.turn.sixes", n=state.sixes))
    if state.last is not None:
        said.append(phrase("parchis.turn.last", piece=piece_said(state, (state.turn, state.last))))
    return said


def _colour(state: Parchis, seat: Seat) -> Phrase:
    at = tuple(_whereabouts(state, seat))
    line = phrase("parchis.words.colour", side=side_name(state, seat), who=Who(seat), at=at)
    return phrase("parchis.words.spent", line=line) if seat in state.spent else line


def _whereabouts(state: Parchis, seat: Seat) -> list[Phrase]:
    pieces = state.pieces[seat]
    said = []
    for index in sorted(set(pieces)):
        names = tuple(piece_said(state, (seat, n)) for n, at in enumerate(pieces) if at == index)
        said.append(at_square(names, state.colours[seat], index))
    return said


def at_square(pieces: tuple[Phrase, ...], colour: int, index: int) -> Phrase:
    """*pieces* of *colour* on the route index *index*, with the nature of the square."""
    square = square_name(colour, index)
    if index == HOME:
        return phrase("parchis.at.casa", pieces=pieces)
    if index == META:
        return phrase("parchis.at.meta", pieces=pieces)
    if index > LAST:
        return phrase("parchis.at.pasillo", pieces=pieces, square=square)
    place = ROUTES[colour][index]
    if place in SALIDAS:
        return phrase("parchis.at.salida", pieces=pieces, square=square)
    if place in SAFE:
        return phrase("parchis.at.seguro", pieces=pieces, square=square)
    return phrase("parchis.at.square", pieces=pieces, square=square)


def _shared_squares(state: Parchis) -> list[Phrase]:
    said = []
    last = {square: (seat, number) for square, seat, number in state.arrivals}
    for place in sorted(place for place, men in state.crowd.items() if len(men) == 2):
        pieces = tuple(piece_said(state, man) for man in state.crowd[place])
        seat, number = state.crowd[place][0]
        square = square_name(state.colours[seat], state.pieces[seat][number])
        if state.is_barrier(place):
            said.append(phrase("parchis.words.barrier", pieces=pieces, square=square))
        else:
            said.append(phrase("parchis.words.full", pieces=pieces, square=square))
        if place in last:
            newest = piece_said(state, last[place])
            said.append(phrase("parchis.words.arrived", piece=newest, square=square))
    return said


def followers(state: Parchis, chased: Seat, place: int) -> Iterator[Phrase]:
    """The pieces of others that one throw may bring to *place*, with their distances."""
    for man, count in chasers(state, chased, place):
        yield phrase("parchis.words.follower", piece=piece_said(state, man), count=count)


def chasers(state: Parchis, chased: Seat, place: int) -> Iterator[tuple[Man, int]]:
    """The same pieces and distances as numbers."""
    for seat, pieces in enumerate(state.pieces):
        furthest = SIX if HOME in pieces else SIX + 1
        for number, index in enumerate(pieces):
            if seat == chased or index == HOME:
                continue
            for count in range(1, min(furthest, LAST - index) + 1):
                if ROUTES[state.colours[seat]][index + count] == place:
                    yield (seat, number), count


def _places(state: Parchis) -> list[Phrase]:
    return [
        phrase("parchis.words.finished", who=Who(seat), place=place)
        if seat in state.finished
        else phrase("parchis.words.left", who=Who(seat), place=place)
        for seat, place in state.standings().items()
    ]


def notices(state: Parchis) -> Sequence[Phrase]:
    """The duties of the die and the danger of a third six."""
    if state.stage in (Stage.THROW, Stage.AIR) and state.sixes == 2 and state.last is not None:
        if state.own[state.last] > LAST:
            return ()
        return [phrase("parchis.notice.two-sixes", piece=own_said(state, state.last))]
    if state.stage is not Stage.DIE or state.is_third_six:
        return _way_out(state)
    if state.count == FIVE and state.exit():
        return [phrase("parchis.notice.five")]
    if state.count != SIX:
        return ()
    said = [phrase("parchis.notice.seven")] if state.reach > SIX else []
    if any(state.opens(move) for move in state.playable()):
        said.append(phrase("parchis.notice.open"))
    return said


def in_brief(state: Parchis, move: Move) -> Phrase:
    """*move* as a button says it: piece, arrival, consequence."""
    match move:
        case Throw():
            return phrase("parchis.label.throw")
        case Roll(eyes):
            return verbatim(f"d{eyes}")
        case Lapse():
            return _lapse(state)
        case Go(pieces, to, _):
            names = tuple(own_said(state, number) for number in pieces)
            if to == HOME:
                return phrase("parchis.label.third-six", piece=names[0])
            square = square_name(state.colours[state.turn], to)
            if state.own[pieces[0]] == HOME:
                said = phrase("parchis.label.exit", pieces=names, square=square, n=len(names))
            elif to == META:
                said = phrase("parchis.label.home", piece=names[0])
            else:
                said = phrase("parchis.label.go", piece=names[0], square=square)
            return _with(said, consequences(state, move))


def spoken(state: Parchis, move: Move) -> Phrase:
    """*move* for the line of the log, with the square it leaves."""
    match move:
        case Throw():
            return phrase("parchis.said.throw")
        case Roll(eyes) if state.stage is Stage.OPENING:
            rolled = any(roll is not None for roll in state.rolls)
            key = "parchis.said.start" if rolled else "parchis.said.start.first"
            return phrase(key, who=Who(state.turn), eyes=eyes)
        case Roll(eyes):
            return phrase("parchis.said.roll", eyes=eyes)
        case Lapse():
            return _lapse(state)
        case Go(pieces, to, _) if to == HOME or state.own[pieces[0]] == HOME:
            return in_brief(state, move)
        case Go(pieces, to, _):
            colour, piece = state.colours[state.turn], own_said(state, pieces[0])
            start, square = square_name(colour, state.own[pieces[0]]), square_name(colour, to)
            said = phrase("parchis.said.go", piece=piece, start=start, square=square)
            if to == META:
                said = phrase("parchis.said.home", piece=piece, start=start)
            then = state.after(move)
            again = then.turn == state.turn and then.stage is Stage.THROW
            more = [phrase("parchis.then.again")] if again else []
            return _with(said, [*consequences(state, move), *more])


def weight(state: Parchis, move: Move) -> int:
    """A throw and its roll are told by what comes of them; a piece taken or home is vital."""
    match move:
        case Throw():
            return 0
        case Roll():
            return int(state.stage is Stage.OPENING)
        case Go(_, to, taken) if taken or to in (HOME, META):
            return 2
        case _:
            return 1


def _lapse(state: Parchis) -> Phrase:
    if state.stage is Stage.BONUS:
        return phrase("parchis.lapse.bonus", count=state.count)
    if state.is_third_six:
        return phrase("parchis.lapse.third-six")
    if state.count == SIX:
        return phrase("parchis.lapse.six")
    return phrase("parchis.lapse.die", eyes=state.count)


def consequences(state: Parchis, move: Go) -> list[Phrase]:
    """What comes of *move* besides the arrival, in a few words each."""
    said = []
    start = state.own[move.pieces[0]]
    place = state.route[move.to]
    if move.taken:
        victims = tuple(piece_said(state, man) for man in move.taken)
        said += [phrase("parchis.then.takes", pieces=victims, n=len(move.pieces)), verbatim("+20")]
    if move.to == META:
        home_and_dry = sum(index == META for index in state.own) == 3
        said.append(phrase("parchis.then.finishes") if home_and_dry else verbatim("+10"))
    elif start != HOME and start + state.reach > META:
        said.append(phrase("parchis.then.bounces"))
    if start == HOME:
        return said
    bars = start != move.to != META and state.after(move).is_barrier(place)
    if state.opens(move):
        said.append(phrase("parchis.then.shifts") if bars else phrase("parchis.then.opens"))
    elif bars:
        said.append(phrase("parchis.then.bars"))
    if place in SAFE and not bars:
        said.append(phrase("parchis.then.safe"))
    return said


def _with(said: Phrase, more: list[Phrase]) -> Phrase:
    for one in more:
        said = phrase("parchis.with", said=said, more=one)
    return said


def piece_said(state: Parchis, man: Man) -> Phrase:
    """A piece by the letter of its colour, in the reader's language, and its number: «A2»."""
    seat, number = man
    return phrase(f"parchis.piece.{LETTERS[state.colours[seat]]}", number=number + 1)


def own_said(state: Parchis, number: int) -> Phrase:
    """The piece *number* of the player on turn."""
    return piece_said(state, (state.turn, number))


def at(seen: Parchis, name: str) -> Sequence[Phrase]:
    """Who stands on a square of the circuit, or where a piece is."""
    wanted = casefolded(tidied(seen, name))
    for seat, pieces in enumerate(seen.pieces):
        for number, index in enumerate(pieces):
            if casefolded(piece_name(seen, (seat, number))) == wanted:
                where = at_square((piece_said(seen, (seat, number)),), seen.colours[seat], index)
                return (phrase("parchis.asked.piece", where=where, who=Who(seat)),)
    if not wanted.isdecimal() or not 1 <= int(wanted) <= 68:
        return ()
    men = seen.crowd.get(int(wanted), ())
    if not men:
        return (phrase("parchis.asked.empty", square=wanted),)
    pieces_there = tuple(piece_said(seen, man) for man in men)
    return (phrase("parchis.asked.square", square=wanted, pieces=pieces_there),)


def threats(seen: Parchis, seat: Seat) -> Sequence[Phrase]:
    """The pieces of *seat* that one throw may eat, with who follows them and how far."""
    said = []
    for number, index in enumerate(seen.pieces[seat]):
        place = ROUTES[seen.colours[seat]][index] if HOME < index <= LAST else None
        if place is None or place in SAFE or seen.is_barrier(place):
            continue
        behind = tuple(followers(seen, seat, place))
        if behind:
            piece = piece_said(seen, (seat, number))
            said.append(phrase("parchis.words.behind", piece=piece, behind=behind, n=len(behind)))
    return said


def typed(seen: Parchis, move: Move) -> Phrase:
    """*move* with its pieces called by the letters that the reader sees on them."""
    match move:
        case Go(pieces, to, _):
            said = [piece_said(seen, (seen.turn, number)) for number in pieces]
            key = "parchis.typed" if len(said) == 1 else "parchis.typed.two"
            square = square_name(seen.colours[seen.turn], to)
            return phrase(key, piece=said[0], other=said[-1], square=square)
        case Throw():
            return phrase("parchis.typed.roll")
        case _:
            return verbatim(written(seen, move))


ASKING = Asking(at, threats, typed)


MANY = 5
"""From how many captures on somebody was hungry, and from how many losses on tough."""


def chronicle(deeds: Sequence[Deed], _last: Parchis, outcome: Outcome) -> Feat:
    """The title goes by the winner's captures and losses."""
    winner: Seat | None = outcome.winner
    gone = [(one.seat, one.move) for one in deeds if isinstance(one.move, Go)]
    eaten = sum(len(move.taken) for seat, move in gone if seat == winner)
    lost = sum(seat == winner for _, move in gone for seat, _ in move.taken)
    feats = {
        "tough": lost >= MANY,
        "hungry": eaten >= MANY,
        "tiptoe": not eaten,
        "unhurt": not lost,
    }
    title = next((feat for feat, holds in feats.items() if holds), "other")
    return Feat(phrase(f"parchis.feat.{title}"), eaten, phrase("parchis.feat.eaten", n=eaten))


def reason(seen: Parchis, seat: Seat, move: Move) -> MoveReason | None:
    """The most telling thing that *move* of *seat*, whose turn it is, does."""
    if not isinstance(move, Go) or move.to == HOME:
        return None
    if move.taken:
        lost = sum(seen.pieces[owner][number] for owner, number in move.taken)
        return _about(seen, "eats", move.taken, lost)
    then, number = seen.after(move), move.pieces[0]
    behind, still = _pieces_in_reach(seen, seat, number), _pieces_in_reach(then, seat, number)
    if behind and not still:
        return _about(seen, "saves", behind, len(behind))
    if move.to > LAST or move.to == SALIDA:
        key = "arrives" if move.to == META else "enters" if move.to > LAST else "leaves"
        return _about(seen, key, (), len(move.pieces))
    if still:
        return None
    prey = tuple(
        (other, one)
        for other, pieces in enumerate(then.pieces)
        for one in range(len(pieces))
        if other != seat
        if (seat, number) in _pieces_in_reach(then, other, one)
        if (seat, number) not in _pieces_in_reach(seen, other, one)
    )
    if prey:
        return _about(seen, "chases", prey, len(prey))
    place = seen.route[move.to]
    key = "shelters" if place in SAFE else "bars" if then.is_barrier(place) else "clear"
    return _about(seen, key, (), 1)


def _about(state: Parchis, key: str, men: tuple[Man, ...], n: int) -> MoveReason:
    pieces = tuple(piece_said(state, man) for man in men)
    cells = tuple(piece_name(state, man) for man in men)
    return MoveReason(phrase(f"parchis.reason.{key}", pieces=pieces, n=n), cells)


def _pieces_in_reach(state: Parchis, seat: Seat, number: int) -> tuple[Man, ...]:
    """The pieces of others that one throw may bring onto the piece *number* of *seat*."""
    index = state.pieces[seat][number]
    place = ROUTES[state.colours[seat]][index] if HOME < index <= LAST else None
    if place is None or place in SAFE or state.is_barrier(place):
        return ()
    return tuple(man for man, _ in chasers(state, seat, place))
