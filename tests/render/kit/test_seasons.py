"""The art of the season: by the month and the hemisphere, on the ground alone, in a close tone."""

import pytest

from bot.presenters.game_poster import cover_scene
from bot.session.preferences import Hemisphere, Personal, PlaceRules, look, season_of
from games.core.shelf import shelf
from render.kit import themed
from render.kit.output import LARGEST, png
from render.kit.painters import paint
from render.kit.palettes import difference
from render.kit.season_motifs import SEASONS, motifs
from render.kit.themes import plain, season_in
from tests.render.test_every_eye import _palette
from tests.slow_parameters import by_turns

NORTH, SOUTH, OFF = Hemisphere.NORTH, Hemisphere.SOUTH, Hemisphere.OFF


@pytest.mark.parametrize(
    ("month", "north", "south"),
    [
        (1, "winter", "summer"),
        (4, "spring", "autumn"),
        (7, "summer", "winter"),
        (11, "autumn", "spring"),
        (12, "winter", "summer"),
    ],
)
def test_each_half_of_the_world_has_its_own_season(month, north, south):
    assert [season_of(month, one) for one in (NORTH, SOUTH, OFF)] == [north, south, ""]


def test_it_is_off_until_a_place_or_a_person_chooses_a_hemisphere():
    assert look("light", PlaceRules(), Personal(), month=4).season == ""
    assert look("light", PlaceRules(art=NORTH), month=4).season == "spring"
    assert look("light", PlaceRules(art=NORTH), Personal(), month=4).season == "spring"
    assert look("light", PlaceRules(art=NORTH), Personal(art=SOUTH), month=4).season == "autumn"
    assert look("light", PlaceRules(art=NORTH), Personal(art=OFF), month=4).season == ""


@pytest.mark.parametrize("key", sorted(shelf()))
def test_the_themes_for_weak_eyes_have_none(key):
    for theme in ("contrast", "safe"):
        assert themed(key, theme, "", season="spring") == theme
    assert themed(key, "dark", "", material=True, season="winter") == "material_dark.winter"
    assert themed(key, "dark", "", season="carnival") == "dark"


def test_a_theme_tells_its_season_beside_the_rest():
    theme = themed("shogi", "light", "two", material=True, season="autumn")
    assert (theme, plain(theme), season_in(theme)) == ("material.autumn-two", "light", "autumn")


def test_every_season_has_motifs_of_its_own():
    tiles = {season: motifs(season, 96, 84, 11) for season in SEASONS}
    assert len({tile.tobytes() for tile in tiles.values()}) == 4
    for tile in tiles.values():
        counts = {value: count for count, value in tile.getcolors()}
        assert 0.02 < counts[1] / (96 * 84) < 0.2


@pytest.mark.sampled
@pytest.mark.parametrize(("key", "season"), by_turns(sorted(shelf()), SEASONS, 4))
def test_the_art_is_seen_and_files_stay_small(key, season):
    decked = themed(key, "light", "", material=True, season=season)
    picture = paint(cover_scene(shelf()[key], decked, "es"))
    assert len(png(picture)) <= LARGEST
    palette = _palette(key, decked)
    arts = [palette.index(name) for name in palette.flats if name.endswith(".art")]
    counts = {colour: count for count, colour in picture.getcolors()}
    assert sum(counts.get(art, 0) for art in arts) > 500


@pytest.mark.sampled(4)
@pytest.mark.parametrize("look", ["light", "dark", "material", "material_dark"])
@pytest.mark.parametrize("key", sorted(shelf()))
def test_its_tone_is_close_to_the_ground(key, look):
    palette = _palette(key, f"{look}.winter")
    arts = [name for name in palette.flats if name.endswith(".art")]
    assert arts
    for name in arts:
        ground = palette.flats[name.removesuffix(".art")]
        assert 0.01 <= difference(ground, palette.flats[name]) <= 0.08
