"""Parameters of which only some are tried in every run, and the rest in the slow lane.

``@pytest.mark.parametrize(("game", "theme"), by_turns(shelf(), THEMES))`` tries each game with some
themes and each theme with some games; all pairs in the slow lane.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet


def by_turns(
    keys: Iterable[object], others: Iterable[object], share: int = 2
) -> list[ParameterSet]:
    """All pairs: one in *share* for every run, so that each value comes, and the rest slowly."""
    rows, columns = list(keys), list(others)
    assert share <= max(len(rows), len(columns))
    return [
        pytest.param(key, other, marks=[] if (row + column) % share == 0 else [pytest.mark.slow])
        for row, key in enumerate(rows)
        for column, other in enumerate(columns)
    ]


def slowly(keys: Iterable[object], *others: object) -> list[ParameterSet]:
    """The *keys*, each with the *others*, for the slow lane."""
    return [pytest.param(key, *others, marks=pytest.mark.slow) for key in keys]


def one_and_slowly_all(keys: Iterable[str]) -> list[ParameterSet]:
    """The *keys* in their order: the first for every run, the others for the slow lane."""
    first, *others = sorted(keys)
    return [pytest.param(first), *slowly(others)]
