"""Cirya: the Númenórean game of ships and sea routes, by Pablo «Aranarth»."""

from dataclasses import replace

from games.cirya.computer import LEVELS, choose, glance
from games.cirya.computer.problems import MOTIFS, pose
from games.cirya.computer.prover import judged
from games.cirya.editor import EDITOR
from games.cirya.formats.ptn import PTN
from games.cirya.menus import MENUS
from games.cirya.notation import NOTATION
from games.cirya.refusals import why_not
from games.cirya.rules import OPTIONS, start
from games.cirya.speech import (
    ASKING,
    PENDING,
    SIDES,
    TURNS,
    chronicle,
    describe,
    notices,
    reason,
    spoken,
    weight,
)
from games.core import Computer, Game, GameRules, Records, Speech, Titles

DEMO = (
    "e5 e1 d1 c1 d2 c2 d3 c3 d4' d5 c4' c5 d4+' e5< d3< b5 a5 Cb4 a5> b4+ Ce5 b4 e5< b3' 2c3< "
    "3b5-12 4d5<22 4b3> d2< 4c3+13 2b5- 6c5-114' 4b4> b5' 6c4< d4 d1< 5c2- c4- b3> d5 c5' Sc4 d2"
)
"""Twenty-two turns between two computers: tall nossi, both flagships, a tampa in the way."""

GAME = Game(
    key="cirya",
    title="Cirya",
    # C4: the lot deals the fleets; the swan always begins.
    rules=GameRules(SIDES, start, begins=SIDES[:1], options=OPTIONS, judge=judged),
    notation=NOTATION,
    menus=MENUS,
    speech=Speech(
        describe, spoken, weight, notices=notices, refusal=why_not, turns=TURNS, pending=PENDING
    ),
    asking=replace(ASKING, reason=reason),
    demo=tuple(DEMO.split()),
    computer=Computer(choose, LEVELS, glance=glance, pose=pose, motifs=MOTIFS),
    records=Records((PTN,)),
    titles=Titles(chronicle, collected=("cirya.feat.fair-wind", "cirya.feat.tower")),
    editor=EDITOR,
    school=__name__,
)
