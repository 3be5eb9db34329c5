"""Trees and units together with the ground under them, as sprites that cost one paste each.

Where nothing is marked, the ground under a unit is always the same: the unit, its soft edges and
its shadow are blended with it once.
"""

from __future__ import annotations

from PIL import ImageChops

from games.core import Seat
from games.storilljudhjorrayc.units import Label
from render.kit import Sheet, Sprite, composed_sprite, lay_ground
from render.storilljudhjorrayc import board, pieces

WIDTH, HEIGHT = 800, 944
REACH = 48
"""How near a unit in the forest may stand to the crown of a tree."""

At = tuple[int, int]
Unit = tuple[Seat, Label, int, bool]
"""Whose unit, which, its radius, and whether it is abandoned."""


def ground(theme: str, turn: bool, south: bool) -> Sheet:
    """The empty board, turned half round with *turn*; *south* says where its numbers stand."""
    shown = board.ground(theme, turn), board.numbers(theme, south)
    return lay_ground(board.palette(theme), (WIDTH, HEIGHT), *shown)


@composed_sprite
def corner(theme: str, turn: bool, down: bool, right: bool, taken: tuple[At, ...]) -> Sprite:
    """A corner of the forest with its trees, but for those where the units at *taken* stand."""
    x, y = board.CENTRE
    sheet = ground(theme, turn, False).copy()
    for left, top, fir in board.trees():
        clear = all(abs(left - a) > REACH - 10 or abs(top - 12 - b) > REACH for a, b in taken)
        if (top > y, left > x) == (down, right) and clear:
            sheet.put(board.tree(theme, fir), left, top)
    near, far = 186, board.HALF
    box = (
        x + near if right else x - far,
        y + near if down else y - far,
        x + far if right else x - near,
        y + far if down else y - near,
    )
    return sheet.part(box)


@composed_sprite
def standing(theme: str, turn: bool, south: bool, at: At, unit: Unit, *, free: bool) -> Sprite:
    """A unit and its shadow on the still ground about *at*, ringed if *free*; put it at (0, 0)."""
    empty = ground(theme, turn, south)
    sheet = empty.copy()
    put_unit(sheet, theme, at, unit, free=free)
    reach = pieces.DISC + 9
    box = (at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach)
    before, after = empty.part(box).indices, sheet.part(box).indices
    touched = ImageChops.difference(before, after).point([0, *[255] * 255]).convert("1")
    return Sprite(after, box[0], box[1], touched)


def put_unit(sheet: Sheet, theme: str, at: At, unit: Unit, *, free: bool) -> None:
    """Put a unit and its shadow on whatever *sheet* shows, and a ring if it is *free*."""
    seat, name, radius, faded = unit
    sheet.wash(pieces.shadow(theme, seat, radius), "line", board.SHADE_SHARE, *at)
    sheet.put(pieces.unit(theme, seat, name, radius, faded), *at)
    if free:
        sheet.put(pieces.open_to_choice(theme), *at)
