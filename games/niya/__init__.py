"""Niya: sixteen cards, two colours of markers, and the card just taken says what comes next."""

from dataclasses import replace

from games.core import Computer, Game, GameRules, Titles
from games.niya.computer import choose
from games.niya.computer.problems import MOTIFS, pose
from games.niya.computer.win_chances import odds
from games.niya.editor import EDITOR
from games.niya.menus import MENUS
from games.niya.notation import NOTATION
from games.niya.rules import FOUR_COLOURS, FULL_BOARD, start
from games.niya.speech import ASKING, SPEECH, chronicle, reason

GAME = Game(
    key="niya",
    title="Niya",
    rules=GameRules(
        ("red", "yellow"),
        start,
        begins=("lot", "red", "yellow"),  # N2: no order is tied to a colour.
        options=(FULL_BOARD, FOUR_COLOURS),
    ),
    notation=NOTATION,
    menus=MENUS,
    speech=SPEECH,
    asking=replace(ASKING, reason=reason),
    aliases=("okiya",),
    demo=("O3", "L3", "V3", "V1", "V2", "O2", "L2"),
    computer=Computer(choose, odds=odds, pose=pose, motifs=MOTIFS),
    titles=Titles(chronicle, collected=("niya.feat.double", "niya.feat.block")),
    editor=EDITOR,
    school=__name__,
)
