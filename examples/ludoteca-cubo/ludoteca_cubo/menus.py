"""The buttons of Cubo: one click, a cell of the four floors side by side."""

from __future__ import annotations

from games.core import Grid, Menus, Phrase, Seat, phrase, verbatim
from ludoteca_cubo.board import CELLS, NAMES, NUMBERS, SIDE
from ludoteca_cubo.rules import EMPTY, MARKS, Cube

STONES = dict(zip(MARKS, "●○", strict=True))
"""What the button of a cell with a stone shows, by the stone."""


def place(cell: int) -> tuple[int, int]:
    """The column and the row of *cell* where the floors lie as ``1 2`` above ``3 4``."""
    floor = cell // SIDE**2
    return SIDE * (floor % 2) + cell % SIDE, SIDE * (floor // 2) + SIDE - 1 - cell // SIDE % SIDE


BY_PLACE = {place(cell): NAMES[cell] for cell in CELLS}


def steps(position: Cube, move: int) -> tuple[str, ...]:
    """The click that is *move*."""
    del position
    return (NAMES[move],)


def label(position: Cube, seat: Seat, path: tuple[str, ...], step: str) -> Phrase:
    """The cell, or the stone in it."""
    del seat, path
    stone = position.stones[NUMBERS[step]]
    return verbatim(step if stone == EMPTY else STONES[stone])


def question(position: Cube, seat: Seat, path: tuple[str, ...]) -> Phrase:
    """What the player to move is asked."""
    del position, seat, path
    return phrase("cubo.ask")


def grid(position: Cube) -> Grid:
    """All cells, the floors as ``place`` lays them."""
    del position
    side = range(2 * SIDE)
    return tuple(tuple(BY_PLACE[column, row] for column in side) for row in side)


MENUS: Menus[Cube, int] = Menus(steps, label, question, grid=grid)
