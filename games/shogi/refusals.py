"""Why a typed move is not legal: the rule, the squares, and a sentence that helps (H17)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.core import Arg, Refusal, Seat, phrase
from games.shogi.board import HANDS, SQUARES, BoardMove, Drop, after, in_check, reckless_moves
from games.shogi.off_board_acts import origin
from games.shogi.pieces import (
    IN_HAND,
    KNIGHT,
    PAWN,
    SLIDES,
    STEPS,
    Kind,
    Square,
    has_future,
    kind_of,
    line,
    owner_of,
    piece_of,
    stepped,
    turned,
)
from games.shogi.rules import Shogi
from games.shogi.sfen import FILES, SQUARE_NAMES, kind_name, the_kind
from games.shogi.wishes import Wish, read_wish


def why(position: Shogi, seat: Seat, text: str) -> Refusal:
    """The refusal of *text*, which is no legal move of *seat*."""
    wish = read_wish(position, text)
    if wish is None:
        return Refusal("H23", phrase("shogi.refusal.unread", text=text[:40]))
    if seat != position.turn or position.outcome():
        return Refusal("H2", phrase("shogi.refusal.over"))
    if wish.drops or (wish.drops is None and not _standing(position, wish)):
        return _drop(position, wish)
    return _board_move(position, wish)


def _no(rule: str, key: str, squares: Iterable[Square] = (), **args: Arg) -> Refusal:
    names = tuple(SQUARE_NAMES[square] for square in squares)
    return Refusal(rule, phrase(f"shogi.refusal.{key}", **args), names)


def _standing(position: Shogi, wish: Wish) -> list[Square]:
    if wish.start is not None:
        return [wish.start]
    wanted = piece_of(wish.kind or 0, position.turn)
    return [s for s, piece in enumerate(position.board[:SQUARES]) if piece == wanted]


def _drop(position: Shogi, wish: Wish) -> Refusal:
    board, seat, target = position.board, position.turn, wish.target
    kind = wish.kind or 0
    name, where = kind_name(kind), SQUARE_NAMES[target]
    if kind not in IN_HAND:
        return _no("H7", "never-in-hand", piece=name)
    if not board[HANDS[seat] + kind]:
        return _no("H7", "not-in-hand", piece=name)
    if wish.promotes:
        return _no("H7", "drop-promoted", piece=name)
    if board[target]:
        return _no("H7", "occupied", [target], square=where)
    if not has_future(kind, seat, target):
        return _no("H8", "no-future", [target], piece=the_kind(kind), square=where)
    file = range(target % 9, SQUARES, 9)
    there = [square for square in file if board[square] == piece_of(PAWN, seat)]
    if kind == PAWN and there:
        return _no("H8", "nifu", there, file=FILES[target % 9])
    drop = Drop(kind, target)
    if position.touched:
        return _touched(position)
    if not position.terms.king_capture and in_check(after(board, drop), seat):
        return _no("H9", "check", [target])
    return _no("H8", "uchifuzume", [target])


def _board_move(position: Shogi, wish: Wish) -> Refusal:
    board, seat, target = position.board, position.turn, wish.target
    starts = _standing(position, wish)
    if not starts:
        return _no("H4", "none-on-board", piece=kind_name(wish.kind or PAWN))
    start, piece = SQUARE_NAMES[starts[0]], board[starts[0]]
    if not piece or owner_of(piece) != seat:
        return _no("H3", "not-yours", starts, square=start)
    kind = kind_of(piece)
    if wish.kind not in (None, kind):
        return _no("H3", "other-piece", starts, square=start, piece=the_kind(kind))
    if board[target] and owner_of(board[target]) == seat:
        return _no("H3", "own-piece", [target], square=SQUARE_NAMES[target])
    return _way(position, wish, kind, starts)


def _way(position: Shogi, wish: Wish, kind: Kind, starts: Sequence[Square]) -> Refusal:
    target, said, where = wish.target, the_kind(kind), SQUARE_NAMES[wish.target]
    plays = [play for play in reckless_moves(position.board) if isinstance(play, BoardMove)]
    reaching = [play for play in plays if play.start in starts and play.target == target]
    if not reaching:
        blocked = any(_aims(kind, position.turn, start, target) for start in starts)
        rule, why = ("H3", "blocked") if blocked else ("H4", "no-way")
        return _no(rule, why, [target], piece=said, square=where)
    return _turn(position, wish, kind, reaching)


def _turn(position: Shogi, wish: Wish, kind: Kind, reaching: Sequence[BoardMove]) -> Refusal:
    """Why none of *reaching*, which lead where *wish* says, is legal and what it says."""
    target, said, where = wish.target, the_kind(kind), SQUARE_NAMES[wish.target]
    turning = [play for play in reaching if wish.promotes in (None, play.promotes)]
    if not turning and wish.promotes:
        return _no("H5", "no-promotion", [target], piece=said)
    if not turning:
        return _no("H6", "must-promote", [target], piece=said, square=where)
    if position.touched and all(origin(play) != position.touched for play in turning):
        return _touched(position)
    if wish.manner and any(play in position.plays for play in turning):
        # H23: were there no word, or another, one of them could go.
        return _no("H23", "manner", [target], piece=said, square=where, word=wish.manner)
    return _no("H9", "check", [target])


def _touched(position: Shogi) -> Refusal:
    return Refusal("H17", phrase("shogi.refusal.touched", origin=position.touched))


def _aims(kind: Kind, seat: Seat, start: Square, target: Square) -> bool:
    """Whether a piece of *kind* on *start* could go to *target* on an empty board."""
    if kind == KNIGHT:
        return False
    steps = (stepped(start, turned(way, seat)) for way in STEPS[kind])
    slides = (line(start, turned(way, seat)) for way in SLIDES.get(kind, ()))
    return target in steps or any(target in ray for ray in slides)
