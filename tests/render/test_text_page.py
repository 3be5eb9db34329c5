"""A page of text shows what a canvas shows, pixel by pixel, for less work."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from render.curve import indexed
from render.kit.canvas import Canvas, letters
from render.kit.fonts import fine
from render.kit.palettes import Palette
from render.kit.text_page import TextPage

FLATS = {"paper": "#FFFFFF", "pale": "#D8E0F0", "ink": "#101820", "hair": "#A0A8B0"}
EDGES = {"paper": "pale ink hair", "pale": "ink", "hair": "ink"}
SIZE = (300, 120)


@pytest.fixture
def palette() -> Palette:
    return Palette(FLATS, EDGES)


def pair(palette: Palette) -> tuple[Canvas, TextPage]:
    return Canvas(palette, (0, 0, *SIZE), "paper"), TextPage(palette, SIZE, "paper")


def assert_alike(canvas: Canvas, page: TextPage) -> None:
    shown = page.indexed()
    assert shown.tobytes() == indexed(canvas).tobytes()
    assert len(set(shown.tobytes())) > 1


@pytest.mark.sampled(10)
@pytest.mark.parametrize("anchor", ["lc", "rc", "mc", "mm", "ls"])
@pytest.mark.parametrize("text", ["7½", "Ana María Ñúñez", "将棋 שלום 12", "", "."])
@pytest.mark.parametrize("room", [10_000, 60.5])
def test_letters_are_those_of_a_canvas(palette, anchor, text, room):
    canvas, page = pair(palette)
    for one in (canvas, page):
        one.text(150, 40, text, 27, "ink", anchor, room=room)
        one.text(150.4, 80.7, f"{text}!", 26, "ink", anchor, room=room)
    assert_alike(canvas, page)


def test_letters_on_a_box_are_those_of_a_canvas(palette):
    canvas, page = pair(palette)
    canvas.box((10, 20, 290, 70), "pale", radius=8)
    page.box((10, 20, 290, 70), "pale", radius=8)
    canvas.text(24, 45, "Ana", 32, "ink", "lc")
    page.text(24, 45, "Ana", 32, "ink", "lc", on="pale")
    assert_alike(canvas, page)


@pytest.mark.parametrize("left", [10, 10.25, 11.6])
def test_boxes_and_lines_are_those_of_a_canvas(palette, left):
    canvas, page = pair(palette)
    for one in (canvas, page):
        one.box((left, 12.5, left + 60, 50), "pale", "hair", 2, 4)
        one.line(((left, 80), (left + 200.5, 80)), "hair", 2)
    assert_alike(canvas, page)


def test_the_same_page_once_more_has_nothing_left_of_the_one_before(palette):
    first, second = TextPage(palette, SIZE, "paper"), TextPage(palette, SIZE, "paper")
    first.text(10, 40, "Ana", 32, "ink", "lc")
    first.text(12, 40, "Bo", 32, "ink", "lc")
    second.text(10, 40, "Ana", 32, "ink", "lc")
    canvas = Canvas(palette, (0, 0, *SIZE), "paper")
    canvas.text(10, 40, "Ana", 32, "ink", "lc")
    assert_alike(canvas, second)


@pytest.mark.parametrize("px", [18, 24.5, 32])
@pytest.mark.parametrize("text", ["VY kA gj Qj fW", "jj", " ", "将棋 7½", "Ñandú j"])
def test_letters_set_one_by_one_are_those_of_the_whole_text(px, text):
    face = fine(px)
    left, top, right, bottom = face.getbbox(text, anchor="ls")
    whole = Image.new("L", (right - left + 16, bottom - top + 16))
    origin = (8 - left, 8 - top)
    ImageDraw.Draw(whole).text(origin, text, fill=255, font=face, anchor="ls")
    sharp = whole.convert("1", dither=Image.Dither.NONE)
    box = sharp.getbbox() or (0, 0, 1, 1)
    mask, at_left, at_top = letters(text, px)
    assert mask.tobytes() == sharp.crop(box).tobytes()
    if sharp.getbbox():
        assert (at_left, at_top) == (box[0] - origin[0], box[1] - origin[1])
