"""The reckoning of the drive of long runs, and the drive itself for some seconds."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bot.presenters.command_specs import COMMANDS
from tests.drives.soak_guests import KINDS, LINES
from tests.drives.soak_samples import FLAT, Sample, ranges, rise, risen, second_half

ROOT = Path(__file__).resolve().parents[2]

ONE = Sample(0, 300, 50, 3, 40, 10, 200, 1000, 4000, 300, 1.0)


def run(*bots: int) -> list[Sample]:
    """Samples of a bot with so much memory, fifteen seconds apart."""
    return [replace(ONE, at=15.0 * number, bot=bot) for number, bot in enumerate(bots)]


def test_memory_that_rises_is_told_from_memory_that_only_sways() -> None:
    assert risen(run(100, 104, 99, 101, 103, 98, 100), "bot") < FLAT
    assert risen(run(*range(100, 120)), "bot") == pytest.approx(19 / 109.5)
    assert risen(run(*range(120, 100, -1)), "bot") < 0


def test_one_high_sample_at_the_end_does_not_decide() -> None:
    assert risen(run(*[100] * 30, 110), "bot") < FLAT < 0.10


def test_what_was_never_there_has_not_risen() -> None:
    assert rise([0.0, 15.0], [0, 0]) == 0
    assert rise([0.0], [7]) == 0


def test_only_the_second_half_of_the_time_is_reckoned() -> None:
    samples = run(*range(100, 200, 10), *[200] * 11)
    assert [one.bot for one in second_half(samples)] == [200] * 11
    assert risen(second_half(samples), "bot") == 0
    assert "bot 100-200" in ranges(samples)


def test_every_command_is_given_but_the_one_that_ends_a_guest() -> None:
    assert {kind[1:] for kind in KINDS if kind.startswith("/")} == {
        command.name for command in COMMANDS
    } - {"forgetme"}
    assert LINES.keys() <= {command.name for command in COMMANDS}


@pytest.mark.slow
def test_a_short_soak_loses_nothing() -> None:
    command = [sys.executable, "-m", "tests.drives.soak", "0.6", "--load", "0.6"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert " 0 tracebacks in the log" in done.stdout, done.stdout + done.stderr
    assert "never answered" not in done.stdout
    assert "by a fault" not in done.stdout
    assert done.returncode == 0 or "memory of" in done.stdout, done.stdout
