"""What Cirya brings to its poster: a ship of each kind, of both fleets."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from games.cirya.move_types import Kind
from render.cirya import pieces as drawn
from render.cirya.pieces import palette
from render.kit.posters import Piece, large

if TYPE_CHECKING:
    from PIL import Image

SIDES = ("swan", "eagle")
BOARD = (48, 98, 778, 824)
GROUND = "deep"

_STANDING = (
    (0, Kind.TAMPA, 330, 384, 6, 140),
    (0, Kind.HALLACIRYA, 98, 356, -6, 176),
    (1, Kind.CIRYA, 220, 386, 8, 150),
)
"""Fleet, kind, middle, turn and width, the rearmost first."""


def medal(theme: str, side: str, width: int) -> Image.Image:
    """A cirya of *side*."""
    draw = partial(drawn.poster_piece, seat=SIDES.index(side), kind=Kind.CIRYA)
    return large(palette(theme), drawn.WHOLE, draw, width)


def pieces(theme: str) -> tuple[Piece, ...]:
    """A tall ship, a wall and a disc."""
    found = []
    for seat, kind, x, y, turn, wide in _STANDING:
        draw = partial(drawn.poster_piece, seat=seat, kind=kind)
        found.append(Piece(large(palette(theme), drawn.WHOLE, draw, wide), x, y, turn))
    return tuple(found)
