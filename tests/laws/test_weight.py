"""The house does not grow unseen: ``ceilings.toml`` says what each room may weigh."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.laws import weight
from tests.rooms import arrows

CEILINGS = tomllib.loads(Path(__file__).with_name("ceilings.toml").read_text(encoding="utf-8"))


def test_no_room_has_more_code_than_it_may():
    may = CEILINGS["lines"]
    over = {room: n for room, n in weight.weights().items() if n > may.get(room, 0)}
    assert over == {}, "take something out, or raise the number with a reason"


def test_the_lightest_house_has_no_room_that_is_gone():
    assert set(CEILINGS["lines"]) <= set(weight.weights())


def test_the_house_has_no_more_code_than_it_may():
    assert sum(weight.weights().values()) <= CEILINGS["lines_in_all"]


def test_the_tests_are_no_longer_than_they_may_be():
    assert weight.lines_of_tests() <= CEILINGS["lines_of_tests"]


def test_no_function_is_long():
    assert weight.long_functions(CEILINGS["functions"]) == []


def test_files_are_subjects_and_not_crumbs():
    small = [p for p in weight.modules() if len(p.read_text("utf-8").splitlines()) <= weight.SMALL]
    assert len(weight.modules()) <= CEILINGS["modules"]
    assert len(small) <= CEILINGS["small"]


def test_the_arrows_between_rooms_are_few():
    found = arrows()
    out = Counter(upper for upper, _ in found)
    assert len(found) <= CEILINGS["arrows"]
    assert {room: n for room, n in out.items() if n > CEILINGS["reach"]} == {}


@pytest.mark.parametrize("paper", CEILINGS["words"])
def test_a_paper_says_no_more_than_can_be_read(paper):
    words = (weight.ROOT / paper).read_text(encoding="utf-8").split()
    assert len(words) <= CEILINGS["words"][paper]
