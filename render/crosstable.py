"""Crosstables as pictures: who met whom, and what came of it; the same rows are told in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from render.kit import fonts
from render.kit.output import WIDTH, png
from render.kit.text_page import TextPage, page_palette

CACHED = 16
"""How many pictures are kept: to look again costs nothing."""

EDGE, HEAD, FOOT = 24, 132, 20
"""The room at the sides, above for the title, and below."""

LETTERS, SMALL = 32, 26
"""The size of letters: at 360 pixels width they have 14 and 12."""

HIGH = 78
"""The height of a row: two lines of letters in a cell."""

UPPER, LOWER = 24, 54
"""How far below the top of its row each line of a cell has its middle."""

NUMBER, NAME = EDGE + 42, EDGE + 54
"""Where the numbers end, and where the names begin."""

TOTAL = 78
"""The room of the points."""

NARROW, WIDE = 26, 68
"""How wide a column of cells is at least, and at most."""

LEAST = 150
"""The least room of a name."""


@dataclass(frozen=True)
class CrossCell:
    """A cell: *upper* says against whom, *lower* what came of it; *barred* ones hold nothing.

    *soft*: there was no game. *alike*: both lines are results.
    """

    upper: str = ""
    lower: str = ""
    barred: bool = False
    soft: bool = False
    alike: bool = False


@dataclass(frozen=True)
class CrossRow:
    """A row: *number*, *name*, its *cells* and the *total*; *own* is the reader's."""

    number: str
    name: str
    cells: tuple[CrossCell, ...]
    total: str
    own: bool = False


@dataclass(frozen=True)
class Crosstable:
    """A crosstable with its *title*, the *heads* of its columns, and that of the *total*."""

    title: str
    heads: tuple[str, ...]
    total: str
    rows: tuple[CrossRow, ...]


@lru_cache(CACHED)
def crosstable_picture(table: Crosstable, theme: str = "light") -> bytes:
    """A PNG file of *table*, ``WIDTH`` wide; *theme* is that of the boards."""
    size = (WIDTH, HEAD + HIGH * len(table.rows) + FOOT)
    canvas = TextPage(page_palette(theme), size, "paper")
    _put_title(canvas, table.title)
    ends = _ends(len(table.heads))
    for head, (left, right) in zip(table.heads, ends, strict=True):
        canvas.text((left + right) / 2, HEAD - 24, head, SMALL, "soft", "mc", room=right - left - 6)
    head = fonts.fitting_text(table.total, SMALL, TOTAL + 20)
    canvas.text(WIDTH - EDGE, HEAD - 24, head, SMALL, "soft", "rc", room=TOTAL)
    canvas.line(((EDGE, HEAD), (WIDTH - EDGE, HEAD)), "hair", 2)
    for number, row in enumerate(table.rows):
        _put_row(canvas, row, HEAD + HIGH * number, ends)
    return png(canvas.indexed())


def _put_title(canvas: TextPage, title: str) -> None:
    """Write *title* at the head, in letters so large that it has room."""
    px, room = LETTERS + 6, WIDTH - 2 * EDGE
    while px > SMALL and fonts.width(fonts.drawable(title), px) > room:
        px -= 2
    # A little narrower is easier to read than cut.
    said = fonts.fitting_text(title, px, room * 1.25)
    canvas.text(EDGE, 48, said, px, "ink", "lc", room=room)


def _ends(count: int) -> list[tuple[int, int]]:
    """Where each of *count* columns of cells begins and ends."""
    right = WIDTH - EDGE - TOTAL - 8
    wide = min(WIDE, max(NARROW, (right - NAME - LEAST) // max(1, count)))
    left = right - wide * count
    return [(left + wide * n, left + wide * (n + 1)) for n in range(count)]


def _put_row(canvas: TextPage, row: CrossRow, top: int, ends: Sequence[tuple[int, int]]) -> None:
    middle, on = top + HIGH / 2, "pale" if row.own else "paper"
    if row.own:
        canvas.box((EDGE - 12, top + 3, WIDTH - EDGE + 12, top + HIGH - 3), "pale", radius=8)
    canvas.text(NUMBER, middle, row.number, LETTERS, "soft", "rc", room=NUMBER - EDGE + 8, on=on)
    room = (ends[0][0] if ends else WIDTH - EDGE - TOTAL) - NAME - 10
    # A little narrower is easier to read than cut.
    name = fonts.fitting_text(row.name, LETTERS, room * 1.3)
    canvas.text(NAME, middle, name, LETTERS, "ink", "lc", room=room, on=on)
    for cell, (left, right) in zip(row.cells, ends, strict=True):
        if cell.barred:
            canvas.box((left + 2, top + 6, right - 2, top + HIGH - 6), "bar", "hair", 2, 4)
            continue
        place, room = (left + right) / 2, right - left - 4
        low = middle if not cell.upper else top + LOWER
        above = "ink" if cell.alike else "soft"
        canvas.text(place, top + UPPER, cell.upper, SMALL, above, "mc", room=room, on=on)
        ink = "soft" if cell.soft else "ink"
        canvas.text(place, low, cell.lower, SMALL, ink, "mc", room=room, on=on)
    canvas.text(WIDTH - EDGE, middle, row.total, LETTERS, "ink", "rc", room=TOTAL, on=on)
