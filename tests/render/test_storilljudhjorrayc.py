"""The picture of Storilljuðjorrayc: exact, the same for both sides, and silent where it must be."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from PIL import Image, ImageChops, ImageDraw

from games.core import Seat
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.geometry import DIAGONAL, FOCUS, RADIAL, SPACES, TANGENTIAL
from games.storilljudhjorrayc.move_types import Ready
from games.storilljudhjorrayc.units import UNITS
from render.kit import TOKENS as THEMES
from render.kit.output import png
from render.kit.painters import paint
from render.scene import Scene
from render.storilljudhjorrayc import board, pieces
from tests.games.storill_helpers import battle, play
from tests.render.pictures import changed, check_approved, colours, losses_of, seen
from tests.render.storill_scenes import FLATS, PURPLE, acted, at, chosen, scene, setting_up, studied

# The looks


FOREST_FULL = " ".join(f"{unit}:~" for unit in UNITS[2:])
SCENES: dict[str, Callable[[], Scene]] = {
    "attack": lambda: acted("PÞ e1xe4", bottom=0),
    "move": lambda: acted("KM i5-k5", "p"),
    "salvo": lambda: chosen(studied("p"), "KD", bottom=1),
    "ambush": lambda: acted("W ~xg1", bottom=0),
    "switch": lambda: acted("A h2<>h3", "p", purple=PURPLE.replace("k2", "h3")),
    "lords": lambda: chosen(studied(), "&", "b3"),
    "choice": lambda: chosen(studied(), "JÞ"),
    "hidden": lambda: chosen(setting_up("preset wings", "ready").seen_by(0), "A"),
    "spectator": lambda: scene(setting_up("ready").seen_by(None)),
    "crowd": lambda: scene(battle(f"A:p2 {FOREST_FULL}", "A:h2 KM:i5"), 0),
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SCENES)
def test_the_picture_looks_as_approved(name: str, theme: str) -> None:
    check_approved(SCENES[name](), name, theme)


# The board is exact


@pytest.mark.slow
def test_neighbours_of_the_rules_touch_in_the_picture_and_others_do_not() -> None:
    """Spaces grown by two pixels overlap exactly where the rules see an edge or a corner."""
    masks = {}
    for space in SPACES:
        points = [(2 * x, 2 * y) for x, y in board.outline(space, -2)]
        mask = Image.new("1", (1600, 1888))
        ImageDraw.Draw(mask).polygon(points, fill=1)
        masks[space] = (mask, mask.getbbox())
    for space in SPACES:
        mask, (left, top, right, bottom) = masks[space]
        touching = set()
        for other in SPACES:
            b = masks[other][1]
            if other == space or b[0] >= right or b[2] <= left or b[1] >= bottom or b[3] <= top:
                continue
            if ImageChops.logical_and(mask, masks[other][0]).getbbox():
                touching.add(other)
        over = {s for s in RADIAL[space] if s[1] == space[1] == "6"}
        assert touching == {*TANGENTIAL[space], *RADIAL[space], *DIAGONAL[space]} - over, space


def test_no_two_units_overlap_wherever_they_stand() -> None:
    points = [board.point(space) for space in SPACES]
    for one, other in itertools.combinations(points, 2):
        assert math.dist(one, other) > 2 * pieces.DISC + 0.9


def test_the_turned_board_shows_each_space_opposite() -> None:
    assert board.turned("a1", True) == "i1"
    assert board.turned("a6", True) == "i6"
    assert board.turned("o5", True) == "g5"
    for space in SPACES:
        x, y = board.point(space)
        a, b = board.point(board.turned(space, True))
        assert (x + a) / 2 == pytest.approx(400)
        assert (y + b) / 2 == pytest.approx(472)


@pytest.mark.parametrize("bottom", [0, 1])
def test_a_units_picture_stands_on_its_space_from_either_side(bottom: Seat) -> None:
    empty = seen(scene(battle("A:p2", "KM:h2"), bottom))
    for space in ("a1", "c3", "e4", "k5", "g6", "m2", "i6"):
        with_unit = seen(scene(battle(f"A:p2 T1:{space}", "KM:h2"), bottom))
        box = at(space, turn=bottom == 0)
        assert FLATS["g.face"] in colours(with_unit, box)
        assert FLATS["g.face"] not in colours(empty, box)
        differ = changed(with_unit.crop((0, 80, 800, 864)), empty.crop((0, 80, 800, 864)))
        assert differ is not None
        assert differ[2] - differ[0] < 66


def test_the_own_side_is_at_the_bottom() -> None:
    position = GAME.start(GAME.setting({"setup": "fixed"}))
    for bottom, side, other in ((0, "g", "p"), (1, "p", "g")):
        picture = seen(scene(position, bottom))
        assert FLATS[f"{side}.face"] in colours(picture, (100, 640, 700, 840))
        assert FLATS[f"{other}.face"] not in colours(picture, (100, 640, 700, 840))


# Everything is told apart


def test_each_unit_looks_different_and_each_side_too_without_colour() -> None:
    looks = set()
    for seat in (0, 1):
        for unit in UNITS:
            picture = seen(scene(battle("A:p2", "KM:h2"), 1))
            sprite = pieces.unit("light", seat, unit)
            looks.add(sprite.indices.tobytes())
            assert picture.size == (800, 944)
    assert len(looks) == 2 * len(UNITS)
    # Green is round, purple has corners: their outlines differ.
    assert pieces.unit("light", 0, "T1").solid.tobytes() != (
        pieces.unit("light", 1, "T1").solid.tobytes()
    )


def test_different_positions_have_different_pictures() -> None:
    rng = random.Random(5)
    position = GAME.start(GAME.setting({"setup": "fixed"}))
    pictures: dict[bytes, str] = {}
    for _ in range(60):
        if not position.actors():
            break
        text = GAME.notation.text(position).rsplit(" ", 1)[0]  # Passes are told in words.
        assert pictures.setdefault(paint(scene(position)).tobytes(), text) == text
        position = position.after(rng.choice(position.legal_moves(position.stage.turn)))
    assert len(pictures) > 50


def test_an_abandoned_guard_is_faded_and_whole_again_when_its_master_returns() -> None:
    led = seen(scene(battle("A:m2 JM:m3 JÞ:a2", "A:i2")))
    alone = seen(scene(battle("A:m2 JM:~ JÞ:a2", "A:i2")))
    assert FLATS["g.faded"] in colours(alone, at("a2"))
    assert FLATS["g.faded"] not in colours(led, at("a2"))


def test_gold_marks_king_and_warmaster_only() -> None:
    picture = seen(scene(studied()))
    for space, royal in (("p2", True), ("m5", True), ("a3", False), ("h2", True), ("g3", False)):
        assert (FLATS["gold"] in colours(picture, at(space, 27))) == royal


def test_captured_units_and_the_uses_of_the_ambush_are_in_the_bars() -> None:
    some = scene(studied(), 1)
    more = scene(studied(purple=PURPLE.replace(" T1:f4", "")), 1)
    bar = (12, 12, 788, 76)
    assert changed(seen(some).crop(bar), seen(more).crop(bar)) is not None
    uses = [seen(scene(studied(counts=f"0,{n}"), 1)).crop((12, 868, 788, 932)) for n in range(3)]
    assert len({picture.tobytes() for picture in uses}) == 3


def test_many_captured_units_fit_the_bar() -> None:
    picture = seen(scene(battle("A:p2", "KM:h2"), 1))
    for bar in ((12, 12, 788, 76), (12, 868, 788, 932)):
        assert FLATS["gold"] in colours(picture, bar)
        assert FLATS["bar"] in colours(picture, bar)


# What is hidden


@pytest.mark.slow
def test_a_thousand_hidden_set_ups_have_one_and_the_same_picture() -> None:
    rng = random.Random(4)
    position = GAME.start(GAME.setting())
    one = paint(scene(position.seen_by(0), 0)).tobytes()
    public = paint(scene(position.seen_by(None), 1)).tobytes()
    arranged = set()
    for _ in range(1_000):
        moves = [m for m in position.legal_moves(1) if not isinstance(m, Ready)]
        position = position.after(rng.choice(moves))
        arranged.add(position.stage.lines[1])
        assert paint(scene(position.seen_by(0), 0)).tobytes() == one
        assert paint(scene(position.seen_by(None), 1)).tobytes() == public
    assert len(arranged) > 900
    assert png(paint(scene(position.seen_by(1), 1))) != png(
        paint(scene(GAME.start(GAME.setting()).seen_by(1), 1))
    )


def test_who_is_ready_bears_a_tick() -> None:
    bar = (12, 12, 788, 76)
    waiting, ready = (
        seen(scene(setting_up(*moves).seen_by(0), 0)).crop(bar) for moves in ((), ("ready",))
    )
    assert changed(waiting, ready) is not None


# Small things


def test_long_names_stay_off_the_captured_units() -> None:
    position = battle("A:p2", "KM:h2")
    wide = seen(replace(scene(position), names=("W" * 32, "龍" * 32)))
    none = seen(replace(scene(position), names=("", "")))
    differ = changed(wide, none)
    assert differ is not None
    assert differ[2] <= 788 - 14 - 340


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_the_palette_has_room_and_no_edge_is_forgotten(
    theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    palette = board.palette(theme)
    assert len(palette.colours) <= 256
    losses = losses_of(monkeypatch)
    for seat in (0, 1):
        for unit in UNITS:
            pieces.unit.__wrapped__(theme, seat, unit)
            pieces.ghost.__wrapped__(theme, seat, unit, True)
        pieces.emblem.__wrapped__(theme, seat)
    board.ground.__wrapped__(theme, False)
    board.numbers.__wrapped__(theme, False)
    board.veil.__wrapped__(theme, True)
    assert len(losses) > 60
    assert max(losses) < 0.09


def test_the_end_is_shown_by_the_star_of_the_winner() -> None:
    won = play(battle("A:m2 T1:a2", "KM:a3"), "T1 a2xa3")
    picture = seen(scene(won, 0))
    assert FLATS["gold"] in colours(picture, (20, 872, 70, 930))
    assert FLATS["gold"] not in colours(picture, (20, 16, 70, 74))


def test_the_focus_is_blue_and_wider() -> None:
    assert len(FOCUS) == 16
    picture = seen(scene(battle("A:m2 T1:a2", "KM:a3")))
    assert FLATS["f1"] in colours(picture, at("a5", 20))
    assert FLATS["c1"] in colours(picture, at("i2", 20)) or FLATS["c2"] in colours(
        picture, at("i2", 20)
    )
