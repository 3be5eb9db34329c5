"""How a battle stands, in swordsmen: what the computer player believes."""

from __future__ import annotations

from collections.abc import Mapping

from games.core import Seat
from games.storilljudhjorrayc.battle import Battle
from games.storilljudhjorrayc.board import Army
from games.storilljudhjorrayc.geometry import (
    DIAGONAL,
    FOREST,
    RADIAL,
    SPACES,
    TANGENTIAL,
    Place,
    Space,
)
from games.storilljudhjorrayc.moves import Ambuscade, Attack, Pass, Salvo, StorillMove
from games.storilljudhjorrayc.reach import salvo, targets
from games.storilljudhjorrayc.units import (
    AMBUSH,
    AMBUSH_USES,
    ARCHERS,
    FLANKS,
    GUARD_CLASS,
    GUARDMASTER,
    GUARDS,
    INDEX,
    INFANTRY,
    ROYALS,
    UNITS,
    Label,
    kind_of,
)

WORTH: Mapping[str, float] = {
    "A": 9.0,
    "KM": 10.0,
    "JM": 6.0,
    "S": 2.0,
    "J": 5.0,
    "K": 4.5,
    "P": 4.5,
    "T": 1.5,
    "W": 3.0,
}
"""What the units are worth, in about the reach of a swordsman."""

ROYAL_FALLEN = 8.0
"""What it costs to have lost the first of king and warmaster, besides the unit itself."""

ABANDONED = 1.5
"""What a guard loses without its guardmaster (Z9)."""

THREAT = 0.3
"""How much of what the side that does not move threatens to capture is counted."""

APPROACH: Mapping[Label, float] = {
    **dict.fromkeys(INFANTRY, 0.12),
    **dict.fromkeys(GUARD_CLASS, 0.06),
    **dict.fromkeys((*ARCHERS, *FLANKS), 0.06),
}
"""What a step nearer to the enemy's king or warmaster is worth to those who fight."""

IN_HIDING = 10
"""How many steps away from everything the forest counts."""

_WORTHS = tuple(WORTH[kind_of(label)] for label in UNITS)
_GUARDS = tuple(INDEX[label] for label in GUARDS)
_ROYALS = tuple(INDEX[label] for label in ROYALS)
_FIGHTERS = tuple((INDEX[label], weight) for label, weight in APPROACH.items())


def _distances(origin: Space) -> Mapping[Place, int]:
    """The steps from *origin* to every place, in any direction on the board."""
    found = {origin: 0}
    edge = [origin]
    while edge:
        steps = found[edge[0]] + 1
        near = (n for s in edge for n in (*TANGENTIAL[s], *RADIAL[s], *DIAGONAL[s]))
        edge = [n for n in dict.fromkeys(near) if n not in found]
        found.update(dict.fromkeys(edge, steps))
    # Whoever waits in the forest is near to everything and takes part in nothing.
    return {**found, FOREST: IN_HIDING}


DISTANCES: Mapping[Space, Mapping[Place, int]] = {space: _distances(space) for space in SPACES}
"""The steps from each space to any place."""


def value(battle: Battle, seat: Seat) -> float:
    """How *seat* stands: the armies, and what each side is about to capture.

    Who attacks stays where it is (Z7), so the side to move may count its best capture as
    made, and the other side's threat for a part.
    """
    mover, other = battle.turn, 1 - battle.turn
    balance = material(battle, mover) - material(battle, other)
    balance += best_capture(battle, mover) - THREAT * best_capture(battle, other)
    return balance if seat == mover else -balance


def material(battle: Battle, seat: Seat) -> float:
    """What the army of *seat* is worth where it stands."""
    own = battle.board.armies[seat]
    worth = sum(one for one, place in zip(_WORTHS, own, strict=True) if place is not None)
    if own[INDEX[AMBUSH]] is not None:
        worth -= battle.ambushes[seat] * WORTH[AMBUSH] / AMBUSH_USES
    if any(own[royal] is None for royal in _ROYALS):
        worth -= ROYAL_FALLEN
    if own[INDEX[GUARDMASTER]] in (None, FOREST):
        worth -= ABANDONED * sum(own[guard] is not None for guard in _GUARDS)
    return worth - _remoteness(own, battle.board.armies[1 - seat])


def _remoteness(own: Army, enemy: Army) -> float:
    """How far the fighters of *own* are from a king or warmaster of *enemy*."""
    prey = [DISTANCES[place] for royal in _ROYALS if (place := enemy[royal]) is not None]
    if not prey:
        return 0.0
    return sum(
        weight * min(steps[place] for steps in prey)
        for index, weight in _FIGHTERS
        if (place := own[index]) is not None
    )


def best_capture(battle: Battle, seat: Seat) -> float:
    """The most that *seat* could take at one stroke."""
    board, variant = battle.board, battle.variant
    best = 0.0
    for label in board.left(seat):
        if label in ARCHERS:
            hit = salvo(board, seat, label, variant)
            best = max(best, sum(_signed(battle, space, seat) for space in hit))
        else:
            for space in targets(board, seat, label, variant):
                best = max(best, WORTH[kind_of(board.standing[space][1])])
    return best


def gain(battle: Battle, move: StorillMove) -> float:
    """What *move* takes from the enemy, less what it takes from its own side."""
    match move:
        case Attack() | Ambuscade() | Salvo():
            return sum(_signed(battle, space, battle.turn) for space in battle.fallen(move))
        case Pass():
            return -0.5
        case _:
            return 0.0


def _signed(battle: Battle, space: Place, seat: Seat) -> float:
    owner, label = battle.board.standing[space]
    worth = WORTH[kind_of(label)]
    return -worth if owner == seat else worth
