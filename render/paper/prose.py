"""Rules on sheets of paper: headings, paragraphs, lists and figures, in two columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from PIL import Image

from render.paper.page import DPI, INCH, Page, Paper, dots, points
from render.paper.styled_text import Span, Style, width, written

COLUMNS, GUTTER = 2, 8.0
SIZES = {"title": 22.0, "heading": 13.0, "text": 10.0, "item": 10.0, "figure": 8.5}
"""The size of letters, in points."""

LEADING = 1.35
"""The distance of lines, in the size of their letters."""

INDENT = 4.0
"""How far the lines of an item stand in."""

BEFORE = {"title": 0.0, "heading": 5.0, "text": 2.0, "item": 1.0, "figure": 2.5}
"""The room above each kind of block."""

FIGURE = 78.0
"""How wide a figure is at most."""


@dataclass(frozen=True)
class Block:
    """A block of a text: its *spans*, and for a figure the *picture* above them."""

    kind: Literal["title", "heading", "text", "item", "figure"]
    spans: tuple[Span, ...]
    picture: Image.Image | None = None


@dataclass(frozen=True)
class _Laid:
    """A picture of a line or a figure, how far it stands in and how high it is."""

    picture: Image.Image
    indent: float
    height: float


def caption(said: str, room: float) -> Image.Image:
    """A line of small words, as wide as *room* at most."""
    size = points(SIZES["figure"])
    while width([(Style.PLAIN, said)], size) > dots(room):
        size *= 0.95
    return written([(Style.PLAIN, said)], size)


def text_pages(blocks: Sequence[Block], paper: Paper) -> Iterator[Page]:
    """The sheets on which *blocks* stand, column by column; a figure or a line is never cut."""
    wide, high = paper.room
    column = (wide - GUTTER * (COLUMNS - 1)) / COLUMNS
    page, number, y = Page(paper), 0, 0.0
    laid = [list(_laid(block, column)) for block in blocks]
    for place, block in enumerate(blocks):
        y += BEFORE[block.kind] if y else 0.0
        needs = _needed(blocks[place:], laid[place:])
        for index, one in enumerate(laid[place]):
            if y + (needs if index == 0 else one.height) > high:
                number, y = number + 1, 0.0
                if number == COLUMNS:
                    yield page
                    page, number = Page(paper), 0
            page.put(one.picture, number * (column + GUTTER) + one.indent, y)
            y += one.height
    yield page


def _needed(blocks: Sequence[Block], laid: Sequence[Sequence[_Laid]]) -> float:
    """The room that the first of *blocks* needs to begin.

    A figure stays with its words, a heading with the beginning of what follows.
    """
    kind, whole = blocks[0].kind, sum(one.height for one in laid[0])
    if kind in ("title", "heading") and len(blocks) > 1:
        return whole + BEFORE[blocks[1].kind] + _needed(blocks[1:], laid[1:])
    if kind == "figure":
        return whole
    return sum(one.height for one in laid[0][:2])


def _laid(block: Block, room: float) -> Iterator[_Laid]:
    size = points(SIZES[block.kind])
    if block.picture is not None:
        wide = min(FIGURE, room)
        high = wide * block.picture.height / block.picture.width
        shown = block.picture.convert("RGB").resize(
            (dots(wide), dots(high)), Image.Resampling.LANCZOS
        )
        yield _Laid(shown, (room - wide) / 2, high + 1)
    indent = INDENT if block.kind == "item" else 0.0
    step = size * LEADING * INCH / DPI
    for index, line in enumerate(_lines(block.spans, size, dots(room - indent))):
        if block.kind == "item" and index == 0:
            bullet = [(Style.PLAIN, "•  ")]
            away = width(bullet, size) * INCH / DPI
            yield _Laid(written([*bullet, *line], size), indent - away, step)
        else:
            yield _Laid(written(line, size), indent, step)


def _lines(spans: Sequence[Span], size: float, room: float) -> Iterator[list[Span]]:
    """*spans* broken into lines no wider than *room*; a word that is wider has one of its own."""
    line: list[Span] = []
    for word in _words(spans):
        if line and width([*line, *word], size) > room:
            yield _without_blank(line)
            line = []
        line += word
    if line:
        yield _without_blank(line)


def _words(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """The words of *spans*, each with the blank behind it; one may be of several styles."""
    word: list[Span] = []
    for style, text in spans:
        parts = text.split(" ")
        for index, part in enumerate(parts):
            ends = index < len(parts) - 1
            if part or ends:
                word.append((style, part + " " * ends))
            if ends:
                yield word
                word = []
    if word:
        yield word


def _without_blank(line: list[Span]) -> list[Span]:
    style, text = line[-1]
    return [*line[:-1], (style, text.rstrip())]
