"""The board as sprites at places: the same as the painted picture, and no more than it shows."""

from __future__ import annotations

import gc
import json
import random
import weakref
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from bot.chats.web.writing import scenery_json
from games.core.shelf import shelf
from render.kit import painter
from render.kit.layers import layers_of
from render.kit.sprite_placements import CutoutStore, Filled, Scenery, scenery_of
from render.kit.sprites import Sprite
from render.scene import Scene
from tests.games.random_walks import random_setting, walk
from tests.render.pictures import asked, dressed

GAMES = sorted(shelf())


def composed(scenery: Scenery) -> Image.Image:
    """What a page draws of *scenery*."""
    whole = Image.new("RGBA", (scenery.width, scenery.height))
    for part in scenery.parts:
        if isinstance(part, Filled):
            sides = (part.x, part.y, part.x + part.width, part.y + part.height)
            whole.paste(part.colour, sides)
        else:
            cutout = scenery.cutouts[part.name]
            image = Image.open(BytesIO(cutout.data)).convert("RGBA")
            assert image.size == (cutout.width, cutout.height)
            layer = Image.new("RGBA", whole.size)
            layer.paste(image, (part.x, part.y))
            whole = Image.alpha_composite(whole, layer)
    return whole.convert("RGB")


def walked(game: str, seed: int, plies: int = 60) -> Scene:
    """What the player to move sees of *game* after at most so many random moves, and may choose."""
    rng, rules = random.Random(seed), shelf()[game]
    setting = random_setting(rules, rng)
    *_, (position, _) = walk(rules, setting, rng, rng.randrange(plies))
    seat = min(position.actors(), default=0)
    seen = position.seen_by(seat if seat >= 0 else 0)
    names = tuple(f"Ana {n}" for n in range(len(setting.sides)))
    return dressed(Scene(game, seen, names))


def likeness(scene: Scene) -> float:
    """The share of pixels that are the same, or nearly, in the picture and in the scenery."""
    painted = painter(scene.game).paint(scene).convert("RGB")
    apart = ImageChops.difference(painted, composed(scenery_of(scene))).convert("L")
    assert apart.size == painted.size
    same = sum(apart.histogram()[:24])
    return same / (apart.width * apart.height)


@pytest.mark.parametrize("game", GAMES)
def test_a_page_draws_the_same_as_the_painter(game: str) -> None:
    scene = walked(game, 1)
    assert likeness(scene) > 0.99
    assert likeness(asked(scene, min(scene.seen.actors()))) > 0.99


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_page_draws_the_same_as_the_painter_wherever_a_game_leads(game: str) -> None:
    for seed in range(3, 30):
        scene = walked(game, seed, 120)
        actors = [seat for seat in scene.seen.actors() if seat >= 0]
        assert likeness(asked(scene, min(actors)) if actors else scene) > 0.98


@pytest.mark.parametrize("game", GAMES)
def test_the_part_of_a_scene_in_a_move_is_two_kilobytes_at_most(game: str) -> None:
    scenery = scenery_of(walked(game, 5, 100))
    told = scenery_json(scenery, scenery.cutouts)
    assert told["sprites"] == {}
    assert len(json.dumps(told, separators=(",", ":"))) <= 2048


def test_what_is_hidden_from_a_viewer_is_in_nothing_that_their_page_is_sent() -> None:
    rules = shelf()["storilljudhjorrayc"]
    start = rules.start(rules.setting({"setup": "hidden"}))
    rng, told = random.Random(9), set()
    for _ in range(12):
        position = start
        for _ in range(rng.randrange(1, 9)):
            legal = [one for one in position.legal_moves(1) if 1 in position.after(one).actors()]
            position = position.after(rng.choice(legal))
        scene = dressed(Scene(rules.key, position.seen_by(0), ("Ana", "Bo")))
        told.add(json.dumps(scenery_json(scenery_of(scene), ())))
    assert len(told) == 1
    open_to_both = rules.start(rules.setting({"setup": "open"}))
    shown = dressed(Scene(rules.key, open_to_both.seen_by(0), ("Ana", "Bo")))
    assert json.dumps(scenery_json(scenery_of(shown), ())) not in told


def test_the_file_of_a_sprite_is_made_once_and_goes_with_it():
    layers = layers_of(painter("niya").paint(walked("niya", 5)))
    palette = layers[0].what[0]
    kept = next(one.what for one in layers if isinstance(one.what, Sprite) and one.what.width)
    sprite = Sprite(kept.indices, kept.left, kept.top, kept.solid, kept.soft)
    store = CutoutStore()
    made = store.of(sprite, palette, None)
    assert store.of(sprite, palette, None) is made
    assert store.of(sprite, palette, (next(iter(palette.flats)), 2)) is not made
    gone = weakref.ref(made)
    del sprite, made
    gc.collect()
    assert gone() is None
