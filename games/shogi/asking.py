"""Shogi asked in words: a square, and which pieces the other may take."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import Asking, Phrase, Seat, Who, casefolded, phrase
from games.shogi.board import SQUARES, TURN, BoardMove, attacked, in_check, reckless_moves
from games.shogi.pieces import KING, kind_of, owner_of
from games.shogi.rules import Shogi
from games.shogi.sfen import SQUARE_NAMES, SQUARE_OF, kind_name
from games.shogi.speech import signed


def at(seen: Shogi, name: str) -> Sequence[Phrase]:
    """The piece on a square."""
    square = SQUARE_OF.get(casefolded(name))
    if square is None:
        return ()
    piece = seen.board[square]
    if not piece:
        return (phrase("shogi.asked.empty", square=SQUARE_NAMES[square]),)
    who = Who(owner_of(piece))
    return (
        phrase("shogi.asked.square", square=SQUARE_NAMES[square], piece=signed(piece), who=who),
    )


def threats(seen: Shogi, seat: Seat) -> Sequence[Phrase]:
    """Check, and the pieces of *seat* that stand where the other may take, with what takes them."""
    said = []
    if in_check(seen.board, seat):
        said.append(phrase("shogi.notice.check", who=Who(seat)))
    board = bytearray(seen.board)
    board[TURN] = 1 - seat
    other = bytes(board)
    taking: dict[int, dict[str, None]] = {}
    for play in reckless_moves(other):
        if isinstance(play, BoardMove) and other[play.target]:
            taking.setdefault(play.target, {})[SQUARE_NAMES[play.start]] = None
    for square in range(SQUARES):
        piece = seen.board[square]
        if square not in taking or kind_of(piece) == KING:
            continue
        key = "guarded" if attacked(seen.board, square, seat) else "loose"
        said.append(
            phrase(
                f"shogi.asked.{key}",
                piece=kind_name(kind_of(piece)),
                square=SQUARE_NAMES[square],
                by=tuple(taking[square]),
            )
        )
    return said


ASKING = Asking(at, threats)
