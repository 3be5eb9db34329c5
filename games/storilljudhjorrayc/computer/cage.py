"""What it is worth that the last of king and warmaster has nowhere to go.

A warmaster runs two spaces at a time: eight units chase it for a hundred plies, unless taking a
space away from it counts as progress.
"""

from __future__ import annotations

from typing import Final

from games.storilljudhjorrayc.computer.bitboard import (
    ABANDONED,
    BIT,
    GONE,
    GUARD,
    MASTER,
    ROW,
    SHOOTER,
    SIDE,
    WOODS,
    Bits,
    Field,
    Ground,
)

CAGED_UNITS: Final = 3
"""An army of more than so many units is not in a cage."""

FREEDOM: Final = 200
"""What a space is worth where the hunted one would be safe. Of 50 to 1,600 in 159 endings 400
won the most, and of 465 others 200 won five more.
"""

ROOM: Final = (6, 14)
"""From so many safe spaces on a king, a warmaster is free: hardly ever has either more."""


def caged(ground: Ground, field: Field, base: int) -> int:
    """How well the army whose units begin at *base* surrounds the other's last royal, in points.

    0 where the other still has both, more than a few units, or as many as the hunters.
    """
    units = field.units
    other = SIDE - base
    if (units[other] == GONE) == (units[other + 1] == GONE):
        return 0
    left = SIDE - units.count(GONE, other, other + SIDE)
    if left > CAGED_UNITS or left >= SIDE - units.count(GONE, base, base + SIDE):
        return 0
    prey = 0 if units[other] != GONE else 1
    place = units[other + prey]
    crowd = field.green | field.purple
    safe = sum(
        not _is_struck(ground, units, base, prey, to, crowd & ~BIT[place] | BIT[to])
        for to in (place, *ground.reached(ROW[prey], place, crowd))
    )
    return FREEDOM * max(0, ROOM[prey] - safe)


def _is_struck(ground: Ground, units: bytes, base: int, prey: int, place: int, crowd: Bits) -> bool:
    """Whether a unit of the army that begins at *base* could capture the *prey* on *place*."""
    space = BIT[place]
    for unit in range(SIDE):
        origin = units[base + unit]
        # Z11: kings may not capture each other.
        if origin == GONE or unit == prey == 0:
            continue
        row = ROW[unit]
        if row == SHOOTER:
            if origin < 16 and ground.beams[origin] & space:
                return True
            continue
        if row == GUARD and units[base + MASTER] >= WOODS:
            row = ABANDONED
        if ground.sights[row][origin] & space and ground.aimed(row, origin, crowd) & space:
            return True
    return False
