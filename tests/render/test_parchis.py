"""The picture of Parchís: what it shows, what it marks, and that it looks as approved."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import Image

from games.core import pick, read_move
from games.parchis import GAME
from games.parchis.board import CIRCUIT, ROUTES
from render.kit import TOKENS as THEMES
from render.kit.painters import painter
from render.parchis import painter as painter_module
from render.parchis import pieces
from render.parchis.layout import (
    BOARD,
    CASAS,
    HEIGHT,
    HOMES,
    META_SPOTS,
    METAS,
    PLATE_HEIGHT,
    PLATE_WIDTH,
    PLATES,
    SQUARES,
    WIDTH,
)
from render.parchis.layout import shown as turned_to
from render.scene import Last, Scene
from tests.games.parchis_tools import at
from tests.render.pictures import asked, changed, check_approved, colours, dressed, losses_of, seen

NAMES = ("Marta", "Íñigo", "Abuela", "Jun")
FLATS = pieces.palette("light").flats

BEFORE = "A=23,72,8,0 Z=19,19,22,0 R=61,72,42,72 V=4,67,72,59 A d4 0 - -"
CHOICE = "A=27,72,8,0 Z=19,1,42,66 R=0,72,42,7 V=4,4,72,59 Z d5 0 - -"
START = "A=0,0,0,0 Z=0,0,0,0 R=0,0,0,0 V=0,0,0,0 A ! 0 - -"
OPENING = "A=0,0,0,0 Z=0,0,0,0 R=0,0,0,0 V=0,0,0,0 A o 0 - A:?,R:4,V:6"
LAST_ONE_IN = "A=72,72,72,72#1 Z=18,8,3,0 R=72,72,72,72#2 V=72,72,72,71 V d1 0 - -"
ALL_IN = "A=72,72,72,71 Z=18,8,3,0 R=59,2,66,66 V=67,68,0,0 A d1 0 - -"
THIRD_SIX = "A=8,30,0,0 Z=52,0,0,0 R=35,0,0,0 V=10,10,0,0 A d6 2 A1 5:R1"


def shown(text: str, move: str = "", theme: str = "light", **options: str) -> Scene:
    """The position *text*, after *move* of the player on turn where one is given."""
    position = at(text, **options)
    last: tuple[Last, ...] = ()
    if move:
        played = read_move(GAME, position, position.turn, move)
        last = (Last(position, position.turn, played),)
        position = position.after(played)
    names = NAMES[: len(position.colours)]
    return dressed(Scene("parchis", position, names, last=last, theme=theme))


def choosing(text: str, **options: str) -> Scene:
    scene = shown(text, **options)
    return asked(scene, scene.seen.turn)


SCENES = {
    "start": lambda: choosing(START),
    "opening": lambda: shown(OPENING),
    "capture": lambda: shown(BEFORE, "A1"),
    "choose": lambda: choosing(CHOICE),
    "third": lambda: shown(THIRD_SIX, "A1"),
    "end": lambda: shown(ALL_IN, "A4", ending="first"),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SCENES)
def test_the_picture_looks_as_approved(name: str, theme: str) -> None:
    check_approved(SCENES[name](), name, theme)


# -- the board -------------------------------------------------------------------------


def area(outline: tuple[tuple[float, float], ...]) -> float:
    ends = [*outline[1:], outline[0]]
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(outline, ends, strict=True))) / 2


def inside(point: tuple[float, float], outline: tuple[tuple[float, float], ...]) -> bool:
    ends = [*outline[1:], outline[0]]
    turns = [
        (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
        for a, b in zip(outline, ends, strict=True)
    ]
    return all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)


def test_squares_corridors_metas_and_casas_fill_the_board_exactly() -> None:
    assert len(SQUARES) == 68 + 28
    total = sum(area(square.outline) for square in SQUARES.values())
    total += sum(map(area, METAS)) + 4 * 245**2
    assert total == (BOARD[2] - BOARD[0]) * (BOARD[3] - BOARD[1])


def test_every_spot_and_number_lies_in_its_square() -> None:
    for place, square in SQUARES.items():
        assert all(inside(spot, square.outline) for spot in (*square.pair, square.alone)), place
        assert (square.number is not None) == (place <= CIRCUIT)
        assert square.number is None or inside(square.number, square.outline)
    for colour in range(4):
        assert all(inside(spot, METAS[colour]) for spot in META_SPOTS[colour])


def test_each_route_goes_from_square_to_neighbour() -> None:
    for route in ROUTES:
        for here, following in pairwise(route[1:72]):
            assert math.dist(SQUARES[here].alone, SQUARES[following].alone) <= 98
            shared = set(SQUARES[here].outline) & set(SQUARES[following].outline)
            assert len(shared) == 2, (here, following)


def test_the_salida_lies_beside_its_casa() -> None:
    for colour, salida in enumerate((5, 22, 39, 56)):
        assert math.dist(SQUARES[salida].alone, CASAS[colour]) < 195


def amount(picture: Image.Image, where: tuple[int, int, int, int], ink: str) -> int:
    """How many pixels are *ink*; the edges of pieces and signs have a few."""
    part = picture.crop(where)
    counted = {colour: count for count, colour in part.getcolors(part.width * part.height) or []}
    return counted.get(FLATS[ink], 0)


# -- marks -----------------------------------------------------------------------------


def box(place: int, room: int = 0) -> tuple[int, int, int, int]:
    left, top, right, bottom = SQUARES[place].box
    return (left + room, top + room, right - room, bottom - room)


def test_the_last_move_is_drawn_through_its_squares() -> None:
    scene = shown(BEFORE, "A1")
    marked, plain = seen(scene), seen(replace(scene, last=()))
    for place in (27, 28, 29, 30, 31):
        assert FLATS["amber"] in colours(marked, box(place, 2))
    for place in (26, 32):
        assert FLATS["amber"] not in colours(marked, box(place, 6))
    assert FLATS["amber"] not in colours(plain, (0, 0, *plain.size))


def test_p12_the_captured_piece_is_ringed_at_home_and_its_way_is_red() -> None:
    scene = shown(BEFORE, "A1")
    x, y = map(round, HOMES[2][0])
    around = (x - 34, y - 34, x + 34, y + 34)
    unmarked = seen(replace(scene, last=()))
    assert amount(seen(scene), around, "red") > 500 > 50 > amount(unmarked, around, "red")
    road = (400, 150, 430, 190)
    assert amount(seen(scene), road, "red") > 30
    assert amount(unmarked, road, "red") == 0


def test_p9_the_piece_sent_home_by_a_third_six_is_ringed() -> None:
    x, y = map(round, HOMES[0][0])
    around = (x - 34, y - 34, x + 34, y + 34)
    scene = shown(THIRD_SIX, "A1")
    unmarked = seen(replace(scene, last=()))
    assert amount(seen(scene), around, "red") > 500 > 50 > amount(unmarked, around, "red")


def test_p10_a_barrier_turns_its_square_to_ink_and_a_mixed_pair_does_not() -> None:
    text = "A=23,0,0,0 Z=9,9,0,0 R=59,0,0,0 V=42,0,0,0 A d1 0 - -"
    picture = seen(shown(text))
    assert picture.getpixel((box(30)[2] - 4, box(30)[1] + 5)) == FLATS["shut"]
    assert picture.getpixel((box(29)[2] - 4, box(29)[1] + 5)) == FLATS["seguro"]


def test_p16_a_mixed_barrier_is_shown_where_the_house_has_it() -> None:
    text = "A=23,0,0,0 Z=8,0,0,0 R=59,0,0,0 A d1 0 - -"
    place = (box(29)[2] - 4, box(29)[1] + 5)
    assert seen(shown(text)).getpixel(place) == FLATS["seguro"]
    assert seen(shown(text, mixed_barriers="yes")).getpixel(place) == FLATS["shut"]


def test_targets_frame_their_squares_and_captures_in_red() -> None:
    scene = choosing(CHOICE)
    assert [target.step for target in scene.targets] == ["Z1", "Z2", "Z3", "Z4"]
    plain, lettered = seen(replace(scene, targets=())), seen(scene)
    for place in (27, 68, ROUTES[1][71]):
        assert amount(lettered, box(place), "blue") > 500 > 100 > amount(plain, box(place), "blue")
    assert amount(lettered, box(45), "red") > 500 > 100 > amount(plain, box(45), "red")


def test_only_the_die_is_ringed_before_the_roll() -> None:
    scene = choosing(START)
    differ = changed(seen(scene), seen(replace(scene, targets=())))
    x, y = map(round, CASAS[0])
    assert differ is not None
    assert x - 60 < differ[0] < differ[2] < x + 60
    assert y - 60 < differ[1] < differ[3] < y + 60


def test_a_triangle_stands_before_the_player_on_turn() -> None:
    for turn, letter in enumerate("AZRV"):
        picture = seen(shown(START.replace(" A !", f" {letter} !")))
        for colour, (left, top) in enumerate(PLATES):
            box = (round(left) + 12, round(top) + 12, round(left) + 42, round(top) + 46)
            assert (FLATS["ink"] in colours(picture, box)) == (colour == turn)


def test_colours_that_do_not_play_have_no_plate() -> None:
    picture = seen(shown("A=0,0,0,0 R=0,0,0,0 A ! 0 - -"))
    for colour in (1, 3):
        left, top = map(round, PLATES[colour])
        plate = (left, top, left + PLATE_WIDTH, top + PLATE_HEIGHT)
        assert colours(picture, plate) == {FLATS["paper"]}


def test_b13_the_end_shows_the_places_and_a_star() -> None:
    scene = shown(LAST_ONE_IN, "V4")
    assert scene.seen.outcome() is not None
    assert scene.seen.standings() == {0: 1, 1: 4, 2: 2, 3: 3}
    picture = seen(scene)
    left, top = map(round, PLATES[0])
    assert FLATS["gold"] in colours(picture, (left, top, left + 50, top + PLATE_HEIGHT))
    left, top = map(round, PLATES[3])
    assert FLATS["gold"] not in colours(picture, (left, top, left + 50, top + PLATE_HEIGHT))


def test_the_sixes_of_the_turn_lie_under_the_die() -> None:
    pictures = [seen(shown(START.replace(" 0 -", f" {sixes} -"))) for sixes in (0, 1, 2)]
    for one, other in pairwise(pictures):
        differ = changed(one, other)
        assert differ is not None
        assert CASAS[0][1] + 50 < differ[1]
        assert differ[3] < CASAS[0][1] + 114


def test_in_a_film_the_way_alone_marks_the_last_move() -> None:
    scene = shown(BEFORE, "A1")
    calm, marked = (seen(replace(scene, calm=quiet)) for quiet in (True, False))
    assert amount(calm, box(29), "amber") == amount(marked, box(29), "amber") > 0
    for place in (27, 31):
        assert amount(calm, box(place), "amber") < amount(marked, box(place), "amber")


def test_in_a_film_nobody_is_asked_to_roll() -> None:
    turns = [START, START.replace("A ! 0", "A ! 2"), START.replace("A ! 0", "Z ! 0")]
    first, *others = (seen(replace(shown(text), calm=True)) for text in turns)
    assert [changed(first, other) for other in others] == [None, None]


def test_b5_of_two_on_a_salida_the_last_arrived_stands_outside() -> None:
    text = "A=0,0,0,0 Z=52,0,0,0 R=35,0,0,0 A ! 0 - 5:{}"
    blue, red = seen(shown(text.format("Z1"))), seen(shown(text.format("R1")))
    differ = changed(blue, red)
    assert differ is not None
    left, top, right, bottom = box(5, -4)
    assert left <= differ[0] < differ[2] <= right
    assert top <= differ[1] < differ[3] <= bottom


def test_the_board_turns_until_the_casa_of_who_sits_at_the_bottom_is_at_the_right() -> None:
    x, y = map(round, CASAS[0])
    for seat, letter in enumerate("AZRV"):
        picture = seen(replace(shown(START), bottom=seat))
        assert picture.getpixel((x + 118, y + 118)) == FLATS[f"face.{letter}"]
        assert picture.getpixel((x - 118, y - 118)) == FLATS[f"face.{letter}"]


@pytest.mark.parametrize("turn", range(4))
def test_a_turned_board_shows_every_place_once_and_neighbours_as_neighbours(turn: int) -> None:
    assert {turned_to(place, turn) for place in SQUARES} == set(SQUARES)
    for colour, route in enumerate(ROUTES):
        for index, place in enumerate(route[1:72], 1):
            assert turned_to(place, turn) == ROUTES[(colour - turn) % 4][index]


def test_different_positions_have_different_pictures() -> None:
    pictures = set()
    for first in (0, 1, 2, 40, 64, 65, 71, 72):
        for second in (0, 1, 3, 66, 72):
            text = f"A={first},{second},0,0 R=0,0,0,0 A ! 0 - -"
            pictures.add(seen(shown(text)).tobytes())
    assert len(pictures) == 40


# -- words and measures ----------------------------------------------------------------


def test_names_of_32_wide_characters_stay_off_the_pips() -> None:
    scene = shown(START)
    wide = seen(replace(scene, names=("W" * 32, "龍" * 32) * 2))
    none = seen(replace(scene, names=("",) * 4))
    for left, top in PLATES:
        x, y = round(left), round(top)
        plate = (x, y, x + PLATE_WIDTH, y + PLATE_HEIGHT)
        differ = changed(wide.crop(plate), none.crop(plate))
        assert differ is not None
        assert differ[2] <= PLATE_WIDTH - 14 - 4 * 25


def test_a_spot_is_the_square_of_arrival() -> None:
    spots = {spot.step: spot for spot in painter("parchis").spots(choosing(CHOICE))}
    assert set(spots) == {"Z1", "Z2", "Z3", "Z4"}
    left, top, right, bottom = box(27)
    assert spots["Z2"].x * WIDTH == pytest.approx(left)
    assert spots["Z2"].y * HEIGHT == pytest.approx(top)
    assert spots["Z2"].w * WIDTH == pytest.approx(right - left)
    assert spots["Z2"].h * HEIGHT == pytest.approx(bottom - top)


def test_two_targets_on_one_square_are_tapped_on_their_pieces() -> None:
    scene = choosing("A=71,69,72,72 R=0,0,0,0 A d2 0 - -")
    first, second = painter("parchis").spots(scene)
    assert (first.x, first.y) != (second.x, second.y)


def test_the_die_is_tapped_to_roll_and_a_pass_nowhere() -> None:
    (spot,) = painter("parchis").spots(choosing(START))
    assert spot.step == "tirar"
    assert spot.x < CASAS[0][0] / WIDTH < spot.x + spot.w
    assert painter("parchis").spots(choosing("A=0,0,0,0 R=0,0,0,0 A d3 0 - -")) == ()


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_no_edge_is_forgotten_in_the_palette(theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    losses = losses_of(monkeypatch)
    for colour in range(4):
        for rim in ("rim", "shut.ink", "blue"):
            pieces.piece.__wrapped__(theme, colour, 0, 34, rim)
        pieces.emblem.__wrapped__(theme, colour)
        pieces.badge.__wrapped__(theme, colour, "A")
        pieces.pip.__wrapped__(theme, colour, full=True)
        pieces.pip.__wrapped__(theme, colour, full=False)
    for place in SQUARES:
        pieces.bare.__wrapped__(theme, place, place)
        pieces.barrier.__wrapped__(theme, place, place)
        for ink in ("amber", "blue", "red"):
            pieces.framed.__wrapped__(theme, place, place, ink, 4.5)
    for eyes in range(7):
        pieces.die.__wrapped__(theme, eyes, asked=bool(eyes % 2))
    assert len(losses) == 4 * 7 + len(SQUARES) * 5 + 7
    assert max(losses) < 0.075


def test_ways_are_numbered_in_order_where_there_are_more_than_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is told since one's last turn is told in the order in which it happened."""
    numbers: list[int] = []
    real = painter_module.move_trails.number
    monkeypatch.setattr(
        painter_module.move_trails, "number", lambda theme, n: numbers.append(n) or real(theme, n)
    )
    scene = shown(BEFORE, "A1")
    seen(scene)
    assert numbers == []
    earlier = shown("A=8,0,0,0 Z=30,0,0,0 R=0,0,0,0 V=4,0,0,0 Z d2 0 - -", "Z1")
    both = replace(scene, last=(*earlier.last, *scene.last))
    seen(both)
    assert numbers == [1, 2]
    differ = changed(seen(scene), seen(both))
    assert differ is not None


def test_the_phone_size_is_the_whole_picture() -> None:
    assert seen(replace(shown(BEFORE), size=360)).size == (360, 423)


def test_every_target_of_a_menu_is_a_button_of_the_picture() -> None:
    scene = choosing(CHOICE)
    steps = [target.step for target in scene.targets]
    assert steps == list(pick(GAME, scene.seen, scene.seen.turn).options)
    assert painter("parchis").LETTERS is True
    assert GAME.key == scene.game
