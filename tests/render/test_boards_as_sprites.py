"""The board as sprites at places: the same as the painted picture, and no more than it shows."""

from __future__ import annotations

import gc
import json
import random
import weakref
from dataclasses import replace

import pytest

from bot.chats.web.message_formatting import scenery_json
from games.core.shelf import shelf
from render.kit import painter
from render.kit.dirty_rectangles import layers_of
from render.kit.painters import bars_of
from render.kit.sprite_placements import CutoutStore, Placed, scenery_of
from render.kit.sprites import Sprite
from render.scene import Last, Scene
from tests.render.drawn import composed, likeness, to_choose, walked
from tests.render.pictures import asked, dressed

GAMES = sorted(shelf())


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_a_page_draws_the_same_as_the_painter(game: str) -> None:
    scene = next(one for one in (walked(game, seed) for seed in range(1, 9)) if one.seen.actors())
    assert min(likeness(scene)) > 0.99
    assert min(likeness(asked(scene, min(scene.seen.actors())))) > 0.99


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_page_draws_the_same_as_the_painter_wherever_a_game_leads(game: str) -> None:
    for seed in range(3, 30):
        assert min(likeness(to_choose(walked(game, seed, 120)))) > 0.98


@pytest.mark.sampled
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


@pytest.mark.parametrize(("game", "steps"), [("cirya", {"", "F", "S", "C"}), ("niya", {""})])
def test_what_a_choice_is_said_to_lay_lies_there_after_it(game: str, steps: set[str]) -> None:
    rules, found = shelf()[game], set[str]()
    for seed in range(12):
        scene = walked(game, seed, 24 if seed % 2 else 2)
        seat = min(scene.seen.actors(), default=-1)
        scene = asked(replace(scene, bottom=max(seat, 0)), seat) if seat >= 0 else scene
        lays, cells = scenery_of(scene).lays, {one.step: one for one in painter(game).cells(scene)}
        for move in scene.seen.legal_moves(seat)[::5] if seat >= 0 else ():
            place, *rest = rules.menus.steps(scene.seen, move)
            step = next((one for one in (*rest, "") if one in lays), None)
            seen = scene.seen.after(move)
            if step is None or seen.outcome() is not None:
                continue
            last = (Last(scene.seen, seat, move),)
            then = scenery_of(replace(scene, seen=seen, targets=(), last=last))
            box, (name, x, y) = cells[place], (lays[step].name, lays[step].x, lays[step].y)
            corner = round(box.x * then.width), round(box.y * then.height)
            assert Placed(name, corner[0] + x, corner[1] + y) in then.parts, (seed, move)
            found.add(step)
    assert found == steps


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


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_one_piece_that_is_missing_is_told_by_the_likeness(game: str) -> None:
    scene = walked(game, 1)
    scenery = scenery_of(scene)
    placed = [one for one in scenery.parts if isinstance(one, Placed)]
    low = min(bar.y for bar in bars_of(scene) if bar.y > 0.5) * scenery.height
    tall = (one for one in reversed(placed) if scenery.cutouts[one.name].height > 30)
    piece = next(one for one in tall if 100 < one.y < low - scenery.cutouts[one.name].height)
    rest = tuple(one for one in scenery.parts if one is not piece)
    assert likeness(scene, composed(replace(scenery, parts=rest))).tile < 0.9
