"""The worth of a board before any search: material, places, and the distance of the kings.

A board is bytes, so its worth is a sum of look-ups: one table a place, from the byte there to
points. 100 points are about a pawn. The figures are in ``weights``.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import accumulate
from operator import add, getitem
from typing import Final, TypeAlias

from games.core.number_interning import shared
from games.shogi.board import HANDS, SQUARES, TURN, Board, king_square
from games.shogi.computer.weights import (
    EACH_IN_HAND,
    FARTHEST,
    FEW_IN_HAND,
    HELD,
    ON_BOARD,
    STANDING,
)
from games.shogi.pieces import (
    COMPLEMENT,
    GOTE,
    KINDS,
    PAWN,
    PROMOTED,
    SENTE,
    Kind,
    Piece,
    Square,
    base_of,
    kind_of,
)

Tables: TypeAlias = tuple[tuple[int, ...], ...]
"""By place, 97 of them: the points for sente of each byte that may stand there."""


def parts_of(text: str) -> tuple[tuple[int, ...], ...]:
    """The figures of *text*, part by part; the parts stand side by side."""
    parts = zip(*[row.split("|") for row in text.strip().splitlines()], strict=True)
    return tuple(tuple(int(one) for row in part for one in row.split()) for part in parts)


_STANDING: Final = {kind: parts_of(text) for kind, text in STANDING.items()}
_HELD: Final = {kind: parts_of(text) for kind, text in HELD.items()}


def worth(piece: Piece) -> int:
    """What it costs to lose *piece*: the piece, and its base in the other hand."""
    kind = kind_of(piece)
    return ON_BOARD[kind] + (EACH_IN_HAND[base_of(kind)][0] if base_of(kind) in EACH_IN_HAND else 0)


WORTH: Final = tuple(worth(code) if code & 15 in ON_BOARD else 0 for code in range(32))
"""``worth`` by piece; 0 for an empty square and for kings, who are never lost."""

PART: Final = 27
FULLEST: Final = 1_000
"""How long the parts of a board are, and of how many the points are kept: a move changes few."""

GAIN: Final = tuple(
    max(0, ON_BOARD.get(kind + PROMOTED, 0) - ON_BOARD.get(kind, 0)) for kind in range(9)
)
"""What a kind gains by turning over."""


def evaluate(board: Board) -> int:
    """The points of the seat to move over the other."""
    points = 0
    for start, tables, known in _parts(king_square(board, SENTE), king_square(board, GOTE)):
        part = board[start : start + PART]
        found = known.get(part)
        if found is None:
            if len(known) > FULLEST:
                known.clear()
            found = known[part] = sum(map(getitem, tables, part))
        points += found
    return points if board[TURN] == SENTE else -points


@lru_cache(maxsize=64)
def _parts(sente: Square, gote: Square) -> tuple[tuple[int, Tables, dict[bytes, int]], ...]:
    """Where each part begins, its points for sente with the kings there, and what is known."""
    pairs = zip(_tables(SENTE, sente), _tables(GOTE, gote), strict=True)
    both = tuple(tuple(map(shared, map(add, *pair))) for pair in pairs)
    return tuple((start, both[start : start + PART], {}) for start in range(0, len(both), PART))


@cache
def _tables(seat: int, king: Square) -> Tables:
    """The points of everything for sente that depend on the king of *seat*, on *king*.

    What depends on no king is counted with sente's.
    """
    squares = [
        tuple(_points(code, square, seat, king) for code in range(32)) for square in range(SQUARES)
    ]
    return (*squares, *(_hand(place, seat, king) for place in range(SQUARES, SQUARES + 16)))


def _points(code: Piece, square: Square, seat: int, king: Square) -> int:
    """What the piece *code* on *square* is worth to sente, as in ``_tables``."""
    kind, owner = code & 15, code >> 4
    if kind not in KINDS:
        return 0
    points = _standing(kind, _seen(square, owner), owner == seat, _seen(king, owner))
    if seat == SENTE:
        points += ON_BOARD[kind] + _STANDING[kind][0][_seen(square, owner)]
    return shared(points if owner == SENTE else -points)


def _seen(square: Square, seat: int) -> Square:
    """*square* as *seat* sees it, whose pieces point up the board; -1 stays what it is."""
    return square if seat == SENTE or square < 0 else SQUARES - 1 - square


def _standing(kind: Kind, square: Square, own: bool, king: Square) -> int:
    """What a piece adds by where it stands to a king, its *own* one or the other."""
    parts = _STANDING[kind]
    if king < 0 or len(parts) == 1:
        return 0
    across, down = abs(square % 9 - king % 9), square // 9 - king // 9
    row = max(-FARTHEST, min(FARTHEST, down)) + FARTHEST
    return parts[1 if own else 2][row * (FARTHEST + 1) + min(FARTHEST, across)]


def _hand(place: int, seat: int, king: Square) -> tuple[int, ...]:
    """The points by the number of pieces of one kind in hand."""
    owner = SENTE if place < HANDS[GOTE] else GOTE
    kind = place - HANDS[owner]
    counts = range(COMPLEMENT[PAWN] + 1)
    if kind == 0:
        return (0,) * len(counts)
    points = [0] * len(counts)
    if seat == SENTE:
        each = EACH_IN_HAND[kind]
        steps = [each[min(count, len(each)) - 1] for count in counts[1:]]
        points = list(accumulate(steps, initial=0))
    if king >= 0:
        seen, parts = _seen(king, owner), _HELD[kind][0 if owner == seat else 1]
        by_king = parts[seen // 9] + parts[9 + seen % 9]
        points = [
            value + min(count, FEW_IN_HAND) * by_king
            for count, value in zip(counts, points, strict=True)
        ]
    return tuple(points) if owner == SENTE else tuple(-value for value in points)
