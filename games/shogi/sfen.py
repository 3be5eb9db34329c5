"""Positions and moves as programs write them: SFEN and USI (H23)."""

from __future__ import annotations

import re

from games.core import Phrase, Unreadable, phrase
from games.core.errors import reject_if
from games.shogi.board import HANDS, SQUARES, TURN, Board, BoardPlay, Drop, in_check
from games.shogi.pieces import (
    COMPLEMENT,
    IN_HAND,
    KING,
    PROMOTED,
    PROMOTING,
    Kind,
    Square,
    base_of,
    kind_of,
    owner_of,
    piece_of,
)

LETTERS = " PLNSGBRK"
"""The letter of each kind, by its number."""

FILES = "987654321"
RANKS = "abcdefghi"

LONGEST_SFEN = 256
"""The most characters of a position text that are looked at."""

_HAND = re.compile(r"([1-9][0-9]?)?([A-Za-z])")


def square_name(square: Square) -> str:
    """The name of *square*: file from 9 to 1, rank from a to i."""
    return FILES[square % 9] + RANKS[square // 9]


SQUARE_NAMES = tuple(square_name(square) for square in range(SQUARES))
SQUARE_OF = {name: square for square, name in enumerate(SQUARE_NAMES)}


def letters(kind: Kind) -> str:
    """The letter of *kind*, with a plus before it where it is promoted."""
    return ("+" if kind > KING else "") + LETTERS[base_of(kind)]


def usi(play: BoardPlay) -> str:
    """*play* as USI writes it: ``7g7f``, ``8h2b+``, ``P*5e``."""
    if isinstance(play, Drop):
        return f"{LETTERS[play.kind]}*{SQUARE_NAMES[play.target]}"
    way = SQUARE_NAMES[play.start] + SQUARE_NAMES[play.target]
    return way + "+" if play.promotes else way


def sfen(board: Board, ply: int) -> str:
    """*board* as SFEN, *ply* being the number of the next move."""
    rows = "/".join(_row(board[rank * 9 : rank * 9 + 9]) for rank in range(9))
    hands = "".join(_write_hand(board, seat) for seat in (0, 1))
    return f"{rows} {'bw'[board[TURN]]} {hands or '-'} {ply}"


def _row(pieces: bytes) -> str:
    said = ""
    for piece in pieces:
        if not piece:
            said += "1"
        else:
            letter = letters(kind_of(piece))
            said += letter.lower() if owner_of(piece) else letter
    return re.sub("1+", lambda blank: str(len(blank[0])), said)


def _write_hand(board: Board, seat: int) -> str:
    said = ""
    for kind in IN_HAND:
        count = board[HANDS[seat] + kind]
        if count:
            letter = LETTERS[kind].lower() if seat else LETTERS[kind]
            said += (str(count) if count > 1 else "") + letter
    return said


def unreadable(key: str, **args: str | int) -> Unreadable:
    """The error that says *key* about a text that cannot be read."""
    return Unreadable(phrase(f"shogi.unreadable.{key}", **args))


def read_sfen(text: str) -> tuple[Board, int]:
    """The board and the number of the next move that *text* holds in SFEN.

    Turn, hands and number may be missing. Raises ``Unreadable`` for no position of the game.
    """
    board, ply = draft_of_sfen(text)
    if wrong := fault(board):
        raise Unreadable(wrong)
    return board, ply


def draft_of_sfen(text: str) -> tuple[Board, int]:
    """The same of any board that can be written; raises ``Unreadable`` for what is no SFEN."""
    words = text.split()
    if not 1 <= len(words) <= 4 or len(text) > LONGEST_SFEN:
        raise unreadable("sfen", text=text[:40])
    rows, turn, hands, number = (*words, *("b", "-", "1")[len(words) - 1 :])
    reject_if(turn not in ("b", "w"), "shogi.unreadable.turn", text=turn[:10])
    reject_if(not re.fullmatch("[0-9]{1,5}", number), "shogi.unreadable.number", text=number[:10])
    board = bytearray(SQUARES + 16)
    board[TURN] = "bw".index(turn)
    _set_up(board, rows)
    held = _HAND.findall(hands)
    if hands != "-" and "".join(count + letter for count, letter in held) != hands:
        raise unreadable("hand", text=hands[:40])
    for count, letter in held:
        kind = LETTERS.find(letter.upper())
        reject_if(kind not in IN_HAND, "shogi.unreadable.hand", text=hands[:40])
        board[HANDS[letter.islower()] + kind] += min(int(count or 1), COMPLEMENT[kind] + 1)
    return bytes(board), max(1, int(number))


def _set_up(board: bytearray, rows: str) -> None:
    ranks = rows.split("/")
    reject_if(len(ranks) != 9, "shogi.unreadable.sfen", text=rows[:40])
    for rank, row in enumerate(ranks):
        pieces = [piece for sign in re.findall(r"\+?[A-Za-z]|.", row) for piece in _cells(sign)]
        reject_if(len(pieces) != 9, "shogi.unreadable.rank", rank=RANKS[rank], n=len(pieces))
        board[rank * 9 : rank * 9 + 9] = bytes(pieces)


def _cells(sign: str) -> list[int]:
    """The squares that a sign of a rank stands for: a piece, or a number of empty ones."""
    if sign in "123456789":
        return [0] * int(sign)
    kind = LETTERS.find(sign[-1].upper())
    if kind < 1 or (len(sign) == 2 and kind not in PROMOTING):
        raise unreadable("piece", text=sign)
    return [piece_of(kind + PROMOTED if len(sign) == 2 else kind, int(sign[-1].islower()))]


def fault(board: Board, exposed: bool = False) -> Phrase | None:
    """Why *board* cannot arise in a game; ``None`` where it can.

    As in composed problems, a king may be missing and a pawn stuck or doubled. With *exposed* the
    side that has just moved may stand in check.
    """
    for kind, count in COMPLEMENT.items():
        there = sum(base_of(kind_of(piece)) == kind for piece in board[:SQUARES] if piece)
        if kind != KING:
            there += sum(board[HANDS[seat] + kind] for seat in (0, 1))
        if there > count:
            return phrase("shogi.unreadable.too-many", piece=kind_name(kind), n=count)
    for seat in (0, 1):
        if board.count(piece_of(KING, seat), 0, SQUARES) > 1:
            return phrase("shogi.unreadable.too-many", piece=kind_name(KING), n=1)
    if not exposed and in_check(board, 1 - board[TURN]):
        return phrase("shogi.unreadable.exposed")  # H9
    return None


def kind_name(kind: Kind) -> Phrase:
    """The name of *kind* as a phrase."""
    return phrase(f"shogi.piece.{letters(kind)}")


def the_kind(kind: Kind) -> Phrase:
    """The name of *kind* with its article: «the bishop»."""
    return phrase(f"shogi.named.{letters(kind)}")
