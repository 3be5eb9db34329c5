"""Who stands where: the two armies as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from games.core import Seat
from games.storilljudhjorrayc.geometry import FOREST, Place, Space
from games.storilljudhjorrayc.units import GUARDMASTER, INDEX, KING, UNITS, Label

Army: TypeAlias = tuple[Place | None, ...]
"""The place of each unit of a side in the order of ``UNITS``; ``None`` = captured."""

Unit: TypeAlias = tuple[Seat, Label]
"""A unit of a seat."""

_EVERY_UNIT: tuple[tuple[Unit, ...], tuple[Unit, ...]] = (
    tuple((0, label) for label in UNITS),
    tuple((1, label) for label in UNITS),
)


def army(places: Mapping[Label, Place]) -> Army:
    """The army whose units stand at *places*; those not named are captured."""
    return tuple(places.get(label) for label in UNITS)


@dataclass(frozen=True)
class Board:
    """Both armies, green's first."""

    armies: tuple[Army, Army]

    @cached_property
    def standing(self) -> Mapping[Space, Unit]:
        """The units on the board by the space on which they stand; the forest left out."""
        return {
            place: unit
            for places, units in zip(self.armies, _EVERY_UNIT, strict=True)
            for place, unit in zip(places, units, strict=True)
            if place is not None and place != FOREST
        }

    def place(self, seat: Seat, label: Label) -> Place | None:
        """Where the unit *label* of *seat* is; ``None`` when it has been captured."""
        return self.armies[seat][INDEX[label]]

    def left(self, seat: Seat) -> tuple[Label, ...]:
        """The units that *seat* has not lost, those in the forest included."""
        return tuple(
            label
            for label, place in zip(UNITS, self.armies[seat], strict=True)
            if place is not None
        )

    def only_king(self, seat: Seat) -> bool:
        """Whether the king is all that *seat* has left."""
        own = self.armies[seat]
        return own[INDEX[KING]] is not None and own.count(None) == len(UNITS) - 1

    def is_abandoned(self, seat: Seat) -> bool:
        """Whether the guards of *seat* are on their own (Z9): guardmaster in the forest or gone."""
        return self.place(seat, GUARDMASTER) in (None, FOREST)

    def with_unit(self, seat: Seat, label: Label, place: Place | None) -> Board:
        """The board with the unit *label* of *seat* on *place*, or gone for ``None``."""
        index = INDEX[label]
        own = self.armies[seat]
        changed = (*own[:index], place, *own[index + 1 :])
        return Board((changed, self.armies[1]) if seat == 0 else (self.armies[0], changed))

    def without(self, space: Space) -> Board:
        """The board once the unit on *space* has been captured."""
        seat, label = self.standing[space]
        return self.with_unit(seat, label, None)


@dataclass(frozen=True)
class Crowd(Board):
    """A board as one unit sees it: everybody else is only in the way, and of the other side."""

    standing_at: tuple[tuple[Space, Unit], ...] = ()

    @cached_property
    def standing(self) -> dict[Space, Unit]:
        """Who stands on the spaces in the way."""
        return dict(self.standing_at)
