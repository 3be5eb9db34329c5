"""Points: how a game without mate is decided (H13, H14, H22)."""

from __future__ import annotations

from games.core import Outcome, drawn, won_by
from games.shogi.board import HANDS, SQUARES, TURN, Board, in_check, king_square
from games.shogi.options import Terms
from games.shogi.pieces import GOTE, KING, POINTS, SENTE, base_of, in_zone, kind_of, owner_of

ENOUGH = 24
"""H14: who has fewer points loses to one who has this many."""

DECLARING = (28, 27)
"""H22: the points with which sente and gote may declare."""

COMPANIONS = 10
"""H22: how many pieces beside the king must stand in the zone."""


def _worth(piece: int) -> int:
    return POINTS.get(base_of(kind_of(piece)), 0)


def _in_hand(board: Board, seat: int) -> int:
    return sum(board[HANDS[seat] + kind] * each for kind, each in POINTS.items())


def points(board: Board) -> tuple[int, int]:
    """H14: the points of sente and gote, on the board and in hand."""
    pieces = [piece for piece in board[:SQUARES] if piece]
    on_board = [sum(_worth(p) for p in pieces if owner_of(p) == seat) for seat in (SENTE, GOTE)]
    return on_board[SENTE] + _in_hand(board, SENTE), on_board[GOTE] + _in_hand(board, GOTE)


def by_points(board: Board, terms: Terms, ending: str) -> Outcome:
    """H14: who wins a game that ended in *ending*, ``jishogi`` or ``sennichite``."""
    sente, gote = points(board)
    enough = [count >= ENOUGH for count in (sente, gote)]
    # With all pieces in play somebody has 24; in handicap games perhaps neither.
    nobody = not any(enough)
    # The professional count leaves it undecided where both have enough.
    contested = terms.impasse == "jsa" and all(enough)
    if sente == gote or nobody or contested:
        return drawn(f"{ending}-tie-replay" if terms.ties_are_replayed else f"{ending}-tie")
    return won_by(SENTE if sente > gote else GOTE, f"{ending}-points")


def both_entered(board: Board) -> bool:
    """H13: whether both kings stand in the enemy's three ranks."""
    return has_entered(board, SENTE) and has_entered(board, GOTE)


def has_entered(board: Board, seat: int) -> bool:
    """H22: whether the king of *seat* stands in the enemy's three ranks."""
    king = king_square(board, seat)
    return king >= 0 and in_zone(king, seat)


def companions(board: Board, seat: int) -> tuple[int, int]:
    """H22: how many pieces of *seat* beside its king stand in the zone, and their points."""
    there = [
        piece
        for square, piece in enumerate(board[:SQUARES])
        if piece and owner_of(piece) == seat and in_zone(square, seat) and kind_of(piece) != KING
    ]
    return len(there), sum(map(_worth, there))


def declaration_holds(board: Board, seat: int) -> bool:
    """H22: whether *seat*, whose turn it is, declares rightly."""
    count, worth = companions(board, seat)
    return (
        board[TURN] == seat
        and has_entered(board, seat)
        and not in_check(board, seat)
        and count >= COMPANIONS
        and worth + _in_hand(board, seat) >= DECLARING[seat]
    )
