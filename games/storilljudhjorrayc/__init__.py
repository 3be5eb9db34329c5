"""Storilljuðjorrayc, the battle of two armies on a round board (rules Z1-Z15, G1-G19)."""

from dataclasses import replace

from games.core import Computer, Game, GameRules, Records, Titles
from games.storilljudhjorrayc.computer import LEVELS, choose, glance
from games.storilljudhjorrayc.computer.hunt import hunted
from games.storilljudhjorrayc.computer.problems import MOTIFS, pose
from games.storilljudhjorrayc.editor import EDITOR
from games.storilljudhjorrayc.formats.western import WESTERN
from games.storilljudhjorrayc.menus import MENUS
from games.storilljudhjorrayc.move_reasons import reason
from games.storilljudhjorrayc.notation import NOTATION
from games.storilljudhjorrayc.options import OPTIONS
from games.storilljudhjorrayc.rules import start
from games.storilljudhjorrayc.speech import ASKING, SPEECH, chronicle
from games.storilljudhjorrayc.units import SIDES

_DEMO = (
    *("T4 b3-b4", "T5 k3-k4", "JD n2-m2", "T4 j3-k3", "SÞ b2<>a2", "KD g1-i1"),
    *("PD n1-m1", "T5 k4-k5", "JD m2-m3", "T5 k5-k6", "KD o1-n1", "W ~xn1"),
    *("PÞ c1-d1", "W n1-~", "PÞ d1xk6"),
)

GAME = Game(
    key="storilljudhjorrayc",
    title="Storilljuðjorrayc",
    rules=GameRules(
        SIDES,
        start,
        begins=("lot", *SIDES),  # G15
        options=OPTIONS,
        solo={"setup": "fixed"},  # A hidden set-up has nothing to look at.
        draw_by_agreement=True,  # G16
    ),
    notation=NOTATION,
    menus=MENUS,
    speech=SPEECH,
    asking=replace(ASKING, reason=reason),
    aliases=(
        *("storill", "storilljuðjorrayc", "storilljudjorrayc"),
        *("redentran chess", "ajedrez redentrano", "xtol unorgja"),
    ),
    demo=_DEMO,
    computer=Computer(choose, LEVELS, advise=hunted, glance=glance, pose=pose, motifs=MOTIFS),
    records=Records((WESTERN,)),
    titles=Titles(
        chronicle, collected=("storilljudhjorrayc.feat.ambush", "storilljudhjorrayc.feat.raid")
    ),
    editor=EDITOR,
    school=__name__,
)
