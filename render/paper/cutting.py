"""The sheets of a board, and of pieces to cut out: cells in rows, with lines between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PIL import Image

from render.paper.page import CUT, FOLD, Page, Paper, dots
from render.paper.parts import Board, Cutout
from render.paper.prose import caption

GAP = 4.0
"""The room between rows of cells of another size."""

DASH, DOT = 1.5, 0.6
"""The length of dashes where paper is cut, and where it is folded."""

HEAD = 7.0
"""The room of what is said above the cells of a sheet."""


def board_pages(board: Board, paper: Paper, said: str) -> Iterator[Page]:
    """The sheets of *board*, row by row, with what is *said* above each where there are several."""
    whole = board.drawing.image(board.width)
    wide, high = whole.width / board.columns, whole.height / board.rows
    room_wide, room_high = paper.room
    several = board.columns * board.rows > 1
    broad = board.width / board.columns
    tall = board.width * whole.height / whole.width / board.rows
    for row in range(board.rows):
        for column in range(board.columns):
            page = _begun(paper, said) if several else Page(paper)
            near, far = (wide * column, high * row), (wide * (column + 1), high * (row + 1))
            left, top = (room_wide - broad) / 2, max((room_high - tall) / 2, HEAD * several)
            page.put(
                whole.crop((round(near[0]), round(near[1]), round(far[0]), round(far[1]))),
                left,
                top,
            )
            if several:
                _cell(page, (left, top), (broad, tall))
            yield page


def cutout_pages(cutouts: Sequence[Cutout], paper: Paper, said: str) -> Iterator[Page]:
    """The sheets of *cutouts*, one after the other in rows, with what is *said* above them."""
    wide, high = paper.room
    page, x, y, tall = _begun(paper, said), 0.0, HEAD, 0.0
    size: tuple[float, float] | None = None
    for one in cutouts:
        pictures = [face.image(one.drawn) for face in one.faces]
        breadth, height = one.size[0] * len(one.faces), one.size[1]
        for _ in range(one.count):
            if x and (x + breadth > wide or size != (breadth, height)):
                x, y = 0.0, y + tall + (GAP if size != (breadth, height) else 0.0)
            if y + height > high:
                yield page
                page, x, y = _begun(paper, said), 0.0, HEAD
            _put(page, (x, y), one, pictures)
            x, tall, size = x + breadth, height, (breadth, height)
    yield page


def _begun(paper: Paper, said: str) -> Page:
    page = Page(paper)
    page.put(caption(said, paper.room[0]), 0, 0)
    return page


def _put(page: Page, at: tuple[float, float], one: Cutout, pictures: Sequence[Image.Image]) -> None:
    (left, top), (wide, high) = at, one.size
    for number, picture in enumerate(pictures):
        across, down = dots(wide) - picture.width, dots(high) - picture.height
        inch = wide / dots(wide)
        page.put(picture, left + number * wide + across / 2 * inch, top + down / 2 * inch)
    if one.outlined:
        _cell(page, at, (wide * len(pictures), high))
    if len(pictures) > 1:
        page.line((left + wide, top), (left + wide, top + high), FOLD, DOT)


def _cell(page: Page, at: tuple[float, float], size: tuple[float, float]) -> None:
    (left, top), (wide, high) = at, size
    for y in (top, top + high):
        page.line((left, y), (left + wide, y), CUT, DASH)
    for x in (left, left + wide):
        page.line((x, top), (x, top + high), CUT, DASH)
