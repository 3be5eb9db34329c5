"""Typed moves, looked up among the spellings of the legal moves."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from games.core.errors import Ambiguous, IllegalMove, NotYourTurn, Refusal
from games.core.game import Game
from games.core.parts import Notation
from games.core.phrases import phrase
from games.core.position import AnyPosition, Move, Position, Seat

LONGEST_MOVE = 64
"""The most characters of a typed move that are looked at (quality: hostile notation)."""


def casefolded(text: str) -> str:
    """*text* as spellings are compared: Unicode's NFKC_Casefold without blanks."""
    if text.isascii():
        return "".join(text.lower().split())
    wide = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", text).casefold())
    narrow = "".join(unicodedata.normalize("NFKC", wide.casefold()).split())
    # A mark may have moved from a blank to a letter.
    return narrow if narrow == text else casefolded(narrow)


def fitting(
    notation: Notation[AnyPosition, Move], position: AnyPosition, moves: Iterable[Move], text: str
) -> Move | None:
    """The one of *moves* that *text* writes; raises ``Ambiguous``."""
    wanted = casefolded(notation.tidied(position, text))
    fits = []
    for move in moves:
        written = notation.written(position, move)
        if casefolded(written) == wanted:
            return move
        if any(casefolded(way) == wanted for way in notation.spellings(position, move)):
            fits.append(move)
    if len(fits) > 1:
        raise Ambiguous(text, tuple(notation.written(position, move) for move in fits))
    return fits[0] if fits else None


def read_move(game: Game, position: Position[Move], seat: Seat, text: str) -> Move:
    """The legal move in *text*; raises ``NotYourTurn``, ``Ambiguous`` or ``IllegalMove``."""
    if seat not in position.actors():
        raise NotYourTurn(seat)
    if len(text) > LONGEST_MOVE:
        raise IllegalMove(Refusal("", phrase("core.too-long", n=LONGEST_MOVE)))
    move: Move | None = fitting(game.notation, position, position.legal_moves(seat), text)
    if move is not None:
        return move
    # A move with its own remark, such as an announcement, is a longer line too.
    longer: tuple[Move, ...] = game.notation.expanded(position, seat, text)
    if len(longer) != 1:
        raise IllegalMove(game.speech.refusal(position, seat, text))
    return longer[0]


def read_moves(game: Game, position: Position[Move], seat: Seat, text: str) -> tuple[Move, ...]:
    """The moves that *text* writes: one, or those of a longer line; raises as ``read_move``."""
    if seat not in position.actors():
        raise NotYourTurn(seat)
    several: tuple[Move, ...] = ()
    if len(text) <= 4 * LONGEST_MOVE:
        several = game.notation.expanded(position, seat, text)
    return several or (read_move(game, position, seat, text),)


def read_aside(game: Game, position: Position[Move], seat: Seat, text: str) -> Move:
    """The aside of *seat* that *text* writes; raises ``IllegalMove`` where there is none."""
    said = position.asides(seat) if len(text) <= LONGEST_MOVE else ()
    move: Move | None = fitting(game.notation, position, said, text)
    if move is None:
        raise IllegalMove(Refusal("", phrase("core.no-such-aside", text=text[:LONGEST_MOVE])))
    return move
