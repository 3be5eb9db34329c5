"""The curve of a game: a small file in the palette of the house, day and night."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from render.curve import curve
from render.kit.palettes import rgb
from render.kit.themes import THEMES


def picture(*args) -> Image.Image:
    return Image.open(io.BytesIO(curve(*args)))


@pytest.mark.sampled
@pytest.mark.parametrize("values", [(), (0.3,), (0.0, 1.0, -1.0), tuple([0.1] * 300)])
def test_any_number_of_decisions_makes_a_picture(values):
    painted = picture(values)
    assert painted.width == 800
    assert len(curve(values)) < 80_000


def test_it_is_drawn_in_the_colours_of_the_theme():
    for theme, look in (("light", "light"), ("dark", "dark"), ("dark-western", "dark")):
        colours = THEMES[look]
        painted = picture((0.0, 0.5), (), theme).convert("RGB")
        # A palette of 256 colours may be off by a hair.
        assert painted.getpixel((0, 0)) == pytest.approx(rgb(colours["paper"]), abs=3)


def test_a_mark_stands_where_the_decision_was():
    plain, marked = picture((0.0, 1.0, -1.0)), picture((0.0, 1.0, -1.0), ((1, 7),))
    amber = rgb(THEMES["light"]["amber"])
    assert amber not in {colour for _, colour in plain.convert("RGB").getcolors(4096)}
    assert amber in {colour for _, colour in marked.convert("RGB").getcolors(4096)}


def test_a_good_game_is_drawn_high_and_a_bad_one_low():
    def height(value: float) -> float:
        painted = picture((value, value)).convert("RGB").crop((130, 40, 700, 380))
        ink = rgb(THEMES["light"]["ink"])
        rows = [y for y in range(painted.height) if painted.getpixel((300, y)) == ink]
        return sum(rows) / len(rows)

    assert height(0.9) < height(0.0) < height(-0.9)
