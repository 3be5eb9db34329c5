"""What Parchís brings to its poster: a piece of each colour and the die."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from render.kit.posters import Piece, large
from render.parchis import pieces as drawn
from render.parchis.colours import palette

if TYPE_CHECKING:
    from PIL import Image

SIDES = ("yellow", "blue", "red", "green")
BOARD = (0, 76, 800, 864)
GROUND = "line"

_STANDING = ((3, 0, 72, 346, -8), (1, 1, 178, 330, 4), (2, 2, 272, 356, -5), (0, 3, 354, 404, 6))
"""Colour, number, middle and turn, the rearmost first."""


def medal(theme: str, side: str, width: int) -> Image.Image:
    """A piece of *side*, without a number."""
    draw = partial(drawn.poster_piece, colour=SIDES.index(side), number=None)
    return large(palette(theme), drawn.WHOLE, draw, width)


def pieces(theme: str) -> tuple[Piece, ...]:
    """The four colours, and the die with five eyes, which brings a piece out."""
    found = []
    for colour, number, x, y, turn in _STANDING:
        draw = partial(drawn.poster_piece, colour=colour, number=number)
        found.append(Piece(large(palette(theme), drawn.WHOLE, draw, 122), x, y, turn))
    die = large(palette(theme), drawn.WHOLE_DIE, drawn.poster_die, 112)
    return (*found, Piece(die, 206, 420, 14))
