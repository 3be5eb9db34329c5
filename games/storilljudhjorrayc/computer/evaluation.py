"""How a battle stands, in hundredths of a swordsman's reach: what the computer player believes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import repeat
from operator import getitem
from typing import Final, TypeAlias

from games.core.number_interning import shared
from games.storilljudhjorrayc.computer.bitboard import (
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
from games.storilljudhjorrayc.geometry import (
    DIAGONAL,
    OUTER,
    RADIAL,
    SPACES,
    TANGENTIAL,
    Space,
    circuit_of,
    sector_of,
    sectors,
)
from games.storilljudhjorrayc.units import AMBUSH_USES, UNITS, kind_of

Tables: TypeAlias = tuple[tuple[int, ...], ...]
"""By unit: the points of each place, the forest and being captured included."""

_WEIGHTS: Mapping[str, tuple[int, int, int, int]] = {
    "A": (285, -2, 0, -1),
    "KM": (2285, 1, 2, -1),
    "JM": (605, 10, 11, -3),
    "S": (255, 5, 6, 0),
    "J": (1005, 6, 8, 6),
    "K": (330, 2, 1, 1),
    "P": (475, 3, 0, 2),
    "T": (265, 3, 4, 1),
    "W": (1405, 0, 0, 0),
}
"""By kind: what a unit is worth; what a step nearer to the enemy's king or warmaster is; what that
is worth more with every ply without a capture, for with the same approach all the time two careful
players would wait for each other until all is drawn; and what half a radius more between a unit
and its own meridian is, counted from the middle.

These weights and those that follow were learnt from some thousand pairs of games
(``docs/evidence/weights.md``). ``HUNT``, what archers are worth hidden and what archers, flanks and
swordsmen gain by a step were then set by hand: with ``cage`` they won 54 % (49 to 59) of 300 games.
"""
_BY_KIND: list[dict[str, int]] = [
    dict(zip(_WEIGHTS, each, strict=True)) for each in zip(*_WEIGHTS.values(), strict=True)
]
WORTH, APPROACH, PULL, ASIDE = _BY_KIND

ROYAL_FALLEN: Final = 150
"""What it costs to have lost the first of king and warmaster, besides the unit itself."""

ABANDONED: Final = 345
"""What a guard loses without its guardmaster (Z9)."""

HUNT: Final = 8
"""With every so many units captured, a step nearer is worth as much again."""

BOLDEST: Final = 60
LEAP: Final = 10
"""It grows in leaps of so many plies, since each has tables of its own, up to so many."""

NEAR: Final = 5
"""Who is nearer than so many steps gains by the pull, who is further away loses: that to live is
worth more far from home makes nobody who attacks shy of exchanges.
"""

LEAST: Final = 20
"""Per cent of its worth that a unit keeps wherever it stands: who lives is more than captured."""

HIDDEN: Mapping[str, int] = {"JM": -17, "S": 63, "J": -21, "K": 50, "P": -22, "T": 6, "W": 93}
"""What it is worth to be in the forest, from where every outer space is one step away."""

CIRCUITS: Mapping[str, tuple[int, ...]] = {
    "A": (44, -8, -5, -19),
    "KM": (-4, 32, 3, -5, 10, -8),
    "JM": (-31, 8, 15, -4),
    "S": (27, -20, -14, -20),
    "J": (13, 19, 29, 33),
    "T": (20, 6, 3, 3, -13, 4),
}
"""What it is worth to stand on each circuit, from the outermost inwards."""

TRADE: Final = 52
"""Who is ahead is the more so the fewer are left: by one part in so many for each captured unit."""

FARTHEST: Final = 10
"""From nowhere are there more steps to anywhere."""

_KINDS = tuple(kind_of(label) for label in UNITS)
WORTHS: Final = tuple(WORTH[kind] for kind in _KINDS)
"""The same by unit."""


def _distances(origin: Space) -> tuple[int, ...]:
    """The steps from *origin* to every place, in any direction; the forest is next to circuit 1."""
    found = {origin: 0}
    edge = [origin]
    while edge:
        steps = found[edge[0]] + 1
        near = (n for s in edge for n in (*TANGENTIAL[s], *RADIAL[s], *DIAGONAL[s]))
        edge = [n for n in dict.fromkeys(near) if n not in found]
        found.update(dict.fromkeys(edge, steps))
    return (*(found[space] for space in SPACES), 1 + min(found[space] for space in OUTER))


DISTANCES: Final = tuple(_distances(space) for space in SPACES)
"""The steps from each space to any place."""


def _aside(space: Space, base: int) -> int:
    """The half radii between *space* and the meridian of the army that begins at *base*."""
    # Green's runs between the last radius and the first, purple's on the other side.
    halves = (2 * sector_of(space) + 1) * (16 // sectors(circuit_of(space)))
    return abs(halves - 16) if base else min(halves, 32 - halves)


def worth(field: Field) -> int:
    """How the side to move stands, over the other one."""
    units = field.units
    gone = units.count(GONE, 0, TURN)
    hunt = gone // HUNT
    pull = min(field.quiet, BOLDEST) // LEAP * LEAP
    lead = _army(units[:SIDE], 0, units[SIDE], units[SIDE + 1], hunt, pull, units[USED])
    lead -= _army(units[SIDE:TURN], SIDE, units[0], units[1], hunt, pull, units[USED + 1])
    lead += lead * gone // TRADE
    return -lead if units[TURN] else lead


@lru_cache(maxsize=1 << 14)  # one army of two stays as it is with nearly every move
def _army(units: bytes, base: int, king: int, master: int, hunt: int, pull: int, used: int) -> int:
    """What the army of *units* is worth where it stands, its ambush *used* so often."""
    total = sum(map(getitem, standing(base, king, master, hunt, pull), units))
    if GONE in (units[0], units[1]):
        total -= ROYAL_FALLEN
    if units[MASTER] >= WOODS:
        total -= ABANDONED * sum(units[guard] != GONE for guard in GUARDS_AT)
    if used and units[AMBUSH_AT] != GONE:
        total -= used * WORTH["W"] // AMBUSH_USES
    return total


@cache
def _stations(base: int) -> Mapping[str, tuple[int, ...]]:
    """By kind what each place is worth for itself, in the army whose units begin at *base*."""
    aside = [_aside(space, base) for space in SPACES]

    def points(kind: str, number: int) -> int:
        circuits = CIRCUITS.get(kind, ())
        circuit = circuit_of(SPACES[number]) - 1
        own = circuits[circuit] if circuit < len(circuits) else 0
        return own + ASIDE[kind] * (aside[number] - 8)

    return {
        kind: (*(points(kind, number) for number in range(WOODS)), HIDDEN.get(kind, 0))
        for kind in WORTH
    }


@lru_cache(maxsize=2048)
def standing(base: int, king: int, warmaster: int, hunt: int, pull: int) -> Tables:
    """The worth of each unit of the army that begins at *base*, by its place.

    *king* and *warmaster* are the enemy's places, *hunt* and *pull* the boldness.
    """
    prey = [DISTANCES[royal] for royal in (king, warmaster) if royal < WOODS]
    # Where only one of the two is left, everybody goes for it.
    weight = 2 if len(prey) == 1 else 1
    stations = _stations(base)

    def points(kind: str, place: int) -> int:
        steps = min((one[place] for one in prey), default=0)
        total = WORTH[kind] + stations[kind][place]
        total += weight * (1 + hunt) * APPROACH[kind] * (FARTHEST - steps)
        total += weight * pull * PULL[kind] * (NEAR - steps)
        return max(total, WORTH[kind] * LEAST // 100 + FARTHEST - steps)

    # A compiled function would make a new object of each number it returns.
    tables = {kind: (*map(shared, map(points, repeat(kind), range(GONE))), 0) for kind in WORTH}
    return tuple(tables[kind] for kind in _KINDS)
