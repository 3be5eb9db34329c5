"""Parchís with one die, for two, three or four."""

from dataclasses import replace

from games.core import Computer, Game, GameRules, Speech, Titles
from games.parchis.board import SIDES
from games.parchis.computer import choose, odds, weigh
from games.parchis.computer.evaluation import lead
from games.parchis.computer.problems import MOTIFS, pose
from games.parchis.editor import EDITOR
from games.parchis.menus import MENUS
from games.parchis.notation import NOTATION
from games.parchis.refusals import refusal
from games.parchis.rules import OPTIONS, start
from games.parchis.speech import ASKING, TURNS, chronicle, describe, notices, reason, spoken, weight

_DEMO = (
    "tirar -- tirar -- tirar R1>39 tirar -- tirar R1>41 tirar -- tirar -- tirar -- tirar "
    "R2>39 tirar -- tirar R2>41 tirar -- tirar R1>44 tirar -- tirar -- tirar R1>48 tirar -- "
    "tirar R2>47 tirar R1>51 tirar -- tirar R2>53 tirar R2>59 tirar R2>61 tirar -- tirar "
    "R3>39 tirar -- tirar R1>54 tirar -- tirar R1>57 tirar -- tirar R4>39 tirar -- tirar "
    "R2>63 tirar A1>5 tirar R1>59 tirar A1>7 tirar R2>67 tirar A1>9 tirar R2>4 tirar A1>15 "
    "tirar A1>16 tirar R1>64 tirar A1>20 tirar R3>46 tirar R2>5 tirar A1>21 tirar R1>68 "
    "tirar A1>24 tirar R3>51 tirar A1>28 tirar R1>3 tirar A1>34 tirar A2>5 tirar R2>8 tirar "
    "A1>38 tirar R1>8 tirar A2>7 tirar"
)
"""Two computers on the public draws, until red may open a barrier or keep it."""

GAME = Game(
    key="parchis",
    title="Parchís",
    rules=GameRules(
        SIDES,
        start,
        begins=("rolls",),  # P2: the rolls for the start are draws of the game itself.
        seats=range(2, 5),
        default_sides={2: ("yellow", "red")},  # B12: two sit opposite each other.
        options=OPTIONS,
    ),
    notation=NOTATION,
    menus=MENUS,
    speech=Speech(describe, spoken, weight, notices=notices, refusal=refusal, turns=TURNS),
    asking=replace(ASKING, reason=reason),
    aliases=("parcheesi", "parchisi"),
    demo=tuple(_DEMO.split()),
    computer=Computer(choose, weigh=weigh, glance=lead, odds=odds, pose=pose, motifs=MOTIFS),
    titles=Titles(chronicle, collected=("parchis.feat.unhurt", "parchis.feat.hungry")),
    editor=EDITOR,
    school=__name__,
)
