"""What units and places are called in sentences."""

from __future__ import annotations

from games.core import Arg, Phrase, Seat, phrase, verbatim
from games.storilljudhjorrayc.geometry import FOREST, Place
from games.storilljudhjorrayc.units import ALIASES, SIDES, SWORDSMEN, Label


def own_phrase(key: str, **args: Arg) -> Phrase:
    """A phrase of this game, by what follows the name of the game in its key."""
    return phrase(f"storilljudhjorrayc.{key}", **args)


def side(seat: Seat) -> Phrase:
    """The colour of *seat*."""
    return own_phrase(f"side.{SIDES[seat]}")


def kind(label: Label) -> Phrase:
    """What a unit is, without its label: «left guard»."""
    return own_phrase(f"kind.{_name(label)}")


def calling(label: Label) -> Phrase:
    """The same in one word, which of several its label tells: «guard»."""
    return own_phrase(f"calling.{label if label in _MASTERS else label[0]}")


_MASTERS = ("KM", "JM")
"""The two units whose first letters are those of others."""


def _name(label: Label) -> str:
    if label in SWORDSMEN:
        return "T"
    return ALIASES[label][-1] if label[-1] in "ÞD" else label


def unit(label: Label) -> Phrase:
    """What a unit is, with its label: «the left guard JÞ»."""
    return own_phrase("unit", kind=own_phrase(f"named.{_name(label)}"), label=label)


def unit_with_place(label: Label, where: Place) -> Phrase:
    """A unit and where it stands: «the left guard JÞ on a2», «the sword T1 in the forest»."""
    return own_phrase("unit-at", unit=unit(label), where=standing_on(where))


def standing_on(where: Place) -> Phrase:
    """A place with its preposition: «on a2», «in the forest»."""
    return own_phrase("in-forest") if where == FOREST else own_phrase("on-space", space=where)


def place(where: Place) -> Phrase:
    """A space by its name, the forest by its word."""
    return own_phrase("forest") if where == FOREST else verbatim(where)
