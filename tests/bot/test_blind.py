"""Boards are rebuilt from their words alone, in every language, as the games write them.

A reader that knows the words but not the games (``blind_readers``) puts the board together again.
What is hidden from the viewer is compared as the viewer may see it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from bot.texts import LANGUAGES, language
from games.core import Game
from games.core.shelf import shelf
from tests.bot.blind_readers import READERS, Board, in_colours
from tests.games.random_walks import random_setting, walk

PLIES = {"niya": 26, "cirya": 60, "shogi": 160, "parchis": 400, "storilljudhjorrayc": 160}
"""How far games are played at most, so that boards of every stage come up."""

NAMES = {seat: f"N{seat}" for seat in range(4)}

SWAPPED = {
    "niya": [("ficha roja", "ficha amarilla"), ("red marker", "yellow marker")],
    "shogi": [(r"peones (\d)", r"torres \1"), (r"pawns (\d)", r"rooks \1")],
    "cirya": [("del Cisne: ", "del Águila: "), ("Swan (cirya|tampa)", r"Eagle \1")],
    "parchis": [("en casa", "en la meta"), ("at home", "in the goal")],
    "storilljudhjorrayc": [("rey A ", "espada T1 "), ("king A ", "swordsman T1 ")],
}
"""For each game, in each language, what makes a board another one when it is said instead."""


@dataclass(frozen=True)
class Rebuilt:
    """A board as its notation has it, and as a reader of the words in *code* has it."""

    code: str
    said: tuple[str, ...]
    written: str
    expected: Board
    found: Board


def rebuilt(game: Game, count: int, seed: int = 0) -> Iterator[Rebuilt]:
    """Each of *count* boards of a random game, rebuilt from its words in every language."""
    from_words, from_text = READERS[game.key]
    for number in range(count):
        rng = random.Random(f"{game.key} {seed} {number}")
        setting = random_setting(game, rng)
        *_, (position, _) = walk(game, setting, rng, rng.randrange(PLIES[game.key]))
        seen = position.seen_by(rng.choice([None, *range(len(setting.sides))]))
        written = game.notation.text(seen)
        if game.key == "niya":
            written = in_colours(written, setting.options["colours"])
        expected = from_text(written, over=seen.outcome() is not None)
        for code in LANGUAGES:
            said = tuple(language(code).say(one, NAMES) for one in game.speech.describe(seen))
            yield Rebuilt(code, said, written, expected, from_words(said, code))


def test_every_game_of_ours_has_a_reader():
    assert set(READERS) == set(shelf())


@pytest.mark.parametrize("key", sorted(READERS))
@pytest.mark.parametrize("count", [3, pytest.param(40, marks=pytest.mark.slow)])
def test_boards_are_rebuilt_from_their_words(key, count):
    assert [one for one in rebuilt(shelf()[key], count) if one.expected != one.found] == []


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
