"""What a player of Cirya may do, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Kind(StrEnum):
    """What a piece is when it is placed; the values are the letters of PTN."""

    CIRYA = "F"
    TAMPA = "S"
    HALLACIRYA = "C"


class Said(StrEnum):
    """What a player says with a ply (C19, C21); the values are the marks of PTN."""

    NOTHING = ""
    LONDE = "'"
    LONDETURE = '"'


NORTH, EAST, SOUTH, WEST = "+", ">", "-", "<"
WAYS = (NORTH, EAST, SOUTH, WEST)
"""The four ways of a straight move (C8), as PTN writes them, clockwise."""


@dataclass(frozen=True, slots=True)
class Place:
    """A piece from the reserve onto the empty *sat* (C6)."""

    sat: int
    kind: Kind
    said: Said = Said.NOTHING


@dataclass(frozen=True, slots=True)
class Shift:
    """The top of the nossë on *sat* goes straight to one side (C8).

    *drops* are the pieces left on each sat of the way, the nearest first; their sum was lifted.
    """

    sat: int
    way: str
    drops: tuple[int, ...]
    said: Said = Said.NOTHING


@dataclass(frozen=True, slots=True)
class Call:
    """What *seat* says with the coming ply or its last; ``NOTHING`` takes it back (C19, C21)."""

    seat: int
    said: Said


class Verdict(StrEnum):
    """What a londetúrë has proved to be worth (R2); the values are how the log writes it."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a londetúrë, which no player gives (R2)."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Back:
    """The loser returns to where the winner's announcement was due (C20, R1)."""


@dataclass(frozen=True, slots=True)
class Cede:
    """The winner of a londë gives the victory to the other player (C22)."""


Ply: TypeAlias = Place | Shift
Move: TypeAlias = Place | Shift | Call | Judged | Back | Cede
