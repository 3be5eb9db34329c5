"""The covers of the shelf: every game shows a moment in the middle of its demo."""

from __future__ import annotations

import pytest

from bot.presenters.cover import cover_scene
from games.core.demo import demo_position
from games.core.shelf import shelf
from render.kit.painters import paint


@pytest.mark.parametrize("key", sorted(shelf()))
def test_the_cover_shows_a_game_that_goes_on_as_everybody_may_see_it(key):
    game = shelf()[key]
    scene = cover_scene(game, "light", "es")
    begun = demo_position(game, game.setting(game.solo), played=False)
    assert scene.seen == scene.seen.seen_by(None)
    assert scene.seen != begun.seen_by(None)
    assert scene.seen.outcome() is None
    assert paint(scene).width == 800


@pytest.mark.parametrize("key", sorted(shelf()))
def test_the_cover_is_the_same_at_every_start(key):
    game = shelf()[key]
    assert cover_scene(game, "dark", "en") == cover_scene(game, "dark", "en")
