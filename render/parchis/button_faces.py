"""The faces of the buttons of Parchís: the sixteen pieces and the die."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from games.core import Seat
from games.parchis.board import LETTERS
from games.parchis.menus import step_of
from games.parchis.moves import Go, Roll, Throw
from games.parchis.rules import Parchis
from render.kit import Palette, Sprite
from render.parchis import pieces
from render.parchis.colours import palette

ACCENTS = {"yellow": "#F4C21F", "blue": "#1E5BB4", "red": "#CE3A30", "green": "#2F8C49"}

DIE = "die"


def _piece(colour: int, number: int) -> tuple[Sprite, Palette]:
    return pieces.piece("light", colour, number, 44), palette("light")


def _die(eyes: int = 5) -> tuple[Sprite, Palette]:
    return pieces.die("light", eyes), palette("light")


def thrown(move: object) -> str:
    """The die as it fell."""
    return f"{DIE}{move.eyes}" if isinstance(move, Roll) else ""


FACES = {
    f"{letter}{number + 1}": partial(_piece, colour, number)
    for colour, letter in enumerate(LETTERS)
    for number in range(4)
} | {DIE: _die}

THROWN = {f"{DIE}{eyes}": partial(_die, eyes) for eyes in range(1, 7)}


def face(seen: Parchis, seat: Seat, _path: Sequence[str], step: str) -> str:
    """The piece that goes, the first of two, or the die."""
    for move in seen.legal_moves(seat):
        if step_of(seen, move) == step:
            match move:
                case Go(moved):
                    return f"{LETTERS[seen.colours[seen.turn]]}{moved[0] + 1}"
                case Throw():
                    return DIE
    return ""
