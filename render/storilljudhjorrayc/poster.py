"""What Storilljuðjorrayc brings to its poster: a king and units of both armies, face to face."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from render.kit.posters import Piece, large
from render.storilljudhjorrayc import pieces as drawn
from render.storilljudhjorrayc.board import palette

if TYPE_CHECKING:
    from PIL import Image

SIDES = ("green", "purple")
BOARD = (24, 76, 776, 866)
GROUND = "forest"

_STANDING = (
    (1, "T1", 70, 352, 0, 96),
    (1, "JM", 152, 410, 0, 96),
    (0, "SD", 250, 336, 0, 96),
    (0, "T3", 352, 414, 0, 96),
    (0, "A", 262, 420, 0, 116),
    (1, "KM", 158, 300, 0, 104),
)
"""Army, label, middle, turn and width, the rearmost first."""


def medal(theme: str, side: str, width: int) -> Image.Image:
    """The king of *side*."""
    draw = partial(drawn.poster_unit, seat=SIDES.index(side), label="A")
    return large(palette(theme), drawn.WHOLE, draw, width)


def pieces(theme: str) -> tuple[Piece, ...]:
    """Units of both armies about a king."""
    found = []
    for seat, label, x, y, turn, wide in _STANDING:
        draw = partial(drawn.poster_unit, seat=seat, label=label)
        found.append(Piece(large(palette(theme), drawn.WHOLE, draw, wide), x, y, turn))
    return tuple(found)
