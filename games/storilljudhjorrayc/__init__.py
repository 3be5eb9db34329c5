"""Storilljuðjorrayc, the battle of two armies on a round board (rules Z1-Z15, G1-G19)."""

from games.core import Format, Game, Option
from games.storilljudhjorrayc.computer import LEVELS, choose
from games.storilljudhjorrayc.formats import read_text, write
from games.storilljudhjorrayc.position import SIDES, read, start
from games.storilljudhjorrayc.variant import OPTIONS
from games.storilljudhjorrayc.words import describe

_DEMO = (
    *("T4 b3-b4", "T5 k3-k4", "JD n2-m2", "T4 j3-k3", "SÞ b2<>a2", "KD g1-i1"),
    *("PD n1-m1", "T5 k4-k5", "JD m2-m3", "T5 k5-k6", "KD o1-n1", "W ~xn1"),
    *("PÞ c1-d1", "W n1-~", "PÞ d1xk6"),
)

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
    demo=_DEMO,
)

__all__ = ["GAME"]
