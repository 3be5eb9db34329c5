"""How a battle stands, in hundredths of a swordsman's reach: what the computer player believes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from operator import getitem
from typing import Final, TypeAlias

from games.storilljudhjorrayc.computer.field import (
    AMBUSH_AT,
    GONE,
    GUARDS_AT,
    MASTER,
    SIDE,
    TURN,
    USED,
    WOODS,
    Field,
)
from games.storilljudhjorrayc.geometry import DIAGONAL, RADIAL, SPACES, TANGENTIAL, Space
from games.storilljudhjorrayc.units import AMBUSH_USES, UNITS, kind_of

Tables: TypeAlias = tuple[tuple[int, ...], ...]
"""By unit: the points of each place, the forest and being captured included."""

WORTH: Mapping[str, int] = {
    "A": 350,
    "KM": 2500,
    "JM": 430,
    "S": 165,
    "J": 850,
    "K": 370,
    "P": 530,
    "T": 400,
    "W": 900,
}
"""What the units are worth: about half way to what games against itself have taught."""

ROYAL_FALLEN: Final = 450
"""What it costs to have lost the first of king and warmaster, besides the unit itself."""

ABANDONED: Final = 250
"""What a guard loses without its guardmaster (Z9)."""

APPROACH: Mapping[str, int] = {"KM": 0, "T": 8, "JM": 5, "J": 12, "K": 2, "P": 0}
"""What a step nearer to the enemy's king or warmaster is worth to those who fight."""

HUNT: Final = 12
"""With every so many units captured, a step nearer is worth as much again."""

TRADE: Final = 40
"""Who is ahead is the more so the fewer are left: by one part in so many for each captured unit."""

CALM, BOLDEST = 8, 18
"""So it is with every ply without a capture after so many calm ones, so many times at most: with
the same pull all the time, two careful players would wait for each other until all is drawn.
"""

IN_HIDING: Final = 10
"""How many steps away from everything the forest counts: no unit is less near than that."""

_KINDS = tuple(kind_of(label) for label in UNITS)
WORTHS: Final = tuple(WORTH[kind] for kind in _KINDS)
"""The same by unit."""


def _distances(origin: Space) -> tuple[int, ...]:
    """The steps from *origin* to every place, in any direction on the board."""
    found = {origin: 0}
    edge = [origin]
    while edge:
        steps = found[edge[0]] + 1
        near = (n for s in edge for n in (*TANGENTIAL[s], *RADIAL[s], *DIAGONAL[s]))
        edge = [n for n in dict.fromkeys(near) if n not in found]
        found.update(dict.fromkeys(edge, steps))
    # Whoever waits in the forest is near to everything and takes part in nothing.
    return (*(found[space] for space in SPACES), IN_HIDING)


DISTANCES: Final = tuple(_distances(space) for space in SPACES)
"""The steps from each space to any place."""


def worth(field: Field) -> int:
    """How the side to move stands, over the other one."""
    units = field.units
    gone = units.count(GONE, 0, TURN)
    hunt = gone // HUNT + min(max(field.quiet - CALM, 0), BOLDEST)
    lead = _side(units, 0, hunt) - _side(units, SIDE, hunt)
    lead += lead * gone // TRADE
    return -lead if units[TURN] else lead


def _side(units: bytes, base: int, hunt: int) -> int:
    """What the army whose units begin at *base* is worth where it stands."""
    other = SIDE - base
    tables = approach(units[other], units[other + 1], hunt)
    total = sum(map(getitem, tables, units[base : base + SIDE]))
    if GONE in (units[base], units[base + 1]):
        total -= ROYAL_FALLEN
    if units[base + MASTER] >= WOODS:
        total -= ABANDONED * sum(units[base + guard] != GONE for guard in GUARDS_AT)
    used = units[USED + (base > 0)]
    if used and units[base + AMBUSH_AT] != GONE:
        total -= used * WORTH["W"] // AMBUSH_USES
    return total


@lru_cache(maxsize=2048)
def approach(king: int, warmaster: int, hunt: int) -> Tables:
    """What each unit is worth by its place, the enemy's *king* and *warmaster* being on theirs."""
    prey = [DISTANCES[royal] for royal in (king, warmaster) if royal < WOODS]
    # Where only one of the two is left, everybody goes for it.
    weight = (1 + hunt) * (2 if len(prey) == 1 else 1)

    def points(kind: str, place: int) -> int:
        steps = min((one[place] for one in prey), default=0)
        # Whoever lives is never worth less than captured, however far away.
        return WORTH[kind] + APPROACH.get(kind, 0) * weight * (IN_HIDING - steps)

    tables = {kind: (*(points(kind, place) for place in range(GONE)), 0) for kind in WORTH}
    return tuple(tables[kind] for kind in _KINDS)
