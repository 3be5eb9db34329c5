"""Tres: whoever has three in a row on nine cells wins."""

from dataclasses import dataclass

from games import core

CONTRACT = 1
CELLS = ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
MARKS = "xo"


@dataclass(frozen=True)
class Board(core.Position[str]):
    """The marks of the nine cells, "x", "o" or "."; a move is the name of a cell."""

    marks: str = "." * len(CELLS)

    def __str__(self) -> str:
        return self.marks

    def actors(self) -> frozenset[int]:
        """The seat whose turn it is, 0 or 1; nobody at the end."""
        turn = (len(CELLS) - self.marks.count(".")) % 2
        return frozenset() if self.outcome() else frozenset({turn})

    def legal_moves(self, seat: int) -> list[str]:
        """The free cells."""
        free = [cell for cell, mark in zip(CELLS, self.marks, strict=True) if mark == "."]
        return free if seat in self.actors() else []

    def after(self, move: str) -> "Board":
        """The board with the mover's mark in the cell *move*."""
        (seat,), place = self.actors(), CELLS.index(move)
        return Board(self.marks[:place] + MARKS[seat] + self.marks[place + 1 :])

    def outcome(self) -> core.Outcome | None:
        """Three in a row win; a full board is a draw."""
        for seat, mark in enumerate(MARKS):
            if any(all(self.marks[int(place)] == mark for place in line) for line in LINES):
                return core.won_by(seat, "line")
        return None if "." in self.marks else core.drawn("full")


def read(text: str, _options: object) -> Board:
    """The board that *text* writes; raises ``Unreadable``."""
    crosses, noughts = map(text.count, MARKS)
    if crosses - noughts not in (0, 1) or set(text) - set("xo.") or len(text) != 9:
        raise core.Unreadable(core.phrase("tres.text", text=text[:20]))
    return Board(text)


GAME = core.Game(
    key="tres",
    title="Tres",
    rules=core.GameRules(sides=("cross", "nought"), start=lambda _: Board()),
    notation=core.Notation(read=read),
    menus=core.Menus(grid=lambda _: (CELLS[:3], CELLS[3:6], CELLS[6:])),
)
