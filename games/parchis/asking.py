"""Parchís asked in words: a square, a piece, and who may be eaten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.core import Asking, Phrase, Seat, Who, casefolded, phrase, verbatim
from games.parchis.board import HOME, LAST, ROUTES, SAFE
from games.parchis.moves import Go, Move, Throw
from games.parchis.notation import piece_name, square_name, tidied, written
from games.parchis.rules import Parchis
from games.parchis.speech import at_square, followers, piece_said


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
    return tuple(_chased(seen, seat))


def _chased(seen: Parchis, seat: Seat) -> Iterator[Phrase]:
    for number, index in enumerate(seen.pieces[seat]):
        place = ROUTES[seen.colours[seat]][index] if HOME < index <= LAST else None
        if place is None or place in SAFE or seen.is_barrier(place):
            continue
        behind = tuple(followers(seen, seat, place))
        if behind:
            piece = piece_said(seen, (seat, number))
            yield phrase("parchis.words.behind", piece=piece, behind=behind)


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
