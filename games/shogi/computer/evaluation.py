"""How good a board looks before it is searched: material, places, and what stands near the kings.

A board is bytes, so its worth is a sum of look-ups: one table a place, which maps the byte
that stands there to points. 100 points are about a pawn.
"""

from __future__ import annotations

from functools import cache, lru_cache
from operator import add, getitem
from typing import Final, TypeAlias

from games.shogi.board import HANDS, SQUARES, TURN, Board, king_square
from games.shogi.pieces import (
    BISHOP,
    COMPLEMENT,
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
    SENTE,
    SILVER,
    TOKIN,
    Kind,
    Piece,
    Square,
    base_of,
    depth,
    kind_of,
)

Tables: TypeAlias = tuple[tuple[int, ...], ...]
"""By place, 97 of them: the points for sente of each byte that may stand there."""

GOLDLIKE = tuple(kind + PROMOTED for kind in (PAWN, LANCE, KNIGHT, SILVER))

# The relative worths are near those that programs of the field agree on.
ON_BOARD: dict[Kind, int] = {
    PAWN: 100,
    LANCE: 300,
    KNIGHT: 350,
    SILVER: 530,
    GOLD: 590,
    BISHOP: 850,
    ROOK: 1000,
    KING: 0,
    TOKIN: 520,
    LANCE + PROMOTED: 510,
    KNIGHT + PROMOTED: 520,
    SILVER + PROMOTED: 560,
    HORSE: 1150,
    DRAGON: 1350,
}
IN_HAND_WORTH: dict[Kind, int] = {
    PAWN: 112,
    LANCE: 320,
    KNIGHT: 370,
    SILVER: 570,
    GOLD: 640,
    BISHOP: 900,
    ROOK: 1080,
}
"""A piece in hand may come in anywhere: it is worth a little more."""

_FLAT = (0,) * 9
_BY_DEPTH: dict[Kind, tuple[int, ...]] = {
    PAWN: (0, 30, 26, 16, 12, 6, 0, 0, 0),
    LANCE: (0, 0, 0, 0, 0, 0, 0, 4, 10),
    KNIGHT: (0, 0, 10, 14, 16, 4, 10, 0, 0),
    SILVER: (8, 12, 16, 22, 26, 24, 14, 4, -14),
    GOLD: (0, 4, 6, -4, -10, -8, 6, 14, 2),
    BISHOP: (0, 0, 0, 4, 4, 6, 8, 8, 0),
    ROOK: (24, 24, 24, 8, 10, 2, 0, 8, 0),
    KING: (-60, -60, -80, -120, -120, -90, -36, 10, 0),
    HORSE: (12, 12, 16, 18, 20, 18, 14, 10, 0),
    DRAGON: (26, 26, 26, 20, 16, 14, 10, 8, 0),
    **dict.fromkeys(GOLDLIKE, (6, 16, 22, 14, 8, 0, 0, 0, 0)),
}
"""What a place adds, from the enemy's edge (0) to one's own (8)."""

_BY_COLUMN: dict[Kind, tuple[int, ...]] = {
    KING: (22, 52, 40, 14, -14, 6, 40, 52, 22),
    SILVER: (-6, 0, 4, 6, 6, 6, 4, 0, -6),
    KNIGHT: (-6, 0, 2, 2, 0, 2, 2, 0, -6),
    **dict.fromkeys(GOLDLIKE, (-12, 0, 6, 10, 12, 10, 6, 0, -12)),
}

_ACTIVE: dict[tuple[Kind, Square], int] = {(PAWN, 47): 18, (PAWN, 52): 10, (PAWN, 43): 18}
"""Pawns of the opening, as sente has them: 7f opens the bishop, 2f and 2e the rook."""

_DEFENDING: dict[Kind, int] = {GOLD: 44, SILVER: 34, HORSE: 46, KNIGHT: 8, LANCE: 10, PAWN: 8}
_ATTACKING: dict[Kind, int] = {
    PAWN: 12,
    LANCE: 10,
    KNIGHT: 26,
    SILVER: 42,
    GOLD: 48,
    BISHOP: 18,
    ROOK: 24,
    HORSE: 62,
    DRAGON: 76,
    **dict.fromkeys(GOLDLIKE, 50),
}
"""What a piece next to a king adds for its guard or against it; farther off it is less."""

_NEARNESS = (0, 100, 62, 26, 8, 0, 0, 0, 0)
"""Per cent of that by distance."""


def worth(piece: Piece) -> int:
    """What it costs to lose *piece*: the piece, and its base in the other hand."""
    kind = kind_of(piece)
    return ON_BOARD[kind] + IN_HAND_WORTH.get(base_of(kind), 0)


WORTH: Final = tuple(worth(code) if code & 15 in ON_BOARD else 0 for code in range(32))
"""``worth`` by piece; 0 for an empty square and for kings, who are never lost."""

GAIN: Final = tuple(
    max(0, ON_BOARD.get(kind + PROMOTED, 0) - ON_BOARD.get(kind, 0)) for kind in range(9)
)
"""What a kind gains by turning over."""


def evaluate(board: Board) -> int:
    """The points of the seat to move over the other."""
    points = sum(map(getitem, _both(king_square(board, SENTE), king_square(board, GOTE)), board))
    return points if board[TURN] == SENTE else -points


@lru_cache(maxsize=128)
def _both(sente: Square, gote: Square) -> Tables:
    """The points of everything for sente, the kings being on *sente* and *gote*."""
    pairs = zip(_tables(SENTE, sente), _tables(GOTE, gote), strict=True)
    return tuple(tuple(map(add, *pair)) for pair in pairs)


@cache
def _tables(seat: int, king: Square) -> Tables:
    """The points of everything for sente as far as the king of *seat*, on *king*, matters.

    Material, places and hands are counted with sente's king.
    """
    squares = [
        tuple(_points(code, square, seat, king) for code in range(32)) for square in range(SQUARES)
    ]
    return (*squares, *(_hand(place, seat) for place in range(SQUARES, SQUARES + 16)))


def _points(code: Piece, square: Square, seat: int, king: Square) -> int:
    kind, owner = code & 15, code >> 4
    if kind not in KINDS:
        return 0
    points = _near(kind, owner, square, seat, king)
    if seat == SENTE:
        column = square % 9 if owner == SENTE else 8 - square % 9
        points += ON_BOARD[kind] + _BY_DEPTH[kind][depth(square, owner)]
        points += _BY_COLUMN.get(kind, _FLAT)[column]
        points += _ACTIVE.get((kind, square if owner == SENTE else 80 - square), 0)
    return points if owner == SENTE else -points


def _near(kind: Kind, owner: int, square: Square, seat: int, king: Square) -> int:
    """What the piece adds for its owner by standing near the king of *seat*."""
    if king < 0:
        return 0
    across, down = square % 9 - king % 9, square // 9 - king // 9
    distance = max(abs(across), abs(down))
    table = _DEFENDING if owner == seat else _ATTACKING
    points = table.get(kind, 0) * _NEARNESS[distance] // 100
    # A guard behind the king guards little, and so does an attacker in front of it.
    behind = down > 0 if seat == SENTE else down < 0
    return points * 2 // 3 if behind else points


def _hand(place: int, seat: int) -> tuple[int, ...]:
    """The points by the number of pieces of one kind in hand."""
    owner = SENTE if place < HANDS[GOTE] else GOTE
    kind = place - HANDS[owner]
    if seat == GOTE or kind == 0:
        return (0,) * (COMPLEMENT[PAWN] + 1)
    unit = IN_HAND_WORTH[kind]
    counts = range(COMPLEMENT[PAWN] + 1)
    # Several pawns in hand can rarely all be used.
    points = [unit * n if n < 4 else unit * 3 + (n - 3) * unit * 2 // 3 for n in counts]
    return tuple(points) if owner == SENTE else tuple(-value for value in points)
