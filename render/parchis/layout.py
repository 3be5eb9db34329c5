"""Where everything lies on the Parchís board, in pixels of a picture 800 x 940.

The bottom arm is computed once, about the middle of the board, and turned counter-clockwise
for the others. Places are those of ``games.parchis.board``. Here yellow's casa is at the bottom
right; for others the board is turned by quarters (``shown``), while the numbers stand upright.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.parchis.board import CIRCUIT, HOME, META, ROUTES, SALIDAS, SEGUROS
from render.kit.geometry import around

Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[int, int, int, int]

WIDTH, HEIGHT = 800, 940
BOARD: Box = (8, 78, 792, 862)
MIDDLE = (400, 470)

ROW, COLUMN = 35, 98
CORNER_ROW = 60
"""The innermost row of an arm reaches into the middle and is cut at 45 degrees."""
ARM = COLUMN * 3 / 2
CASA = 7 * ROW
CASA_RADIUS = 114
HOME_SPOT = 65
"""How far the four places in a casa lie from its middle, across and along."""
META_SIDE = ARM - CORNER_ROW


@dataclass(frozen=True)
class Square:
    """A square of the circuit or of a corridor.

    *outline* is its polygon; a lone piece stands on *alone*, two on *pair*, the first beside
    the corridor. *number* says where its number is written, if it has one. *kind* is
    ``plain``, ``seguro``, ``salida`` or ``corridor``; *colour* whose arm it lies in.
    """

    outline: tuple[Point, ...]
    pair: tuple[Point, Point]
    alone: Point
    number: Point | None
    kind: str
    colour: int

    @property
    def box(self) -> Box:
        """The smallest box around the outline: left, top, right and bottom."""
        return box_around(self.outline)


def box_around(outline: tuple[Point, ...]) -> Box:
    """The smallest box around *outline*: left, top, right and bottom."""
    left, top, right, bottom = map(round, around(outline, 0))
    return (left, top, right, bottom)


def turned(x: float, y: float, quarters: int) -> Point:
    """A point about the middle of the board, turned *quarters* counter-clockwise."""
    for _ in range(quarters):
        x, y = y, -x
    return (MIDDLE[0] + x, MIDDLE[1] + y)


def _row(row: int) -> tuple[float, float]:
    """Top and bottom of *row* of the bottom arm, 1 outermost to 8 innermost."""
    return (ARM - CORNER_ROW, ARM) if row == 8 else (ARM + (7 - row) * ROW, ARM + (8 - row) * ROW)


def _kind(place: int) -> str:
    return "salida" if place in SALIDAS else "seguro" if place in SEGUROS else "plain"


def _side_square(colour: int, row: int, side: int) -> Square:
    """A square beside the corridor; *side* is 1 where the numbers rise inwards, else -1."""
    top, bottom = _row(row)
    inner, outer = COLUMN / 2, ARM
    middle = bottom - ROW / 2
    margin = 15 if colour % 2 == 0 else 14.5
    outline = [(inner, top), (outer, top), (outer, bottom), (inner, bottom)]
    number = (outer - margin, middle)
    if row == 8:
        outline[1] = (outer - CORNER_ROW, top)
        number = (inner + (COLUMN - CORNER_ROW) / 2 + 1, top + (CORNER_ROW - ROW) / 2 + 1)
    first, second = inner + 17, inner + 50

    def at(x: float, y: float) -> Point:
        return turned(x * side, y, colour)

    return Square(
        tuple(at(x, y) for x, y in outline),
        (at(first, middle), at(second, middle)),
        at((first + second) / 2, middle),
        at(*number),
        _kind(_number_of(colour, row, side)),
        colour,
    )


def _middle_square(colour: int, row: int) -> Square:
    """A square of the middle column: the last of the circuit in row 1, then the corridor."""
    top, bottom = _row(row)
    half, middle = COLUMN / 2, (top + bottom) / 2
    first, second = (-32.0, 1.0) if row == 1 else (-17.5, 17.5)
    number = (half - (15 if colour % 2 == 0 else 14.5), middle) if row == 1 else None
    corners = [(-half, top), (half, top), (half, bottom), (-half, bottom)]
    return Square(
        tuple(turned(x, y, colour) for x, y in corners),
        (turned(first, middle, colour), turned(second, middle, colour)),
        turned((first + second) / 2, middle, colour),
        turned(*number, colour) if number else None,
        "seguro" if row == 1 else "corridor",
        colour,
    )


def _number_of(colour: int, row: int, side: int) -> int:
    return (17 * colour + side * row - 1) % CIRCUIT + 1


def _squares() -> dict[int, Square]:
    squares = {}
    for colour in range(4):
        for row in range(1, 9):
            for side in (1, -1):
                place = _number_of(colour, row, side)
                squares[place] = _side_square(colour, row, side)
            place = _number_of(colour, 0, 1) if row == 1 else ROUTES[colour][63 + row]
            squares[place] = _middle_square(colour, row)
    return squares


SQUARES = _squares()
"""The 68 squares and 28 corridor squares by place."""


def shown(place: int, turn: int) -> int:
    """The place where *place* lies on a board turned by *turn* quarters: clockwise."""
    for colour, route in enumerate(ROUTES):
        if place > CIRCUIT and place in route:
            return ROUTES[(colour - turn) % 4][route.index(place)]
    return (place - 17 * turn - 1) % CIRCUIT + 1


def _in_each_arm(*points: Point) -> tuple[tuple[Point, ...], ...]:
    """*points* of the bottom arm, and what they are in the arms of the other colours."""
    return tuple(tuple(turned(x, y, colour) for x, y in points) for colour in range(4))


METAS = _in_each_arm((0, 0), (META_SIDE, META_SIDE), (-META_SIDE, META_SIDE))
"""The triangle of each colour."""

_OUTER, _INNER = META_SIDE - 19, META_SIDE - 53
META_SPOTS = _in_each_arm((0, _OUTER), (-34.5, _OUTER), (34.5, _OUTER), (0, _INNER))
"""Where the pieces stand in each meta, in the order in which they are filled."""

CASAS = tuple(turned(ARM + CASA / 2, ARM + CASA / 2, colour) for colour in range(4))
"""The middle of each casa."""

HOMES = tuple(
    tuple(
        (x + across * HOME_SPOT, y + along * HOME_SPOT)
        for across, along in [(-1, -1), (1, -1), (-1, 1), (1, 1)]
    )
    for x, y in CASAS
)
"""Where each colour's four pieces stand at home."""

PLATES: tuple[tuple[int, int], ...] = ((406, 874), (406, 10), (6, 10), (6, 874))
"""The top left corner of each colour's plate, beside its casa."""
PLATE_WIDTH, PLATE_HEIGHT = 388, 58


def centre(colour: int, number: int, index: int) -> Point:
    """Where the way of piece *number* of *colour* passes at the route index *index*."""
    if index == HOME:
        return HOMES[colour][number]
    return META_SPOTS[colour][0] if index == META else SQUARES[ROUTES[colour][index]].alone
