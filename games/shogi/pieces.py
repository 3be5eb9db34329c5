"""The pieces: steps, promotion and worth (H3 to H8, H14).

A *kind* is 1, the pawn, to 8, the king; a promoted kind is eight more. A *piece* on the board is
its kind, plus 16 for gote; 0 is an empty square. Squares are 0 to 80 in the order of a diagram,
from 9a to 1i.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Square: TypeAlias = int
Kind: TypeAlias = int
Piece: TypeAlias = int
Way: TypeAlias = tuple[int, int]
"""A step as (columns to the right, ranks down) on a diagram with sente at the bottom."""

# Final numbers, one by one: a compiler writes them where they are used.
SENTE: Final = 0
GOTE: Final = 1
PAWN: Final = 1
LANCE: Final = 2
KNIGHT: Final = 3
SILVER: Final = 4
GOLD: Final = 5
BISHOP: Final = 6
ROOK: Final = 7
KING: Final = 8
PROMOTED: Final = 8
TOKIN: Final = PAWN + PROMOTED
HORSE: Final = BISHOP + PROMOTED
DRAGON: Final = ROOK + PROMOTED

PROMOTING = (PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK)
"""H4: the king and the gold do not promote."""

KINDS = (*range(PAWN, KING + 1), *(kind + PROMOTED for kind in PROMOTING))
"""Every kind there is, promoted ones included."""

IN_HAND = (ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN)
"""The kinds that a hand may hold, in the order in which hands are written."""

COMPLEMENT = {PAWN: 18, LANCE: 4, KNIGHT: 4, SILVER: 4, GOLD: 4, BISHOP: 2, ROOK: 2, KING: 2}
"""How many of each kind a set has (H1)."""

FORWARD, BACKWARD, LEFT, RIGHT = (0, -1), (0, 1), (-1, 0), (1, 0)
STRAIGHT = (FORWARD, LEFT, RIGHT, BACKWARD)
DIAGONAL = ((-1, -1), (1, -1), (-1, 1), (1, 1))
AROUND = (*STRAIGHT, *DIAGONAL)
JUMPS = ((-1, -2), (1, -2))
AS_GOLD = (FORWARD, LEFT, RIGHT, BACKWARD, (-1, -1), (1, -1))

# H4: how each kind steps once, and how it slides; promoted P, L, N and S step as the gold.
STEPS: dict[Kind, tuple[Way, ...]] = {
    PAWN: (FORWARD,),
    LANCE: (),
    KNIGHT: JUMPS,
    SILVER: (FORWARD, *DIAGONAL),
    GOLD: AS_GOLD,
    BISHOP: (),
    ROOK: (),
    KING: AROUND,
    **{kind + PROMOTED: AS_GOLD for kind in (PAWN, LANCE, KNIGHT, SILVER)},
    HORSE: STRAIGHT,
    DRAGON: DIAGONAL,
}
SLIDES: dict[Kind, tuple[Way, ...]] = {
    LANCE: (FORWARD,),
    BISHOP: DIAGONAL,
    ROOK: STRAIGHT,
    HORSE: DIAGONAL,
    DRAGON: STRAIGHT,
}

POINTS = {kind: 5 if kind in (BISHOP, ROOK) else 1 for kind in IN_HAND}
"""H14: what a piece counts at the end, promoted or not; the king counts nothing."""


def kind_of(piece: Piece) -> Kind:
    """The kind of *piece*, promotion included, without its owner."""
    return piece & 15


def base_of(kind: Kind) -> Kind:
    """H3: the kind that a captured piece has in hand, without its promotion."""
    return kind if kind <= KING else kind - PROMOTED


def is_promoted(piece: Piece) -> bool:
    """Whether *piece* shows its promoted side."""
    return kind_of(piece) > KING


def owner_of(piece: Piece) -> int:
    """The seat that *piece*, which is not 0, belongs to."""
    return piece >> 4


def piece_of(kind: Kind, seat: int) -> Piece:
    """The piece of this *kind* that belongs to *seat*."""
    return kind | seat << 4


def turned(way: Way, seat: int) -> Way:
    """*way* as *seat* plays it: pieces point at the opponent."""
    return way if seat == SENTE else (-way[0], -way[1])


def stepped(square: Square, way: Way) -> Square | None:
    """The square that *way* leads to from *square*, or ``None`` beyond the edge."""
    column, rank = square % 9 + way[0], square // 9 + way[1]
    return rank * 9 + column if 0 <= column < 9 and 0 <= rank < 9 else None


def line(square: Square, way: Way) -> tuple[Square, ...]:
    """The squares from *square*, itself left out, along *way* to the edge, nearest first."""
    found: list[Square] = []
    here = stepped(square, way)
    while here is not None:
        found.append(here)
        here = stepped(here, way)
    return tuple(found)


def depth(square: Square, seat: int) -> int:
    """How many ranks *square* lies from the edge that *seat* plays towards, 0 to 8."""
    return square // 9 if seat == SENTE else 8 - square // 9


def in_zone(square: Square, seat: int) -> bool:
    """H5: whether *square* lies in the three far ranks, where *seat* promotes."""
    return depth(square, seat) < 3


def may_promote(kind: Kind, seat: int, start: Square, target: Square) -> bool:
    """H5: whether a move on the board may end with a promotion."""
    return kind in PROMOTING and (in_zone(start, seat) or in_zone(target, seat))


def has_future(kind: Kind, seat: int, square: Square) -> bool:
    """H6, H8: whether a piece of this *kind* could ever leave *square*."""
    if kind in (PAWN, LANCE):
        return depth(square, seat) > 0
    return kind != KNIGHT or depth(square, seat) > 1
