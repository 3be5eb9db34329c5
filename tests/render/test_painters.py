"""What every painter keeps, tried on random walks of every game that has one."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.texts import LANGUAGES, language, rules
from games.core import Game
from games.core.shelf import shelf
from render.club.cheat_sheet import CHEAT
from render.kit import TOKENS, Gallery, label
from render.kit.output import png
from render.kit.painters import NoPainter, figure, paint, painter
from render.kit.themes import plain
from render.scene import Scene, Target
from tests.games.random_walks import random_setting, walk
from tests.render.eyes import painters_caches
from tests.render.pictures import asked, dressed
from tests.slow_parameters import by_turns

MOST_BYTES = 80 * 1024


def painted() -> Iterator[Game]:
    for game in shelf().values():
        try:
            painter(game.key)
        except NoPainter:
            continue
        yield game


EVERY = pytest.mark.parametrize("game", list(painted()), ids=lambda game: game.key)
SEEDS = st.integers(0, 2**32)
PAINTED = settings(max_examples=min(4, settings.default.max_examples))
"""How many scenes are painted in every run; as many as the profile says in the slow lane."""


def drawn_in(game: Game, theme: str) -> str:
    """*theme*, or its plain one where the painter of *game* knows no materials."""
    return theme if getattr(painter(game.key), "MATERIAL", False) else plain(theme)


def scene_of(game: Game, seed: int) -> Scene:
    rng = random.Random(seed)
    setting = random_setting(game, rng)
    *_, (position, _) = walk(game, setting, rng, rng.randrange(60))
    viewer = rng.randrange(len(setting.sides))
    names = tuple(rng.choice(["Nerea", "W" * 32, "龍" * 32]) for _ in setting.sides)
    theme = drawn_in(game, rng.choice(list(TOKENS)))
    scene = Scene(game.key, position.seen_by(viewer), names, bottom=viewer, theme=theme)
    scene = asked(scene, viewer) if viewer in position.actors() else scene
    return dressed(scene, rng.choice(LANGUAGES))


def indexed_small_and_wide(game: Game, seed: int) -> None:
    scene = scene_of(game, seed)
    picture = paint(scene)
    assert picture.mode == "P"
    assert picture.width == 800
    assert len(picture.getcolors(256) or []) > 1
    assert len(png(picture)) <= MOST_BYTES


@pytest.mark.sampled
@EVERY
@PAINTED
@given(seed=SEEDS)
def test_every_picture_is_indexed_small_and_800_wide(game: Game, seed: int) -> None:
    indexed_small_and_wide(game, seed)


def the_same_bytes(game: Game, seed: int) -> None:
    scene = scene_of(game, seed)
    assert png(paint(scene)) == png(paint(scene))


@pytest.mark.slow
@EVERY
@PAINTED
@given(seed=SEEDS)
def test_the_same_scene_gives_the_same_bytes(game: Game, seed: int) -> None:
    the_same_bytes(game, seed)


def no_harm_by_a_target_nowhere(game: Game, seed: int) -> None:
    """A choice of kinds or counts may be asked where the board alone is shown."""
    nowhere = replace(scene_of(game, seed), targets=(Target("a", "nowhere"),))
    assert {spot.step for spot in painter(game.key).spots(nowhere)} <= {"nowhere"}
    assert paint(nowhere).width == 800


@pytest.mark.slow
@EVERY
@PAINTED
@given(seed=SEEDS)
def test_a_target_that_is_no_place_of_the_picture_does_no_harm(game: Game, seed: int) -> None:
    no_harm_by_a_target_nowhere(game, seed)


@pytest.mark.slow
@EVERY
@pytest.mark.parametrize(
    "holds", [indexed_small_and_wide, the_same_bytes, no_harm_by_a_target_nowhere]
)
@given(seed=SEEDS)
def test_all_that_holds_of_a_few_pictures_holds_of_many(
    game: Game, holds: Callable[[Game, int], None], seed: int
) -> None:
    holds(game, seed)


@EVERY
@given(seed=SEEDS)
def test_spots_lie_inside_the_picture_one_for_each_target(game: Game, seed: int) -> None:
    scene = scene_of(game, seed)
    spots = painter(game.key).spots(scene)
    steps = [target.step for target in scene.targets]
    assert {spot.step for spot in spots} <= set(steps)
    assert len({spot.step for spot in spots}) == len(spots)
    for spot in spots:
        assert spot.w > 0.02, "large enough for a finger"
        assert spot.h > 0.02
        assert 0 <= spot.x <= 1 - spot.w
        assert 0 <= spot.y <= 1 - spot.h


@EVERY
def test_captions_are_in_every_language(game: Game) -> None:
    for seed in range(20):
        scene = scene_of(game, seed)
        for words in painter(game.key).captions(scene.seen).values():
            assert all(language(code).say(words) for code in LANGUAGES)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "theme"), by_turns(painted(), TOKENS, 4), ids=lambda one: getattr(one, "key", one)
)
def test_every_figure_can_be_drawn(game: Game, theme: str) -> None:
    for name in painter(game.key).FIGURES:
        picture = figure(game.key, name, drawn_in(game, theme), language("es").say)
        assert picture.mode == "P"
        assert 200 <= picture.width <= 1600


@EVERY
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_figures_of_the_rule_text_exist(game: Game, code: str) -> None:
    wanted = re.findall(r"\(figure:([^)]+)\)", rules(game.key, code))
    assert wanted
    assert set(wanted) <= {CHEAT, *painter(game.key).FIGURES}


@EVERY
def test_the_painter_says_whether_its_targets_bear_letters(game: Game) -> None:
    assert painter(game.key).LETTERS in (True, False)


@pytest.mark.parametrize("name", ["kit", "scene", "nosuch", "../niya", "", "niya.FIGURES"])
def test_a_game_without_painter_is_told_clearly(name: str) -> None:
    with pytest.raises(NoPainter, match="has no painter"):
        painter(name)


def test_an_unknown_figure_is_told_clearly() -> None:
    game = next(painted()).key
    with pytest.raises(NoPainter, match="has no figure 'nosuch'"):
        figure(game, "nosuch")


def _kept_for_ever() -> dict[str, int]:
    """How much the caches of the painters hold that never forget."""
    return {
        f"{one.__module__}.{one.__qualname__}": one.cache_info().currsize
        for one in painters_caches()
        if one.cache_info().maxsize is None
    }


@pytest.mark.slow
@EVERY
def test_names_are_never_kept_for_ever(game: Game) -> None:
    """What shows a name is in caches that forget: many people may pass."""
    scene = scene_of(game, 1)
    paint(replace(scene, names=tuple("Nerea" for _ in scene.names)))
    before = _kept_for_ever()
    for number in range(8):
        paint(replace(scene, names=tuple(f"{number} Bruno" for _ in scene.names)))
    assert _kept_for_ever() == before
    assert label.cache_info().maxsize == 1024


def test_the_gallery_keeps_no_more_than_its_most() -> None:
    gallery = Gallery(most=3)
    scene = scene_of(next(painted()), 1)
    for number in range(9):
        gallery.picture(replace(scene, names=tuple(f"{number}" for _ in scene.names)))
    assert len(gallery._pictures) == 3
