"""The worth of a board of Cirya, in hundredths of a lying cirya on top."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from games.cirya.board import EMPTY, Board, Shape

FLAT: Final = 100
ENDING: Final = 9
"""More for a lying top for each piece that the smaller reserve has below eight (C16)."""
STANDING: Final = 43
HIGH: Final = 60
OWN_BENEATH: Final = (74, 80, 104)
CAPTIVE: Final = (-71, -39, -35)
"""By top: lying cirya, tampa, hallacirya. Taking a nossë frees what it holds."""
MISSING: Final = (0, 55, 21, 8, 0, 0, 0, 0, 0, 0)
"""By the number of sati that the nearest londë still lacks."""
SEVERAL: Final = 52
"""Two or more sati that would complete a londë: one ply hardly stops them all."""
CENTRE: Final = 13
BARRED: Final = 10
"""For each enemy nossë beside a tampa of one's own: there it does not get any further."""
WATCHED: Final = 20
"""The same beside a hallacirya."""
ROOM: Final = 3
"""For each sat to which a nossë of several pieces may be moved."""
TURN: Final = 59
"""To be the mover."""
FAR: Final = 9
"""More sati than any board lacks: no londë is possible."""


class Hope(NamedTuple):
    """The nearest londë of a fleet: how many sati it lacks, and those that complete it."""

    missing: int
    last: int


@lru_cache(maxsize=1 << 14)  # more finds nothing more: a search asks again soon or never
def nearest(of: Shape, route: int, empty: int) -> Hope:
    """The nearest londë over *route* and *empty* sati, by placements alone."""
    best = Hope(FAR, 0)
    for start, goal in ((of.north, of.south), (of.west, of.east)):
        missing = _missing(of, route, empty, start, goal)
        if missing > best.missing or missing == FAR:
            continue
        last = 0
        if missing == 1:
            near = of.beside(of.flood(route & start, route)) | start
            last = empty & near & (of.beside(of.flood(route & goal, route)) | goal)
        best = Hope(missing, last | (best.last if missing == best.missing else 0))
    return best


def _missing(of: Shape, route: int, empty: int, start: int, goal: int) -> int:
    """How many of the *empty* sati are needed to lead *route* from *start* to *goal*."""
    reached = of.flood(route & start, route)
    for missing in range(FAR):
        if reached & goal:
            return missing
        shore = (of.beside(reached) | start) & empty
        if not shore & ~reached:
            return FAR
        reached |= shore
        reached = of.flood(reached, route | reached)
    return FAR


@lru_cache(maxsize=8)
def inland(of: Shape) -> tuple[int, ...]:
    """The sati off the shore, those two steps off it, and so on."""
    rings = []
    ring = of.full & ~(of.north | of.south | of.west | of.east)
    while ring:
        rings.append(ring)
        ring &= ~of.beside(of.full & ~ring)
    return tuple(rings)


def worth(board: Board) -> int:
    """How much better the mover of *board* stands than the other player."""
    mover = board.mover
    return _side(board, mover) - _side(board, 1 - mover) + TURN


def _side(board: Board, seat: int) -> int:
    of, route, held = board.shape, board.route(seat), board.held(seat)
    enemy, upright, limit = board.held(1 - seat), board.tampar | board.high, board.shape.limit
    standing, high = held & board.tampar, held & board.high
    left = min(board.ciryar[0], board.ciryar[1], board.empty.bit_count())
    total = board.flats(seat) * (FLAT + ENDING * max(0, 8 - left))
    total += standing.bit_count() * STANDING + high.bit_count() * HIGH
    total += (of.beside(standing) & enemy & ~board.tampar).bit_count() * BARRED
    total += (of.beside(high) & enemy & ~board.high).bit_count() * WATCHED
    for ring in inland(of):
        total += (route & ring).bit_count() * CENTRE
    hope = nearest(of, route, board.empty)
    total += MISSING[hope.missing]
    if hope.last & (hope.last - 1):
        total += SEVERAL
    while held:
        bit = held & -held
        held ^= bit
        sat = bit.bit_length() - 1
        under = board.nosse[sat] >> 1
        if under != EMPTY:
            top = 1 if standing & bit else 2 if high & bit else 0
            height = under.bit_length() - 1
            eagles = under.bit_count() - 1
            own = eagles if seat else height - eagles
            total += own * OWN_BENEATH[top] + (height - own) * CAPTIVE[top]
            most = min(height + 1, limit)
            for _, ray, runs in of.runs[sat]:
                total += min(runs[upright & ray].reach, most) * ROOM
    return total
