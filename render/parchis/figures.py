"""The figures of Parchís's rule text."""

from __future__ import annotations

from games.core import read_move
from games.parchis import GAME
from games.parchis.notation import read
from render.kit import Figure
from render.parchis.board import BOARD
from render.scene import Last, Scene

_LEFT, _TOP, _RIGHT, _BOTTOM = BOARD
_BOARD = (_LEFT - 6, _TOP - 6, _RIGHT + 6, _BOTTOM + 10)
_RIGHT_HALF = (250, _TOP - 6, _RIGHT + 6, 620)
_BOTTOM_ARM = (250, 380, _RIGHT + 6, _BOTTOM + 10)


def _shown(text: str, move: str = "") -> tuple[Scene, ...]:
    """The position *text*, after *move* of the player on turn where one is given."""
    position = read(text, GAME.chosen({}))
    last: tuple[Last, ...] = ()
    if move:
        seat = position.turn
        played = read_move(GAME, position, seat, move)
        last = (Last(position, seat, played),)
        position = position.after(played)
    return (Scene("parchis", position, ("",) * len(position.colours), last=last),)


FIGURES: dict[str, Figure] = {
    "board": Figure(lambda: _shown("A=0,0,0,0 Z=0,0,0,0 R=0,0,0,0 V=0,0,0,0 A ! 0 - -"), _BOARD),
    "barrier": Figure(
        lambda: _shown("A=23,0,0,0 Z=9,9,0,0 R=0,0,0,0 V=0,0,0,0 A d4 0 - -"), _RIGHT_HALF
    ),
    "capture": Figure(
        lambda: _shown("A=23,0,0,0 Z=0,0,0,0 R=61,0,0,0 V=0,0,0,0 A d4 0 - -", "A1>31"), _BOARD
    ),
    "bounce": Figure(
        lambda: _shown("A=69,72,0,0 Z=0,0,0,0 R=0,0,0,0 V=0,0,0,0 A d4 0 - -", "A1>p7"),
        _BOTTOM_ARM,
    ),
}
"""The board, a barrier, a capture and a bounce."""
