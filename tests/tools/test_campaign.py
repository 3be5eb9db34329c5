"""A campaign of hours is taken up where it was cut off, and tells everything that failed."""

from __future__ import annotations

import json

import pytest

from tests.drives.campaign import campaign, planned, portions, table, told
from tests.drives.faults import PLATFORMS
from tests.drives.findings import Findings

ROWS = ("F1", "F3")
BOTH = ("discord", "telegram")


class CutOff(BaseException):
    """The machine goes off."""


class Drives:
    """Drives of which the one number *cut* is cut off, and those of *bad* find a lost move."""

    def __init__(self, cut=None, bad=()):
        self.done, self.doses, self.cut, self.bad = [], [], cut, bad

    def __call__(self, platform, row, dose):
        if len(self.done) == self.cut:
            raise CutOff
        self.done.append((row, platform, dose.portion))
        self.doses.append(dose)
        lost = self.done[-1] in self.bad
        return Findings(dose.of(200, 1), "kills", lost=int(lost), latencies=[0.25])


def test_rows_with_kills_are_driven_three_times_and_cheap_ones_ten(tmp_path):
    drives = Drives()
    assert campaign(tmp_path / "told", ROWS, BOTH, drives)
    for platform in BOTH:
        shares = dict.fromkeys(ROWS, 0.0)
        for (row, on, _), dose in zip(drives.done, drives.doses, strict=True):
            shares[row] += dose.share if on == platform else 0.0
        assert shares == {"F1": 3.0, "F3": 10.0}


def test_every_row_of_the_plan_is_in_it():
    assert {row for row, _, _ in planned(PLATFORMS["discord"], BOTH)} == set(PLATFORMS["telegram"])


def test_every_portion_has_a_chance_of_its_own(tmp_path):
    drives = Drives()
    campaign(tmp_path / "told", ("F1",), ("discord",), drives)
    drawn = {dose.rng(5).random() for dose in drives.doses}
    assert len(drawn) == len(drives.doses) == portions("F1")


@pytest.mark.sampled
@pytest.mark.parametrize("cut", [0, 1, 7, 51])
def test_what_was_cut_off_is_taken_up_where_it_was(tmp_path, cut):
    first, second, whole = Drives(cut), Drives(), Drives()
    with pytest.raises(CutOff):
        campaign(tmp_path / "told", ROWS, BOTH, first)
    assert campaign(tmp_path / "told", ROWS, BOTH, second)
    assert campaign(tmp_path / "whole", ROWS, BOTH, whole)
    assert first.done + second.done == whole.done
    assert not Drives(0).done
    assert campaign(tmp_path / "told", ROWS, BOTH, Drives(0)), "nothing is left to be driven"


def test_a_line_that_was_cut_off_is_driven_again(tmp_path):
    file = tmp_path / "told"
    campaign(file, ("F1",), ("discord",), Drives())
    lines = file.read_text()
    file.write_text(lines[: lines.rstrip().rindex("\n") + 40])
    again = Drives()
    assert campaign(file, ("F1",), ("discord",), again)
    assert again.done == [("F1", "discord", 5)]
    assert len(told(file)) == 6


def test_what_failed_is_driven_again_and_not_forgotten(tmp_path):
    file = tmp_path / "told"
    assert not campaign(file, ROWS, BOTH, Drives(bad=[("F3", "telegram", 4)]))
    assert "| F3 | repeated | telegram | 2,000 kills | 10 | 1 | 0 | 0 | 0 | 250 ms |" in _table(
        file
    )
    again = Drives()
    assert campaign(file, ROWS, BOTH, again)
    assert again.done == [("F3", "telegram", 4)]
    assert "| F3 | repeated | telegram | 2,000 kills | 10 | 0 | 0 | 0 | 0 | 250 ms |" in _table(
        file
    )
    assert "52 of 52 portions in 0.0 h, 1 of them failed" in _table(file)


def test_what_failed_waits_for_what_is_new_of_the_same_number(tmp_path):
    file = tmp_path / "told"
    with pytest.raises(CutOff):
        campaign(file, ROWS, BOTH, Drives(2, bad=[("F1", "discord", 0)]))
    again = Drives(3)
    with pytest.raises(CutOff):
        campaign(file, ROWS, BOTH, again)
    assert again.done == [("F1", "telegram", 0), ("F3", "telegram", 0), ("F1", "discord", 0)]


def test_the_table_tells_how_many_were_driven_of_all(tmp_path):
    file = tmp_path / "told"
    with pytest.raises(CutOff):
        campaign(file, ROWS, BOTH, Drives(9))
    shown = _table(file)
    assert "| F1 | killed | discord | 300 kills | 1.5 | 0 | 0 | 0 | 0 | 250 ms |" in shown
    assert "9 of 52 portions" in shown
    assert all(json.loads(line)["share"] == 0.5 for line in file.read_text().splitlines())


def _table(file):
    return table(file, {"F1": "killed", "F3": "repeated"}, 2)
