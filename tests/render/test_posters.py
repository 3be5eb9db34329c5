"""The posters of the games: small files in every theme, and words that can be read."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from bot.presenters.game_poster import poster, poster_words
from bot.texts import LANGUAGES
from games.core.shelf import shelf
from render.kit import THEMES, Gallery, fonts
from render.kit.output import LARGEST
from render.kit.painters import NoPainter, paint
from render.kit.palettes import difference, rgb
from render.kit.posters import SIZE, TITLE, WORDS, poster_parts, poster_picture, poster_pieces
from render.scene import Poster, Scene
from tests.slow_parameters import by_turns

GAMES = sorted(shelf())
LEFT_HALF = (0, 0, 300, 300)


class Bare:
    """The parts of a poster without its pieces."""

    def __init__(self, parts) -> None:
        self.POSTER_BOARD, self.POSTER_GROUND = parts.POSTER_BOARD, parts.POSTER_GROUND
        self.palette, self.POSTER_PIECES = parts.palette, ()


@pytest.mark.sampled
@pytest.mark.parametrize(("key", "theme"), by_turns(GAMES, THEMES, 4))
def test_a_poster_is_a_small_file_in_every_theme(key, theme):
    shown = poster(shelf()[key], theme, "es")
    picture = paint(shown)
    assert (picture.mode, picture.size) == ("P", SIZE)
    assert len(Gallery().picture(shown)) <= LARGEST


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("key", GAMES)
def test_its_words_are_few_and_fit(key, code):
    shown = poster(shelf()[key], "light", code)
    assert len(shown.words.split()) <= 6
    assert fonts.width(shown.title, 30) <= TITLE
    assert all(fonts.width(word, 32) <= WORDS for word in shown.words.split())
    said = poster_words(shown, code)
    assert shown.title in said
    assert shown.words in said


@pytest.mark.sampled
@pytest.mark.parametrize("key", GAMES)
def test_the_pieces_in_front_cover_no_word(key):
    parts = poster_parts(key)
    shown = poster(shelf()[key], "light", "es")
    words = poster_picture(
        Bare(parts), "light", shown.title, shown.words, Image.new("RGB", (800, 960))
    )
    ground = Image.new("RGB", SIZE, parts.palette("light").flats[parts.POSTER_GROUND])
    ink = ImageChops.difference(words.convert("RGB"), ground).crop(LEFT_HALF).convert("L")
    written = ink.point([255 * (gap > 30) for gap in range(256)]).getbbox()
    assert written is not None
    assert written[3] <= min(
        piece.y - piece.image.height // 2 for piece in poster_pieces(parts, "light")
    )


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("key", GAMES)
def test_title_and_ground_are_told_apart(key, theme):
    parts = poster_parts(key)
    ground = parts.palette(theme).flats[parts.POSTER_GROUND]
    inks = (rgb(THEMES["light"]["ink"]), rgb(THEMES["light"]["bar"]))
    assert max(difference(ground, ink) for ink in inks) >= 0.4


def test_a_game_without_parts_has_no_poster():
    assert poster_parts("oca") is None
    with pytest.raises(NoPainter, match="no poster"):
        paint(Poster(Scene("oca", None, ()), "Oca", ""))
