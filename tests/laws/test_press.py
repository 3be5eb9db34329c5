"""A press goes a short way: through few files and functions, and the end of a game asks little.

``python -m tests.tools.press_call_counts`` prints the same figures. Here the least of some presses
counts: others draw a sprite for the first time, or are counted with what another task does.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.laws.test_weight import CEILINGS
from tests.tools.press_call_counts import Walk, walks_of

HOUSES = 4
"""In so many houses at most presses are made, one after the other."""


def beyond(may: Mapping[str, int], where: str) -> dict[str, int]:
    """The figures that are above those that they *may* be, whatever house is looked at."""
    over, walks = dict(may), list[Walk]()
    for _ in range(HOUSES):
        walks += walks_of(where, houses=1, counted=1)
        least = {name: min(getattr(one, name) for one in walks) for name in may}
        over = {name: figure for name, figure in least.items() if figure > may[name]}
        if not over:
            break
    return over


@pytest.mark.parametrize("where", CEILINGS["press"])
def test_a_press_walks_through_no_more_than_it_may(where):
    assert beyond(CEILINGS["press"][where], where) == {}


def test_the_end_of_a_tournaments_game_walks_through_and_asks_no_more_than_it_may():
    assert beyond(CEILINGS["tournament_end"], "tournament") == {}
