"""What is learnt from games: the judgement is the sum of its weights, and these are found again."""

from __future__ import annotations

import json
import random
from math import exp

import pytest

from games.core.shelf import find_game
from tests.drives.tuning import (
    STEP,
    Sample,
    fit,
    hushed,
    play,
    samples,
    solved,
    stands,
    told,
)
from tests.drives.weights import WEIGHTS, weights


@pytest.mark.parametrize("key", sorted(WEIGHTS))
def test_the_judgement_is_the_sum_of_its_weights(key, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(play(key, 40, "sum")) + "\n", "utf-8")
    game, every = find_game(key), weights(key)
    before = [weight.value for weight in every]
    stood = list(stands(game, [file]))
    with hushed(key):
        looks = [game.glance(stand.position, stand.seat) for stand in stood]
        counting, counted = samples(game, stood, every)
    assert [weight.value for weight in every] == before
    now = [weight.value for weight in counting]
    sums = [sum(a * b for a, b in zip(one.counts, now, strict=True)) for one in counted]
    # Looks are whole points, and so are some of their parts: less than 3 in all. A count found by
    # a raise of STEP is off by less than one part in STEP.
    rounding = 3 + sum(map(abs, now)) / STEP
    assert sums == pytest.approx(looks, abs=rounding)
    assert looks


def test_weights_that_made_the_ends_are_found_again():
    chance = random.Random(7)
    true = (0.9, -0.5, 0.0)
    made = []
    for number in range(4_000):
        counts = tuple(float(chance.randrange(-3, 4)) for _ in true)
        value = sum(a * b for a, b in zip(true, counts, strict=True))
        made.append(Sample(number, counts, float(chance.random() < 1 / (1 + exp(-value)))))
    assert fit(made, (0.0, 0.0, 0.0), 0.0) == pytest.approx(true, abs=0.08)
    assert fit(made, (0.5, 0.5, 0.5), 1e6) == pytest.approx((0.5, 0.5, 0.5), abs=0.01)


def test_linear_equations_are_solved_whatever_their_order():
    assert solved([[0.0, 2.0], [4.0, 1.0]], [6.0, 11.0]) == pytest.approx([2.0, 3.0])


def test_too_few_games_teach_nothing(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("", "utf-8")
    assert list(told("cirya", [file])) == ["at least 5 games are needed"]
