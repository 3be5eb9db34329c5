"""Whether chances come true: scores and fits known beforehand, and points that are kept."""

from __future__ import annotations

import random
from math import exp, log

import pytest

from tests.tools.chances.__main__ import main
from tests.tools.chances.points import Point, Wanted, gathered, kept
from tests.tools.chances.truth import brier, fifths, half, steepness


def points(true: float, count: int = 4_000) -> list[Point]:
    """Points of whose log odds *true* times as much comes true."""
    lot = random.Random(39)
    found = []
    for number in range(count):
        said = lot.uniform(0.05, 0.95)
        came = 1 / (1 + exp(-true * log(said / (1 - said))))
        won = float(lot.random() < came)
        found.append(Point(number, 1, number % 4, said, won, proved=False))
    return found


@pytest.mark.parametrize("true", [0.3, 1.0, 3.0])
def test_the_steepness_of_a_curve_is_found_again(true):
    assert steepness(points(true)) == pytest.approx(true, rel=0.12)


def test_what_is_proved_is_no_opinion():
    sure = [Point(0, 1, 0, 1.0, 0.0, proved=True)] * 100
    assert steepness([*points(1.0), *sure]) == steepness(points(1.0))


def test_who_says_a_half_scores_a_quarter_and_who_is_right_less():
    told = points(1.0)
    assert half(told) == 0.25
    assert brier(told) < 0.2
    assert all(abs(one.said - one.won) < 0.05 for one in fifths(told))
    assert sum(one.points for one in fifths(told)) == len(told)


@pytest.mark.slow
def test_points_are_the_same_again_and_kept(tmp_path, capsys):
    file = tmp_path / "points"
    wanted = Wanted("niya", "twice")
    first = list(gathered(wanted, 2, file))
    assert [one.stage for one in first[0]] == [0, 1, 2, 3]
    assert kept(file) == dict(enumerate(first))
    assert list(gathered(wanted, 2, tmp_path / "again")) == first
    main(["niya", str(file), "--games", "2"])
    assert "points of 2 games" in capsys.readouterr().out
