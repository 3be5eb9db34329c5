"""What makes a drive fail, and drives in short where there are emulators."""

from __future__ import annotations

import doctest
import subprocess
import sys

import pytest

from tests import postgres
from tests.drives import report
from tests.drives.world import EMULATORS, ROOT

pytestmark = pytest.mark.slow

OUTSIDE = pytest.mark.skipif(not EMULATORS.is_dir(), reason=f"no emulators in {EMULATORS}")
ON_A_SERVER = pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)


def drive(*words: str) -> None:
    """Run a drive, which must end well."""
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_report_fails_by_a_single_breach_and_is_taken_up_where_it_was_cut_off(tmp_path):
    assert doctest.testmod(report).failed == 0
    file, found = tmp_path / "tally", report.Report()
    found.forbid(1, "moves lost")
    found.append_to(file)
    file.write_text(file.read_text() + '{"counts": {"mo')
    found.append_to(file)
    assert report.Report.read_from(file) == [found, found]


@OUTSIDE
@pytest.mark.parametrize("platform", ["discord", "telegram"])
def test_a_crowd_is_answered_and_has_its_newest_boards(platform):
    drive("tests.drives.crowd", platform, "--minutes", "1")


@pytest.mark.parametrize("told", [(), ("--told",)])
def test_strangers_learn_nothing_of_members_and_who_is_told_of_finds_that(told):
    words = ("tests.drives.strangers", "--people", "6", "--seconds", "24", *told)
    if told:
        with pytest.raises(AssertionError, match="answers that tell of something private"):
            drive(*words)
    else:
        drive(*words)


@OUTSIDE
def test_a_process_that_is_killed_alone_leaves_nothing_undone():
    drive("tests.drives.fleet", "kills", "3", "--pairs", "3", "--processes", "1")


@OUTSIDE
@ON_A_SERVER
@pytest.mark.parametrize("what", ["kills", "upgrades", "releases"])
def test_processes_that_are_killed_or_replaced_leave_nothing_undone(what):
    drive("tests.drives.fleet", what, "3", "--pairs", "3")


@OUTSIDE
@ON_A_SERVER
def test_processes_divide_the_shards_of_discord_and_take_over_those_of_a_killed_one():
    drive("tests.drives.fleet_shards", "2")
