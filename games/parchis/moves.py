"""The moves of Parchís, what may be due, and what may keep a piece from moving."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from games.core import Seat

Man: TypeAlias = tuple[Seat, int]
"""A piece: its seat and its number, 0-3."""


class Stage(Enum):
    """What is due now; the value begins the word of the position text."""

    OPENING = "o"
    THROW = "!"
    AIR = "?"
    DIE = "d"
    BONUS = "+"
    OVER = "-"


@dataclass(frozen=True)
class Roll:
    """The die shows *eyes*."""

    eyes: int

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return Roll, (self.eyes,)  # the compiled one has no other way


@dataclass(frozen=True)
class Throw:
    """«Tirar»: the player lets the die roll."""


@dataclass(frozen=True)
class Go:
    """*pieces* (numbers 0-3 of the player on turn) come to the route index *to*.

    Two pieces only where a first five brings two out (B6); *to* is ``HOME`` only for the third six
    (P9). *taken* are the captured pieces.
    """

    pieces: tuple[int, ...]
    to: int
    taken: tuple[Man, ...] = ()

    def __reduce__(self) -> tuple[object, tuple[tuple[int, ...], int, tuple[Man, ...]]]:
        return Go, (self.pieces, self.to, self.taken)


@dataclass(frozen=True)
class Lapse:
    """What is due cannot be used (P4): it is lost."""


Move: TypeAlias = Roll | Throw | Go | Lapse


class Bar(Enum):
    """What keeps a piece from moving."""

    AT_HOME = "at-home"
    IN_META = "in-meta"
    FULL = "full"
    BARRIER = "barrier"
    EXACT = "exact"
    OUT_OF_CORRIDOR = "out-of-corridor"
    WHITE_PAIR = "white-pair"

    @property
    def rule(self) -> str:
        """The number of the rule that bars."""
        return _RULES[self]


@dataclass(frozen=True)
class Hindrance:
    """Why a piece cannot go: the reason and the route index of its own route concerned."""

    bar: Bar
    index: int


_RULES = {
    Bar.AT_HOME: "P5",
    Bar.IN_META: "P5",
    Bar.FULL: "P6",
    Bar.BARRIER: "P10",
    Bar.EXACT: "P14",
    Bar.OUT_OF_CORRIDOR: "B4",
    Bar.WHITE_PAIR: "P16",
}
