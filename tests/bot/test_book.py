"""The rules of every game as a whole, and what stands on its board."""

import pytest

from bot.presenters.rulebook import rules_book, rules_pages
from bot.texts import LANGUAGES
from games.core.shelf import shelf
from render.club.cheat_sheet import CHEAT
from render.kit import painter
from render.kit.button_faces import face_names, legend


@pytest.fixture(params=sorted(shelf()))
def game(request):
    return shelf()[request.param]


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_book_says_what_the_pages_of_the_chats_say(game, code):
    told = rules_book(game, code)
    assert [one.title for one in told.chapters] == list(
        dict.fromkeys(page.title for page in rules_pages(game, code))
    )
    figures = [part.figure for one in told.chapters for part in one.parts if part.figure]
    assert figures == [page.figure for page in rules_pages(game, code) if page.figure]
    assert set(figures) <= {CHEAT, *painter(game.key).FIGURES}


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_mark_of_the_rule_text_is_left_in_a_book(game, code):
    told = rules_book(game, code)
    said = [
        text
        for parts in ([part.spans for one in told.chapters for part in one.parts], told.signs)
        for spans in (getattr(one, "spans", one) for one in parts)
        for mark, text in spans
        if mark != "typed"
    ]
    assert said
    # What is written about a notation may hold a star; no text begins or ends with one.
    assert not [text for text in said if "**" in text or text.startswith(("- ", "#", "!["))]


def test_every_figure_says_in_words_what_it_shows(game):
    parts = [part for one in rules_book(game, "es").chapters for part in one.parts]
    assert all(part.spans for part in parts if part.kind == "figure")


def test_a_legend_names_only_faces_that_are_drawn(game):
    named = [face for faces in legend(game.key).values() for face in faces]
    assert set(named) <= set(face_names(game.key))


@pytest.mark.parametrize(("key", "kinds"), [("storilljudhjorrayc", 9), ("cirya", 3), ("shogi", 11)])
def test_games_of_many_pieces_have_a_legend(key, kinds):
    for code in LANGUAGES:
        signs = rules_book(shelf()[key], code).signs
        assert len(signs) == kinds
        assert all(one.faces and one.spans[0][0] == "bold" for one in signs)
