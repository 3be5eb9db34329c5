"""What makes a drive fail, and all faults in short where there are emulators."""

from __future__ import annotations

import doctest
import subprocess
import sys

import pytest

from tests import postgres
from tests.drives import report
from tests.drives.findings import Dose, Findings
from tests.drives.stage import EMULATORS, ROOT

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "figure", ["lost", "doubled", "stale", "duplicates", "violations", "unanswered"]
)
def test_a_single_one_of_what_may_not_be_fails_a_drive(figure):
    assert Findings(1, "press").good
    found = Findings(1, "press", **{figure: 1})
    assert not found.good
    assert f"{figure} 1" in found.line()


def test_an_answer_after_three_seconds_fails_a_drive():
    assert Findings(1, "press", latencies=[2.9]).good
    assert not Findings(1, "press", latencies=[0.1, 3.0]).good


def test_a_small_share_is_never_nothing():
    assert Dose(1.0).of(200, 6) == 200
    assert Dose(0.02).of(200, 6) == 6


@pytest.mark.slow
@pytest.mark.skipif(not EMULATORS.is_dir(), reason=f"there are no emulators in {EMULATORS}")
def test_every_fault_on_both_platforms_in_short():
    command = [sys.executable, "-m", "tests.drives.faults", "--share", "0.02"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not EMULATORS.is_dir(), reason=f"there are no emulators in {EMULATORS}")
@pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)
@pytest.mark.parametrize("what", ["kills", "upgrades", "releases"])
def test_processes_that_are_killed_or_replaced_leave_nothing_undone(what):
    command = [sys.executable, "-m", "tests.drives.fleet", what, "3", "--pairs", "3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not EMULATORS.is_dir(), reason=f"there are no emulators in {EMULATORS}")
@pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)
def test_processes_divide_the_shards_of_discord_and_take_over_those_of_a_killed_one():
    command = [sys.executable, "-m", "tests.drives.fleet_shards", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_report_fails_by_a_single_breach_and_is_taken_up_where_it_was_cut_off(tmp_path):
    assert doctest.testmod(report).failed == 0
    file, found = tmp_path / "tally", report.Report()
    found.forbid(1, "moves lost")
    found.append_to(file)
    file.write_text(file.read_text() + '{"counts": {"mo')
    found.append_to(file)
    assert report.Report.read_from(file) == [found, found]
