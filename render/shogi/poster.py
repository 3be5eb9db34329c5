"""What shogi brings to its poster: the king between a rook that has promoted and a pawn."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from games.shogi.pieces import DRAGON, GOTE, KING, PAWN, SENTE, Kind, piece_of
from render.kit.posters import Piece, large
from render.shogi import pieces as drawn
from render.shogi.colours import palette

if TYPE_CHECKING:
    from PIL import Image

SIDES = ("sente", "gote")
BOARD = (24, 98, 776, 858)
GROUND = "frame"

_STANDING = (
    (DRAGON, GOTE, 96, 366, -12, 150),
    (PAWN, GOTE, 346, 386, 12, 136),
    (KING, SENTE, 222, 352, 0, 186),
)
"""Kind, owner, middle, turn and width, the rearmost first."""


def medal(theme: str, side: str, width: int) -> Image.Image:
    """The king of *side*."""
    draw = partial(drawn.poster_piece, piece=piece_of(KING, SIDES.index(side)))
    return large(palette(theme), drawn.WHOLE, draw, width)


def pieces(theme: str) -> tuple[Piece, ...]:
    """Three pieces of the set that everybody knows."""
    found = []
    for kind, owner, x, y, turn, wide in _STANDING:
        draw = partial(drawn.poster_piece, piece=_piece(kind, owner))
        found.append(Piece(large(palette(theme), drawn.WHOLE, draw, wide), x, y, turn))
    return tuple(found)


def _piece(kind: Kind, owner: int) -> int:
    return piece_of(kind, owner)
