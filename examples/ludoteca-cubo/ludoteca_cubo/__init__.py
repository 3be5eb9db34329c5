"""Cubo: four in a line in a cube of 4 × 4 × 4."""

from games.core import Asking, Computer, Game, GameRules
from ludoteca_cubo.computer import choose
from ludoteca_cubo.menus import MENUS
from ludoteca_cubo.notation import NOTATION
from ludoteca_cubo.options import OPTIONS
from ludoteca_cubo.rules import start
from ludoteca_cubo.speech import SPEECH, threats

CONTRACT = 1
"""The contract with Ludoteca it is made for."""

GAME = Game(
    key="cubo",
    title="Cubo",
    rules=GameRules(("dark", "light"), start, begins=("lot", "dark", "light"), options=OPTIONS),
    notation=NOTATION,
    menus=MENUS,
    speech=SPEECH,
    asking=Asking(threats=threats),
    aliases=("cuatro en el cubo", "four in the cube"),
    demo=("b21", "c21", "b22", "b31", "b23", "c31", "c32"),
    computer=Computer(choose),
)

__all__ = ["CONTRACT", "GAME"]
