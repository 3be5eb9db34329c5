"""The figures of the rule text of Storilljuðjorrayc: what each kind of unit may do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.menus import steps
from games.storilljudhjorrayc.move_types import Attack
from games.storilljudhjorrayc.notation import read
from games.storilljudhjorrayc.rules import StorillPosition, start
from render.kit import Figure
from render.scene import Last, Scene, Target

KEY = "storilljudhjorrayc"
BOARD = (10, 82, 790, 864)
"""The board without the bars."""

GREEN, PURPLE = 0, 1
"""The sides by seat: green in the north."""


def _scene(seen: StorillPosition, *path: str) -> Scene:
    moves = seen.legal_moves(GREEN) if path else ()
    spelled = [steps(seen, move) for move in moves]
    ends = [s[len(path)] for s in spelled if s[: len(path)] == path]
    targets = tuple(Target("", step) for step in dict.fromkeys(ends))
    return Scene(KEY, seen, ("", ""), bottom=PURPLE, path=path, targets=targets)


def _chosen(green: str, purple: str, *path: str) -> Callable[[], tuple[Scene, ...]]:
    """The scene in which green has chosen *path*, its units and purple's as ``T1:a2 W:~``."""
    sides = (side.replace(" ", ",") for side in (green, purple))
    text = f"{' '.join(sides)} g 0,0 0"
    return lambda: (_scene(read(text, {}), *path),)


def _signs() -> tuple[Scene, ...]:
    before = read("A:n2,JM:p3,JÞ:a1,JD:d3,T1:c1 A:i2,KM:d4,T1:b1,T2:a4,W:~ p 1,0 0", {})
    blow = Attack("KM", "d4", "d3")
    scene = _scene(before.after(blow), "JÞ")
    return (replace(scene, last=(Last(before, PURPLE, blow),)),)


FIGURES: dict[str, Figure] = {
    "board": Figure(lambda: (_scene(start(GAME.setting({"setup": "fixed"}))),), BOARD),
    "signs": Figure(_signs, BOARD),
    "setup": Figure(lambda: (_scene(start(GAME.setting()).seen_by(GREEN)),), BOARD),
    "king": Figure(_chosen("A:a2 JM:b2 JD:p2 T1:c2", "A:i2 T1:a3", "A"), BOARD),
    "warmaster": Figure(_chosen("A:p2 KM:a5 T1:c5", "A:i2 KM:h3 T1:o6", "KM"), BOARD),
    "guard": Figure(_chosen("A:n2 JM:o2 JÞ:a2", "A:i2 T1:g6 T2:b3 KM:h3", "JÞ"), BOARD),
    "abandoned": Figure(_chosen("A:n2 JM:~ JÞ:a2", "A:i2 T1:b3 T2:a4 KM:h3", "JÞ"), BOARD),
    "salvo": Figure(_chosen("A:n2 KD:a1 T2:a3", "A:i2 T1:a2 T4:a4 KM:a5", "KD"), BOARD),
    "flank": Figure(_chosen("A:n2 PÞ:a1 T1:f1", "A:i2 T1:b2 T2:b1 T4:e6 KM:m1", "PÞ"), BOARD),
    "forest": Figure(_chosen("A:n2 JM:~ KÞ:b1 T1:p1", "A:i2 KM:h3 PD:f1", "JM"), BOARD),
    "ambush": Figure(_chosen("A:n2 W:~ KÞ:b1", "A:i2 KM:h3 PD:f1 PÞ:k1 T1:c2", "W"), BOARD),
}
"""The board, a hidden set-up, and the reach of each kind of unit."""
