"""What pieces, squares and moves are called by people: western and Japanese (H23)."""

from __future__ import annotations

from games.shogi.board import BoardMove, BoardPlay
from games.shogi.pieces import (
    BISHOP,
    DRAGON,
    GOLD,
    GOTE,
    HORSE,
    KINDS,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTED,
    ROOK,
    SILVER,
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

NAMES: dict[Kind, str] = {
    PAWN: "歩兵",
    LANCE: "香車",
    KNIGHT: "桂馬",
    SILVER: "銀将",
    GOLD: "金将",
    BISHOP: "角行",
    ROOK: "飛車",
    KING: "玉将",
    PAWN + PROMOTED: "と金",
    LANCE + PROMOTED: "成香",
    KNIGHT + PROMOTED: "成桂",
    SILVER + PROMOTED: "成銀",
    HORSE: "龍馬",
    DRAGON: "龍王",
}
"""The two characters of each kind."""

WIDE = "１２３４５６７８９"
NUMERALS = "一二三四五六七八九"


def kanji(piece: Piece) -> str:
    """The character on *piece*: H2, sente's king is 玉 and gote's 王."""
    is_gote_king = kind_of(piece) == KING and owner_of(piece) == GOTE
    return "王" if is_gote_king else KANJI[kind_of(piece)]


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
    """*play* in western notation: ``P-7f``, ``Bx2b+``, ``P*5e``; ``=`` declines to promote.

    *from_where* adds the origin (``G4i-5h``), *said* the choice to promote.
    """
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
