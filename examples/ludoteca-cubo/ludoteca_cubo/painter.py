"""The table of Cubo: the four floors side by side, and the bars of both players.

The first floor is at the top left, the second beside it, the third and the fourth below. Above each
stands its number; the columns and the rows are named at the edges.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from games.core import Phrase
from ludoteca_cubo import pieces
from ludoteca_cubo.board import CELLS, COLUMNS, NAMES, NUMBERS, SIDE
from ludoteca_cubo.figures import FIGURES
from ludoteca_cubo.rules import EMPTY, MARKS, Cube
from render.kit import Bar, Grid, Mood, Sheet, Spot, Sprite, label
from render.scene import Scene

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["BOTTOM", "COVER", "FIGURES", "LETTERS", "TURNS", "captions", "cells", "paint", "spots"]

BOTTOM = 0
COVER = "diagonal"
LETTERS = False
"""The buttons lie as the cells do: they need no letters on the picture."""
TURNS = False

WIDTH, HEIGHT = 800, 996
FLOOR = SIDE * pieces.SIDE
LEFTS, TOPS = (64, 64 + FLOOR + 48), (150, 150 + FLOOR + 78)
GRIDS = tuple(
    Grid(LEFTS[floor % 2], TOPS[floor // 2], pieces.SIDE, pieces.SIDE, SIDE, SIDE)
    for floor in range(SIDE)
)
HEADER, FOOTER = Bar(24), Bar(908)


def captions(seen: Cube) -> dict[str, Phrase]:
    """The words that the picture needs: none, it has numbers and letters alone."""
    del seen
    return {}


def spots(scene: Scene) -> tuple[Spot, ...]:
    """Where targets can be tapped: their cells."""
    steps = (target.step for target in scene.targets)
    return tuple(_spot(NUMBERS[step]) for step in steps if step in NUMBERS)


def cells(scene: Scene) -> tuple[Spot, ...]:
    """Every cell by its name."""
    del scene
    return tuple(map(_spot, CELLS))


def _place(cell: int) -> tuple[Grid, int, int]:
    """The grid of *cell*, its column and its row in it, row 4 on top."""
    return GRIDS[cell // SIDE**2], cell % SIDE, SIDE - 1 - cell // SIDE % SIDE


def _spot(cell: int) -> Spot:
    grid, column, row = _place(cell)
    return Spot.of(NAMES[cell], grid.box(column, row), HEIGHT)


def paint(scene: Scene) -> Image.Image:
    """The table as *scene* tells it, in mode P."""
    seen: Cube = scene.seen
    sheet = _ground(scene.theme).copy()
    asked = {NUMBERS[one.step] for one in scene.targets if one.step in NUMBERS}
    line = frozenset(seen.line())
    last = scene.last[-1].move if scene.last else None
    for cell in CELLS:
        drawn = _cell(scene, cell, asked=cell in asked, won=cell in line, last=cell == last)
        if drawn is not None:
            grid, column, row = _place(cell)
            sheet.put(drawn, *grid.centre(column, row))
    for bar, seat in ((HEADER, 1 - scene.bottom), (FOOTER, scene.bottom)):
        emblem = pieces.emblem(scene.theme, seat)
        bar.put(sheet, scene.names[seat], emblem, mood=Mood.of(scene, seat))
    return sheet.picture()


def _cell(scene: Scene, cell: int, *, asked: bool, won: bool, last: bool) -> Sprite | None:
    """What *cell* shows beyond the empty board."""
    mark = scene.seen.stones[cell]
    if mark == EMPTY:
        return pieces.target(scene.theme, pieces.keyline(scene.theme)) if asked else None
    if won:
        return pieces.winning_stone(scene.theme, MARKS.index(mark))
    drawn = pieces.last_stone if last else pieces.stone
    return drawn(scene.theme, MARKS.index(mark))


@cache
def _ground(theme: str) -> Sheet:
    """The empty board with its letters and numbers."""
    sheet = Sheet(pieces.palette(theme), WIDTH, HEIGHT)
    for floor, grid in enumerate(GRIDS):
        for cell in range(SIDE**2):
            sheet.put(pieces.empty(theme), *grid.centre(cell % SIDE, cell // SIDE))
        middle = grid.left + FLOOR // 2
        _write(sheet, str(floor + 1), middle, grid.top - 32, 34)
        for n in range(SIDE):
            x, y = grid.centre(n, SIDE - 1 - n)
            _write(sheet, COLUMNS[n], x, grid.top + FLOOR + 19, 20)
            _write(sheet, str(n + 1), grid.left - 15, y, 20)
    return sheet


def _write(sheet: Sheet, text: str, x: int, y: int, size: int) -> None:
    """*text* with its middle at (*x*, *y*)."""
    written = label(sheet.palette, text, size, "ink" if size > 24 else "soft", "paper", 60)
    sheet.put(written, x - written.width // 2, y)
