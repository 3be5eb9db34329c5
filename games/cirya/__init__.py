"""Cirya: the Númenórean game of ships and sea routes, by Pablo «Aranarth»."""

from games.cirya.computer import choose
from games.cirya.ptn import PTN
from games.cirya.rules import OPTIONS, read, start
from games.cirya.words import SIDES, describe
from games.core import Game

GAME = Game(
    key="cirya",
    title="Cirya",
    sides=SIDES,
    # C4: the lot deals the fleets; the swan always begins.
    begins=(SIDES[0],),
    start=start,
    read=read,
    describe=describe,
    choose=choose,
    options=OPTIONS,
    formats=(PTN,),
)

__all__ = ["GAME"]
