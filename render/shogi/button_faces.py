"""The faces of the buttons of shogi: the pieces of the set that everybody knows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from games.core import Seat
from games.shogi.menus import PROMOTE
from games.shogi.pieces import (
    DRAGON,
    HORSE,
    KINDS,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTED,
    SENTE,
    SILVER,
    Kind,
    kind_of,
    piece_of,
)
from games.shogi.rules import Shogi
from games.shogi.sfen import LETTERS, SQUARE_OF
from render.kit import Palette, Sprite
from render.shogi import pieces
from render.shogi.colours import palette

ACCENTS = {"sente": "#F4E3BC", "gote": "#D79A3C"}


def _name(kind: Kind) -> str:
    return f"k{kind}"


def _piece(kind: Kind) -> tuple[Sprite, Palette]:
    return pieces.standing("light", piece_of(kind, SENTE), pieces.ONE, down=False), palette("light")


FACES = {_name(kind): partial(_piece, kind) for kind in KINDS}

LEGEND = {
    **{LETTERS[kind]: (_name(kind),) for kind in reversed(KINDS) if kind <= KING},
    "dragon": (_name(DRAGON),),
    "horse": (_name(HORSE),),
    "promoted": tuple(_name(kind + PROMOTED) for kind in (SILVER, KNIGHT, LANCE, PAWN)),
}
"""Every piece, the king first; those that promote to what moves like gold together."""


def face(seen: Shogi, _seat: Seat, path: Sequence[str], step: str) -> str:
    """The piece that is chosen, or what it turns into."""
    if step == PROMOTE and path and path[0] in SQUARE_OF:
        return _name(kind_of(seen.board[SQUARE_OF[path[0]]]) + PROMOTED)
    if path:
        return ""
    if step.endswith("*") and step[0] in LETTERS:
        return _name(LETTERS.index(step[0]))
    piece = seen.board[SQUARE_OF[step]] if step in SQUARE_OF else 0
    return _name(kind_of(piece)) if piece else ""
