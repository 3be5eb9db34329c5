"""Whether chances come true: scores and fits known beforehand, and points that are kept."""

from __future__ import annotations

import random
from math import exp, log

import pytest

from games.core.computer import Curve
from tests.tools.chances.__main__ import main
from tests.tools.chances.points import Point, Wanted, gathered, kept
from tests.tools.chances.truth import brier, by_stage, fitted, reliability, tenths


def points(true: float, count: int = 1_200, overlooked: float = 0.0) -> list[Point]:
    """Points of whose log odds *true* times as much comes true, up to what is *overlooked*."""
    lot = random.Random(39)
    found = []
    for number in range(count):
        said = lot.uniform(0.01, 0.99)
        came = overlooked + (1 - 2 * overlooked) / (1 + exp(-true * log(said / (1 - said))))
        won = float(lot.random() < came)
        found.append(Point(number, 1, number % 6, said, won, proved=False))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize(("true", "overlooked"), [(0.4, 0.0), (1.0, 0.0), (2.0, 0.1)])
def test_the_curve_is_found_again(true, overlooked):
    found = fitted(points(true, 2_000, overlooked), Curve(0.8, 0.03))
    for said in (0.02, 0.2, 0.6, 0.9):
        came = Curve(true, overlooked).chance(said)
        assert found.chance(said) == pytest.approx(came, abs=0.05)


def test_a_few_games_change_little():
    known = Curve(0.8, 0.03)
    assert fitted(points(2.0, count=6), known).steepness == pytest.approx(0.8, rel=0.3)


def test_who_says_the_mean_scores_a_quarter_and_who_is_right_less():
    told = points(1.0)
    assert by_stage(told) == pytest.approx(0.25, abs=0.01)
    assert brier(told) < 0.2
    assert reliability(told) < 0.003
    assert sum(one.points for one in tenths(told)) == len(told)
    assert reliability(points(0.4)) > 0.008, "whoever is too sure is found out"


@pytest.mark.slow
def test_points_are_the_same_again_and_kept(tmp_path, capsys):
    file = tmp_path / "points"
    wanted = Wanted("niya", "twice")
    first = list(gathered(wanted, 2, file))
    assert [one.stage for one in first[0]] == [0, 1, 2, 3, 4, 5]
    assert kept(file) == dict(enumerate(first))
    assert list(gathered(wanted, 2, tmp_path / "again")) == first
    main(["niya", str(file), "--games", "2"])
    assert "6 points of 1 games" in capsys.readouterr().out
