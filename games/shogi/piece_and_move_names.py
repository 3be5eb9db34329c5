"""What pieces, squares and moves are called by people: western and Japanese (H23)."""

from __future__ import annotations

from games.shogi.board import BoardMove, BoardPlay
from games.shogi.pieces import (
    GOTE,
    KINDS,
    KING,
    Kind,
    Piece,
    Square,
    has_future,
    kind_of,
    may_promote,
    owner_of,
)
from games.shogi.rules import Shogi
from games.shogi.sfen import SQUARE_NAMES, letters, usi

KANJI: dict[Kind, str] = dict(zip(KINDS, "歩香桂銀金角飛玉と杏圭全馬龍", strict=True))
"""The one character of each kind."""

_PLAIN = ("歩兵", "香車", "桂馬", "銀将", "金将", "角行", "飛車", "玉将")
_TURNED = ("と金", "成香", "成桂", "成銀", "龍馬", "龍王")
NAMES: dict[Kind, str] = dict(zip(KINDS, (*_PLAIN, *_TURNED), strict=True))
"""The two characters of each kind."""

_CSA = "FU KY KE GI KI KA HI OU TO NY NK NG UM RY"
CSA_CODES: dict[Kind, str] = dict(zip(KINDS, _CSA.split(), strict=True))
"""What the Computer Shogi Association calls each kind."""

WIDE = "１２３４５６７８９"
NUMERALS = "一二三四五六七八九"


def kanji(piece: Piece) -> str:
    """The character on *piece*: H2, sente's king is 玉 and gote's 王."""
    return "王" if kind_of(piece) == KING and owner_of(piece) == GOTE else KANJI[kind_of(piece)]


def japanese_square(square: Square) -> str:
    """*square* as Japanese records write it: ``７六``."""
    return WIDE[8 - square % 9] + NUMERALS[square // 9]


def may_choose(position: Shogi, play: BoardPlay) -> bool:
    """H19: whether *play* could also be played with the other side of the piece up."""
    if not isinstance(play, BoardMove):
        return False
    kind, seat = kind_of(position.board[play.start]), position.turn
    return may_promote(kind, seat, play.start, play.target) and has_future(kind, seat, play.target)


def western(position: Shogi, play: BoardPlay, from_where: bool = False, said: bool = True) -> str:
    """``P-7f``, ``Bx2b+``, ``P*5e``, ``=``; *from_where* adds the origin, *said* the choice."""
    if not isinstance(play, BoardMove):
        return usi(play)
    piece = letters(kind_of(position.board[play.start]))
    start = SQUARE_NAMES[play.start] if from_where else ""
    mark = "x" if position.board[play.target] else "-"
    sign = "+" if play.promotes else "=" if may_choose(position, play) else ""
    return f"{piece}{start}{mark}{SQUARE_NAMES[play.target]}{sign if said else ''}"


def record_kind(kind: Kind) -> str:
    """*kind* as records in Japanese write it: 成銀 rather than 全."""
    name = NAMES[kind]
    return name if name.startswith("成") else KANJI[kind]


def kif(position: Shogi, play: BoardPlay) -> str:
    """*play* as a KIF record writes it: ``７六歩(77)``, ``２二角成(88)``, ``５五歩打``."""
    target = japanese_square(play.target)
    if not isinstance(play, BoardMove):
        return f"{target}{KANJI[play.kind]}打"
    last = position.past.play
    if last is not None and last.target == play.target:
        target = "同　"
    kind = record_kind(kind_of(position.board[play.start]))
    start = f"({9 - play.start % 9}{play.start // 9 + 1})"
    return f"{target}{kind}{'成' if play.promotes else ''}{start}"
