"""What a player may do: the acts of the battle and those of the set-up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.core import Seat
from games.storilljudhjorrayc.geometry import Place, Space
from games.storilljudhjorrayc.units import AMBUSH, LORDS, Label


@dataclass(frozen=True, slots=True)
class Step:
    """One unit goes from *origin* to *target*; either may be the forest (Z6, G5)."""

    label: Label
    origin: Place
    target: Place


@dataclass(frozen=True, slots=True)
class Attack:
    """The unit on *origin* captures the enemy on *target* and stays where it is (Z7)."""

    label: Label
    origin: Space
    target: Space


@dataclass(frozen=True, slots=True)
class Salvo:
    """The archers on *origin* empty the three spaces before them (G9)."""

    label: Label
    origin: Space


@dataclass(frozen=True, slots=True)
class Ambuscade:
    """The ambush breaks out of the forest onto the enemy on *target* (G10)."""

    target: Space


@dataclass(frozen=True, slots=True)
class Switch:
    """The noble *label* on *origin* and the guard-class unit on *target* change places (G7)."""

    label: Label
    origin: Space
    target: Space


@dataclass(frozen=True, slots=True)
class BothLords:
    """Both lords take one step each at the same time, the left one named first (G8)."""

    left: Step
    right: Step


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing moves and nothing attacks (Z6)."""


Act: TypeAlias = Step | Attack | Salvo | Ambuscade | Switch | BothLords | Pass
"""What a player does in the battle."""


def find_actors(act: object) -> tuple[Label, ...]:
    """The units that *act* themselves; none for a pass and in the set-up."""
    match act:
        case Step(label) | Attack(label) | Salvo(label) | Switch(label):
            return (label,)
        case Ambuscade():
            return (AMBUSH,)
        case BothLords():
            return LORDS
    return ()


@dataclass(frozen=True, slots=True)
class SetupSwap:
    """In the set-up, *label* and *other* of *seat* change places."""

    seat: Seat
    label: Label
    other: Label


@dataclass(frozen=True, slots=True)
class Put:
    """In the set-up, *label* of *seat* goes to the empty space *target*."""

    seat: Seat
    label: Label
    target: Space


@dataclass(frozen=True, slots=True)
class Preset:
    """In the set-up, *seat* takes the arrangement called *name*."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Ready:
    """In the set-up, *seat* has finished."""

    seat: Seat


Arranging: TypeAlias = SetupSwap | Put | Preset | Ready
"""What a player does in the set-up."""

StorillMove: TypeAlias = Act | Arranging
