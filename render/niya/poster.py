"""What Niya brings to its poster: cards that go on by colour or number, and a marker."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from games.niya.board import BY_CODE
from render.kit.posters import Piece, large
from render.niya import pieces as drawn
from render.niya.painter import TABLE
from render.niya.pieces import palette

if TYPE_CHECKING:
    from PIL import Image

SIDES = ("red", "yellow")
BOARD = TABLE
GROUND = "plate"


def medal(theme: str, side: str, width: int) -> Image.Image:
    """The marker of *side*."""
    draw = partial(drawn.poster_marker, seat=SIDES.index(side))
    return large(palette(theme), drawn.WHOLE_MARKER, draw, width)


def pieces(theme: str) -> tuple[Piece, ...]:
    """Three cards, each going on from the one before, and the marker of the sun."""
    found = []
    for code, x, y, turn in (("M2", 86, 372, -13), ("L2", 192, 352, -2), ("L4", 298, 366, 10)):
        draw = partial(drawn.poster_card, card=BY_CODE[code])
        found.append(Piece(large(palette(theme), drawn.WHOLE_CARD, draw, 128), x, y, turn))
    marker = large(palette(theme), drawn.WHOLE_MARKER, partial(drawn.poster_marker, seat=1), 152)
    return (*found, Piece(marker, 404, 402, 8))
