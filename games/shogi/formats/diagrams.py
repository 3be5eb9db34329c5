"""Boards drawn with characters, as Japanese records begin with them."""

from __future__ import annotations

import re

from games.core.errors import reject_if
from games.shogi.board import HANDS, SQUARES, TURN, Board
from games.shogi.piece_and_move_names import KANJI, NUMERALS, WIDE
from games.shogi.pieces import IN_HAND, kind_of, owner_of, piece_of
from games.shogi.sfen import sfen
from games.shogi.wishes import KINDS_JA

EDGE = f"+{'-' * 27}+"
NAMES = ("先手", "後手")
HANDICAP_NAMES = ("下手", "上手")
"""How the players are called, by seat, in even games and with a handicap."""

_CELL = re.compile(r"([ v^])(\S)")
_HELD = re.compile(rf"({'|'.join(KANJI[kind] for kind in IN_HAND)})(十?[{NUMERALS}]?)")


def numeral(number: int) -> str:
    """*number*, from 1 to 18, in Japanese."""
    return ("十" if number > 9 else "") + (NUMERALS[number % 10 - 1] if number % 10 else "")


def _number(text: str) -> int:
    ten = 10 if text.startswith("十") else 0
    digit = text.removeprefix("十")
    return ten + (NUMERALS.index(digit) + 1 if digit else 0)


def diagram(board: Board, names: tuple[str, str]) -> list[str]:
    """The lines of *board* as it is drawn, with the hands of the players called *names*."""
    rows = [EDGE]
    for rank in range(9):
        pieces = board[rank * 9 : rank * 9 + 9]
        rows.append(f"|{''.join(map(_cell, pieces))}|{NUMERALS[rank]}")
    return [
        f"{names[1]}の持駒：{_hand(board, 1)}",
        "  " + " ".join(reversed(WIDE)),
        *rows,
        EDGE,
        f"{names[0]}の持駒：{_hand(board, 0)}",
        *([f"{names[1]}番"] if board[TURN] else []),
    ]


def _cell(piece: int) -> str:
    if not piece:
        return " ・"
    return ("v" if owner_of(piece) else " ") + KANJI[kind_of(piece)]


def _hand(board: Board, seat: int) -> str:
    held = [(kind, board[HANDS[seat] + kind]) for kind in IN_HAND]
    said = [KANJI[kind] + (numeral(n) if n > 1 else "") for kind, n in held if n]
    return "　".join(said) or "なし"


def read_diagram(rows: list[str], hands: tuple[str, str], turn: int, ply: int) -> str:
    """The SFEN of a board drawn in nine *rows* (``|v香 ・ 歩…|``) with the *hands* by seat.

    *turn* is the seat that moves next, *ply* the number of that move.
    """
    board = bytearray(SQUARES + 16)
    board[TURN] = turn
    for rank, row in enumerate(rows):
        cells = _CELL.findall(row.strip().removeprefix("|").split("|")[0])
        reject_if(len(cells) != 9, "shogi.unreadable.diagram", text=row.strip()[:40])
        for column, (mark, sign) in enumerate(cells):
            board[rank * 9 + column] = _piece(mark, sign)
    for seat, hand in enumerate(hands):
        for name, count in _HELD.findall(hand):
            board[HANDS[seat] + KINDS_JA[name]] = _number(count) or 1
    return sfen(bytes(board), ply)


def _piece(mark: str, sign: str) -> int:
    if sign == "・":
        return 0
    reject_if(sign not in KINDS_JA, "shogi.unreadable.piece", text=sign)
    return piece_of(KINDS_JA[sign], 1 if mark == "v" else 0)
