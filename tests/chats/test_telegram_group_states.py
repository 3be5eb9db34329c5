"""Some cells of the drive of Telegram's states: each state once, all ways back, both languages."""

import pytest

from tests.drives.telegram_cells import STEPS, WAYS, singles
from tests.drives.telegram_conditions import PRIVATE, SWITCHES, fits, together
from tests.drives.telegram_group_states import MOST, covering, drive, pairs
from tests.drives.telegram_house import run
from tests.drives.world import emulators

SAMPLE = [
    (("photos",), "niya", "es", "press"),
    (("comments", "words, edits too"), "sheet", "en", "nobody"),
    (("topic closed",), "typed", "es", "service"),
    (("hidden members", "four minutes"), "niya", "en", "nobody"),
    (("migrated", "refused once"), "niya", "es", "line"),
    (("four minutes",), PRIVATE, "es", "nobody"),
]

here = pytest.mark.skipif(not emulators(), reason="the emulators are not beside this checkout")


@pytest.mark.slow
@here
def test_whoever_presses_or_types_hears_something_and_each_table_has_its_newest_board():
    assert run(drive(SAMPLE)).breaches == []


def test_the_covering_array_has_every_two_states_in_both_languages_and_every_state_at_every_step():
    cells = covering(35)
    assert len(cells) <= MOST
    assert {(cell[0], cell[2]) for cell in cells} == {
        (pair, language) for pair in pairs() for language in ("en", "es")
    }
    met = {(name, cell[1], cell[3]) for cell in cells for name in cell[0]}
    states = [name for name in SWITCHES if name != "none"]
    private = [name for name in states if fits((name,), PRIVATE)]
    wanted = {(n, s) for n in states for s in STEPS if s != PRIVATE or n in private}
    assert {(name, step) for name, step, _ in met} == wanted
    assert {(name, way) for name, _, way in met} == {(n, w) for n in states for w in WAYS}
    one = len(SWITCHES) * (len(STEPS) - 1) + len(private) + 1
    assert len(singles()) == 2 * one
    assert len(singles(all_ways=True)) == 2 * one * len(WAYS)


def test_no_group_is_in_two_states_that_exclude_each_other():
    assert not together(SWITCHES["General closed"], SWITCHES["migrated"])
    assert together(SWITCHES["General closed"], SWITCHES["hidden members"])
