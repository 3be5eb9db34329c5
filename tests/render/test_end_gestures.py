"""The gestures of an end: what the board and its bars show when a game is over."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from games.core import Outcome
from games.core.shelf import shelf
from render.cirya.stack_side_view import Ladder
from render.kit import Sheet
from render.kit.button_faces import face_picture
from render.kit.painters import paint
from render.scene import Scene
from render.shogi import pieces as shogi
from render.shogi.colours import palette
from render.storilljudhjorrayc.painter import paint as paint_battle
from tests.games.shogi_boards import at
from tests.render.drawn import likeness
from tests.render.moments import moments, seen_from
from tests.render.pictures import dressed

PLAIN = Outcome("x", (frozenset({0}), frozenset({1})))


def differing(first: Image.Image, second: Image.Image) -> tuple[int, int, int, int] | None:
    return ImageChops.difference(first.convert("RGB"), second.convert("RGB")).getbbox()


@pytest.mark.sampled
@pytest.mark.parametrize("reason", ["resign", "time"])
@pytest.mark.parametrize("key", sorted(shelf()))
def test_who_gave_up_or_ran_out_of_time_bears_a_sign_in_their_bar_alone(key, reason):
    scene = seen_from(moments(key)["middle"], None)
    seats = frozenset(range(1, len(scene.names)))
    plain = replace(scene, ended=replace(PLAIN, places=(frozenset({0}), seats)))
    shown = replace(plain, ended=replace(plain.ended, reason=reason))
    box = differing(paint(plain), paint(shown))
    assert box is not None
    left, top, right, bottom = box
    assert right - left < 400 or key == "parchis"  # three have lost there
    assert bottom - top < 80 or key == "parchis"


@pytest.mark.sampled
@pytest.mark.parametrize("key", sorted(shelf()))
def test_a_draw_a_resignation_and_a_lost_clock_look_each_otherwise(key):
    scene = seen_from(moments(key)["middle"], None)
    everybody = frozenset(range(len(scene.names)))
    ends = [
        Outcome("agreement", (everybody,)),
        *(Outcome(reason, (frozenset({0}), everybody - {0})) for reason in ("resign", "time", "x")),
    ]
    assert len({paint(replace(scene, ended=end)).tobytes() for end in ends}) == 4


def test_the_mated_king_has_fallen_over():
    scene = seen_from(moments("shogi")["end"], None)
    assert scene.ended.reason == "mate"
    king = 8 + 16 * scene.seen.turn
    lies = shogi.toppled("light", king, shogi.ONE, down=True)
    stands = shogi.standing("light", king, shogi.ONE, down=True)
    pictures = []
    for sprite in (lies, stands):
        sheet = Sheet(palette("light"), 92, 92)
        sheet.put(sprite, 46, 46)
        pictures.append(sheet.picture())
    assert differing(*pictures) is not None
    assert lies.width > stands.width


@pytest.mark.slow
def test_a_fallen_king_lies_over_the_squares_beside_it_on_the_page_as_in_the_picture():
    # The bishop beside him, whose square is painted after his, has made no move.
    mated = at(
        "sn1kB2+N1/1+PpG1l1P1/4ps3/3g1pNp1/2PPPP2l/1P2K1pnp/+lpG4+p1/PS2G1PR1/L1+p1S4 w b 123"
    )
    scene = dressed(Scene("shogi", mated, ("Nerea", "Bruno")))
    assert mated.outcome().reason == "mate"
    assert likeness(scene).tile >= 0.98


def test_who_captured_last_in_a_battle_is_crowned(monkeypatch):
    scene = seen_from(moments("storilljudhjorrayc")["end"], None)
    crowned = paint_battle(scene)
    monkeypatch.setattr("render.storilljudhjorrayc.pieces.crown", lambda _: shogi.free("light"))
    assert differing(crowned, paint_battle(scene)) is not None


@pytest.mark.parametrize(("height", "columns"), [(8, 1), (20, 2), (40, 4)])
def test_of_several_columns_the_one_with_the_lowest_slab_has_an_arrow(height, columns, monkeypatch):
    put = []
    monkeypatch.setattr("render.cirya.stack_side_view.lowest", lambda *_: put.append(1))
    ladder = Ladder.fitting(height, 143)
    assert ladder.columns == columns
    sheet = type("Paper", (), {"put": lambda *_: None})()
    ladder.put(sheet, "light", (0, 0), (0, 1) * (height // 2), 0)
    assert len(put) == (columns > 1)


@pytest.mark.parametrize("name", ["gKth", "pJM", "gT3", "pSD"])
def test_two_letters_fill_most_of_the_disc_of_a_button(name):
    face = Image.open(BytesIO(face_picture("storilljudhjorrayc", name))).convert("RGBA")
    middle = face.crop((24, 24, 104, 104)).convert("RGB")
    ground = middle.getpixel((40, 3))
    letters = ImageChops.difference(middle, Image.new("RGB", middle.size, ground))
    left, top, right, bottom = letters.convert("L").point(lambda n: 255 * (n > 90)).getbbox()
    assert right - left >= 55
    assert bottom - top >= 34
