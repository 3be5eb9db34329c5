"""Boards of rows and columns: where cells lie, from whichever side the viewer sits."""

from __future__ import annotations

from dataclasses import dataclass

from render.kit.shapes import Box


@dataclass(frozen=True)
class Grid:
    """*columns* x *rows* cells of *wide* x *high* pixels, the first at (*left*, *top*).

    Cells are counted from 0, columns from the left and rows from the top as the first
    seat sees them; *turned* shows the board from the opposite side.
    """

    left: int
    top: int
    wide: int
    high: int
    columns: int
    rows: int
    turned: bool = False

    def box(self, column: int, row: int) -> tuple[int, int, int, int]:
        """The cell: left, top, right and bottom."""
        if self.turned:
            column, row = self.columns - 1 - column, self.rows - 1 - row
        left, top = self.left + column * self.wide, self.top + row * self.high
        return (left, top, left + self.wide, top + self.high)

    def centre(self, column: int, row: int) -> tuple[int, int]:
        """The middle of the cell."""
        left, top, right, bottom = self.box(column, row)
        return ((left + right) // 2, (top + bottom) // 2)

    @property
    def outline(self) -> Box:
        """All cells together: left, top, right and bottom."""
        return (
            self.left,
            self.top,
            self.left + self.columns * self.wide,
            self.top + self.rows * self.high,
        )
