"""Weights are moved to where they win: by lot, the same again, and from where a run was cut off."""

from __future__ import annotations

import json
import random
from math import exp
from pathlib import Path

import pytest

from games.storilljudhjorrayc.computer import evaluation
from tests.drives.perturbed import Reader
from tests.drives.perturbing import Round, Run, games, gone, main, play, signs, steps
from tests.drives.weights import WEIGHTS, Changes, changes, everything, leaves
from tests.tools.arena.match import Played

CIRYA = Run("cirya", "a", 30, 10.0, 0.03)
STORILL = Run("storilljudhjorrayc", "f", 30, 10.0, 0.03)


def by_lot(run: Run, number: int, plus: Changes, minus: Changes) -> tuple[float, float]:
    """Games that nobody plays."""
    chance = random.Random(f"{run.seed}-{number}-{plus}-{minus}")
    return chance.choice((0.0, 0.5, 1.0)), chance.choice((0.0, 0.5, 1.0))


def perturbed(file: Path, rounds: int, *more: str, playing=by_lot) -> None:
    main(["cirya", str(file), "--rounds", str(rounds), "--nodes", "30", *more], playing)


def test_the_lot_is_the_same_for_the_same_seed_and_round_alone():
    drawn = signs(CIRYA, 3, 200)
    assert drawn == signs(CIRYA, 3, 200)
    assert drawn != signs(CIRYA, 4, 200)
    assert drawn != signs(Run("cirya", "b", 30, 10.0, 0.03), 3, 200)
    assert set(drawn) == {1, -1}
    assert 70 < drawn.count(1) < 130


def test_a_step_is_a_share_of_the_weight_or_of_its_table_s_middle_one_and_never_nothing():
    found = everything("cirya")
    by_name = {str(one): step for one, step in zip(found, steps(CIRYA, found), strict=True)}
    assert by_name["FLAT"] == 0  # the unit
    assert by_name["STANDING"] == round(4.3)
    assert by_name["CAPTIVE[0]"] == round(7.1)
    assert by_name["CAPTIVE[2]"] == round(3.9)
    assert by_name["ROOM"] == 1


@pytest.mark.parametrize("key", sorted(WEIGHTS))
def test_both_differ_in_every_weight_but_the_unit_and_everything_stays_within_the_step(key):
    met: list[tuple[Changes, Changes]] = []

    def noting(run: Run, number: int, plus: Changes, minus: Changes) -> tuple[float, float]:
        met.append((plus, minus))
        return 1.0, 0.5

    run, found = Run(key, "a", 30, 10.0, 0.03), everything(key)
    before = [one.value for one in found]
    after = gone(run, found, [], noting)
    plus, minus = ([_value(side, one) for one in found] for side in met[0])
    ways = list(zip(steps(run, found), signs(run, 0, len(found)), strict=True))
    assert plus == [value + a * b for value, (a, b) in zip(before, ways, strict=True)]
    assert minus == [value - a * b for value, (a, b) in zip(before, ways, strict=True)]
    moved = [value + 0.03 * a * b for value, (a, b) in zip(before, ways, strict=True)]
    assert after == Round((1.0, 0.5), tuple(pytest.approx(one, abs=1e-4) for one in moved))
    assert [one.value for one in found] == before  # nothing is put in the process that asks


def _value(side: Changes, one) -> int:
    held = side[one.module.__name__][one.name]
    return dict(leaves(held))[one.keys]


def test_what_others_are_divided_by_stays_above_nothing():
    hunt = next(one for one in everything("storilljudhjorrayc") if one.name == "HUNT")
    assert [hunt.nearest(value) for value in (-3.0, 0.2, 7.6)] == [1, 1, 8]


def test_known_best_weights_are_roughly_found():
    found = everything("cirya")
    run = Run("cirya", "best", 0, 10.0, 0.1)
    each = [max(1, step) for step in steps(run, found)]
    ways = [4 * sign * step for sign, step in zip(signs(run, -1, len(found)), each, strict=True)]
    best = [one.value + way for one, way in zip(found, ways, strict=True)]
    best[0] = found[0].value

    def far(values) -> float:
        parts = zip(values, best, each, strict=True)
        return sum(((value - there) / step) ** 2 for value, there, step in parts)

    def playing(run: Run, number: int, plus: Changes, minus: Changes) -> tuple[float, float]:
        sides = ([_value(side, one) for one in found] for side in (plus, minus))
        lead = -far(next(sides)) + far(next(sides))
        lot = random.Random(number)
        wins = (float(lot.random() < 1 / (1 + exp(-lead / 10))) for _ in range(2))
        return next(wins), next(wins)

    past: list[Round] = []
    for _ in range(600):
        past.append(gone(run, found, past, playing))
    began = far(one.value for one in found)
    assert far(past[-1].weights) < began / 9  # on average less than a third as far away


def test_a_run_that_was_cut_off_goes_on_as_if_it_had_not_been(tmp_path, capsys):
    through, cut = tmp_path / "through.jsonl", tmp_path / "cut.jsonl"
    perturbed(through, 12)
    told = capsys.readouterr().out
    perturbed(cut, 5)
    whole = cut.read_text("utf-8")
    cut.write_text(whole[:-20], "utf-8")
    perturbed(cut, 12)
    assert cut.read_text("utf-8") == through.read_text("utf-8")
    capsys.readouterr()
    perturbed(cut, 3)  # there is nothing left to do
    assert cut.read_text("utf-8") == through.read_text("utf-8")
    assert capsys.readouterr().out == told


def test_at_the_end_the_weights_are_told_as_they_are_and_as_they_have_become(tmp_path, capsys):
    perturbed(tmp_path / "run.jsonl", 4, playing=lambda *_: (1.0, 0.5))
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("4 rounds, plus against minus: +4 =4 -0, 75.0% [")
    found = everything("cirya")
    last = json.loads((tmp_path / "run.jsonl").read_text("utf-8").splitlines()[-1])["weights"]
    told = [line.rsplit(maxsplit=2) for line in lines]
    assert told == [
        [str(one), str(one.value), f"{value:.1f}"] for one, value in zip(found, last, strict=True)
    ]


@pytest.mark.parametrize("more", [("--seed", "b"), ("--step", "11"), ("--gain", "0.1")])
def test_a_file_of_another_run_is_refused_and_left_alone(tmp_path, more):
    file = tmp_path / "run.jsonl"
    perturbed(file, 2)
    before = file.read_text("utf-8")
    with pytest.raises(SystemExit, match="is not of this run"):
        perturbed(file, 3, *more)
    assert file.read_text("utf-8") == before


@pytest.mark.parametrize("text", ["", "a letter", "a letter\nand more"])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path, text):
    file = tmp_path / "run.jsonl"
    file.write_text(text, "utf-8")
    with pytest.raises(SystemExit, match="is not of this run"):
        perturbed(file, 3)
    assert file.read_text("utf-8") == text


def test_what_a_module_makes_of_its_weights_follows_them():
    dear = {**evaluation.WORTH, "A": 999}
    code = Reader("evaluation", evaluation.__file__, {"WORTH": dear}).get_code("evaluation")
    read: dict[str, object] = {"__name__": "evaluation"}
    exec(code, read)
    units = evaluation.WORTHS
    assert read["WORTH"] == dear
    assert read["WORTHS"] == tuple(999 if one == evaluation.WORTH["A"] else one for one in units)


def test_a_weight_that_the_module_does_not_set_is_refused():
    reader = Reader("evaluation", evaluation.__file__, {"WEIGHT": 1})
    with pytest.raises(LookupError, match="does not set WEIGHT"):
        reader.get_code("evaluation")


@pytest.mark.parametrize("run", [CIRYA, STORILL], ids=lambda run: run.game)
def test_real_games_between_two_who_differ_are_played_the_same_again(run):
    played: list[tuple[Played, Played]] = []

    def playing(run: Run, number: int, plus: Changes, minus: Changes) -> tuple[float, float]:
        played.append(games(run, number, plus, minus))
        return played[-1][0].score, played[-1][1].score

    found = everything(run.game)
    assert gone(run, found, [], playing) == gone(run, found, [], playing)
    assert played[0] == played[1]
    assert all(game.reason != "unfinished" for game in played[0])


def test_each_plays_with_the_weights_that_are_its_own():
    found = everything("cirya")
    good = changes((one, one.value) for one in found)
    bad = changes((one, -one.value) for one in found)
    assert play(CIRYA, 0, good, bad) == (1.0, 1.0)
