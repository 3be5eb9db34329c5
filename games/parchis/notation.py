"""How moves and positions of Parchís are written (B14).

Moves: ``tirar``, ``d5``, ``A2>18``, ``A2>18xR3``, ``A1,A2>5``, ``A3>p4``, ``A3>meta``,
``A3>casa`` and ``--``. Positions::

    A=0,1,14,72 R=0,0,0,8 A d6 2 A3 -
    A=0,0,0,0 R=0,0,0,0 R o 0 - A:4,R:?

The second is a moment of the rolls for the start (P2), which B14 leaves open: due is ``o``
and the last word lists who may still begin, with the roll or ``?``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.core import Notation, Seat, Unreadable, casefolded, phrase
from games.core.errors import reject_if
from games.parchis.board import HOME, LAST, LETTERS, META, ROUTES, SALIDAS, SIDES, is_white
from games.parchis.moves import Go, Lapse, Man, Move, Roll, Stage, Throw
from games.parchis.rules import House, Parchis, Pieces

LONGEST_TEXT = 200
"""The most characters of a position text that are looked at."""

_COLOUR = re.compile(r"([AZRV])=(\d{1,2}),(\d{1,2}),(\d{1,2}),(\d{1,2})(?:#([1-4]))?(\*)?", re.A)
_ARRIVAL = re.compile(r"(\d{1,2}):([AZRV])([1-4])", re.A)
_ROLLED = re.compile(r"([AZRV]):([1-6?])", re.A)
_DUES = {
    "o": (Stage.OPENING, 0),
    "!": (Stage.THROW, 0),
    "?": (Stage.AIR, 0),
    "-": (Stage.OVER, 0),
    "+10": (Stage.BONUS, 10),
    "+20": (Stage.BONUS, 20),
    **{f"d{eyes}": (Stage.DIE, eyes) for eyes in range(1, 7)},
}


def piece_name(state: Parchis, man: Man) -> str:
    """A piece as it is written, such as ``A2``."""
    seat, number = man
    return f"{LETTERS[state.colours[seat]]}{number + 1}"


def square_name(colour: int, index: int) -> str:
    """How the route index *index* of *colour* is written: ``casa``, ``18``, ``p1``, ``meta``."""
    if index == HOME:
        return "casa"
    if index == META:
        return "meta"
    return f"p{index - LAST}" if index > LAST else str(ROUTES[colour][index])


def written(state: Parchis, move: Move) -> str:
    """*move*, legal in *state*, as it is written."""
    match move:
        case Throw():
            return "tirar"
        case Roll(eyes):
            return f"d{eyes}"
        case Lapse():
            return "--"
        case Go(_, _, taken):
            victims = ",".join(piece_name(state, man) for man in taken)
            return _plain(state, move) + (f"x{victims}" if victims else "")


def _plain(state: Parchis, move: Go) -> str:
    pieces = ",".join(piece_name(state, (state.turn, number)) for number in move.pieces)
    return f"{pieces}>{square_name(state.colours[state.turn], move.to)}"


def spellings(state: Parchis, move: Move) -> Sequence[str]:
    """The other ways to type *move*: without the victim, the piece or arrival alone, its twin."""
    match move:
        case Throw() | Roll():
            return ()
        case Lapse():
            return ("paso", "pasar", "pass")
        case Go(pieces, to, _):
            pieces_only, _, arrival = _plain(state, move).partition(">")
            ways = [_plain(state, move), pieces_only, arrival]
            if len(pieces) == 2:
                ways += [piece_name(state, (state.turn, number)) for number in pieces]
            elif to != HOME:
                ways += _twins(state, written(state, move), pieces[0])
            return tuple(dict.fromkeys(ways))


def _twins(state: Parchis, whole: str, number: int) -> list[str]:
    """*whole* with the names of the other pieces that stand where *number* stands."""
    own = piece_name(state, (state.turn, number))
    twins = [other for other in range(4) if state.own[other] == state.own[number]]
    names = [piece_name(state, (state.turn, twin)) for twin in twins if twin != number]
    plain, _, _ = whole.partition("x")
    return [way.replace(own, name, 1) for name in names for way in (whole, plain, own)]


ENGLISH = "YBRG"
"""What the colours are called by in English, in the order of ``LETTERS``; records keep those."""

_ENGLISH_PIECE = re.compile(r"(?<![A-Za-wyz])([YBG])(?=[1-4](?!\d))", re.A | re.I)


_THROWN = re.compile(
    r"(?!$)((tir|lanz|ech)([aoá]|ar)|roll|throw)?((el|los|un|the|a)?(dados?|dice|die))?"
)
"""What people write for ``tirar``: a verb, the die, or both."""


def tidied(_: object, text: str) -> str:
    """*text* with ``>``, ``--`` and the letters of records for what people and phones write."""
    if _THROWN.fullmatch(casefolded(text).strip("¡!.")):
        return "tirar"
    text = _ENGLISH_PIECE.sub(lambda found: LETTERS[ENGLISH.index(found[1].upper())], text)
    for arrow in ("→", "->", "➔", "⇒"):
        text = text.replace(arrow, ">")
    return text.replace("—", "--").replace("–", "--")


def text(state: Parchis) -> str:
    """*state* as text, which ``read`` reads again."""
    words = [_colour(state, seat) for seat in range(len(state.colours))]
    if state.stage is Stage.OVER:
        return " ".join([*words, "- - 0 - -"])
    due = state.stage.value + (str(state.count) if state.stage in (Stage.DIE, Stage.BONUS) else "")
    last = "-" if state.last is None else piece_name(state, (state.turn, state.last))
    notes = [f"{place}:{piece_name(state, (s, n))}" for place, s, n in state.arrivals]
    notes += [
        f"{LETTERS[state.colours[seat]]}:{'?' if roll is None else roll}"
        for seat, roll in enumerate(state.rolls)
        if roll != 0
    ]
    turn = LETTERS[state.colours[state.turn]]
    return " ".join([*words, turn, due, str(state.sixes), last, ",".join(notes) or "-"])


def _colour(state: Parchis, seat: Seat) -> str:
    place = f"#{state.finished.index(seat) + 1}" if seat in state.finished else ""
    spent = "*" if seat in state.spent else ""
    pieces = ",".join(map(str, state.pieces[seat]))
    return f"{LETTERS[state.colours[seat]]}={pieces}{place}{spent}"


def read(text: str, options: Mapping[str, str]) -> Parchis:
    """The position that *text* writes; raises ``Unreadable``.

    Where the text is silent about a salida with two pieces, the one named last came last.
    """
    return within(text, House.of(options))


def within(text: str, house: House) -> Parchis:
    """The position that *text* writes under the rules of *house*; raises ``Unreadable``."""
    words = text.split() if len(text) <= LONGEST_TEXT else []
    colours = _colours(words[:-5])
    turn, due, sixes, last, notes = words[-5:]
    if due not in _DUES or sixes not in ("0", "1", "2"):
        raise Unreadable(phrase("parchis.read.due", text=f"{due} {sixes}"))
    stage, count = _DUES[due]
    if stage is Stage.THROW:
        stage = house.before_a_roll
    seats = {found[1]: seat for seat, found in enumerate(colours)}
    bare = Parchis(
        house=house,
        colours=tuple(LETTERS.index(letter) for letter in seats),
        pieces=tuple(_pieces(found) for found in colours),
        turn=_turn(turn, seats, stage),
        stage=stage,
        count=count,
        sixes=int(sixes),
        finished=_finish(colours, house, stage),
        spent=_spent(colours, house),
    )
    _check_crowd(bare)
    if bare.turn in bare.finished and stage is not Stage.OVER:
        raise Unreadable(phrase("parchis.read.turn", text=turn))
    rolls: tuple[int | None, ...] = ()
    arrivals: tuple[tuple[int, Seat, int], ...] = ()
    if stage is Stage.OPENING:
        rolls = _rolls(bare, notes, seats)
    elif stage is not Stage.OVER:
        arrivals = _arrivals(bare, notes, seats)
    moved = None if stage is Stage.OVER else _last(bare, last)
    return replace(bare, rolls=rolls, arrivals=arrivals, last=moved)


def _colours(words: Sequence[str]) -> list[re.Match[str]]:
    colours = [found for word in words if (found := _COLOUR.fullmatch(word))]
    reject_if(not 2 <= len(colours) <= 4 or len(colours) != len(words), "parchis.read.shape")
    letters = [found[1] for found in colours]
    reject_if(letters != sorted(set(letters), key=LETTERS.index), "parchis.read.colours")
    return colours


def _pieces(found: re.Match[str]) -> Pieces:
    a, b, c, d = (int(found[group]) for group in range(2, 6))
    reject_if(max(a, b, c, d) > META, "parchis.read.piece", colour=found[1])
    return a, b, c, d


def _turn(letter: str, seats: dict[str, Seat], stage: Stage) -> Seat:
    if stage is Stage.OVER and letter == "-":
        return 0
    reject_if(stage is Stage.OVER or letter not in seats, "parchis.read.turn", text=letter)
    return seats[letter]


def _finish(colours: list[re.Match[str]], house: House, stage: Stage) -> tuple[Seat, ...]:
    """The seats by their marks; exactly those with four pieces in meta bear one."""
    places: dict[int, Seat] = {}
    for seat, found in enumerate(colours):
        reject_if((_pieces(found) == (META,) * 4) != bool(found[6]), "parchis.read.places")
        if found[6]:
            places[int(found[6])] = seat
    marks = sorted(places)
    over = bool(marks) and (house.first_ends or len(marks) == len(colours) - 1)
    counted = sum(bool(found[6]) for found in colours)
    if marks != list(range(1, counted + 1)) or over != (stage is Stage.OVER):
        raise Unreadable(phrase("parchis.read.places"))
    return tuple(places[mark] for mark in marks)


def _spent(colours: list[re.Match[str]], house: House) -> frozenset[Seat]:
    spent = frozenset(seat for seat, found in enumerate(colours) if found[7])
    reject_if(spent and not house.two_on_first, "parchis.read.spent")
    return spent


def _check_crowd(state: Parchis) -> None:
    """P6, P12: two on a square at most, and of one colour where they may be captured."""
    for place, men in state.crowd.items():
        if len(men) > 2 or (len({seat for seat, _ in men}) > 1 and is_white(place)):
            names = tuple(piece_name(state, man) for man in men)
            raise Unreadable(phrase("parchis.read.crowd", pieces=names))


def _last(state: Parchis, word: str) -> int | None:
    if word == "-":
        return None
    for number, index in enumerate(state.own):
        if word == piece_name(state, (state.turn, number)) and index != HOME:
            return number
    raise Unreadable(phrase("parchis.read.last", text=word[:8]))


def _arrivals(
    state: Parchis, word: str, seats: dict[str, Seat]
) -> tuple[tuple[int, Seat, int], ...]:
    full = {square: men for square in SALIDAS if len(men := state.crowd.get(square, ())) == 2}
    last = {square: men[-1] for square, men in full.items()}
    for part in word.split(",") if word != "-" else ():
        found = _ARRIVAL.fullmatch(part)
        man = (seats.get(found[2], -1), int(found[3]) - 1) if found else (-1, 0)
        if not found or man not in full.get(int(found[1]), ()):
            raise Unreadable(phrase("parchis.read.arrival", text=part[:12]))
        last[int(found[1])] = man
    return tuple((square, *last[square]) for square in sorted(last))


def _rolls(state: Parchis, word: str, seats: dict[str, Seat]) -> tuple[int | None, ...]:
    parts = word.split(",")
    rolls: dict[Seat, int | None] = {}
    for one in filter(None, map(_ROLLED.fullmatch, parts)):
        if one[1] in seats:
            rolls[seats[one[1]]] = None if one[2] == "?" else int(one[2])
    waiting = [seat for seat in sorted(rolls) if rolls[seat] is None]
    moved = any(index != HOME for pieces in state.pieces for index in pieces)
    if not 2 <= len(rolls) == len(parts) or moved or waiting[:1] != [state.turn]:
        raise Unreadable(phrase("parchis.read.rolls", text=word[:24]))
    return tuple(rolls.get(seat, 0) for seat in range(len(state.colours)))


def _sides(state: Parchis) -> tuple[str, ...]:
    return tuple(SIDES[colour] for colour in state.colours)


NOTATION: Notation[Parchis, Move] = Notation(
    written, text, read=read, spellings=spellings, tidied=tidied, sides=_sides
)
