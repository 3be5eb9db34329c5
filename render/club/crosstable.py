"""Crosstables as pictures: who met whom, and what came of it; the same rows are told in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from render.club.club_canvas import BLACK, BOLD, LEAST, SEMIBOLD, WIDE, ClubCanvas
from render.club.ranking import CACHED

HEAD, HIGH, FOOT = 176, 82, 14
"""The room above for the band and the heads, the height of a row, and the room below."""

NAME, END, TOTAL = 88, 1066, 100
"""Where names begin, where the points end, and their room."""

NARROW, BROAD, SHORTEST = 42, 88, 200
"""How wide a column of cells is at least, and at most; and the least room of a name."""


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
    """A crosstable of *game*: *title*, *words*, *heads* of its columns, and that of the *total*."""

    game: str
    title: str
    words: str
    heads: tuple[str, ...]
    total: str
    rows: tuple[CrossRow, ...]


@lru_cache(CACHED)
def crosstable_picture(table: Crosstable, theme: str = "light") -> bytes:
    """A PNG file of *table*; *theme* is that of the boards."""
    canvas = ClubCanvas(theme, size=(WIDE[0], HEAD + HIGH * len(table.rows) + FOOT))
    canvas.band(table.game, 122, table.title, table.words)
    count, right = len(table.heads), END - TOTAL
    wide = min(BROAD, max(NARROW, (right - NAME - SHORTEST) // max(1, count)))
    middles = [right - wide * (count - n - 0.5) for n in range(count)]
    for x, head in zip(middles, table.heads, strict=True):
        canvas.words(x, HEAD - 18, head, LEAST, "soft", anchor="m", room=wide)
    canvas.words(END, HEAD - 18, table.total, LEAST, "soft", anchor="r", room=TOTAL + 20)
    for number, row in enumerate(table.rows):
        top = HEAD + HIGH * number
        box = (14, top + 2, 1086, top + HIGH - 2)
        if row.own:
            canvas.box(box, "pale", "amber", 3, 12)
        elif not number % 2:
            canvas.box(box, "bar", radius=10)
        _put_row(canvas, row, top + HIGH / 2, middles, wide)
    return canvas.png()


def _put_row(
    canvas: ClubCanvas, row: CrossRow, middle: float, middles: Sequence[float], wide: float
) -> None:
    canvas.words(NAME - 16, middle, row.number, LEAST, "soft", BOLD, "r", NAME - 30)
    room = END - TOTAL - wide * len(middles) - NAME - 8
    canvas.words(NAME, middle, row.name, 36, "ink", BOLD if row.own else SEMIBOLD, room=room)
    for cell, x in zip(row.cells, middles, strict=True):
        if cell.barred:
            box = (x - wide / 2 + 3, middle - 30, x + wide / 2 - 3, middle + 30)
            canvas.box(box, "track", radius=6)
        upper, ink = "ink" if cell.alike else "soft", "soft" if cell.soft else "ink"
        canvas.words(x, middle - 19, cell.upper, LEAST, upper, anchor="m", room=wide)
        canvas.words(x, middle + 19 * bool(cell.upper), cell.lower, LEAST, ink, BOLD, "m", wide)
    canvas.words(END, middle, row.total, 40, "ink", BLACK, "r", TOTAL)
