"""What the search of ``games.core.search`` asks of a game and of a level, and what it finds."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

DEEPEST = 40
"""Plies from the root beyond which nothing is looked at any more."""

B = TypeVar("B")
M = TypeVar("M", bound=Hashable)


class GameTree(Protocol[B, M]):
    """What the search must know of a game."""

    def key(self, board: B) -> Hashable:
        """What two boards share that are the same."""

    def ended(self, board: B) -> int | None:
        """``WIN``, ``-WIN`` or 0 for the mover where the game is over; else ``None``."""

    def stuck(self, board: B) -> int:
        """The same of a board on which the mover has no move."""

    def worth(self, board: B) -> int:
        """How *board* looks to the mover."""

    def pressed(self, board: B) -> bool:
        """Whether the mover must answer at once, such as a check."""

    def moves(self, board: B) -> Sequence[M]:
        """Every move worth a look."""

    def promises(self, board: B, moves: Sequence[M], praise: Mapping[Hashable, int]) -> list[int]:
        """By move how early it should be tried, high ones first; *praise* is by ``trace``."""

    def trace(self, board: B, move: M) -> Hashable:
        """What *move* shares with the same idea on another board."""

    def quiet(self, board: B, move: M) -> bool:
        """Whether *move* neither takes nor forces anything."""

    def captures(self, board: B, needed: int) -> Sequence[M]:
        """The moves that may gain more than *needed* by force, promising ones first."""

    def after(self, board: B, move: M) -> B:
        """The board after *move*."""

    def passed(self, board: B) -> B:
        """The board with the other side to move."""


@dataclass(frozen=True)
class Devices:
    """What a game lets the search do; each is there because it won matches.

    *null_move* is by how many plies less deep a pass is tried, *late* after how many quiet moves
    the rest are searched less deep, *margin* what a quiet move can gain on the last ply at most,
    *deepened* how many plies a line may grow by where the mover is pressed; 0 switches off.
    *exchanges* follows captures to the end.
    """

    null_move: int = 0
    late: int = 0
    margin: int = 0
    deepened: int = 0
    killers: bool = False
    exchanges: bool = True


@dataclass(frozen=True)
class Strength:
    """How well a level plays: it looks at so many *nodes* and so many *plies* ahead at most.

    Of a hundred moves that are not its own next one it overlooks *blind*, the same ones as long
    as it thinks; it is content with a move that is up to *slack* worse than the best.
    """

    nodes: int
    plies: int = DEEPEST
    blind: int = 0
    slack: int = 0


@dataclass(frozen=True)
class Found(Generic[M]):
    """The moves from the best on with their values, those within the slack right, and a line."""

    ranked: tuple[tuple[int, M], ...]
    line: tuple[M, ...]
    depth: int
