"""Boards are rebuilt from their words alone; ``tests.drives.blind`` tries many more."""

from __future__ import annotations

import re

import pytest

from bot.texts import LANGUAGES
from games.core.shelf import shelf
from tests.drives.blind import rebuilt
from tests.drives.blind_readers import READERS

SWAPPED = {
    "niya": [("ficha roja", "ficha amarilla"), ("red marker", "yellow marker")],
    "shogi": [(r"peones (\d)", r"torres \1"), (r"pawns (\d)", r"rooks \1")],
    "cirya": [("del Cisne: ", "del Águila: "), ("Swan (cirya|tampa)", r"Eagle \1")],
    "parchis": [("en casa", "en la meta"), ("at home", "in the goal")],
    "storilljudhjorrayc": [("rey A ", "espada T1 "), ("king A ", "swordsman T1 ")],
}
"""For each game, in each language, what makes a board another one when it is said instead."""


def test_every_game_of_ours_has_a_reader():
    assert set(READERS) == set(shelf())


@pytest.mark.parametrize("key", sorted(READERS))
def test_boards_are_rebuilt_from_their_words(key):
    wrong = [one.wrong() for one in rebuilt(shelf()[key], 3) if not one.right]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("key", sorted(READERS))
def test_other_words_make_another_board(key):
    """What the readers read is what is said: each language is caught by one wrong word."""
    caught = set()
    for one in rebuilt(shelf()[key], 5, seed=1):
        was, instead = SWAPPED[key][LANGUAGES.index(one.code)]
        other = tuple(re.sub(was, instead, sentence, count=1) for sentence in one.said)
        if other != one.said and READERS[key][0](other, one.code) != one.expected:
            caught.add(one.code)
    assert caught == set(LANGUAGES)
