"""Words that point to a board: a ring around each cell, and nothing else changed."""

from dataclasses import replace

import pytest
from PIL import Image

from games.core.shelf import find_game
from render.kit.painters import POINTED, paint, painter
from render.scene import Scene
from tests.render.eyes import differing

GAMES = ("shogi", "niya", "cirya", "parchis", "storilljudhjorrayc")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_ring_stands_around_each_cell_that_is_pointed_at_and_nowhere_else(key, theme):
    game = find_game(key)
    seen = game.start(game.setting({"setup": "fixed"} if key == "storilljudhjorrayc" else {}))
    words = tuple((name, name) for name in sorted(painter(key).captions(seen)))
    scene = Scene(key, seen, ("A", "B"), captions=words, theme=theme)
    *_, cell = painter(key).cells(scene)
    bare, pointed = paint(scene), paint(replace(scene, pointed=(cell.step, "nowhere")))
    assert pointed.mode == "P"
    one, other = bare.convert("RGB"), pointed.convert("RGB")
    changed = differing(one, other)
    left, top, right, bottom = changed.getbbox() or (0, 0, 0, 0)
    assert right > left
    drawn = Image.new("RGB", one.size, POINTED)
    assert other.tobytes() == Image.composite(drawn, one, changed).tobytes()
    assert cell.x <= (left + 1) / one.width
    assert cell.y <= (top + 1) / one.height
    assert right / one.width <= cell.x + cell.w + 0.01
    assert bottom / one.height <= cell.y + cell.h + 0.01
    assert paint(scene).tobytes() == bare.tobytes(), "what is remembered of a board stays as it was"
