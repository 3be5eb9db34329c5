"""Niya: sixteen cards, two colours of markers, and the card just taken says what comes next."""

from games.core import Game
from games.niya.asking import ASKING
from games.niya.computer import choose
from games.niya.feats import chronicle
from games.niya.menus import MENUS
from games.niya.notation import NOTATION
from games.niya.options import OPTIONS
from games.niya.rules import Niya, start
from games.niya.speech import SPEECH

GAME = Game(
    key="niya",
    title="Niya",
    aliases=("okiya",),
    sides=("red", "yellow"),
    begins=("lot", "red", "yellow"),  # N2: no order is tied to a colour.
    options=OPTIONS,
    start=start,
    notation=NOTATION,
    menus=MENUS,
    speech=SPEECH,
    choose=choose,
    gives_up=False,
    chronicle=chronicle,
    asking=ASKING,
    demo=("O3", "L3", "V3", "V1", "V2", "O2", "L2"),
)

__all__ = ["GAME", "Niya"]
