"""What units and places are called in sentences."""

from __future__ import annotations

from collections.abc import Iterable

from games.core import Phrase, Seat, phrase, verbatim
from games.storilljudhjorrayc.geometry import FOREST, Place
from games.storilljudhjorrayc.units import ALIASES, SIDES, SWORDSMEN, Label


def side(seat: Seat) -> Phrase:
    """The colour of *seat*."""
    return phrase(f"storilljudhjorrayc.side.{SIDES[seat]}")


def kind(label: Label) -> Phrase:
    """What a unit is, without its label: «left guard»."""
    name = "T" if label in SWORDSMEN else ALIASES[label][-1] if label[-1] in "ÞD" else label
    return phrase(f"storilljudhjorrayc.kind.{name}")


def unit(label: Label) -> Phrase:
    """What a unit is, with its label: «left guard JÞ»."""
    return phrase("storilljudhjorrayc.unit", kind=kind(label), label=label)


def unit_at(label: Label, where: Place) -> Phrase:
    """A unit and its place: «left guard JÞ (a2)»."""
    return phrase("storilljudhjorrayc.unit-at", kind=kind(label), label=label, place=place(where))


def place(where: Place) -> Phrase:
    """A space by its name, the forest by its word."""
    return phrase("storilljudhjorrayc.forest") if where == FOREST else verbatim(where)


def listed(labels: Iterable[Label]) -> tuple[Phrase, ...]:
    """Units as a list."""
    return tuple(unit(label) for label in labels)
