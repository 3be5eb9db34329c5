"""Niya: sixteen cards, two colours of markers, and the card just taken says what comes next."""

from dataclasses import replace

from games.core import Game
from games.niya.computer import choose
from games.niya.computer.odds import odds
from games.niya.computer.problems import pose
from games.niya.editor import EDITOR
from games.niya.menus import MENUS
from games.niya.notation import NOTATION
from games.niya.rules import FULL_BOARD, start
from games.niya.speech import ASKING, SPEECH, chronicle, reason

GAME = Game(
    key="niya",
    title="Niya",
    aliases=("okiya",),
    sides=("red", "yellow"),
    begins=("lot", "red", "yellow"),  # N2: no order is tied to a colour.
    options=(FULL_BOARD,),
    start=start,
    notation=NOTATION,
    editor=EDITOR,
    menus=MENUS,
    speech=SPEECH,
    choose=choose,
    gives_up=False,
    chronicle=chronicle,
    collected=("niya.feat.double", "niya.feat.block"),
    asking=replace(ASKING, reason=reason),
    demo=("O3", "L3", "V3", "V1", "V2", "O2", "L2"),
    odds=odds,
    pose=pose,
    school=__name__,
)
