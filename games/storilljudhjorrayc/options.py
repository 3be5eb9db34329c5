"""The options of the game, and where they let each unit stand (Z5, G3-G5, G9, G14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from games.core import Option
from games.storilljudhjorrayc.geometry import CLEARING_CIRCUITS, FOREST, SPACES, Place, circuit_of
from games.storilljudhjorrayc.units import (
    EIGHT,
    GUARD_CLASS,
    GUARDMASTER,
    INFANTRY,
    REAR,
    ROYALS,
    UNITS,
    Label,
)

OPTIONS = (
    Option("setup", ("hidden", "open", "fixed"), rated=("open",)),
    Option("friendly_fire", ("yes", "no"), rated=("no",)),
    Option("crossing", ("ends", "straight")),
    Option("guards_in_focus", ("no", "yes"), rated=("yes",)),
    Option("forest", ("all", "rear"), rated=("rear",)),
    Option("units", ("all", "eight")),
)


def with_defaults(options: Mapping[str, str]) -> dict[str, str]:
    """The value of every option; what *options* leave out takes its default."""
    return {option.key: options.get(option.key, option.default) for option in OPTIONS}


@dataclass(frozen=True)
class Variant:
    """The options of section 4, as the rules ask for them."""

    setup: str = "hidden"
    friendly_fire: bool = True
    straight: bool = False
    guards_in_focus: bool = False
    forest_for_all: bool = True
    units: tuple[Label, ...] = UNITS
    """Who takes part (G20)."""

    @classmethod
    def chosen(cls, options: Mapping[str, str]) -> Variant:
        """The variant that *options* describe; what they leave out takes its default."""
        value = with_defaults(options)
        return cls(
            setup=value["setup"],
            friendly_fire=value["friendly_fire"] == "yes",
            straight=value["crossing"] == "straight",
            guards_in_focus=value["guards_in_focus"] == "yes",
            forest_for_all=value["forest"] == "all",
            units=UNITS if value["units"] == "all" else EIGHT,
        )

    def may_stand(self, label: Label, place: Place) -> bool:
        """Whether the unit *label* may be on *place* at all."""
        return place in self.homes[label]

    @cached_property
    def homes(self) -> Mapping[Label, frozenset[Place]]:
        """By unit, every place on which it may be at all."""
        return _homes(self)


@cache
def _homes(variant: Variant) -> Mapping[Label, frozenset[Place]]:
    places = (*SPACES, FOREST)
    return {
        label: frozenset(place for place in places if _may_stand(variant, label, place))
        for label in UNITS
    }


def _may_stand(variant: Variant, label: Label, place: Place) -> bool:
    if place == FOREST:
        # G5: king and warmaster never; the option keeps out all but rear and guardmaster.
        if variant.forest_for_all:
            return label not in ROYALS
        return label in REAR or label == GUARDMASTER
    circuit = circuit_of(place)
    if label in REAR:
        return circuit == 1  # Z5: rear units know the forest and the outer ring only.
    if circuit in CLEARING_CIRCUITS:
        return True
    # G4: the focus belongs to the infantry.
    return label in INFANTRY or (variant.guards_in_focus and label in GUARD_CLASS)
