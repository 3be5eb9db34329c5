"""A game in one picture: five rules that stand whole, pointers on the board, a small file."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from bot.presenters.rulebook import figure_file, rules_pages
from bot.texts import LANGUAGES
from games.core.shelf import shelf
from render.club.cheat_sheet import CHEAT
from render.club.club_canvas import LEAST, NARROWEST, WIDE, ClubCanvas
from render.kit import fonts, painter
from render.kit.posters import poster_parts
from tests.slow_parameters import by_turns

LARGEST = 120_000

EVERY = pytest.mark.parametrize("key", sorted(shelf()))


@pytest.mark.parametrize(("key", "code"), by_turns(sorted(shelf()), LANGUAGES))
def test_five_rules_stand_whole_in_one_picture(key, code, monkeypatch):
    def noted(canvas, x, y, text, px, ink="ink", weight="Semibold", anchor="l", **how):
        # Nothing is cut: at most it is a little narrower.
        narrow = px * how.get("least", NARROWEST) / fonts.SOURCE
        assert fonts.width(text, narrow, weight) <= how.get("room", WIDE[0]), text
        written.append((text, px))
        return words(canvas, x, y, text, px, ink, weight, anchor, **how)

    written, words = [], ClubCanvas.words
    monkeypatch.setattr(ClubCanvas, "words", noted)
    data = figure_file(shelf()[key], CHEAT, "contrast", code)
    assert len(data) <= LARGEST
    assert Image.open(io.BytesIO(data)).size == WIDE
    assert len(written) == 3 + 5 * 2 + 5 * 2, "title, words, goal; rules; numbers here and there"
    assert all(text and not text.isspace() for text, _ in written)
    assert min(px for _, px in written) >= LEAST
    painted = len(written)
    assert figure_file(shelf()[key], CHEAT, "contrast", code) is data
    assert len(written) == painted, "painted once"


@EVERY
def test_pointers_are_on_the_board(key):
    left, top, right, low = poster_parts(key).POSTER_BOARD
    points = painter(key).CHEAT
    assert len(set(points)) == 5
    assert all(left < x < right and top < y < low for x, y in points)


@EVERY
@pytest.mark.parametrize("code", LANGUAGES)
def test_it_stands_on_the_first_page_of_the_rules_with_five_rules_in_words(key, code):
    first = rules_pages(shelf()[key], code)[0]
    assert first.figure == CHEAT
    assert first.text.count("\n- ") == 4
    assert first.alt
