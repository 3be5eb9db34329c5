"""Parchís set up by hand: each piece is put on a square of its way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.core import TAKES, Editor, EditorPiece, phrase
from games.parchis.board import HOME, LETTERS, META, SIDES
from games.parchis.moves import Stage
from games.parchis.notation import read, square_name, text, within
from games.parchis.rules import House, Parchis, Pieces

AT_HOME: Pieces = (HOME, HOME, HOME, HOME)
TWO = (LETTERS.index("A"), LETTERS.index("R"))


def begin(options: Mapping[str, str]) -> Parchis:
    """Two players, all at home, and yellow rolls."""
    return _rolling(Parchis(House.of(options), TWO, (AT_HOME, AT_HOME)))


def draft(written: str, options: Mapping[str, str]) -> Parchis:
    """What *written* says; who rolls for the start rolls for a move."""
    position = read(written, options)
    return _rolling(replace(position, rolls=())) if position.stage is Stage.OPENING else position


def bare(position: Parchis) -> Parchis:
    """All who play are at home."""
    everybody = (AT_HOME,) * len(position.colours)
    return _rolling(replace(position, pieces=everybody, turn=0, finished=(), spent=frozenset()))


def turned(position: Parchis) -> Parchis:
    """The next player rolls."""
    seats = len(position.colours)
    after = [(position.turn + step) % seats for step in range(1, seats + 1)]
    next_ = next((seat for seat in after if seat not in position.finished), position.turn)
    return _rolling(replace(position, turn=next_))


def pieces(_position: Parchis) -> tuple[EditorPiece, ...]:
    """All pieces of all colours: whoever has one on the board plays."""
    return tuple(
        EditorPiece(
            f"{letter}{number}", phrase(f"parchis.piece.{letter}", number=number), SIDES[colour]
        )
        for colour, letter in enumerate(LETTERS)
        for number in range(1, 5)
    )


def put(position: Parchis, key: str, place: str) -> Parchis:
    """The piece *key* on *place* of its way; taken away, a piece is at home."""
    key, place = (place, square_name(0, HOME)) if key == TAKES else (key, place)
    if key not in {one.key for one in pieces(position)}:
        return position
    colour, number = LETTERS.index(key[0]), int(key[1]) - 1
    places = [square_name(colour, index) for index in range(META + 1)]
    if place not in places:
        return position
    position = _with_colour(position, colour)
    seat = position.colours.index(colour)
    own = list(position.pieces[seat])
    own[number] = places.index(place)
    changed = tuple(
        (own[0], own[1], own[2], own[3]) if one == seat else pieces_
        for one, pieces_ in enumerate(position.pieces)
    )
    through = [one for one, pieces_ in enumerate(changed) if pieces_ == (META,) * 4]
    before = [one for one in position.finished if one in through]
    finished = (*before, *(one for one in through if one not in before))
    moved = replace(position, pieces=changed, finished=finished)
    return turned(moved) if moved.turn in finished else _rolling(moved)


def _with_colour(position: Parchis, colour: int) -> Parchis:
    if colour in position.colours:
        return position
    seats = sorted((*position.colours, colour))
    new = seats.index(colour)

    def moved(seat: int) -> int:
        return seat + 1 if seat >= new else seat

    return replace(
        position,
        colours=tuple(seats),
        pieces=(*position.pieces[:new], AT_HOME, *position.pieces[new:]),
        turn=moved(position.turn),
        finished=tuple(map(moved, position.finished)),
        spent=frozenset(map(moved, position.spent)),
    )


def _rolling(position: Parchis) -> Parchis:
    """*position* before a roll; raises ``Unreadable`` where no game leads there."""
    due = replace(
        position, stage=position.house.before_a_roll, count=0, sixes=0, last=None, arrivals=()
    )
    return within(text(due), due.house)


EDITOR: Editor[Parchis] = Editor(
    begin,
    draft,
    bare,
    turned,
    pieces,
    put,
    mover=lambda position: SIDES[position.colours[position.turn]],
)
