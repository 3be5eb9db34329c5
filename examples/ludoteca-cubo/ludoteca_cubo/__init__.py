"""Cubo: four in a line in a cube of 4 × 4 × 4."""

from games.core import Asking, Game
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
    sides=("dark", "light"),
    begins=("lot", "dark", "light"),
    start=start,
    notation=NOTATION,
    menus=MENUS,
    speech=SPEECH,
    choose=choose,
    levels=3,
    aliases=("cuatro en el cubo", "four in the cube"),
    options=OPTIONS,
    asking=Asking(threats=threats),
    demo=("b21", "c21", "b22", "b31", "b23", "c31", "c32"),
)

__all__ = ["CONTRACT", "GAME"]
