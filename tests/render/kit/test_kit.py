"""The kit: palettes, sprites, text and marks."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from render.kit import (
    EDGES,
    THEMES,
    Bar,
    Canvas,
    Grid,
    Item,
    Mood,
    Palette,
    Sheet,
    Sprite,
    fonts,
    geometry,
    label,
    mix,
    palettes,
    png,
    sized,
)
from render.kit.sprite_cache import SpriteMemory
from tests.render.pictures import loss

OWN = {"table": "#DCD3C2", "green": "#2C8C3C"}
PALETTE = Palette(
    {**THEMES["light"], **OWN}, {**EDGES, "table": "paper green line", "white": "green line"}
)


def disc(ground: str | None = None) -> Any:
    canvas = Canvas(PALETTE, (-20, -20, 20, 20), ground)
    canvas.disc(0, 0, 15, "green", "line", 3)
    return canvas.sprite()


def pixels(sheet: Sheet) -> Image.Image:
    return sheet.picture().convert("RGB")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_palette_keeps_every_flat_colour_exactly(theme: str) -> None:
    palette = Palette(THEMES[theme], EDGES)
    for name, colour in palette.flats.items():
        assert palette.colours[palette.index(name)] == colour
        assert palette.nearest(colour) == palette.index(name)


def test_a_palette_fills_its_256_colours_and_never_more() -> None:
    assert 128 < len(PALETTE.colours) <= 256
    assert len(set(PALETTE.colours)) == len(PALETTE.colours)


def test_a_palette_without_room_for_the_edges_is_refused() -> None:
    flats = {f"c{n}": f"#{n:02X}00{n * 37 % 256:02X}" for n in range(255)}
    with pytest.raises(ValueError, match="no room"):
        Palette(flats, {"c0": "c254 c200 c100"})


def test_a_missing_edge_shows_as_loss() -> None:
    canvas = Canvas(PALETTE, (0, 0, 40, 40), "table")
    canvas.disc(20, 20, 15, "green")
    known = loss(PALETTE, canvas.image())
    canvas.disc(20, 20, 10, "red")
    assert known < 0.02
    assert loss(PALETTE, canvas.image()) > 0.05


def test_an_unknown_colour_is_an_error() -> None:
    with pytest.raises(KeyError):
        Canvas(PALETTE, (0, 0, 9, 9)).box((0, 0, 9, 9), "mauve")


def test_a_sprite_on_its_ground_and_a_soft_one_look_alike() -> None:
    opaque, soft = Sheet(PALETTE, 60, 60, "table"), Sheet(PALETTE, 60, 60, "table")
    opaque.put(disc("table"), 30, 30)
    soft.put(disc(), 30, 30)
    far = [
        max(abs(a - b) for a, b in zip(one, other, strict=True))
        for one, other in zip(rows(opaque), rows(soft), strict=True)
    ]
    assert max(far) <= 40
    assert sum(far) / len(far) < 1


def rows(sheet: Sheet) -> list[bytes]:
    data = pixels(sheet).tobytes()
    return [data[n : n + 3] for n in range(0, len(data), 3)]


def test_a_sprite_is_cut_to_what_is_drawn_and_keeps_its_origin() -> None:
    sprite = disc()
    assert (sprite.left, sprite.top, sprite.width, sprite.height) == (-15, -15, 30, 30)
    sheet = Sheet(PALETTE, 60, 60, "table")
    sheet.put(sprite, 30, 30)
    assert pixels(sheet).getpixel((30, 30)) == PALETTE.flats["green"]
    assert pixels(sheet).getpixel((14, 30)) == PALETTE.flats["table"]


def test_a_wash_tints_what_lies_under_it_and_nothing_else() -> None:
    sheet = Sheet(PALETTE, 60, 60, "white")
    sheet.wash(disc(), "green", 3, 30, 30)
    half = pixels(sheet).getpixel((30, 30))
    assert half not in (PALETTE.flats["white"], PALETTE.flats["green"])
    expected = palettes.rgb(mix("#FFFFFF", OWN["green"], 0.5))
    assert palettes.difference(half, expected) < 0.05
    assert pixels(sheet).getpixel((5, 5)) == PALETTE.flats["white"]


def test_a_copied_sheet_is_a_sheet_of_its_own() -> None:
    sheet = Sheet(PALETTE, 10, 10)
    sheet.copy().fill((0, 0, 10, 10), "red")
    assert pixels(sheet).getpixel((5, 5)) == PALETTE.flats["paper"]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_text_stays_centred_however_it_is_turned(turn: int) -> None:
    canvas = Canvas(PALETTE, (-40, -40, 40, 40))
    canvas.text(0, 0, "F", 40, "ink", turn=turn)
    left, top, right, bottom = canvas.image().getchannel("A").getbbox() or (0, 0, 0, 0)
    assert abs((left + right) / 2 - 40) <= 1
    assert abs((top + bottom) / 2 - 40) <= 1


def test_turning_text_turns_its_shape() -> None:
    upright, turned = Canvas(PALETTE, (-40, -40, 40, 40)), Canvas(PALETTE, (-40, -40, 40, 40))
    upright.text(0, 0, "歩", 40, "ink")
    turned.text(0, 0, "歩", 40, "ink", turn=180)
    back = turned.image().rotate(180)
    assert upright.image().getchannel("A").getbbox() == back.getchannel("A").getbbox()
    assert turned.image().tobytes() != upright.image().tobytes()


def test_within_draws_nothing_outside() -> None:
    canvas = Canvas(PALETTE, (0, 0, 40, 40), "table")
    with canvas.within([(10, 10), (30, 10), (30, 30), (10, 30)]):
        canvas.box((0, 0, 40, 40), "green")
    image = canvas.image().convert("RGB")
    assert image.getpixel((20, 20)) == PALETTE.flats["green"]
    assert image.getpixel((4, 20)) == PALETTE.flats["table"]


@pytest.mark.parametrize("name", ["W" * 32, "龍" * 32, "Ñandú " * 5, "i" * 32, "😀" * 32, ""])
def test_a_name_never_leaves_its_room(name: str) -> None:
    for room in (0, 20, 146, 300):
        assert fonts.width(fonts.fitting_text(name, 28, room), 28) <= room


def test_a_short_name_is_left_whole_and_a_long_one_is_cut_with_dots() -> None:
    assert fonts.fitting_text("Nerea", 28, 200) == "Nerea"
    assert fonts.fitting_text("W" * 32, 28, 200).endswith("W" + fonts.ELLIPSIS)


def test_characters_without_a_shape_are_left_out() -> None:
    assert fonts.drawable("Ana 😀 王 Ωж") == "Ana 王 Ωж"


def test_the_bar_keeps_a_long_name_off_its_items() -> None:
    emblem, item = disc("bar"), disc("bar")
    long, short = Sheet(PALETTE, 800, 100), Sheet(PALETTE, 800, 100)
    items = [Item(item, 44)] * 8
    Bar(10).put(long, "W" * 32, emblem, items, Mood.TURN)
    Bar(10).put(short, "", emblem, items, Mood.TURN)
    left = 776 - 14 - 8 * 44
    box = (left, 0, 800, 100)
    assert long.indices.crop(box).tobytes() == short.indices.crop(box).tobytes()


@pytest.mark.parametrize(("mood", "colour"), [(Mood.TURN, "ink"), (Mood.WON, "gold")])
def test_the_bar_tells_turn_and_victory_by_a_mark(mood: Mood, colour: str) -> None:
    bar, plain = Sheet(PALETTE, 800, 100), Sheet(PALETTE, 800, 100)
    Bar(10).put(bar, "", disc("bar"), (), mood)
    Bar(10).put(plain, "", disc("bar"), ())
    mark = (51, 42)
    assert pixels(bar).getpixel(mark) == PALETTE.flats[colour]
    assert pixels(plain).getpixel(mark) == PALETTE.flats["bar"]


def test_a_label_is_prepared_once() -> None:
    assert label(PALETTE, "Nerea", 28, "ink", "bar") is label(PALETTE, "Nerea", 28, "ink", "bar")


def test_a_grid_can_be_seen_from_the_other_side() -> None:
    grid = Grid(36, 126, 78, 80, 9, 9)
    assert grid.box(0, 0) == (36, 126, 114, 206)
    turned = Grid(36, 126, 78, 80, 9, 9, turned=True)
    assert turned.box(8, 8) == grid.box(0, 0)
    assert grid.outline == (36, 126, 738, 846)


def test_dashes_cover_the_way_and_leave_the_gaps() -> None:
    cut = geometry.dashes([(0, 0), (10, 0), (10, 10)], 6, 2)
    assert [[round(v) for point in dash for v in point] for dash in cut] == [
        [0, 0, 6, 0],
        [8, 0, 10, 0, 10, 4],
        [10, 6, 10, 10],
    ]


def test_polar_points_go_clockwise_from_north() -> None:
    assert geometry.polar(0, 0, 10, 90) == pytest.approx((10, 0))
    assert geometry.polar(0, 0, 10, 0) == pytest.approx((0, -10))


def test_a_picture_is_an_indexed_png_of_the_palette() -> None:
    sheet = Sheet(PALETTE, 80, 40)
    sheet.put(disc(), 20, 20)
    data = png(sheet.picture())
    assert data.startswith(b"\x89PNG")
    assert data[25] == 3, "colour type: indexed"


@pytest.mark.parametrize("size", [(80, 40), (1, 1), (33, 7)])
def test_a_picture_is_read_back_as_it_was_painted(size: tuple[int, int]) -> None:
    sheet = Sheet(PALETTE, *size, "green")
    sheet.put(disc(), 20, 20)
    picture = sheet.picture()
    data = png(picture)
    with Image.open(BytesIO(data)) as checked:
        checked.verify()
    with Image.open(BytesIO(data)) as read:
        assert (read.mode, read.size) == ("P", size)
        assert read.tobytes() == picture.tobytes()
        assert read.convert("RGB").tobytes() == picture.convert("RGB").tobytes()


def test_a_picture_scaled_keeps_palette_and_shape() -> None:
    sheet = Sheet(PALETTE, 800, 400)
    sheet.put(disc(), 400, 200)
    small = sized(sheet.picture(), 360)
    assert small.mode == "P"
    assert small.size == (360, 180)
    assert small.convert("RGB").getpixel((2, 2)) == PALETTE.flats["paper"]
    assert small.convert("RGB").getpixel((180, 90)) == PALETTE.flats["green"]


@pytest.mark.parametrize("width", [0, 5, 100_000])
def test_a_size_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match="pixels wide"):
        sized(Sheet(PALETTE, 800, 400).picture(), width)


def test_dark_differs_from_light_in_grounds_and_writing_and_in_brighter_marks() -> None:
    light, dark = THEMES["light"], THEMES["dark"]
    assert {name for name in light if light[name] != dark[name]} == {
        "paper",
        "gold",
        "ink",
        "soft",
        "hair",
        "bar",
        "pale",
        "amber",
        "blue",
        "red",
    }


def test_mix_goes_from_one_colour_to_the_other() -> None:
    assert mix("#000000", "#FF8000", 0) == "#000000"
    assert mix("#000000", "#FF8000", 0.5) == "#804000"
    assert mix("#000000", "#FF8000", 1) == "#FF8000"


def tiles(most: int) -> tuple[SpriteMemory, Callable[[int], Sprite], list[int]]:
    """A memory for so many tiles at *most*, what makes tiles by shade, and what was drawn."""
    drawn = list[int]()

    def tile(shade: int) -> Sprite:
        drawn.append(shade)
        sheet = Sheet(PALETTE, 30, 30)
        sheet.fill((0, 0, shade, 30), "green")
        return sheet.part((0, 0, 30, 30))

    memory = SpriteMemory(most * tile(1).weight)
    drawn.clear()
    return memory, memory.cache(tile), drawn


def test_sprites_are_forgotten_where_they_weigh_too_much_and_drawn_alike_again() -> None:
    memory, tile, _ = tiles(8)
    first = tile(2)
    assert tile(2) is first
    for shade in range(3, 30):
        tile(shade)
        assert memory.currsize <= memory.maxsize
    again = tile(2)
    assert again is not first
    assert again.indices.tobytes() == first.indices.tobytes()


def test_a_sprite_in_use_is_never_drawn_again() -> None:
    _, tile, drawn = tiles(8)
    for shade in range(2, 30):
        tile(1)
        tile(shade)
    tile(2)
    assert (drawn.count(1), drawn.count(2)) == (1, 2)


def test_functions_share_a_memory_and_have_sprites_of_their_own() -> None:
    memory, tile, _ = tiles(8)
    turned = memory.cache(lambda shade: tile(30 - shade))
    assert turned(10) is tile(20)
    assert turned(20) is not tile(20)
