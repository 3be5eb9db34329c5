"""The side view of a nossë, its ladder: every piece as a slab, the bottom piece lowest.

It is legible at the width of a phone; very tall ones stand in several columns, read from the left.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.cirya.move_types import Kind
from games.cirya.speech import SIDES
from render.cirya.pieces import STUDY, palette
from render.kit import Canvas, Sheet, Sprite, canvas_sprite, drawn_sprite, geometry


@drawn_sprite
def slab(theme: str, seat: int, kind: Kind, size: tuple[int, int], ground: str) -> Sprite:
    """One piece seen from the side on *ground*, *size* wide and high.

    Round ends for the swan, pointed ones for the eagle; a tampa has battlements, a
    hallacirya a star.
    """
    wide, high = size
    canvas = Canvas(palette(theme), (0, 0, wide, high), ground)
    low = high - 1.2 if high > 6 else high - 0.6
    rim = 2.0 if high > 8 and wide > 12 else 1.2
    _SIDE[seat](canvas, wide, low, rim)
    if kind is Kind.HALLACIRYA:
        canvas.polygon(geometry.star(wide / 2, low / 2, low * 0.52, low * 0.24), "line")
        canvas.polygon(geometry.star(wide / 2, low / 2, low * 0.4, low * 0.18), "gold")
    elif kind is Kind.TAMPA:
        for n in (-1, 0, 1):
            x = wide / 2 + n * wide * 0.22
            half = wide * 0.07
            canvas.box((x - half, rim + 1, x + half, low - rim - 1), f"{SIDES[seat]}.sign")
    elif seat == 1:
        dash = max(0.8, high * 0.1)
        half = min(5.0, wide * 0.25)
        canvas.box((wide / 2 - half, low / 2 - dash, wide / 2 + half, low / 2 + dash), "eagle.sign")
    return canvas.sprite()


def _round_ended(canvas: Canvas, wide: float, high: float, rim: float) -> None:
    canvas.box((0, 0, wide, high), "swan.edge", radius=high / 2)
    canvas.box((rim, rim, wide - rim, high - rim), "swan.face", radius=max(0, high / 2 - rim))


def _point(canvas: Canvas, wide: float, high: float, rim: float) -> None:
    tip = min(5.0, wide / 6)
    for inset, colour in ((0.0, "eagle.rim"), (rim * 0.9, "eagle.face")):
        left, top, right, bottom = inset, inset, wide - inset, high - inset
        canvas.polygon(
            [
                (left, high / 2),
                (left + tip, top),
                (right - tip, top),
                (right, high / 2),
                (right - tip, bottom),
                (left + tip, bottom),
            ],
            colour,
        )


_SIDE = (_round_ended, _point)


@canvas_sprite(palette, lambda wide, high, *_: (0, -high, wide, 0))
def trough(canvas: Canvas, wide: int, high: int, colour: str = "trough") -> None:
    """What the slabs of one column stand in; its origin is the bottom left."""
    canvas.box((0, -high, wide, 0), colour, radius=5)


@canvas_sprite(palette, lambda _, px: (0, -4, 3 * px, px + 4))
def count(canvas: Canvas, number: int, px: int) -> None:
    """How many pieces a nossë has; its origin is the top left."""
    canvas.text(3, px / 2, str(number), px, "white", "lm", px * 0.16, "line")


@canvas_sprite(palette, (-22, -22, 22, 22))
def lifted_count(canvas: Canvas, number: int) -> None:
    """How many pieces are in hand, in a blue disc."""
    canvas.disc(0, 0, 21, "white")
    canvas.disc(0, 0, 18, "blue")
    canvas.text(0, 0, str(number), 27, "white", room=28)


@canvas_sprite(palette, lambda wide: (0, -2, wide, 8))
def lowest(canvas: Canvas, wide: int) -> None:
    """The arrow that stands under the first of several columns, where counting begins."""
    middle = wide / 2
    canvas.polygon([(middle - 9, 7.5), (middle, -2), (middle + 9, 7.5)], "line")
    canvas.polygon([(middle - 6, 6), (middle, -0.2), (middle + 6, 6)], "white")


@dataclass(frozen=True)
class Ladder:
    """The slabs of a nossë: *columns* of at most *rows* in a sat *side* wide.

    Those of the last column are *broad*: the top pieces, which may be carried. What lies *deep*
    has the narrower columns before it, so that the piece on top keeps its size.
    """

    side: int
    columns: int
    rows: int
    deep: int
    broad: int

    @classmethod
    def fitting(cls, height: int, side: int) -> Ladder:
        """The ladder for *height* pieces: few columns, slabs no lower than can be read."""
        k = side / STUDY
        columns = min(4, -(-height // max(8, round(12 * k))))
        deep, broad = ((34, 34), (20, 24), (13, 22), (11, 20))[columns - 1]
        return cls(side, columns, -(-height // columns), round(deep * k), round(broad * k))

    @property
    def wide(self) -> int:
        """The width of all columns."""
        return self.left(self.columns)

    def left(self, column: int) -> int:
        """How far right of the first column that of the number *column* begins."""
        return column * (self.deep + 3) + (self.broad - self.deep) * (column == self.columns)

    def slab_wide(self, column: int) -> int:
        """How wide the slabs of the column of that number are."""
        return self.broad if column == self.columns - 1 else self.deep

    def put(
        self, sheet: Sheet, theme: str, corner: tuple[int, int], stack: tuple[int, ...], lifted: int
    ) -> None:
        """Draw *stack* from the bottom up, the top *lifted* pieces raised on a blue plate."""
        x, y = corner
        left = x + self.side - 3 - self.wide
        bottom = y + self.side - 9
        for column in range(self.columns):
            part = stack[column * self.rows : (column + 1) * self.rows]
            up = min(len(part), max(0, column * self.rows + len(part) - (len(stack) - lifted)))
            at = left + self.left(column)
            size = (self.slab_wide(column), self.high(len(part)))
            lying, raised = part[: len(part) - up], part[len(part) - up :]
            foot = _put_column(sheet, theme, (at, bottom), lying, size, "trough")
            if raised:
                _put_column(sheet, theme, (at, foot - 14), raised, size, "blue")
        if self.columns > 1:
            # Read from the left: the arrow stands under the lowest slab.
            sheet.put(lowest(theme, self.deep), left + self.left(0), bottom + 3)
        if lifted:
            sheet.put(lifted_count(theme, lifted), x + self.side - 24, y + 4)

    def high(self, count: int) -> int:
        """How high each slab is in a column of *count*, in pixels."""
        gaps = 3 * ((count - 1) // 5)
        return max(3, min(round(18 * self.side / STUDY), (self.side - 18 - gaps) // count))


def _put_column(
    sheet: Sheet,
    theme: str,
    foot: tuple[int, int],
    part: tuple[int, ...],
    size: tuple[int, int],
    ground: str,
) -> int:
    """Draw *part* in slabs of *size* on its *ground* from *foot* up; returns where it ends."""
    if not part:
        return foot[1]
    (x, y), (wide, high) = foot, size
    tall = high * len(part) + 3 * ((len(part) - 1) // 5)
    sheet.put(trough(theme, wide + 6, tall + 6, ground), x - 3, y + 3)
    for n, seat in enumerate(part):
        y -= high + (3 if n and n % 5 == 0 else 0)
        sheet.put(slab(theme, seat, Kind.CIRYA, size, ground), x, y)
    return y
