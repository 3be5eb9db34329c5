"""The cube: 64 cells in four floors of 4 × 4, and the 76 lines of four.

A cell is a number from 0 to 63: its column, plus 4 times its row, plus 16 times its floor. It is
written as column a-d, row 1-4 and floor 1-4: ``b32`` is column b, row 3 on the second floor.
"""

from __future__ import annotations

from itertools import product

SIDE = 4
COLUMNS = "abcd"
CELLS = range(SIDE**3)

NAMES = tuple(
    f"{COLUMNS[cell % SIDE]}{cell // SIDE % SIDE + 1}{cell // SIDE**2 + 1}" for cell in CELLS
)
NUMBERS = {name: cell for cell, name in enumerate(NAMES)}


def _lines() -> tuple[tuple[int, ...], ...]:
    """Rule 4: the lines of four, each once."""
    ways = [way for way in product((-1, 0, 1), repeat=3) if way > (0, 0, 0)]
    found = []
    for start, way in product(product(range(SIDE), repeat=3), ways):
        steps = [tuple(s + n * w for s, w in zip(start, way, strict=True)) for n in range(SIDE)]
        if all(0 <= value < SIDE for step in steps for value in step):
            found.append(tuple(x + SIDE * y + SIDE**2 * z for x, y, z in steps))
    return tuple(found)


LINES = _lines()
THROUGH = tuple(tuple(line for line in LINES if cell in line) for cell in CELLS)
"""The lines through each cell: 7 in a corner or in the middle, else 4."""
