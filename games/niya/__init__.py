"""Niya: sixteen cards, two colours of markers, and the card just taken says what comes next."""

from games.core import Game
from games.niya.computer import choose
from games.niya.rules import FULL_BOARD, Niya, read, start
from games.niya.words import describe

GAME: Game = Game(
    key="niya",
    title="Niya",
    aliases=("okiya",),
    sides=("red", "yellow"),
    begins=("lot", "red", "yellow"),  # N2: no order is tied to a colour.
    options=(FULL_BOARD,),
    start=start,
    read=read,
    describe=describe,
    choose=choose,
    demo=("O3", "L3", "V3", "V1", "V2", "O2", "L2"),
)

__all__ = ["GAME", "Niya"]
