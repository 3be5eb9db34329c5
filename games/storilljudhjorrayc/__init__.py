"""Storilljuðjorrayc, the battle of two armies on a round board (rules Z1-Z15, G1-G19)."""

from games.core import Format, Game, Option
from games.storilljudhjorrayc.computer import LEVELS, choose
from games.storilljudhjorrayc.formats import read_text, write
from games.storilljudhjorrayc.position import SIDES, read, start
from games.storilljudhjorrayc.variant import OPTIONS
from games.storilljudhjorrayc.words import describe

GAME = Game(
    key="storilljudhjorrayc",
    title="Storilljuðjorrayc",
    aliases=(
        *("storill", "storilljuðjorrayc", "storilljudjorrayc"),
        *("redentran chess", "ajedrez redentrano", "xtol unorgja"),
    ),
    sides=SIDES,
    begins=("lot", *SIDES),  # G15
    start=start,
    read=read,
    describe=describe,
    choose=choose,
    levels=LEVELS,
    options=tuple(Option(key, values) for key, values in OPTIONS.items()),
    formats=(Format("western", ".txt", write, read_text),),
    draw_by_agreement=True,  # G16
)

__all__ = ["GAME"]
