"""Shogi: the captured piece changes sides and comes back."""

from dataclasses import replace

from games.core import Computer, Game, GameRules, Records, Titles
from games.shogi.computer import LEVELS, choose, glance, mate
from games.shogi.computer.openings import opening
from games.shogi.computer.problems import MOTIFS, pose
from games.shogi.editor import EDITOR
from games.shogi.formats import ENCODINGS, FORMATS
from games.shogi.menus import MENUS
from games.shogi.move_reasons import reason
from games.shogi.notation import NOTATION
from games.shogi.options import OPTIONS
from games.shogi.rules import SIDES, start
from games.shogi.speech import ASKING, SPEECH, chronicle

DEMO = (
    "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d3d 2b8h+ 7i8h "
    "B*2e 3d3f 2e3f 3g3f R*2g 2i3g 2g2f+ 3g4e 7a6b B*7e 5a4b B*3e 2f3e 3f3e B*3g "
    "5i6h 3g1i+ 4i5h L*4d R*6e 1i1h 4g4f 7c7d 7e6f 1h2i 6f5e 8b8c 8i7g 8a7c P*2b "
    "7c6e 2b2a+ 6e7g+ 8h7g 2i3i N*3d 4b5a 2a3a 3b3a 4e3c+ S*6d S*4b 5a5b 4b3a+ 6a5a "
)
"""A bishop exchange with drops and promotions, played out by the computer player."""

GAME = Game(
    key="shogi",
    title="Shogi",
    rules=GameRules(
        SIDES,
        start,
        begins=SIDES,  # H2: sente begins, unless the players decide otherwise.
        options=OPTIONS,
        # H17: a tournament, where an illegal move loses, takes nothing back.
        takes_back=lambda options: options["illegal"] != "lose",
        uneven=lambda options: options["handicap"] != "none",  # H20
    ),
    notation=NOTATION,
    menus=MENUS,
    speech=SPEECH,
    asking=replace(ASKING, reason=reason, opening=opening),
    aliases=("将棋", "shōgi", "ajedrez japonés", "japanese chess"),
    demo=tuple(DEMO.split()),
    computer=Computer(choose, LEVELS, advise=mate, glance=glance, pose=pose, motifs=MOTIFS),
    records=Records(FORMATS, ENCODINGS),
    titles=Titles(chronicle, collected=("shogi.feat.drop", "shogi.feat.lightning")),
    editor=EDITOR,
    school=__name__,
)
