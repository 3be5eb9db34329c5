"""The week of a place: the finest move, an upset, who rose, medals, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from render.club.club_canvas import BLACK, BOLD, LEAST, SEMIBOLD, ClubCanvas
from render.kit.output import png
from render.medals import MedalFace, put_medal


@dataclass(frozen=True)
class WeekPerson:
    """Somebody by *name*, of whom *said* may tell more; by how much they rose, or a *medal*."""

    name: str
    said: str = ""
    change: int = 0
    medal: MedalFace | None = None


@dataclass(frozen=True)
class WeekLine:
    """Up to three *people* under a *head*, or one with a *second* line of words."""

    head: str
    people: tuple[WeekPerson, ...]
    second: str = ""


@dataclass(frozen=True)
class Week:
    """The week with its *title* and *words*.

    The *move* says who made it and what it was, and *tag* is what stands over its board.
    *coming* are title and beginning of a tournament of *game*, "" for none.
    """

    title: str
    words: str
    tag: str
    move: tuple[str, str]
    lines: tuple[WeekLine, ...]
    coming: tuple[str, str] = ("", "")
    game: str = ""


def week_picture(week: Week, board: Image.Image | None, theme: str) -> bytes:
    """A PNG file of *week*; the *board* alone is that of the finest move, if there was one."""
    canvas = ClubCanvas(theme)
    canvas.band("", 122, week.title, week.words)
    left, right = 40.0 if board is None else 500.0, 1068.0
    if board is not None:
        (x, top), (end, _), (_, low) = canvas.board(board, (34, 176, 462, 596))
        canvas.tag((x + end) / 2, top - 14, week.tag, anchor="m")
        canvas.words(40, low + 36, week.move[0], 38, "ink", BOLD, room=420)
        canvas.words(40, low + 76, week.move[1], LEAST, "soft", room=420)
    high = ((552 if week.game else 690) - 142) / max(3, len(week.lines))
    # Few lines alone are larger: the picture is not left empty.
    scale = 1 if board else 1 + 0.35 * max(0, 3 - len(week.lines))
    y = 142 + (max(3, len(week.lines)) - len(week.lines)) * high / 2
    for number, line in enumerate(week.lines):
        if number:
            canvas.line([(left, y - 8), (right, y - 8)], "hair", 2)
        _put_line(canvas, line, left, right, y, scale)
        y += high
    if week.game:
        canvas.box((left - 14, 562, right + 14, 684), "pale", "amber", 3, 14)
        canvas.pieces(week.game, left + 70, 623, 130, 96)
        canvas.words(left + 158, 602, week.coming[0], 40, "ink", BLACK, room=right - left - 162)
        canvas.words(left + 158, 650, week.coming[1], 36, "ink", room=right - left - 162)
    return png(canvas.in_palette())


def _put_line(
    canvas: ClubCanvas, line: WeekLine, left: float, right: float, y: float, scale: float
) -> None:
    canvas.words(left, y + 14, line.head, LEAST * scale, "soft", room=right - left)
    wide = (right - left) / (1 if line.second else max(2, len(line.people)))
    middle, below, begin = y + 76 * scale, 22 * scale, 72 * scale
    for number, one in enumerate(line.people):
        x = left + number * wide
        if one.medal is None:
            canvas.face(x + 30 * scale, middle, 28 * scale, one.name)
        else:
            put_medal(canvas, one.medal, x + 34 * scale, middle, 28 * scale)
        # Words alone stand in the middle, with something below in two lines.
        high = middle - 20 * scale * bool(line.second or one.change)
        px, weight = (40, BLACK) if line.second else (36, SEMIBOLD)
        canvas.words(
            x + begin, high, one.said or one.name, px * scale, "ink", weight, room=wide - begin - 10
        )
        canvas.words(x + begin, middle + below, line.second, LEAST * scale, room=wide - begin - 10)
        if one.change:
            canvas.change(x + begin + 36 + 19 * len(str(one.change)), middle + below, one.change)
