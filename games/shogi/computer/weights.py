"""What the computer has learnt of shogi: figures in points, a pawn being about 100.

They are those that foretell best what Fairy-Stockfish 11.1 thinks, after 1,500 positions each, of
199,918 positions (``docs/evidence/weights.md``). Figures that seldom counted are drawn to those of
their likes.
"""

from __future__ import annotations

from importlib import resources
from typing import Final

from games.shogi.pieces import (
    BISHOP,
    DRAGON,
    GOLD,
    HORSE,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTED,
    ROOK,
    SILVER,
    TOKIN,
    Kind,
)


def _read_tables(what: str) -> dict[Kind, str]:
    """The tables of ``weights.txt`` that are headed by *what* and a kind, by that."""
    text = resources.files("games.shogi.computer").joinpath("weights.txt").read_text("utf-8")
    blocks = (block.partition("\n") for block in text.split("\n\n"))
    return {int(head.split()[1]): rows for head, _, rows in blocks if head.startswith(what)}


FARTHEST: Final = 4
"""Ranks and columns from a king beyond which it does not matter how far a piece is."""

FEW_IN_HAND: Final = 3
"""Pieces of a kind in hand beyond which it does not matter where the kings are."""

ON_BOARD: dict[Kind, int] = {
    PAWN: 100,
    LANCE: 302,
    KNIGHT: 300,
    SILVER: 580,
    GOLD: 635,
    BISHOP: 796,
    ROOK: 964,
    KING: 0,
    TOKIN: 662,
    LANCE + PROMOTED: 569,
    KNIGHT + PROMOTED: 584,
    SILVER + PROMOTED: 560,
    HORSE: 1327,
    DRAGON: 1737,
}
"""What a piece on the board is worth, wherever it stands."""

EACH_IN_HAND: dict[Kind, tuple[int, ...]] = {
    ROOK: (1226, 1223),
    BISHOP: (867, 692),
    GOLD: (673, 538, 551, 620),
    SILVER: (643, 426, 523, 579),
    KNIGHT: (434, 308, 301, 403),
    LANCE: (431, 336, 391, 414),
    PAWN: (131, 126, 107, 78, 51, 77),
}
"""What the first piece of a kind in hand is worth, the second, …; the last is for all others."""

HELD = _read_tables("held")
"""What each of the first ``FEW`` pieces of a kind in hand adds by its own king | by the other:
by the rank of that king from the enemy's edge, then by its column from the left, as the owner
sees it.
"""

STANDING = _read_tables("standing")
"""What a piece adds by where it stands, the enemy's edge above: on the board | to its own king | to
the other. A row to a king is a rank, from ``FARTHEST`` in front of it to as many behind it,
with its column and as many beside it, left or right; what is farther counts as these.
"""
