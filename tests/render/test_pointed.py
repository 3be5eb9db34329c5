"""Words that point to a board: a ring around each cell, and nothing else changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.core.shelf import find_game
from render.kit.painters import POINTED, paint, painter
from render.scene import Scene

GAMES = ("shogi", "niya", "cirya", "parchis", "storilljudhjorrayc")


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
    changed = {
        (x, y)
        for y in range(one.height)
        for x in range(one.width)
        if one.getpixel((x, y)) != other.getpixel((x, y))
    }
    assert changed
    assert {other.getpixel(at) for at in changed} == {POINTED}
    for x, y in changed:
        assert cell.x <= (x + 1) / one.width <= cell.x + cell.w + 0.01
        assert cell.y <= (y + 1) / one.height <= cell.y + cell.h + 0.01
    assert paint(scene).tobytes() == bare.tobytes(), "what is remembered of a board stays as it was"
