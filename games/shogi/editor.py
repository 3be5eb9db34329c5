"""Shogi set up by hand: pieces on squares and in hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.core import TAKES, Editor, EditorPiece, Phrase, phrase
from games.shogi.board import HANDS, SQUARES, TURN, Board
from games.shogi.notation import draft
from games.shogi.options import EVEN
from games.shogi.past import Past
from games.shogi.pieces import COMPLEMENT, IN_HAND, KINDS, KING, base_of, piece_of
from games.shogi.rules import SIDES, Shogi
from games.shogi.sfen import SQUARE_OF, letters

MORE, FEWER = "hand+", "hand-"


def begin(options: Mapping[str, str]) -> Shogi:
    """The start without a handicap."""
    return draft(EVEN, options)


def bare(position: Shogi) -> Shogi:
    """The empty board, with sente to move."""
    return _with_board(position, bytes(len(position.board)))


def turned(position: Shogi) -> Shogi:
    """The other side moves next."""
    board = bytearray(position.board)
    board[TURN] = 1 - board[TURN]
    return _with_board(position, bytes(board))


def pieces(_position: Shogi) -> tuple[EditorPiece, ...]:
    """Each kind of both sides."""
    return tuple(
        EditorPiece(f"{side}-k{kind}", phrase(f"shogi.piece.{letters(kind)}"), side)
        for side in SIDES
        for kind in KINDS
    )


_KNOWN = {f"{side}-k{kind}": (seat, kind) for seat, side in enumerate(SIDES) for kind in KINDS}


def put(position: Shogi, key: str, place: str) -> Shogi:
    """The piece *key* on the square *place*, or one more or fewer of it in hand."""
    board = bytearray(position.board)
    if place in (MORE, FEWER) and key in _KNOWN:
        seat, kind = _KNOWN[key]
        held = HANDS[seat] + base_of(kind)
        most = COMPLEMENT[base_of(kind)] if base_of(kind) in IN_HAND else 0
        board[held] = min(most, max(0, board[held] + (1 if place == MORE else -1)))
    elif place in SQUARE_OF and key in _KNOWN:
        seat, kind = _KNOWN[key]
        piece = piece_of(kind, seat)
        if kind == KING:  # H1: a side has one; it comes from where it stood.
            board[:SQUARES] = bytes(0 if one == piece else one for one in board[:SQUARES])
        board[SQUARE_OF[place]] = piece
    elif place in SQUARE_OF and key == TAKES:
        board[SQUARE_OF[place]] = 0
    return _with_board(position, bytes(board))


def beside(_position: Shogi, key: str) -> Sequence[tuple[str, Phrase]]:
    """More and fewer of it in hand; a king is never held."""
    if key not in _KNOWN or base_of(_KNOWN[key][1]) not in IN_HAND:
        return ()
    return (MORE, phrase("shogi.editor.more")), (FEWER, phrase("shogi.editor.fewer"))


def _with_board(position: Shogi, board: Board) -> Shogi:
    return Shogi(board, Past(board), position.ply, position.terms)


EDITOR: Editor[Shogi] = Editor(
    begin,
    draft,
    bare,
    turned,
    pieces,
    put,
    mover=lambda position: SIDES[position.turn],
    beside=beside,
)
