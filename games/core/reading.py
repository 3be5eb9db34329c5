"""Typed moves are looked up among the spellings of the legal moves."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from games.core.errors import Ambiguous, IllegalMove, NotYourTurn, Refusal
from games.core.phrases import phrase
from games.core.position import Move, Position, Seat

LONGEST_MOVE = 64
"""The most characters of a typed move that are looked at (quality: hostile notation)."""


def folded(text: str) -> str:
    """*text* as spellings are compared: Unicode's NFKC_Casefold, without blanks."""
    if text.isascii():
        return "".join(text.lower().split())
    wide = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", text).casefold())
    narrow = "".join(unicodedata.normalize("NFKC", wide.casefold()).split())
    # A mark that stood on a blank may have come to stand on a letter.
    return narrow if narrow == text else folded(narrow)


def _find(position: Position[Move], moves: Iterable[Move], text: str) -> Move | None:
    wanted = folded(position.tidied(text))
    fits = [
        move for move in moves if any(folded(way) == wanted for way in position.spellings(move))
    ]
    if len(fits) > 1:
        exact = [move for move in fits if folded(position.notation(move)) == wanted]
        if len(exact) == 1:
            return exact[0]
        raise Ambiguous(text, tuple(position.notation(move) for move in fits))
    return fits[0] if fits else None


def read_move(position: Position[Move], seat: Seat, text: str) -> Move:
    """The legal move of *seat* that *text* writes.

    Raises ``NotYourTurn``, ``Ambiguous`` with the moves that fit, or ``IllegalMove`` with
    the rule that forbids it.
    """
    if seat not in position.actors():
        raise NotYourTurn(seat)
    if len(text) > LONGEST_MOVE:
        raise IllegalMove(Refusal("", phrase("core.too-long", n=LONGEST_MOVE)))
    move = _find(position, position.legal_moves(seat), text)
    if move is not None:
        return move
    # A move with a remark that belongs to it, such as an announcement, is a longer line too.
    longer = position.expanded(seat, text)
    if len(longer) != 1:
        raise IllegalMove(position.refusal(seat, text))
    return longer[0]


def read_moves(position: Position[Move], seat: Seat, text: str) -> tuple[Move, ...]:
    """The moves that *text* writes: one, or those a longer line expands to.

    Raises as ``read_move`` does.
    """
    if seat not in position.actors():
        raise NotYourTurn(seat)
    if len(text) <= 4 * LONGEST_MOVE and (several := position.expanded(seat, text)):
        return several
    return (read_move(position, seat, text),)


def read_aside(position: Position[Move], seat: Seat, text: str) -> Move:
    """The aside of *seat* that *text* writes; raises ``IllegalMove`` where there is none."""
    move = _find(position, position.asides(seat), text) if len(text) <= LONGEST_MOVE else None
    if move is None:
        raise IllegalMove(Refusal("", phrase("core.no-such-aside", text=text[:LONGEST_MOVE])))
    return move
