"""Ladders and profiles as pictures: the same rows that are told in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from render.curve import indexed
from render.kit import fonts
from render.kit.canvas import Canvas
from render.kit.output import WIDTH, png
from render.kit.text_page import TextPage, page_palette
from render.medals import RADIUS, put_medal

EDGE, HEAD, HIGH, FOOT = 24, 132, 62, 20
"""The room at the sides, above for the title, of a row, and below."""

TITLE = 92
"""The height of a title without heads below it."""

COURSE = 128
"""The height of a row with a curve."""

MEDAL, ABREAST = 84, 2
"""The height of a row of medals, and how many stand in one."""

LETTERS, SMALL = 32, 26
"""The size of letters: at 360 pixels width they have 14 and 12."""

NUMBER, NAME, RATING, CHANGE = EDGE + 46, EDGE + 62, 508, 612
"""Where the columns end or begin: number and rating on the right, the name on the left."""

CACHED_PICTURES = 32
"""How many pictures of each kind are kept: to look again costs nothing."""


@dataclass(frozen=True)
class Row:
    """A row of a table: *number* and *name*, then three columns; *own* is the reader's."""

    number: str
    name: str
    first: str
    second: str
    third: str
    own: bool = False


@dataclass(frozen=True)
class Table:
    """A table with its *title* and the *heads* of its last three columns."""

    title: str
    heads: tuple[str, str, str]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class CourseRow:
    """How somebody stands in a *game*, and the *course* of their rating so far."""

    game: str
    rating: str
    deviation: str
    games: str
    course: tuple[int, ...]


@dataclass(frozen=True)
class MedalFace:
    """A medal by its *key*, its *name* as the reader has it, and *facts* below that; of *metal*."""

    key: str
    name: str
    facts: str = ""
    metal: str = "gold"


@dataclass(frozen=True)
class Course:
    """A person by *name*, with a row for each game; *head* says what the figures count."""

    name: str
    head: str
    rows: tuple[CourseRow, ...]
    medals: tuple[MedalFace, ...] = ()


@dataclass(frozen=True)
class Step:
    """Somebody on a podium, with their *rating* and their *games*.

    *place* is 0 where the order of the steps is that of the places.
    """

    name: str
    rating: str
    games: str
    place: int = 0


@dataclass(frozen=True)
class Podium:
    """The *title* of a season, and the steps of each of its *games*, the first first."""

    title: str
    games: tuple[tuple[str, tuple[Step, ...]], ...]


@lru_cache(CACHED_PICTURES)
def podium_picture(podium: Podium, theme: str = "light") -> bytes:
    """A PNG file of *podium*, ``WIDTH`` wide; *theme* is that of the boards."""
    rows = sum(1 + len(steps) for _, steps in podium.games)
    canvas = blank(theme, TITLE + HIGH * rows + FOOT)
    put_title(canvas, podium.title)
    top = TITLE
    for game, steps in podium.games:
        canvas.line([(EDGE, top), (WIDTH - EDGE, top)], "hair", 2)
        canvas.text(EDGE, top + HIGH / 2, game, SMALL, "soft", "lc", room=WIDTH - 2 * EDGE)
        for number, step in enumerate(steps, 1):
            _put_step(canvas, number, step, top + HIGH * number)
        top += HIGH * (1 + len(steps))
    return png(indexed(canvas))


def _put_step(canvas: Canvas, number: int, step: Step, top: float) -> None:
    middle = top + HIGH / 2
    place = step.place or number
    first = place == 1
    canvas.disc(EDGE + RADIUS - 6, middle, RADIUS - 6, "gold" if first else "pale", "line", 3)
    ink = "line" if first else "ink"
    canvas.text(EDGE + RADIUS - 6, middle, str(place), SMALL, ink, "mc")
    left = EDGE + 2 * RADIUS
    room = CHANGE - 116 - left
    name = fonts.fitting_text(step.name, LETTERS, room * 1.2)
    canvas.text(left, middle, name, LETTERS, "ink", "lc", room=room)
    canvas.text(CHANGE, middle, step.rating, LETTERS, "ink", "rc", room=110)
    canvas.text(WIDTH - EDGE, middle, step.games, LETTERS, "soft", "rc", room=126)


@lru_cache(CACHED_PICTURES)
def table_picture(table: Table, theme: str = "light") -> bytes:
    """A PNG file of *table*, ``WIDTH`` wide; *theme* is that of the boards."""
    canvas = text_page(theme, HEAD + HIGH * len(table.rows) + FOOT)
    put_title(canvas, table.title)
    rooms = ((RATING, 200), (CHANGE, 96), (WIDTH - EDGE, 142))
    for (x, room), head in zip(rooms, table.heads, strict=True):
        # A little narrower is easier to read than cut.
        said = fonts.fitting_text(head, SMALL, room * 1.3)
        canvas.text(x, HEAD - 24, said, SMALL, "soft", "rc", room=room)
    canvas.line(((EDGE, HEAD), (WIDTH - EDGE, HEAD)), "hair", 2)
    for number, row in enumerate(table.rows):
        _put_row(canvas, row, HEAD + HIGH * number)
    return png(canvas.indexed())


def _put_row(canvas: TextPage, row: Row, top: int) -> None:
    middle, on = top + HIGH / 2, "pale" if row.own else "paper"
    if row.own:
        canvas.box((EDGE - 12, top + 4, WIDTH - EDGE + 12, top + HIGH - 4), "pale", radius=8)
    left = NAME if row.number else EDGE
    if row.number:
        canvas.text(NUMBER, middle, row.number, LETTERS, "soft", "rc", room=NUMBER - 8, on=on)
    room = RATING - 116 - left
    name = fonts.fitting_text(row.name, LETTERS, room)
    canvas.text(left, middle, name, LETTERS, "ink", "lc", on=on)
    canvas.text(RATING, middle, row.first, LETTERS, "ink", "rc", room=110, on=on)
    canvas.text(CHANGE, middle, row.second, LETTERS, "soft", "rc", room=92, on=on)
    canvas.text(WIDTH - EDGE, middle, row.third, LETTERS, "ink", "rc", room=142, on=on)


@lru_cache(CACHED_PICTURES)
def course_picture(course: Course, theme: str = "light") -> bytes:
    """A PNG file of *course*, ``WIDTH`` wide; *theme* is that of the boards."""
    below = MEDAL * -(-len(course.medals) // ABREAST)
    canvas = blank(theme, HEAD + COURSE * len(course.rows) + below + FOOT)
    put_title(canvas, course.name)
    canvas.text(WIDTH - EDGE, HEAD - 24, course.head, SMALL, "soft", "rc", room=WIDTH / 2)
    canvas.line([(EDGE, HEAD), (WIDTH - EDGE, HEAD)], "hair", 2)
    for number, row in enumerate(course.rows):
        top = HEAD + COURSE * number
        name = fonts.fitting_text(row.game, LETTERS, 300)
        canvas.text(EDGE, top + 40, name, LETTERS, "ink", "lc")
        canvas.text(EDGE, top + 86, row.rating, LETTERS, "ink", "lc", room=130)
        canvas.text(EDGE + 144, top + 86, row.deviation, SMALL, "soft", "lc", room=110)
        canvas.text(WIDTH - EDGE, top + 64, row.games, LETTERS, "ink", "rc", room=170)
        _put_curve(canvas, row.course, (330, top + 20, 580, top + COURSE - 20))
        if number:
            canvas.line([(EDGE, top), (WIDTH - EDGE, top)], "hair", 2)
    _put_medals(canvas, course.medals, HEAD + COURSE * len(course.rows))
    return png(indexed(canvas))


def _put_medals(canvas: Canvas, faces: Sequence[MedalFace], top: float) -> None:
    """The medals, two abreast, each with its name beside it."""
    wide = (WIDTH - 2 * EDGE) / ABREAST
    if faces and top > HEAD:
        canvas.line([(EDGE, top), (WIDTH - EDGE, top)], "hair", 2)
    for number, face in enumerate(faces):
        row, column = divmod(number, ABREAST)
        x, y = EDGE + wide * column, top + MEDAL * (row + 0.5)
        put_medal(canvas, face.key, x + RADIUS, y, face.metal)
        room = wide - 2 * RADIUS - 28
        # A little narrower is easier to read than cut.
        name = fonts.fitting_text(face.name, SMALL, room * 1.35)
        left, above = x + 2 * RADIUS + 14, 15 if face.facts else 0
        canvas.text(left, y - above, name, SMALL, "ink", "lc", room=room)
        if face.facts:
            facts = fonts.fitting_text(face.facts, SMALL, room * 1.35)
            canvas.text(left, y + above, facts, SMALL, "soft", "lc", room=room)


def _put_curve(
    canvas: Canvas, values: Sequence[int], box: tuple[float, float, float, float]
) -> None:
    """The *values* as a line within *box*, and a point where it ends."""
    left, top, right, bottom = box
    low, high = min(values, default=0), max(values, default=0)
    span = max(high - low, 40)
    step = (right - left) / max(1, len(values) - 1)
    middle = (low + high) / 2
    points = [
        (left + step * n, (top + bottom) / 2 - (one - middle) / span * (bottom - top))
        for n, one in enumerate(values)
    ]
    canvas.line([(left, bottom + 6), (right, bottom + 6)], "hair", 2)
    if len(points) > 1:
        canvas.line(points, "ink", 4)
    if points:
        canvas.disc(*points[-1], 8, "amber", "line", 2)


def put_title(canvas: Canvas | TextPage, title: str) -> None:
    """Write *title* at the head, in letters so large that it has room."""
    px, room = LETTERS + 6, WIDTH - 2 * EDGE
    while px > SMALL and fonts.width(fonts.drawable(title), px) > room:
        px -= 2
    # A little narrower is easier to read than cut.
    said = fonts.fitting_text(title, px, room * 1.25)
    canvas.text(EDGE, 48, said, px, "ink", "lc", room=room)


def blank(theme: str, height: int) -> Canvas:
    """An empty picture of that *height*, in the colours of *theme*."""
    return Canvas(page_palette(theme), (0, 0, WIDTH, height), "paper")


def text_page(theme: str, height: int) -> TextPage:
    """An empty page of that *height*, in the colours of *theme*."""
    return TextPage(page_palette(theme), (WIDTH, height), "paper")
