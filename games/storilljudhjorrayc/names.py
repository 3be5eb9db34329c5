"""What units and places are called in sentences."""

from __future__ import annotations

from games.core import Phrase, Seat, phrase, verbatim
from games.storilljudhjorrayc.geometry import FOREST, Place
from games.storilljudhjorrayc.units import ALIASES, SIDES, SWORDSMEN, Label


def side(seat: Seat) -> Phrase:
    """The colour of *seat*."""
    return phrase(f"storilljudhjorrayc.side.{SIDES[seat]}")


def kind(label: Label) -> Phrase:
    """What a unit is, without its label: «left guard»."""
    return phrase(f"storilljudhjorrayc.kind.{_name(label)}")


def calling(label: Label) -> Phrase:
    """The same in one word, which of several its label tells: «guard»."""
    return phrase(f"storilljudhjorrayc.calling.{_CALLING.get(label) or label[0]}")


_CALLING = {"KM": "M", "JM": "M"}


def _name(label: Label) -> str:
    if label in SWORDSMEN:
        return "T"
    return ALIASES[label][-1] if label[-1] in "ÞD" else label


def unit(label: Label) -> Phrase:
    """What a unit is, with its label: «the left guard JÞ»."""
    named = phrase(f"storilljudhjorrayc.named.{_name(label)}")
    return phrase("storilljudhjorrayc.unit", kind=named, label=label)


def unit_at(label: Label, where: Place) -> Phrase:
    """A unit and its place: «the left guard JÞ on a2»."""
    return phrase("storilljudhjorrayc.unit-at", unit=unit(label), place=place(where))


def place(where: Place) -> Phrase:
    """A space by its name, the forest by its word."""
    return phrase("storilljudhjorrayc.forest") if where == FOREST else verbatim(where)
