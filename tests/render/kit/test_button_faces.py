"""Faces: one for each thing a button may stand for, small enough for every chat."""

from __future__ import annotations

import io
import itertools
import random
import re

import pytest
from PIL import Image

from games.core.move_parsing import spelled
from games.core.shelf import shelf
from games.parchis.moves import Roll
from render.kit.button_faces import (
    accent,
    drawn_by,
    face_names,
    face_picture,
    face_set,
    thrown,
    thrown_names,
)
from tests.games.random_walks import random_setting, walk

GAMES = sorted(shelf())


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_faces_are_squares_without_a_ground_and_no_two_are_alike(game):
    seen = set()
    for name in face_names(game):
        assert re.fullmatch("[A-Za-z0-9]{1,8}", name)
        data = face_picture(game, name)
        picture = Image.open(io.BytesIO(data))
        assert (picture.size, picture.mode) == ((128, 128), "RGBA")
        assert len(data) <= 60_000
        assert picture.getpixel((0, 0))[3] == 0
        assert picture.getpixel((64, 64))[3] == 255
        seen.add(picture.tobytes())
    assert len(seen) == len(face_names(game)) > 0


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_that_a_button_chooses_has_a_face(game):
    faces = face_set(game)
    assert faces is not None
    rng = random.Random(1)
    met = set()
    for _ in range(4):
        setting = random_setting(shelf()[game], rng)
        for position, _ in itertools.islice(walk(shelf()[game], setting, rng, 40), 40):
            for seat in position.actors() - {-1}:
                for steps in spelled(shelf()[game], position, position.legal_moves(seat)):
                    for depth, step in enumerate(steps):
                        found = faces.face(position, seat, steps[:depth], step)
                        assert found in ("", *face_names(game))
                        met.add(found)
    assert len(met - {""}) >= 4


@pytest.mark.parametrize("game", GAMES)
def test_every_side_has_a_colour_of_its_own(game):
    colours = {accent(game, side) for side in shelf()[game].rules.sides}
    assert None not in colours
    assert len(colours) == len(shelf()[game].rules.sides)


def test_a_game_without_faces_has_none():
    assert face_names("toy") == ()
    assert accent("toy", "red") is None
    assert face_set("toy") is None
    with pytest.raises(KeyError):
        face_picture("toy", "a")


def test_what_draws_the_faces_has_a_short_name_that_is_the_same_each_time():
    assert re.fullmatch("[0-9a-f]{6}", drawn_by("niya"))
    drawn_by.cache_clear()
    assert len({drawn_by(game) for game in GAMES for _ in (1, 2)}) == len(GAMES)


def test_every_face_that_a_die_may_show_can_be_drawn_and_no_other_chance_has_one() -> None:
    names = [thrown("parchis", Roll(eyes)) for eyes in range(1, 7)]
    assert names == [f"parchis-{name}" for name in thrown_names("parchis")]
    assert len({face_picture("parchis", name) for name in thrown_names("parchis")}) == 6
    assert thrown("parchis", object()) == ""
    assert thrown("niya", object()) == ""
