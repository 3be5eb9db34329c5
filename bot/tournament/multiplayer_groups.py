"""Tables of three or four, as for Parchís: by score, then with few meetings again. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import TypeAlias

from bot.tournament.values import LARGEST_TABLE, SMALLEST_TABLE

Meetings: TypeAlias = Mapping[frozenset[int], int]
"""How often each two have sat at one table."""

PASSES = 8
"""How often everybody is looked at for a change of places, at most."""


def sizes(count: int) -> tuple[int, ...]:
    """How many sit at each table, as many fours as can be; those who are over have a bye."""
    threes = -count % LARGEST_TABLE
    fours = (count - SMALLEST_TABLE * threes) // LARGEST_TABLE
    if fours < 0:
        return (LARGEST_TABLE,) if count == LARGEST_TABLE + 1 else ()
    return (LARGEST_TABLE,) * fours + (SMALLEST_TABLE,) * threes


def place_points(places: Sequence[Sequence[int]], size: int) -> tuple[int, ...]:
    """The half points by seat of a table of *size*: 3, 2, 1 and 0 by place.

    *places* are the seats by place; those who share one share its points.
    """
    found, best = [0] * size, LARGEST_TABLE - 1
    for sharing in places:
        total = sum(best - n for n in range(len(sharing)))
        for seat in sharing:
            found[seat] = 2 * total // len(sharing)
        best -= len(sharing)
    return tuple(found)


def groups(ordered: Sequence[int], points: Mapping[int, int], met: Meetings) -> list[list[int]]:
    """The tables of *ordered*, the best first, who are as many as ``sizes`` seats.

    People of the same *points* change places until nobody can meet fewer again.
    """
    found: list[list[int]] = []
    waiting = list(ordered)
    for size in sizes(len(ordered)):
        found.append(waiting[:size])
        waiting = waiting[size:]
    for _ in range(PASSES):
        if not _improved(found, points, met):
            break
    return found


def _improved(tables: list[list[int]], points: Mapping[int, int], met: Meetings) -> bool:
    """Let two of the same points change places wherever fewer meet again then; whether any did."""
    changed = False
    for one, other in combinations(tables, 2):
        for n in range(len(one)):
            for m in range(len(other)):
                if points[one[n]] != points[other[m]]:
                    continue
                before = _again(one, met) + _again(other, met)
                one[n], other[m] = other[m], one[n]
                if _again(one, met) + _again(other, met) < before:
                    changed = True
                else:
                    one[n], other[m] = other[m], one[n]
    return changed


def _again(table: Sequence[int], met: Meetings) -> int:
    """How much of *table* was met before; whoever met twice counts for more."""
    return sum(met.get(frozenset(pair), 0) ** 2 for pair in combinations(table, 2))


def seated(table: Sequence[int], sat: Mapping[tuple[int, int], int]) -> tuple[int, ...]:
    """*table* in the order of its seats, so that everybody has each seat about as often.

    *sat* is how often an entrant has had a seat.
    """

    def repeated(order: tuple[int, ...]) -> int:
        return sum(sat.get((one, seat), 0) for seat, one in enumerate(order))

    return min(permutations(table), key=repeated)


def meetings_of(games: Sequence[Sequence[int]]) -> Counter[frozenset[int]]:
    """How often each two sat together in *games*."""
    return Counter(frozenset(pair) for game in games for pair in combinations(game, 2))
