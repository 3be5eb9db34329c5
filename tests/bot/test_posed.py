"""A position by its text: shown and tried from, for both sides, and stored nowhere."""

from __future__ import annotations

import random

import pytest

from bot.port import Screen
from bot.presenters.school.what_if import posed_screen
from bot.presenters.table.viewers import Viewer
from bot.session.visibility import public
from bot.texts import LANGUAGES, language
from games.core import RuleError
from games.core.shelf import find_game, shelf
from tests.chat_capabilities import CAPABILITIES

KEY = b"k" * 32


def posed(game: str, text: str, *line: tuple[str, ...], spoken: str = "es") -> Screen | None:
    viewer = Viewer(language=spoken, personal=True, space=CAPABILITIES["web"].space)
    return posed_screen(find_game(game), text, line, (), viewer, KEY)


@pytest.mark.parametrize("game", sorted(shelf()))
@pytest.mark.parametrize("spoken", LANGUAGES)
def test_the_first_position_of_each_game_is_set_up_from_what_its_notation_writes(game, spoken):
    known = find_game(game)
    text = known.notation.text(known.start(known.setting()))
    screen = posed(game, text, spoken=spoken)
    assert language(spoken).templates[f"{game}.name"] in screen.headline
    assert screen.scene is not None
    position = known.notation.read(text, known.chosen({}))
    # An army that is being set up is hidden here as well.
    assert screen.scene.seen == public(position)
    assert screen.rows


def test_a_move_is_tried_from_there():
    text = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
    steps = random.Random(1).choice(_all_moves("shogi", text))
    tried, before = posed("shogi", text, steps), posed("shogi", text)
    assert tried.headline.startswith("¿Y si")
    assert tried.scene != before.scene


def _all_moves(game: str, text: str) -> list[tuple[str, ...]]:
    known = find_game(game)
    position = known.notation.read(text, known.chosen({}))
    (seat,) = position.actors()
    return [known.menus.steps(position, move) for move in position.legal_moves(seat)]


@pytest.mark.parametrize("game", sorted(shelf()))
def test_what_is_no_position_is_refused_in_a_sentence(game):
    for text in ("", "nonsense", "1 2 3", "/" * 400, "9/9/9/9/9/9/9/9/9 b - 1 x=y"):
        with pytest.raises(RuleError) as wrong:
            posed(game, text)
        assert language("es").say(wrong.value.phrase)


def test_an_illegal_line_shows_nothing():
    assert posed("cirya", "x5/x5/x5/x5/x5 1 1", ("z9",)) is None
