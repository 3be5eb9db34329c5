"""Films: what is seen is what was painted, and no more is written than what changes."""

from __future__ import annotations

import io
from itertools import groupby, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bot.commands.table.film_and_card import film_frames
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import reel_of, shots
from bot.presenters.table.viewers import Viewer
from games.core.shelf import shelf
from render.kit import pillow_internals
from render.kit.dirty_rectangles import MOST_BOXES
from render.kit.film import FILM_COLOURS, HOP, FilmFrame, film
from render.kit.palettes import FLATS, Palette
from render.kit.sprites import Sheet, quantised
from tests.played import tables

INKS = Palette(
    {"paper": "#FFFFFF", "ink": "#000000", "red": "#C80000"}, {"paper": "ink red", "ink": "red"}
)

PALETTE = [part for n in range(200) for part in (n, 255 - n, n // 2)]


def picture(marks: list[tuple[int, int, int]], colours: int = 200) -> Image.Image:
    """A picture with small squares at (x, y), each in the colour of that index."""
    made = Image.new("P", (90, 60), 0)
    made.putpalette((PALETTE * 2)[: 3 * colours])
    for x, y, colour in marks:
        made.paste(colour % colours, (x, y, x + 4, y + 3))
    return made


def seen(data: bytes) -> list[tuple[bytes, int]]:
    """The pictures as they stand, with their hundredths of a second; hops left out."""
    opened = Image.open(io.BytesIO(data))
    found, passed = [], 0
    for number in range(opened.n_frames):
        opened.seek(number)
        passed += opened.info["duration"] // 10
        if opened.info["duration"] // 10 > HOP:
            found.append((opened.convert("RGB").tobytes(), passed))
            passed = 0
    return found


MARKS = st.lists(
    st.tuples(st.integers(0, 86), st.integers(0, 57), st.integers(0, 199)), max_size=12
)


@given(st.lists(MARKS, min_size=1, max_size=5))
def test_what_is_seen_is_what_was_painted_for_as_long_as_was_said(moments) -> None:
    pictures = [picture(marks) for marks in moments]
    wanted: list[tuple[bytes, int]] = []
    for one in pictures:
        rgb = one.convert("RGB").tobytes()
        if wanted and wanted[-1][0] == rgb:
            wanted[-1] = (rgb, wanted[-1][1] + 50)
        else:
            wanted.append((rgb, 50))
    assert seen(film(FilmFrame(one, 50) for one in pictures)) == wanted


def test_a_palette_without_a_colour_to_spare_is_shown_as_it_is() -> None:
    pictures = [picture([(n * 9, n * 7, 255)], colours=256) for n in range(4)]
    found = seen(film(FilmFrame(one, 30) for one in pictures))
    assert found == [(one.convert("RGB").tobytes(), 30) for one in pictures]


def boxes(one: Image.Image, other: Image.Image) -> list[tuple[int, int, int, int]]:
    """The boxes in which the change from *one* picture to the *other* is written."""
    opened = Image.open(io.BytesIO(film([FilmFrame(one, 50), FilmFrame(other, 50)])))
    found = []
    for number in range(1, opened.n_frames):
        opened.seek(number)
        found.append(opened.tile[0].extents)
    return found


SKETCHES = st.lists(
    st.tuples(st.integers(-9, 89), st.integers(-9, 59), st.integers(1, 90), st.integers(1, 60)),
    max_size=30,
)


def sketched(strokes: list[tuple[int, int, int, int]]) -> Image.Image:
    """A sheet with a rectangle for each of *strokes*: x, y, width and height."""
    sheet = Sheet(INKS, 90, 60)
    for x, y, wide, high in strokes:
        sheet.fill((x, y, x + wide, y + high), ("ink", "red")[wide % 2])
    return sheet.picture()


@given(SKETCHES, SKETCHES)
def test_a_few_boxes_hold_all_that_changes(before, after) -> None:
    one, other = sketched(before), sketched(after)
    differing = ImageChops.difference(one.convert("L"), other.convert("L"))
    found = boxes(one, other)
    assert len(found) <= MOST_BOXES
    assert bool(found) == (differing.getbbox() is not None)
    for box in found:
        differing.paste(0, box)
    assert differing.getbbox() is None


@given(st.lists(SKETCHES, min_size=2, max_size=4))
def test_what_was_painted_is_seen_whatever_lies_over_each_other(moments) -> None:
    pictures = [sketched(strokes) for strokes in moments]
    wanted = [one.convert("RGB").tobytes() for one in pictures]
    found = [data for data, _ in seen(film(FilmFrame(one, 50) for one in pictures))]
    assert found == [data for data, _ in groupby(wanted)]


def painted(boxes: list[tuple[int, int]]) -> Image.Image:
    """A sheet with a dark square at each of *boxes*."""
    sheet = Sheet(INKS, 90, 60)
    for x, y in boxes:
        sheet.fill((x, y, x + 4, y + 3), "ink")
    return sheet.picture()


def test_two_far_corners_are_two_boxes() -> None:
    found = boxes(painted([]), painted([(0, 0), (80, 50)]))
    assert sorted(found) == [(0, 0, 4, 3), (80, 50, 84, 53)]


def test_what_was_painted_twice_is_not_taken_for_what_was_painted_once() -> None:
    soft = quantised(Image.new("RGBA", (9, 9), (0, 0, 0, 90)), INKS, 0, 0)
    pictures = []
    for times in (1, 2):
        sheet = Sheet(INKS, 90, 60)
        for _ in range(times):
            sheet.put(soft, 20, 20)
        pictures.append(sheet.picture())
    assert boxes(*pictures) == [(20, 20, 29, 29)]


@pytest.mark.parametrize("corners", [[], [(0, 0), (80, 50)]])
def test_what_lies_over_the_other_now_is_a_change_and_none_elsewhere(corners) -> None:
    ink, red = (
        quantised(Image.new("RGBA", (9, 9), colour), INKS, 0, 0)
        for colour in ((0, 0, 0, 255), (200, 0, 0, 255))
    )
    pictures = []
    for at, order in enumerate((((ink, 20), (red, 24)), ((red, 24), (ink, 20)))):
        sheet = Sheet(INKS, 90, 60)
        for square, x in order:
            sheet.put(square, x, 20)
        for x, y in corners[at : at + 1]:
            sheet.fill((x, y, x + 4, y + 3), "ink")
        pictures.append(sheet.picture())
    others = [(x, y, x + 4, y + 3) for x, y in corners]
    assert sorted(boxes(*pictures)) == sorted([(24, 20, 29, 29), *others])


def test_what_is_painted_twice_in_one_picture_is_the_same_in_the_next() -> None:
    twice = painted([(0, 0), (80, 50), (40, 20), (40, 20)])
    once = painted([(0, 0), (80, 50)])
    assert boxes(once, twice) == boxes(twice, once) == [(40, 20, 44, 23)]
    assert sorted(boxes(painted([]), twice)) == [(0, 0, 4, 3), (40, 20, 44, 23), (80, 50, 84, 53)]


def test_what_comes_again_is_compressed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compressed = []
    compress = pillow_internals.lzw_blocks
    monkeypatch.setattr(
        pillow_internals, "lzw_blocks", lambda *given: compressed.append(given) or compress(*given)
    )
    empty, full = painted([]), painted([(0, 0), (80, 50)])
    pictures = [empty, full, empty, full, empty]
    data = film([FilmFrame(one, 30) for one in pictures], 31)
    assert seen(data) == [(one.convert("RGB").tobytes(), 30) for one in pictures]
    assert len(compressed) == 3  # The first picture, a square of ink, and one of paper.


def test_a_corner_is_a_few_boxes_that_hold_little_besides() -> None:
    pictures = []
    for strokes in ([], [(10, 10, 20, 280), (10, 270, 380, 20)]):
        sheet = Sheet(INKS, 400, 300)
        for x, y, wide, high in strokes:
            for start in range(0, max(wide, high), 20):
                at = (x + start, y) if wide > high else (x, y + start)
                sheet.fill((*at, at[0] + min(22, wide), at[1] + min(22, high)), "ink")
        pictures.append(sheet.picture())
    found = boxes(*pictures)
    assert 2 <= len(found) <= 3
    assert sum((right - x) * (bottom - y) for x, y, right, bottom in found) < 16_000


def test_a_film_needs_a_picture() -> None:
    with pytest.raises(ValueError, match="picture"):
        film([])


def test_in_few_colours_flat_ones_stay_and_the_rest_is_near() -> None:
    pictures = [picture([(20 * n, 9 * n, 5 * n), (40, 50, 199)]) for n in range(4)]
    for one in pictures:
        one.info[FLATS] = 16
    found = seen(film((FilmFrame(one, 30) for one in pictures), 31))
    for (data, _), wanted in zip(found, pictures, strict=True):
        shown = Image.frombytes("RGB", wanted.size, data)
        flat = wanted.point([255 if n < 16 else 0 for n in range(256)], "1")
        differing = ImageChops.difference(shown, wanted.convert("RGB"))
        assert max(high for _, high in differing.getextrema()) < 16
        differing.paste(0, mask=ImageChops.invert(flat.convert("L")))
        assert differing.getbbox() is None


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(shelf()))
def test_the_film_of_a_game_takes_less_than_pillow_writes(key: str) -> None:
    *_, table = islice(tables(shelf()[key], looks=5), 14)
    composer = Composer(table, Viewer(None), b"k" * 32)
    frames = [*film_frames(shots(composer, reel_of(table, 12)))]
    ours, theirs = film(frames, FILM_COLOURS), io.BytesIO()
    first, *others = [one.picture.convert("RGB") for one in frames]
    first.save(theirs, "GIF", save_all=True, append_images=others, duration=500)
    assert len(ours) <= 0.85 * len(theirs.getvalue())
    pictures = [one.picture.convert("RGB").tobytes() for one in frames]
    assert [data for data, _ in seen(film(frames))] == [data for data, _ in groupby(pictures)]
    # In fewer colours each looks as it does alone: nothing stays of those before.
    alone = [seen(film([one], FILM_COLOURS))[0][0] for one in frames]
    assert [data for data, _ in seen(ours)] == [data for data, _ in groupby(alone)]


@pytest.mark.parametrize("marks", [[[]], [[], [(3, 4, 5)], [(3, 4, 5), (40, 30, 7)], []]])
def test_a_pillow_without_the_private_parts_writes_the_film_itself(monkeypatch, marks) -> None:
    frames = [FilmFrame(picture(one), 50) for one in marks]
    usual = seen(film(frames))
    monkeypatch.setattr(pillow_internals, "AVAILABLE", False)
    monkeypatch.delattr(pillow_internals, "_imaging")
    data = film(frames)
    with Image.open(io.BytesIO(data)) as opened:
        assert getattr(opened, "n_frames", 1) == len(frames)
        assert len(frames) == 1 or opened.info["loop"] == 0
    assert seen(data) == usual or len(frames) == 1
    with pytest.raises(ValueError, match="needs a picture"):
        film([])
