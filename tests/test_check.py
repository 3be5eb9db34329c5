"""What fails is asked once more, and neither hides the other."""

from __future__ import annotations

import sys

import pytest

from tests.check import Check, look, run

GOOD, BAD = ((sys.executable, "-c", f"raise SystemExit({status})") for status in (0, 1))


@pytest.mark.parametrize(
    ("command", "again", "status"),
    [(GOOD, None, 0), (BAD, None, 1), (GOOD, BAD, 0), (BAD, GOOD, 0), (BAD, BAD, 1)],
)
def test_what_fails_twice_fails(command, again, status):
    assert run((Check("tests", command, again=again),)) == status


@pytest.mark.parametrize(("first", "status"), [(GOOD, 1), (BAD, 0)])
def test_what_needs_a_whole_run_is_not_judged_by_half_of_one(first, status, capsys):
    checks = (Check("tests", first, again=GOOD), Check("coverage", BAD, whole=True))
    assert run(checks) == status
    assert ("skipped: not everything" in capsys.readouterr().out) == (status == 0)


def test_all_static_checks_run_though_the_first_fails(capsys, tmp_path):
    said = (sys.executable, "-c", "print('seen')")
    checks = (Check("a", BAD), Check("b", said), Check("c", GOOD, tool=tmp_path / "absent"))
    assert look(checks) == 1
    assert capsys.readouterr().out.split("── ")[1:] == [
        "a\n\n",
        "b\nseen\n",
        "c\nskipped: npm install has not been run here\n",
    ]
    assert look(checks[1:]) == 0
