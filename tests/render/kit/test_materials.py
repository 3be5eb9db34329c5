"""Materials: tones close to their colours, and only where a theme has them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.presenters.game_poster import cover_scene
from games.core.shelf import shelf
from render.kit import Canvas, themed
from render.kit.materials import (
    Texture,
    cast,
    cloth,
    current,
    felt,
    fibres,
    grain,
    material_palette,
)
from render.kit.output import LARGEST, png
from render.kit.painters import paint
from render.kit.palettes import difference
from render.kit.themes import MATERIALS, THEMES, TOKENS, plain
from tests.render.test_every_eye import _palette
from tests.slow_parameters import by_turns

FLATS = {"paper": "#F4EFE6", "wood": "#EFD7A4", "ink": "#26221D", "shade": "#C9A96D"}
TEXTURES = {"wood": Texture((-0.05, 0.09), grain(8, 8))}


def palette(theme="material"):
    return material_palette(theme, FLATS, {"ink": "wood"}, TEXTURES, {"shade": "wood"})


@pytest.mark.parametrize("key", sorted(shelf()))
def test_the_themes_for_weak_eyes_stay_flat(key):
    for theme in ("contrast", "safe"):
        assert themed(key, theme, "", material=True) == theme
    assert themed(key, "light", "", material=True) == "material"
    assert themed(key, "dark", "", material=False) == "dark"


def test_a_set_of_pieces_goes_with_a_material():
    assert themed("shogi", "dark", "two", material=True) == "material_dark-two"
    assert plain("material_dark-two") == "dark"


def test_every_material_has_the_shared_colours_of_its_theme():
    assert {textured: TOKENS[textured] for textured in MATERIALS.values()} == {
        textured: THEMES[theme] for theme, textured in MATERIALS.items()
    }


def test_a_texture_covers_its_colour_and_nothing_else():
    canvas = Canvas(palette(), (0, 0, 32, 32), "wood")
    canvas.box((8, 8, 24, 24), "ink")
    drawn = canvas.sprite()
    found = {palette().colours[index] for index in drawn.indices.tobytes()}
    tones = {palette().flats[name] for name in ("wood", "wood.1")}
    assert tones < found
    assert drawn.indices.crop((10, 10, 22, 22)).getcolors() == [(144, palette().index("ink"))]


def test_a_flat_theme_has_none():
    canvas = Canvas(palette("light"), (0, 0, 32, 32), "wood")
    assert canvas.sprite().indices.getcolors() == [(1024, palette("light").index("wood"))]


def test_a_tile_goes_on_where_the_next_sprite_begins():
    left, right = (Canvas(palette(), (x, 0, x + 12, 8), "wood").sprite() for x in (0, 12))
    whole = Canvas(palette(), (0, 0, 24, 8), "wood").sprite()
    assert whole.indices.crop((0, 0, 12, 8)).tobytes() == left.indices.tobytes()
    assert whole.indices.crop((12, 0, 24, 8)).tobytes() == right.indices.tobytes()


@pytest.mark.parametrize("tile", [grain(78, 80), current(144, 36), cloth(), felt(), fibres()])
def test_tiles_are_the_same_at_every_start_and_mostly_the_colour_itself(tile):
    counts = {value: count for count, value in tile.getcolors()}
    assert set(counts) <= {0, 1, 2}
    assert counts[0] >= tile.width * tile.height / 2


def test_shadows_fall_down_when_flat_and_softly_to_the_south_east_in_a_material():
    fallen: list[tuple[float, float, str]] = []
    cast(palette("light"), lambda *where: fallen.append(where), "shade", 4)
    assert fallen == [(0, 4, "shade")]
    fallen.clear()
    cast(palette(), lambda *where: fallen.append(where), "shade", 4)
    assert [ink for _, _, ink in fallen] == ["shade.soft", "shade"]
    assert all(right > 0 and low > right for right, low, _ in fallen)
    assert all(outer[:2] > inner[:2] for outer, inner in pairwise(fallen))


@pytest.mark.sampled
@pytest.mark.parametrize(("key", "theme"), by_turns(sorted(shelf()), MATERIALS.values()))
def test_tones_stay_close_to_their_colour_and_files_small(key, theme):
    assert len(png(paint(cover_scene(shelf()[key], theme, "es")))) <= LARGEST
    found = _palette(key, theme)
    assert found.textures
    for name, (tones, _) in found.textures:
        for tone in tones:
            assert 0.01 <= difference(found.flats[name], found.flats[tone]) <= 0.07
