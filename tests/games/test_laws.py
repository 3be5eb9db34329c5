"""The laws of positions, for every game on the shelf and for the toy game."""

from __future__ import annotations

import contextlib
import random
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.check_game import what_is_said_has_words
from bot.texts import language
from games.core import Menus, Notation, Position, RuleError, Speech, laws, read_move
from games.core.shelf import shelf
from tests import toy

GAMES = [*shelf().values(), toy.GAME]
EVERY = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
SEEDS = st.integers(0, 2**32)


def refusal_of(game, position, seat, text) -> RuleError | None:
    try:
        read_move(game, position, seat, text)
    except RuleError as refused:
        return refused
    return None


def test_a_position_knows_rules_and_neither_notation_nor_buttons_nor_words():
    asked = {name for name in vars(Position) if not name.startswith("_")}
    assert asked == {
        *("actors", "legal_moves", "after", "outcome"),
        *("seen_by", "move_seen", "forced", "overdue", "asides", "rulings"),
    }


@EVERY
def test_no_position_answers_what_a_part_of_its_game_is_asked(game):
    parts = {part.name for one in (Notation, Menus, Speech) for part in fields(one)}
    assert not parts & set(dir(type(game.start(game.setting()))))


@EVERY
@given(seed=SEEDS)
def test_what_a_position_shows_has_no_place_in_memory(game, seed):
    # By it a house knows a board that it showed before it was started anew.
    _, position = laws.random_position(game, random.Random(seed).randrange)
    assert " at 0x" not in repr(position.seen_by(None))


@EVERY
@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@given(seed=SEEDS)
def test_every_game_keeps_every_law(game, law, seed):
    law(game, random.Random(seed).randrange)


@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.key)
@given(seed=SEEDS)
def test_everything_said_has_words_in_every_language(game, seed):
    what_is_said_has_words(game, random.Random(seed).randrange)


@EVERY
@given(seed=SEEDS, text=st.text(max_size=80))
def test_nonsense_gets_a_sentence_and_never_a_traceback(game, seed, text):
    setting, position = laws.random_position(game, random.Random(seed).randrange)
    for seat in range(len(setting.sides)):
        refused = refusal_of(game, position, seat, text)
        if refused and game.key != "toy":
            assert language("es").say(refused.phrase)
    with contextlib.suppress(RuleError):
        game.notation.read(text, setting.options)
