"""The rules of Cubo; each carries its number, and each number has its tests.

1. The board is a cube of 64 cells: four floors of 4 × 4.
2. In turn each player puts one stone into an empty cell.
3. Where it is agreed that stones fall, a cell is open only on the lowest floor or upon a stone.
4. Whoever has four stones in a line wins, in whatever direction the line runs.
5. Once all cells are full without such a line, the game is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core import Outcome, Position, Seat, Setting, drawn, won_by
from ludoteca_cubo.board import CELLS, LINES, SIDE

EMPTY = "."
MARKS = "xo"
"""The stones of each seat in ``Cube.stones``."""


@dataclass(frozen=True)
class Cube(Position[int]):
    """A moment of the game: the *stones* of all cells, whose *turn* it is, and whether they *fall*.

    A move is the number of a cell.
    """

    stones: str = EMPTY * len(CELLS)
    turn: Seat = 0
    fall: bool = False

    def actors(self) -> frozenset[Seat]:
        """The seat to move; nobody after the end."""
        return frozenset() if self.outcome() else frozenset({self.turn})

    def legal_moves(self, seat: Seat) -> Sequence[int]:
        """Rules 2 and 3: every cell that is empty and, where stones fall, borne by something."""
        return self.open_cells() if seat in self.actors() else ()

    def open_cells(self) -> tuple[int, ...]:
        """The cells into which a stone could be put now, whoever is to move."""
        return tuple(cell for cell in CELLS if self.stones[cell] == EMPTY and self.is_borne(cell))

    def is_borne(self, cell: int) -> bool:
        """Rule 3: whether a stone would stay in *cell*."""
        below = cell - SIDE**2
        return not self.fall or below < 0 or self.stones[below] != EMPTY

    def after(self, move: int) -> Cube:
        """The cube with a stone of the seat to move in the cell *move*."""
        stones = f"{self.stones[:move]}{MARKS[self.turn]}{self.stones[move + 1 :]}"
        return Cube(stones, 1 - self.turn, self.fall)

    def line(self) -> tuple[int, ...]:
        """Rule 4: a line of four stones of one player; () where there is none."""
        for line in LINES:
            mark = self.stones[line[0]]
            if mark != EMPTY and all(self.stones[cell] == mark for cell in line):
                return line
        return ()

    def outcome(self) -> Outcome | None:
        """Rules 4 and 5."""
        if line := self.line():
            return won_by(MARKS.index(self.stones[line[0]]), "line")
        return None if EMPTY in self.stones else drawn("full")


def start(setting: Setting) -> Cube:
    """Rule 1: an empty cube; *setting.first* moves first."""
    return Cube(turn=setting.first, fall=setting.options["fall"] == "yes")
