"""Shogi: the captured piece changes sides and comes back."""

from games.core import Game
from games.shogi.computer import choose
from games.shogi.formats import ENCODINGS, FORMATS, decode
from games.shogi.rules import SIDES, Shogi, read, start
from games.shogi.terms import OPTIONS, may_take_back
from games.shogi.words import describe

GAME: Game = Game(
    key="shogi",
    title="Shogi",
    aliases=("将棋", "shōgi", "ajedrez japonés"),
    sides=SIDES,
    begins=SIDES,  # H2: sente begins, unless the players decide otherwise.
    options=OPTIONS,
    start=start,
    read=read,
    describe=describe,
    choose=choose,
    formats=FORMATS,
    takes_back=may_take_back,
    encodings=ENCODINGS,
)

__all__ = ["GAME", "Shogi", "decode"]
