"""Tables of points that are kept hold each number once: copies would fill a worker's memory."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from games.core.number_interning import shared
from games.shogi.computer.evaluation import _parts
from games.storilljudhjorrayc.computer.evaluation import standing


def test_equal_numbers_are_one_object() -> None:
    assert shared(int("12345")) is shared(int("12345"))


def test_tables_of_two_positions_hold_no_number_twice() -> None:
    parts = (tables for _, tables, _ in (*_parts(76, 4), *_parts(60, 12)))
    assert _once(chain(*chain(*parts)))
    assert _once(chain(*standing(0, 3, 5, 0, 0), *standing(0, 9, 14, 1, 1)))


def _once(numbers: Iterable[int]) -> bool:
    kept = list(numbers)
    return len({id(number) for number in kept}) == len(set(kept))
