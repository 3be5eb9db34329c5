"""What the players agree on before a game of Cirya (C2 to C20, R3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.cirya.board import Board, shape
from games.core import Option

OPTIONS = (
    Option("size", ("5", "4", "6"), rated=("6",)),  # C2
    Option("capstone_4x4", ("no", "yes")),  # C3
    Option("opening", ("swapped", "own")),  # C5
    Option("carry_limit", ("none", "board"), rated=("board",)),  # C13
    Option("mode", ("aracirya", "nutacirya"), rated=("nutacirya",)),  # C20
    Option("false_claim", ("offence", "loses"), rated=("loses",)),  # R2
    Option("repetition", ("3", "none"), rated=("none",)),  # R3
)
"""What may be agreed when a table is opened; the first value is the usual one."""

CIRYAR = {3: 10, 4: 15, 5: 21, 6: 30, 7: 40, 8: 50}
"""C3: the ciryar of each player by the width of the board; 3, 7 and 8 are not offered."""

HALLACIRYAR = {3: 0, 4: 0, 5: 1, 6: 1, 7: 2, 8: 2}
"""C3: the hallaciryar of each player by the width of the board."""


@dataclass(frozen=True)
class Customs:
    """What was agreed when the table was opened."""

    size: int = 5
    hallaciryar: int = 1
    swapped: bool = True
    carry_limit: bool = False
    courtly: bool = True
    repetition: bool = True
    strict: bool = False
    """Whether a londetúrë that is refuted loses the game (R2)."""

    @classmethod
    def agreed(cls, options: Mapping[str, str], size: int | None = None) -> Customs:
        """The customs that *options* name; *size* stands above theirs."""
        size = size or int(options["size"])
        more = size == 4 and options["capstone_4x4"] == "yes"
        return cls(
            size=size,
            hallaciryar=1 if more else HALLACIRYAR[size],
            swapped=options["opening"] == "swapped",
            carry_limit=options["carry_limit"] == "board",
            courtly=options["mode"] == "aracirya",
            repetition=options["repetition"] == "3",
            strict=options["false_claim"] == "loses",
        )

    def bare(self) -> Board:
        """C2, C3, C4: the empty board and two full reserves."""
        limit = self.size if self.carry_limit else None
        return Board.bare(shape(self.size, limit), CIRYAR[self.size], self.hallaciryar)
