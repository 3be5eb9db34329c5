"""What pictures say in words: short enough for every chat, what was done last at the head."""

from __future__ import annotations

import html
import itertools
import re
from dataclasses import replace

import pytest

from bot.chats.telegram.message_formatting import CAPTION, body, units
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from bot.session.table import ENDED, PLAYING
from bot.texts import LANGUAGES
from bot.texts.orthography import ALT, fitted
from games.core import won_by
from games.core.shelf import shelf
from tests.played import tables

KEY = b"k" * 32

_TAG = re.compile("<[^>]*>")

GAMES = [
    ("niya", {}, 2),
    ("parchis", {}, 2),
    ("parchis", {}, 4),
    ("parchis", {"rolling": "auto", "first_five": "two"}, 3),
    ("shogi", {}, 2),
    ("shogi", {"handicap": "10"}, 2),
    ("cirya", {"size": "4"}, 2),
    ("cirya", {"size": "5"}, 2),
    ("cirya", {"size": "6"}, 2),
    ("storilljudhjorrayc", {}, 2),
    ("storilljudhjorrayc", {"setup": "open"}, 2),
    ("storilljudhjorrayc", {"setup": "fixed"}, 2),
]


def composer(table, code: str, seat: int | None = None) -> Composer:
    return Composer(table, Viewer(seat, code, personal=seat is not None), KEY)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "options", "seats"), GAMES)
def test_no_description_is_cut_in_games_of_computers(key, options, seats):
    for number, table in enumerate(tables(shelf()[key], options, seats=seats, most=200)):
        told = composer(table, LANGUAGES[number % 2], None if number % 3 else 0)
        turns = {told.say(one) for one in told.table.game.speech.describe(told.seen.position)
                 if one.key in told.table.game.speech.turns}  # fmt: skip
        assert told.alt() == " ".join(one for one in told.description() if one not in turns)
        assert len(told.alt()) <= ALT


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("key", "options", "seats"), GAMES)
def test_with_headline_and_lines_it_fits_a_caption_of_telegram(key, options, seats):
    for number, table in enumerate(tables(shelf()[key], options, seats=seats, most=200)):
        if number % 5 == 0:
            caption = body(composer(table, LANGUAGES[number % 2]).board(), CAPTION)
            assert units(html.unescape(_TAG.sub("", caption))) <= CAPTION
            assert "…\n" not in caption


@pytest.mark.sampled
@pytest.mark.parametrize("key", sorted(shelf()))
def test_what_was_done_last_is_told_first(key):
    *_, table = itertools.islice(tables(shelf()[key], {}), 40)
    told = composer(table, "es")
    assert told.description()[0] in told.board().lines
    assert told.alt().startswith(told.description()[0])


def test_a_text_is_cut_between_sentences_and_says_where_the_rest_is():
    text = "Una frase. Otra frase. ¿Y otra? La última."
    assert fitted(text, 100, "Sigue.") == text
    assert fitted(text, 30, "Sigue.") == "Una frase. Otra frase. Sigue."
    assert fitted(text, 17, "Sigue.") == "Una frase. Sigue."
    assert fitted(text, 12, "Sigue.") == ""


def test_a_text_cut_twice_has_its_hint_once():
    once = fitted("Uno. Dos. Tres. Cuatro. Cinco.", 24, "Sigue.")
    assert fitted(once, 18, "Sigue.") == "Uno. Dos. Sigue."


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", sorted(shelf()))
def test_who_gave_up_is_told_and_it_is_nobodys_turn_any_more(game, code):
    options = {"setup": "fixed"} if game.startswith("storill") else {}
    table = list(itertools.islice(tables(shelf()[game], options), 7))[-1]
    assert table.status == PLAYING
    over = replace(table, status=ENDED, by_rule=False, outcome=won_by(1, "resign"))
    before, after = (composer(one, code).description() for one in (table, over))
    assert len(after) == len(before) - 1
    assert composer(over, code).told(0)[0] == composer(over, code).board().headline


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("key", sorted(shelf()))
def test_what_is_folded_below_a_board_does_not_repeat_whose_turn_it_is(key, code):
    first = itertools.islice(tables(shelf()[key], {}), 40)
    *_, table = (one for one in first if one.actors())
    told = composer(table, code)
    speech = told.table.game.speech
    (turn,) = (one for one in speech.describe(told.seen.position) if one.key in speech.turns)
    assert told.say(turn) not in told.board().alt
    assert told.say(turn) in told.description()
