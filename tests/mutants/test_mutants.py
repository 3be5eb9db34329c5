"""The sample of mutants is the same each time, and hours of trials are taken up again."""

from __future__ import annotations

import builtins
from collections.abc import Callable

import pytest

pytest.importorskip("mutmut", reason="mutmut is not installed; it is one of the dev extra")

from tests.mutants.__main__ import known, report, tried
from tests.mutants.sample import ROOT, sampled
from tests.mutants.trial import Verdict, fast_tests
from tests.mutants.warm import HITS, exchange, noting

RULES = '''"""Rules."""

FREE = 3


def fits(count: int, room: int = 4) -> bool:
    """Whether *count* fits into *room*."""
    return count + FREE <= room and count > 0


def first(row: tuple[int, ...]) -> int:
    """The first of *row*."""
    return row[0]
'''


@pytest.fixture(name="folder")
def _folder(tmp_path):
    for game in ("alpha", "beta"):
        (tmp_path / "games" / game).mkdir(parents=True)
        (tmp_path / "games" / game / "rules.py").write_text(RULES)
    return tmp_path / "games"


def test_a_mutant_is_its_file_with_one_change(folder):
    for one in sampled(1000, 1, folder):
        assert one.text != RULES
        assert one.file == f"games/{one.game}/rules.py"
        compile(one.text, one.file, "exec")
        gone = [line[1:] for line in one.diff.splitlines() if line.startswith("-")]
        assert len(gone) == 1
        assert gone[0] in RULES


def test_the_sample_is_the_same_for_the_same_seed(folder):
    every = [one.key for one in sampled(1000, 1, folder)]
    assert len(every) == len(set(every)) > 12
    assert [one.key for one in sampled(9, 1, folder)] == every[:9]
    assert [one.key for one in sampled(9, 2, folder)] != every[:9]


def test_a_change_of_the_code_replaces_few_of_the_sample(folder):
    before = {one.key for one in sampled(12, 1, folder)}
    file = folder / "alpha" / "rules.py"
    file.write_text(RULES.replace("FREE = 3", "FREE = 3\nFULL = 17"))
    after = {one.key for one in sampled(12, 1, folder)}
    assert len(before & after) >= 9


def test_annotations_are_left_alone(folder):
    assert not [one for one in sampled(1000, 1, folder) if "tuple[None" in one.text]


class Trials:
    """Tests that notice nothing at lines with *blind*."""

    def __init__(self, blind="", least=10**9):
        self.seen, self.blind, self.least = [], blind, least

    def __call__(self, mutant):
        if len(self.seen) == self.least:
            raise KeyboardInterrupt
        self.seen.append(mutant.key)
        return Verdict("survived" if self.blind and self.blind in mutant.diff else "killed")


def test_trials_are_taken_up_where_they_were_cut_off(folder, tmp_path):
    mutants, file = sampled(1000, 1, folder), tmp_path / "told"
    first, second = Trials(least=7), Trials()
    with pytest.raises(KeyboardInterrupt):
        tried(mutants, file, first, again=False)
    file.write_text(file.read_text()[:-30])
    tried(mutants, file, second, again=False)
    assert first.seen[:6] + second.seen == [one.key for one in mutants]
    assert known(file).keys() == {one.key for one in mutants}


def test_the_report_counts_by_game_and_shows_what_lives(folder, tmp_path):
    mutants, file = sampled(1000, 1, folder), tmp_path / "told"
    tried(mutants, file, Trials("room"), again=False)
    lives = [one for one in mutants if "room" in one.diff]
    same = {lives[0].key: "for a reason"}
    shown = report(mutants, file, same)
    assert f"| all | {len(mutants)} | {len(mutants)} | {len(mutants) - len(lives)} | 1 |" in shown
    assert lives[0].key not in shown
    assert all(one.diff in shown for one in lives[1:])
    again = Trials()
    tried(mutants, file, again, again=True)
    assert again.seen == [one.key for one in lives], "with a new test those that lived are tried"
    assert "| 0 | 0 | 100.0 % |" in report(mutants, file, same)


def test_the_code_of_the_function_that_differs_is_found_and_can_be_exchanged():
    space: dict[str, Callable[..., int]] = {}
    exec(RULES, space)  # a module as it was imported
    fits = space["fits"]
    found = exchange(RULES, RULES.replace("count > 0", "count > 1"))
    assert found is not None
    assert found[0].co_name == "fits"
    assert fits(1)
    fits.__code__ = found[1]
    assert not fits(1)


@pytest.mark.parametrize(
    ("old", "new"), [("FREE = 3", "FREE = 4"), ("room: int = 4", "room: int = 5"), ("0]", "0]\n")]
)
def test_what_stands_outside_functions_or_changes_nothing_is_none_to_be_exchanged(old, new):
    assert exchange(RULES, RULES.replace(old, new)) is None


def test_a_function_notes_that_it_runs_and_does_what_it_does(monkeypatch):
    space: dict[str, Callable[..., int]] = {}
    exec(RULES, space)
    hits: set[str] = set()
    monkeypatch.setattr(builtins, HITS, hits, raising=False)
    for line, code in noting(RULES, "rules.py").items():
        for one in (space["fits"], space["first"]):
            if one.__code__.co_firstlineno == line:
                one.__code__ = code
    assert space["first"]((7, 8)) == 7
    assert hits == {"rules.py:11"}


@pytest.mark.parametrize(
    "game", ["cirya", "core", "niya", "parchis", "shogi", "storilljudhjorrayc"]
)
def test_every_game_has_its_tests_and_none_that_is_slow(game):
    files = [ROOT / one for one in fast_tests(game) if one.startswith("tests/")]
    assert len(files) >= 3
    assert all(file.exists() for file in files)
    assert not [file for file in files if file.stem.endswith("_reference")]
