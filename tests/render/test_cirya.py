"""The picture of Cirya: every piece of every nossë is to be seen, and every choice foreseen."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from games.cirya import GAME
from games.cirya.board import SWAN
from games.cirya.formats.ptn import DEFAULTS
from games.cirya.move_types import Call, Kind, Said
from games.cirya.notation import read
from games.cirya.rules import Cirya
from games.core import read_move
from render.cirya.choice import STRIP
from render.cirya.painter import FIGURES, SIDE, TOP, View, pieces, spots
from render.cirya.stack_side_view import Ladder
from render.kit import TOKENS as THEMES
from render.scene import Scene
from tests.render.pictures import asked, changed, check_approved, colours, dressed, losses_of, seen

SEA = "2,1,21,x,2/x,12S,1,12112,x/1,21,2121121221C,2,1S/x,2,1,212C,x/1,x,122,x,x 1 14"
LONDE = "2,1,21,x,2/x,12S,1,12,x/1,21,2121121221C,1,1S/x,2,2,1,2/1,x,221,x,212C 1 18"
TALL = (
    "122122122112211222111C,12,1,2,1,x/2,21212121211S,112,1,x2/x6"
    "/1212,1,2,1,2,1/2,x5/x3,1S,2C,12 1 30"
)
SMALL = "x,12,2,x/x,121S,x2/12,x3/x3,1 1 8"
NAMES = ("Elwing", "Thoron")
LIGHT = pieces.palette("light").flats
AMBER, BLUE, GOLD, RED = (LIGHT[name] for name in ("amber", "blue", "gold", "red"))


def scene(tps: str, *moves: str) -> Scene:
    """The sea of *tps* after *moves*, which may be announced."""
    position = read(tps, DEFAULTS)
    for text in moves:
        position = position.after(read_move(GAME, position, position.board.mover, text))
    return view(position)


def view(position: Cirya) -> Scene:
    return dressed(Scene("cirya", position, NAMES, bottom=SWAN))


def cell(one: Scene, name: str) -> tuple[int, int, int, int]:
    """The pixels of a sat, without those at its border."""
    shown = View(one)
    left, top, right, bottom = shown.box(shown.names.index(name))
    return (left + 1, top + 1, right - 1, bottom - 1)


SCENES = {
    "sea": lambda: scene(SEA.replace("12112,x/1", "12,212/1").replace(" 1 14", " 2 14"), "2e4<'"),
    "sati": lambda: asked(scene(SEA), SWAN),
    "lift": lambda: asked(scene(SEA), SWAN, ("c3",)),
    "drops": lambda: asked(scene(SEA), SWAN, ("c3", "4", "<")),
    "many": lambda: asked(scene(SEA), SWAN, ("c3", "9", "+")),
    "place": lambda: asked(scene(SEA), SWAN, ("e2",)),
    "londe": lambda: scene(LONDE, "c1>"),
    "six": lambda: scene(TALL),
    "by-sat": lambda: asked(scene(TALL), SWAN, ("a6", "7", ">", "2")),
    "four": lambda: scene(SMALL, "d1+"),
    "first": lambda: asked(view(GAME.start(GAME.setting())), SWAN),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SCENES)
def test_the_picture_looks_as_approved(name: str, theme: str) -> None:
    check_approved(SCENES[name](), name, theme)


@pytest.mark.parametrize("theme", THEMES)
def test_the_palette_has_room(theme: str) -> None:
    assert len(pieces.palette(theme).colours) <= 256


@pytest.mark.sampled(2)
@pytest.mark.parametrize("theme", THEMES)
def test_no_edge_is_forgotten_in_the_palette(theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from render.cirya import cells_and_marks

    losses = losses_of(monkeypatch)
    for seat in (0, 1):
        for kind in Kind:
            pieces.piece.__wrapped__(theme, seat, kind, 58)
            pieces.for_choice.__wrapped__(theme, seat, kind)
    for mark in ("", "last"):
        cells_and_marks.sat.__wrapped__(theme, 143, "sea", mark)
    cells_and_marks.route.__wrapped__(theme, 143, "swell", "+>")
    cells_and_marks.tag.__wrapped__(theme, "Londë")
    assert len(losses) == 2 * 3 * 2 + 4
    assert max(losses) < 0.075


def slabs(one: Scene, name: str) -> list[int]:
    """The fleets that the ladder of a sat shows, from the bottom up, read off the picture."""
    picture = seen(one)
    shown = View(one)
    sat = shown.names.index(name)
    x, y = shown.box(sat)[:2]
    height = one.seen.board.height(sat)
    ladder = Ladder.fitting(height, shown.grid.wide)
    found = []
    for place in range(height):
        column, row = divmod(place, ladder.rows)
        count = min(ladder.rows, height - column * ladder.rows)
        high = ladder.high(count)
        left = x + shown.grid.wide - 3 - ladder.wide + ladder.left(column)
        foot = y + shown.grid.wide - 9 - row * high - 3 * (row // 5)
        box = (left + 3, foot - high + 1, left + ladder.slab_wide(column) - 3, foot - 1)
        inks = colours(picture, box)
        swan, eagle = LIGHT["swan.face"] in inks, LIGHT["eagle.face"] in inks
        assert swan != eagle, (name, place)
        found.append(int(eagle))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("size", [4, 5, 6])
def test_the_whole_of_every_nossë_can_be_read_in_its_order(size: int) -> None:
    rng = random.Random(size)
    empty = [f"x{size}"] * (size - 1)
    for height in range(2, 25):
        half = ["1"] * (height // 2) + ["2"] * (height - height // 2)
        rng.shuffle(half)
        top = rng.choice(("", "S", "C") if size > 4 else ("", "S"))
        one = scene("/".join([*empty, f"{''.join(half)}{top},x{size - 1}"]) + " 1 30")
        assert slabs(one, "a1") == [int(piece) - 1 for piece in half]


def test_nossi_as_tall_as_all_the_pieces_keep_inside_their_sat() -> None:
    for size, most in ((4, 30), (5, 44), (6, 62)):
        wide = SIDE // size
        for height in range(2, most + 1):
            ladder = Ladder.fitting(height, wide)
            assert ladder.columns * ladder.rows >= height
            assert ladder.wide < wide * 0.75
            rows = ladder.rows
            assert ladder.high(rows) * rows + 3 * ((rows - 1) // 5) <= wide - 12
            assert ladder.high(rows) * 360 / 800 >= (4 if height <= 24 else 2.2)


def test_the_piece_on_top_of_the_tallest_nossë_is_24_pixels_wide_on_a_phone() -> None:
    for size, most in ((4, 30), (5, 44), (6, 62)):
        wide = SIDE // size
        for height in range(2, most + 1):
            room = wide - Ladder.fitting(height, wide).wide - round(10 * wide / pieces.STUDY)
            assert room * 360 / 800 >= 24


@pytest.mark.parametrize("kind", list(Kind))
def test_kinds_and_fleets_differ_without_colour(kind: Kind) -> None:
    def grey(tps: str) -> bytes:
        one = scene(tps)
        return (
            seen(one).crop(cell(one, "c3")).convert("L").point(lambda v: 255 * (v > 120)).tobytes()
        )

    letter = "" if kind is Kind.CIRYA else kind.value
    shapes = {
        grey(f"x5/x5/x2,{fleet}{other},x2/x5/x5 1 9") for fleet in "12" for other in ("", "S", "C")
    }
    assert len(shapes) == 6
    assert grey(f"x5/x5/x2,1{letter},x2/x5/x5 1 9") in shapes


def test_the_last_ply_is_amber_on_all_its_sati_and_nowhere_else() -> None:
    one = scene("x5/x5/121,2,x3/x5/x4,2 1 9", "3a3>12")
    picture = seen(one)
    for name in View(one).names:
        assert (AMBER in colours(picture, cell(one, name))) == (name in ("a3", "b3", "c3"))


def test_the_londe_is_golden_from_shore_to_shore() -> None:
    one = scene(LONDE, "c1>")
    picture = seen(one)
    golden = {n for n in View(one).names if LIGHT["shine"] in colours(picture, cell(one, n))}
    assert golden == {"c5", "c4", "c3", "d3", "d2", "d1"}
    assert AMBER not in colours(picture, (0, TOP, 800, TOP + SIDE))


def test_what_was_announced_stands_behind_the_name() -> None:
    plain, said = scene(SEA, "e2"), scene(SEA, "e2'")
    assert changed(seen(plain), seen(said)) is not None
    assert changed(seen(plain).crop((0, 0, 800, 866)), seen(said).crop((0, 0, 800, 866))) is None
    ready = view(scene(SEA).seen.after(Call(SWAN, Said.LONDE)))
    assert GOLD in colours(seen(ready), (100, 872, 500, 936))
    assert dict(ready.captions) == {"word": "¡Londë!"}
    assert dict(said.captions) == {"said": "¡Londë!"}


def test_what_may_be_reached_is_framed_and_what_would_be_crushed_bursts() -> None:
    one = asked(scene(SEA), SWAN, ("c3", "4", ">"))
    picture = seen(one)
    framed = {n for n in View(one).names if BLUE in colours(picture, cell(one, n))}
    assert framed == {"c3", "d3", "e3", "c4"}  # c4 by the lifted pieces that rise into it
    assert RED in colours(picture, cell(one, "e3"))
    assert RED not in colours(seen(asked(scene(SEA), SWAN, ("c3", "1", ">"))), cell(one, "e3"))


def test_every_way_to_drop_is_foreseen_in_the_strip() -> None:
    one = asked(scene(SEA), SWAN, ("c3", "4", "<"))
    boxes = View(one).hand.boxes()
    assert list(boxes) == ["13", "22", "31", "4"]
    pictures = [seen(one).crop(box).tobytes() for box in boxes.values()]
    assert len(set(pictures)) == 4
    assert {spot.step for spot in spots(one)} == set(boxes)
    for spot in spots(one):
        assert spot.y >= STRIP[1] / 960 - 0.001


@pytest.mark.slow
def test_sat_by_sat_what_has_fallen_lies_where_it_fell() -> None:
    one = asked(scene(TALL), SWAN, ("a6", "7", ">", "2"))
    hand = View(one).hand
    names = one.seen.board.shape.names
    assert hand.shown(names.index("b6"))[0] == (0, 1, 0, 1)
    stack, kind, lifted = hand.shown(names.index("a6"))
    assert (len(stack), kind, lifted) == (19, Kind.HALLACIRYA, 5)


def test_sati_and_lone_pieces_can_be_tapped() -> None:
    first = asked(view(GAME.start(GAME.setting({"size": "4"}))), SWAN)
    assert {spot.step for spot in spots(first)} == set(View(first).names)
    lone = asked(scene(SEA), SWAN, ("a1",))
    assert {spot.step for spot in spots(lone)} == {"1+", "1>"}


def test_north_is_up_whoever_sits_below() -> None:
    one = scene(SEA)
    other = replace(one, bottom=1)
    board = (0, 92, 800, 866)
    assert changed(seen(one).crop(board), seen(other).crop(board)) is None
    assert changed(seen(one), seen(other)) is not None


def test_different_seas_have_different_pictures() -> None:
    pictures = {
        seen(scene(SEA.replace(*change))).tobytes()
        for change in (("", ""), ("12112", "11212"), ("12S", "12"), ("212C", "212"), (" 1 ", " 2 "))
    }
    assert len(pictures) == 5


def test_the_figures_show_what_the_text_says() -> None:
    assert set(FIGURES) == {"pieces", "nosse", "move", "crush", "londe"}
    before, after = FIGURES["crush"].scenes()
    assert before.path == ("a3", "2>")
    assert "22C" in GAME.notation.text(after.seen)


def test_no_piece_in_the_strip_reaches_into_its_frame() -> None:
    one = asked(scene(SEA), SWAN, ("e2",))
    picture = seen(one)
    left, _, right, bottom = STRIP
    frame = {picture.getpixel((x, bottom - 1)) for x in range(left + 12, right - 12)}
    inner = {picture.getpixel((x, bottom - 4)) for x in range(left + 12, right - 12)}
    assert frame == inner == {BLUE}
