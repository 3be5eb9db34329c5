"""Who stands where: ladders, leagues and the standings of tournaments, a row for each person."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from render.club.club_canvas import BLACK, BOLD, LEAST, SEMIBOLD, ClubCanvas
from render.kit.poster_ground import poster_inks

CACHED: Final = 32
"""How many pictures of each kind are kept: to look again costs nothing."""

HIGHEST, GAP, FOOT = 60, 30, 44
"""The height of a row at most, between the two parts, and below."""


@dataclass(frozen=True)
class RankingRow:
    """A row: the *place* (0: none yet), the *name*, and the *figure* by which they are in order.

    *change* is by how many points or places somebody rose, ``None`` for nothing to tell. *form* are
    the signs of the last results, *note* what decides between equals. *zone* is above 0 for who
    rises and below for who falls. *side* is the piece beside the name; *own* is the reader's row.
    """

    place: int
    name: str
    figure: str
    settled: bool = True
    change: int | None = None
    form: str = ""
    note: str = ""
    zone: int = 0
    side: str = ""
    own: bool = False


@dataclass(frozen=True)
class Ranking:
    """The *rows* of a table of *game*, and those *apart* from them, about the reader's own.

    *words* stand below the *title*, *heads* above signs, notes and figures; *letters* are those of
    won, drawn and lost. *foot* is what stands at its left and its right. A *tall* ground at the
    left is for ladders.
    """

    game: str
    title: str
    words: tuple[str, ...]
    rows: tuple[RankingRow, ...]
    apart: tuple[RankingRow, ...] = ()
    heads: tuple[str, str, str] = ("", "", "")
    letters: str = "WDL"
    foot: tuple[str, str] = ("", "")
    tall: bool = False


@lru_cache(CACHED)
def ranking_picture(shown: Ranking, theme: str = "light") -> bytes:
    """A PNG file of *shown*; *theme* is that of the boards."""
    canvas = ClubCanvas(theme)
    left, y = 40, 162.0
    if shown.tall:
        left, y = 424, 16.0
        _tall_head(canvas, shown)
    else:
        canvas.band(shown.game, 122, shown.title, shown.words[0] if shown.words else "")
    for x, head, anchor in zip((500, 930, 1066), shown.heads, "lrr", strict=True):
        canvas.words(x, y - 18, head, LEAST, "soft", SEMIBOLD, anchor)
    count = max(1, len(shown.rows) + len(shown.apart))
    room = canvas.size[1] - y - (FOOT if any(shown.foot) else 12) - GAP * bool(shown.apart)
    high = min(HIGHEST + 4 * shown.tall, room / count)
    for number, row in enumerate(shown.rows + shown.apart):
        if number == len(shown.rows):
            for step in range(3):
                canvas.disc(left + 24, y + 7 + 8 * step, 3, "soft")
            canvas.line([(left + 60, y + GAP / 2), (1066, y + GAP / 2)], "hair", 2)
            y += GAP
        _put_plate(canvas, row, left, y, high, pale=number % 2 == 0)
        _put_row(canvas, shown, row, left, y, high)
        y += high
    first, second = shown.foot
    wide = canvas.words(1066, 678, second, LEAST, "soft", SEMIBOLD, "r")
    canvas.words(left, 678, first, LEAST, "soft", room=1066 - left - wide - 30)
    return canvas.png()


def _tall_head(canvas: ClubCanvas, shown: Ranking) -> None:
    canvas.panel(shown.game, 384, 276)
    canvas.words(36, 66, shown.title, 84, "white", BLACK, room=318, least=0.4)
    y = 136.0
    for number, line in enumerate(shown.words):
        ink = poster_inks(shown.game).accent if number else "white"
        y = canvas.lines(38, y, line, 40 - 4 * bool(number), 306 - number * 16, ink, BOLD) + 6
    canvas.pieces(shown.game, 164, 570, 296, 230)


def _put_row(
    canvas: ClubCanvas, shown: Ranking, row: RankingRow, left: float, top: float, high: float
) -> None:
    middle, right = top + high / 2, 1066.0
    x = left + 24 + (46 if any(one.zone for one in shown.rows) else 0)
    if row.place:
        canvas.place(x, middle, row.place, min(24, high / 2 - 4), settled=row.settled)
    x += 62
    canvas.face(x, middle, min(24, high / 2 - 4), row.name)
    weight = BOLD if 0 < row.place <= 3 or row.own else SEMIBOLD
    ink = "ink" if row.settled or row.own else "soft"
    wide = canvas.words(right, middle, row.figure, 42, ink, BLACK, "r")
    end = right - wide - 16
    if row.change is not None:
        canvas.change(end - 4, middle, row.change)
        end -= 104
    if row.note:
        end = 930 - canvas.words(930, middle, row.note, 36, "ink", SEMIBOLD, "r", 240)
    if row.form:
        end = 470.0
        canvas.results(521, middle, row.form, shown.letters, 48, min(20, high / 2 - 5))
    room = end - x - 50 - (56 if row.side else 0)
    wide = canvas.words(x + 40, middle, row.name, 38, "ink", weight, room=room)
    canvas.piece(shown.game, row.side, x + wide + 80, middle, min(50, high - 8))


def _put_plate(
    canvas: ClubCanvas, row: RankingRow, left: float, top: float, high: float, *, pale: bool
) -> None:
    """What lies under a row: the frame of the reader's own, the colour of a zone and its sign."""
    middle, right = top + high / 2, 1066.0
    box = (left - 10, top + 2, right + 16, top + high - 2)
    if row.own:
        canvas.box(box, "pale", "amber", 3, 12)
        mark = [(left - 30, middle - 13), (left - 11, middle), (left - 30, middle + 13)]
        canvas.polygon(mark, "amber", "line", 2)
    elif row.zone:
        canvas.box(box, canvas.shade("up" if row.zone > 0 else "down", 0.8))
    elif pale:
        canvas.box(box, "bar", radius=10)
    if row.zone:
        canvas.triangle(left + 10, middle, "up" if row.zone > 0 else "down", down=row.zone < 0)
