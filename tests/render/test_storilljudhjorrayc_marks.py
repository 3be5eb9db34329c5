"""What is marked on the picture of Storilljuðjorrayc: the last move, targets, what is chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.core import Seat
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.geometry import FOREST, OUTER, SPACES
from render.kit import geometry
from render.kit.painters import painter
from render.storilljudhjorrayc import board, layout
from tests.games.storill_helpers import battle
from tests.render.pictures import changed, colours, seen
from tests.render.storill_scenes import FLATS, KEY, acted, at, chosen, studied


def test_the_last_move_is_amber_on_the_spaces_it_left_and_reached() -> None:
    made = acted("T1 n4-m4")
    picture, plain = seen(made), seen(replace(made, last=()))
    for space in ("n4", "m4"):
        assert FLATS["amber"] in colours(picture, at(space, 26))
    assert FLATS["amber"] not in colours(plain, (0, 84, 800, 860))


def test_in_a_film_the_way_alone_marks_a_step() -> None:
    made = acted("T1 n4-m4")
    calm, marked = (seen(replace(made, calm=quiet)) for quiet in (True, False))
    between = changed(calm, marked)
    assert FLATS["amber"] in colours(calm, at("n4", 26))
    assert between is not None
    assert between[2] - between[0] > 150  # Both spaces: their frames are gone.
    strike = replace(acted("PÞ e1xe4"), calm=True)
    assert FLATS["amber"] in colours(seen(strike), at("e1", 30))


def test_a_captured_unit_leaves_a_ghost_in_a_burst() -> None:
    picture = seen(acted("PÞ e1xe4"))
    assert {FLATS["red"], FLATS["p.ghost"]} <= colours(picture, at("e4", 30))
    assert FLATS["red"] not in colours(seen(acted("T1 n4-m4")), at("e4", 30))


def test_a_third_ambush_leaves_the_ghost_alone() -> None:
    two = acted("W ~xg1", counts="1,0")
    three = acted("W ~xg1", counts="2,0")
    assert FLATS["g.face"] in colours(seen(two), at("g1", 20))
    assert FLATS["g.face"] not in colours(seen(three), at("g1", 20))


@pytest.mark.parametrize(
    ("origin", "target", "expected"),
    [
        ("a1", "a4", ["a1", "a2", "a3", "a4"]),
        ("a2", "g6", ["a2", "a3", "a4", "a5", "a6", "g6"]),
        ("a1", "n1", ["a1", "p1", "o1", "n1"]),
        (
            "e1",
            "h1",
            ["e1", "d1", "c1", "b1", "a1", "p1", "o1", "n1", "m1", "l1", "k1", "j1", "i1", "h1"],
        ),
        ("a2", "b3", ["a2", "b3"]),
        ("a3", FOREST, ["a3", "a2", "a1", FOREST]),
        ("c1", FOREST, ["c1", FOREST]),
        (FOREST, "k1", [FOREST, "k1"]),
    ],
)
def test_the_arrow_follows_the_way_really_gone(origin, target, expected) -> None:
    # T1 on f1 bars the short way from e1 to h1.
    position = battle("A:m2 T1:f1", "A:i2").stage
    assert layout.way(position, origin, target) == expected


def test_a_salvo_shows_its_beam_what_falls_and_a_warning() -> None:
    choosing = chosen(studied("p"), "KD", bottom=1)
    picture, plain = seen(choosing), seen(replace(choosing, path=(), targets=()))
    for space in ("g3", "g4"):
        assert FLATS["red"] in colours(picture, at(space, 34))
    assert FLATS["red"] in colours(picture, at("g2", 20))
    assert FLATS["red"] not in colours(plain, at("g3", 34))


def test_targets_bear_the_names_of_their_spaces() -> None:
    choosing = chosen(studied(), "JÞ")
    picture, plain = seen(choosing), seen(replace(choosing, targets=()))
    steps = [target.step for target in choosing.targets]
    assert "b4" in steps
    for step in steps:
        if step.isalnum() and step[0] != "x":
            box = at(step, 12, turn=True)
            assert FLATS["white"] in colours(picture, box)
            assert changed(picture.crop(box), plain.crop(box)) is not None


@pytest.mark.parametrize("bottom", [0, 1])
def test_spots_lie_on_what_they_stand_for(bottom: Seat) -> None:
    position = studied("gp"[bottom])
    for path in ((), ("KD",), ("JÞ",), ("W",), ("&",)):
        choosing = chosen(position, *path, bottom=bottom)
        for spot in painter(KEY).spots(choosing):
            x, y = round((spot.x + spot.w / 2) * 800), round((spot.y + spot.h / 2) * 944)
            step = spot.step.removeprefix("x").removeprefix("<>")
            if step in SPACES:
                px, py = board.point(board.turned(step, bottom == 0))
                assert abs(x - px) <= 2
                assert abs(y - py) <= 2
    first = {spot.step for spot in painter(KEY).spots(chosen(position, bottom=bottom))}
    assert first == set(position.stage.board.left(bottom)) & {
        GAME.menus.steps(position, move)[0] for move in position.legal_moves(bottom)
    }


def test_the_way_into_the_forest_hides_no_letter() -> None:
    for space in OUTER:
        x, y = board.edge_point(space)
        assert 12 + 21 <= x <= 788 - 21
        assert 84 + 21 <= y <= 860 - 21
        for sector in range(16):
            lx, ly = geometry.polar(400, 472, board.RINGS[0] + 21, 11.25 + 22.5 * sector)
            assert abs(x - lx) > 30 or abs(y - ly) > 30
