"""Round robins by the Berger tables of the FIDE Handbook (C.05, annex 1). Pure."""

from __future__ import annotations

from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]
"""Two numbers; the first has the first side."""


def berger(count: int, number: int) -> tuple[Pair, ...]:
    """The pairs of the round *number*, from 1 on, of *count* people, in the order of the tables.

    Of an odd *count* one pair holds the number ``count + 1``: the other of the two has a bye.
    """
    even = count + count % 2
    others = even - 1
    pivot = (number - 1) * (even // 2) % others + 1
    first = (pivot, even) if number % 2 else (even, pivot)

    def seat(shift: int) -> int:
        return (pivot + shift - 1) % others + 1

    return (first, *((seat(step), seat(-step)) for step in range(1, even // 2)))


def cycle_length(count: int) -> int:
    """How many rounds it takes until everybody has met everybody."""
    return count - 1 + count % 2


def round_pairs(count: int, number: int, *, double: bool = False) -> tuple[Pair, ...]:
    """The pairs of the round *number*; with *double* the second cycle has the sides changed.

    As the annex recommends, a double cycle has the last two rounds of its first half exchanged:
    nobody has one side three times in a row.
    """
    cycle = cycle_length(count)
    if not double:
        return berger(count, number)
    if number > cycle:
        return tuple((second, first) for first, second in berger(count, number - cycle))
    if cycle > 1 and number >= cycle - 1:
        number = 2 * cycle - 1 - number
    return berger(count, number)
