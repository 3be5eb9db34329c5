"""What the search of ``games.core.search`` needs of a game and of a level, and what it finds."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

DEEPEST: Final = 40
"""The most plies from the root."""

B = TypeVar("B")
M = TypeVar("M", bound=Hashable)


Praise: TypeAlias = dict[Hashable, int]
"""How well moves did elsewhere, by their ``trace``."""


class GameTree(Protocol[B, M]):
    """What the search must know of a game."""

    def key(self, board: B) -> Hashable:
        """The same for two boards exactly where they are the same."""

    def ended(self, board: B) -> int | None:
        """``WIN``, ``-WIN`` or 0 for the mover where the game is over; else ``None``."""

    def stuck(self, board: B) -> int:
        """The same of a board on which the mover has no move."""

    def worth(self, board: B) -> int:
        """The worth of *board* to the mover at first sight."""

    def is_pressed(self, board: B) -> bool:
        """Whether the mover must answer at once, such as a check."""

    def moves(self, board: B) -> Sequence[M]:
        """Every move worth a look."""

    def promises(self, board: B, moves: Sequence[M], praise: Praise) -> list[int]:
        """By move how early to try it, high numbers first; *praise* is by ``trace``."""

    def trace(self, board: B, move: M) -> Hashable:
        """The same for *move* and the same idea on another board."""

    def quiet(self, board: B, move: M) -> bool:
        """Whether *move* neither takes nor forces anything."""

    def obscurity(self, board: B, move: M) -> int:
        """How hard *move* is to see, 100 being usual: by that much more or less is it overlooked.

        People see captures first, and follow their own plan; what moves backwards or far they miss.
        """

    def captures(self, board: B, needed: int) -> Sequence[M]:
        """The moves that may gain more than *needed* by force, promising ones first."""

    def after(self, board: B, move: M) -> B:
        """The board after *move*."""

    def passed(self, board: B) -> B:
        """The board with the other side to move."""


@dataclass(frozen=True)
class Devices:
    """The devices of the search that have won matches in a game; 0 switches one off.

    *null_move*: how many plies less deep a pass is tried. *late*: after how many quiet moves the
    others are searched less deep. *margin*: the most a quiet move can gain on the last ply.
    *deepened*: how many plies a line may grow by where the mover is pressed. *exchanges*:
    captures are followed to the end.
    """

    null_move: int = 0
    late: int = 0
    margin: int = 0
    deepened: int = 0
    exchanges: bool = True


@dataclass(frozen=True)
class Strength:
    """How well a level plays: the most *nodes* and *plies* it looks at.

    Of a hundred later moves it overlooks *blind*, the same ones throughout a thought; it may play
    a move up to *slack* worse than the best. Both the rather, the more a move is hidden.
    """

    nodes: int
    plies: int = DEEPEST
    blind: int = 0
    slack: int = 0


class Found(Generic[M]):
    """The moves and values, best first, those within the slack exact, and the best line."""

    # No dataclass: a generic one cannot be compiled.
    def __init__(self, ranked: tuple[tuple[int, M], ...], line: tuple[M, ...], depth: int) -> None:
        self.ranked = ranked
        self.line = line
        self.depth = depth
