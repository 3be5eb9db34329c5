"""The reckoning of the drive of long runs, and the drive itself for some seconds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bot.presenters.command_specs import COMMANDS
from tests.drives.report import Report
from tests.drives.soak import FLAT, KINDS, LINES, judge_memory, rise

ROOT = Path(__file__).resolve().parents[2]


def test_memory_that_rises_is_told_from_memory_that_only_sways() -> None:
    assert rise([100, 104, 99, 101, 103, 98, 100]) < FLAT
    assert rise(range(100, 120)) == pytest.approx(19 / 109.5)
    assert rise(range(120, 100, -1)) < 0
    assert rise([*[100] * 30, 110]) < FLAT < 0.10, "one high sample at the end decides"
    assert rise([0, 0]) == rise([7]) == 0


def test_only_the_second_half_of_the_time_is_reckoned() -> None:
    report = Report()
    judge_memory([{"bot": one} for one in (*range(100, 200, 10), *[200] * 11)], report)
    assert (report.lines, report.breaches) == (["bot 100.0-200.0, rises +0.0%"], [])
    judge_memory([{"bot": one} for one in range(100, 120)], report)
    assert report.breaches == ["memory of bot rises"]


def test_every_command_is_given_but_the_one_that_ends_a_guest() -> None:
    known = {command.name for command in COMMANDS}
    assert {kind[1:] for kind in KINDS if kind.startswith("/")} == known - {"forgetme"}
    assert LINES.keys() <= known


@pytest.mark.slow
def test_a_short_soak_loses_nothing() -> None:
    command = [sys.executable, "-m", "tests.drives.soak", "0.6", "--load", "0.6"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert " 0 tracebacks in the log" in done.stdout, done.stdout + done.stderr
    assert "never answered" not in done.stdout
    assert "by a fault" not in done.stdout
    assert done.returncode == 0 or "memory of" in done.stdout, done.stdout
