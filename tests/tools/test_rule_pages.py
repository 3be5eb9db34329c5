"""Every rule has a test that names it, and the pages of rules are those of today.

After a change that was meant, write them anew by ``python -m tests.tools.rule_pages``.
"""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.texts import chapter_numbers
from games.core.shelf import shelf
from tests.tools.rule_pages import (
    FOLDER,
    PICTURES,
    RULES,
    examples,
    kept,
    named_in_tests,
    numbers,
    pages,
    picture,
    pictures,
    refusal_of,
    refused,
    rules,
)


@pytest.mark.parametrize("game", sorted(shelf()))
def test_every_rule_of_a_game_is_named_by_a_test(game):
    assert rules(game)
    assert [rule for rule in rules(game) if rule not in named_in_tests()] == []


@pytest.mark.parametrize("game", sorted(shelf()))
def test_code_and_chapters_cite_no_rule_that_there_is_not(game):
    letters = set(RULES[game])
    assert set(RULES) == set(shelf())
    cited = {rule for rule in (*kept(game), *chapter_numbers(game)) if rule[0] in letters}
    # «Z-K» is a note on the kind of piece, not a number.
    assert {rule for rule in cited if "-" not in rule} - set(rules(game)) == set()


def test_the_pages_are_those_of_today():
    assert {one.name: one.read_text("utf-8") for one in FOLDER.glob("*.md")} == pages()


@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.key)
def test_every_rule_is_told_with_a_moment_and_the_refusal_that_names_it(game):
    told = examples(game.key)
    assert [one.rule for one in told] == rules(game.key)
    heard = {one.rule: refusal_of(game, one) for one in told}
    assert {rule: one.rule for rule, one in heard.items() if one and one.rule != rule} == {}
    assert {rule for rule in refused(game.key) if heard.get(rule) is None} == set()


def test_each_picture_is_there_and_no_other():
    assert {one.name for one in PICTURES.iterdir()} == set(pictures())
    assert sum(one.stat().st_size for one in PICTURES.iterdir()) < 1_500_000


@pytest.mark.sampled
@pytest.mark.parametrize("name", sorted(pictures()))
def test_a_picture_is_what_the_painter_paints_today(name):
    drawn = Image.open(PICTURES / name).convert("L")
    painted = Image.open(io.BytesIO(picture(*pictures()[name]))).convert("L")
    assert ImageStat.Stat(ImageChops.difference(drawn, painted)).mean[0] < 1


def test_ranges_are_read_as_all_that_lies_between():
    assert list(numbers("C3, H20–H23 and P2-4; A1b")) == [
        *("C3", "H20", "H21", "H22", "H23", "P2", "P3", "P4"),
    ]
