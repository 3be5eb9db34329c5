"""Games on paper: the right number of pieces, sizes that fit, and a PDF of the sheet's own size."""

from __future__ import annotations

import io
import re
from operator import sub

import pytest
from PIL import Image, ImageChops

from bot.app.offline_game_commands import captions_of
from bot.session.visibility import public
from bot.texts import language
from games.core.demo_position import demo_position
from games.core.shelf import find_game, shelf
from render.paper.cutting import board_pages, cutout_pages
from render.paper.page import DPI, FOOT, MARGIN, PAPERS, RULER, Page, dots
from render.paper.parts import Board, Cutout, Drawing, Printable, printable_parts
from render.paper.print_and_play import Words, booklet
from render.paper.prose import Block, text_pages
from render.paper.styled_text import Style, runs, width
from render.parchis import printable as parchis
from render.scene import Scene

WORDS = Words("Niya", "10 cm.", "Join.", "Cut.", "Fold.", "The die.")
PLAIN = Style.PLAIN
GAMES = sorted(shelf())


def printed(key: str, **wishes: str) -> Printable:
    """What is printed of the game *key*."""
    game = find_game(key)
    position = demo_position(game, game.setting({**game.solo, **wishes}), played=False)
    seen = public(position)
    parts = printable_parts(key)
    assert parts is not None
    return parts.printable(Scene(key, seen, (), captions=captions_of(game, seen, language("en"))))


def square(palette, ink: str = "red") -> Drawing:
    return Drawing(palette, (0, 0, 40, 40), lambda canvas: canvas.box((0, 0, 40, 40), ink))


def _colours(picture: Image.Image) -> dict[object, int]:
    """How many pixels have each colour."""
    return {colour: n for n, colour in picture.getcolors(picture.width * picture.height) or []}


@pytest.fixture
def red() -> Drawing:
    return square(printed("niya").cutouts[0].faces[0].palette)


PIECES = {"niya": 32, "cirya": 44, "shogi": 40, "storilljudhjorrayc": 34, "parchis": 16}


@pytest.mark.parametrize("key", GAMES)
def test_every_piece_of_a_game_is_there(key):
    assert sum(one.count for one in printed(key).cutouts) == PIECES[key]


def test_the_reserves_of_cirya_are_those_of_the_size_that_is_asked_for():
    counts = {size: [one.count for one in printed("cirya", size=size).cutouts] for size in "456"}
    assert counts == {"4": [15, 15], "5": [21, 1, 21, 1], "6": [30, 1, 30, 1]}


def test_what_promotes_in_shogi_has_its_promotion_on_the_back():
    faces = {one.faces for one in printed("shogi").cutouts}
    assert all(len(pair) == 2 for pair in faces)
    empty = [pair for pair in faces if pair[1].image(5).getbbox() is None]
    assert len(empty) == 3  # The gold, and the two kings.


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("key", GAMES)
def test_parts_of_boards_and_cells_fit_both_papers(key, paper):
    wide, high = PAPERS[paper].room
    found = printed(key)
    for board in found.boards:
        left, top, right, bottom = board.drawing.box
        tall = board.width * (bottom - top) / (right - left)
        assert board.width / board.columns <= wide
        # Above the parts of a board stands what is done with them.
        assert tall / board.rows <= high - 7 * (board.columns * board.rows > 1)
    for one in (*found.cutouts, *found.nets):
        assert one.size[0] * len(one.faces) <= wide
        assert one.size[1] <= high - 7


@pytest.mark.sampled
@pytest.mark.parametrize("key", GAMES)
def test_every_piece_is_drawn_within_its_cell(key):
    for one in {each.faces[0]: each for each in printed(key).cutouts}.values():
        picture = one.faces[0].image(one.drawn)
        box = picture.getchannel("A").point([255 * (a > 40) for a in range(256)]).getbbox()
        assert box is not None
        across, down = dots(one.size[0]) - picture.width, dots(one.size[1]) - picture.height
        assert across / 2 + box[0] >= 0
        assert across / 2 + box[2] <= dots(one.size[0])
        assert down / 2 + box[1] >= 0
        assert down / 2 + box[3] <= dots(one.size[1])


def test_a_cell_is_as_large_on_paper_as_it_says(red):
    page = next(cutout_pages([Cutout((red,), (20.0, 20.0), 20.0)], PAPERS["a4"], ""))
    ink = ImageChops.difference(page.image, Image.new("RGB", page.image.size, "white"))
    corners = (dots(MARGIN), dots(MARGIN + 7), dots(MARGIN + 20), dots(MARGIN + 27))
    assert ink.getbbox() == pytest.approx(corners, abs=2)


def test_cells_that_do_not_fit_go_to_the_next_row_and_sheet(red):
    many = [Cutout((red,), (60.0, 100.0), 20.0, count=7)]
    assert len(list(cutout_pages(many, PAPERS["a4"], ""))) == 2
    few = [Cutout((red,), (60.0, 100.0), 20.0, count=6)]
    assert len(list(cutout_pages(few, PAPERS["a4"], ""))) == 1


def test_the_parts_of_a_board_make_the_whole(red):
    whole = Drawing(red.palette, (0, 0, 80, 40), lambda canvas: canvas.box((20, 0, 60, 40), "red"))
    halves = list(board_pages(Board(whole, 80.0, columns=2), PAPERS["a4"], ""))
    assert len(halves) == 2
    counts = [_colours(half.image)[red.palette.flats["red"]] for half in halves]
    assert counts[0] == pytest.approx(counts[1], rel=0.02)
    assert sum(counts) == pytest.approx(dots(40) * dots(40), rel=0.02)


def test_the_ruler_is_ten_centimetres_long():
    page = Page(PAPERS["a4"])
    page.foot("Niya 1/1", "10 cm.")
    low = dots(MARGIN + PAPERS["a4"].room[1] + FOOT - 4)
    line = page.image.crop((0, low, page.image.width, low + 1)).convert("L")
    dark = [x for x in range(line.width) if line.getpixel((x, 0)) < 128]
    assert dark[-1] - dark[0] == pytest.approx(RULER / 25.4 * DPI, abs=2)
    assert len(dark) == dark[-1] - dark[0] + 1


def test_opposite_faces_of_the_die_have_seven_eyes_together():
    eyes = {(column, row): eyes for column, row, eyes in parchis.NET}
    assert sorted(eyes.values()) == [1, 2, 3, 4, 5, 6]
    # Of the four in a row those two apart are opposite, and what is above to what is below.
    assert eyes[0, 1] + eyes[2, 1] == eyes[1, 1] + eyes[3, 1] == eyes[1, 0] + eyes[1, 2] == 7
    assert len(parchis.FLAPS) == 7


def test_text_is_broken_between_words_and_keeps_all_of_them():
    said = " ".join(f"word{number}" for number in range(1200))
    pages = list(text_pages([Block("text", ((PLAIN, said),))], PAPERS["a4"]))
    assert 2 <= len(pages) <= 3
    ink = [page.image.convert("L").point([255 * (v < 128) for v in range(256)]) for page in pages]
    boxes = [one.getbbox() for one in ink]
    right = dots(PAPERS["a4"].width - MARGIN)
    assert all(box is not None and box[2] <= right for box in boxes)


def test_a_heading_does_not_end_a_column():
    line = Block("text", ((PLAIN, "One line."),))
    heading, figure = Block("heading", ((Style.BOLD, "Figure"),)), Image.new("RGB", (800, 800))
    shown = Block("figure", ((PLAIN, "What it shows."),), figure)
    tops = []
    for count in (10, 28, 33, 37):
        (page,) = text_pages([line] * count + [heading, shown], PAPERS["a4"])
        black = page.image.convert("L").point([255 * (v < 8) for v in range(256)])
        left = black.crop((0, 0, page.image.width // 2, page.image.height)).getbbox()
        right = black.crop((page.image.width // 2, 0, *page.image.size)).getbbox()
        tops.append((left, right))
    moved = [right for _, right in tops if right is not None]
    # Where the figure goes to the second column, its heading stands above it there.
    assert len(moved) == 3
    assert all(box[1] < dots(MARGIN + 10) and box[3] > dots(MARGIN + 80) for box in moved)


def test_letters_that_the_typeface_lacks_come_from_another():
    faces = [face.getname()[0] for _, face in runs([(PLAIN, "rey 王将 y ð")], 40)]
    assert len(faces) == 3
    assert faces[0] == faces[2] != faces[1]
    assert width([(PLAIN, "m")], 40) < width([(PLAIN, "mm")], 40)


@pytest.mark.parametrize(("paper", "size"), [("a4", (210, 297)), ("letter", (215.9, 279.4))])
def test_the_sheets_of_the_file_have_the_size_of_the_paper(paper, size, red):
    found = Printable(cutouts=(Cutout((red,), (20.0, 20.0), 18.0),))
    rules = [Block("title", ((Style.BOLD, "Niya"),))]
    written = booklet(found, rules, PAPERS[paper], WORDS)
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", written)
    assert len(boxes) == 2
    for box in boxes:
        assert [float(one) / 72 * 25.4 for one in box] == pytest.approx(size, abs=0.1)
    images = written.split(b"/Subtype /Image")[1:]
    assert len(images) == 2


def test_the_file_holds_the_pictures_of_its_sheets(red):
    found = Printable(cutouts=(Cutout((red,), (60.0, 60.0), 60.0),))
    written = booklet(found, [], PAPERS["a4"], WORDS)
    start = written.index(b"\xff\xd8\xff")
    with Image.open(io.BytesIO(written[start:])) as shown:
        middle = shown.convert("RGB").getpixel((dots(MARGIN + 30), dots(MARGIN + 37)))
    assert max(abs(a - b) for a, b in zip(middle, red.palette.flats["red"], strict=True)) < 8


def test_a_game_of_another_package_brings_nothing():
    assert printable_parts("oca") is None
    assert all(printable_parts(key) for key in shelf())


@pytest.mark.sampled
@pytest.mark.parametrize("key", GAMES)
def test_the_boards_have_the_colours_of_the_pictures(key):
    for board in printed(key).boards:
        counts = _colours(board.drawing.image(12.0))
        common = max((one for one in counts if one[3] == 255), key=counts.__getitem__)
        flats = board.drawing.palette.flats.values()
        assert min(max(map(abs, map(sub, common, flat))) for flat in flats) <= 2
