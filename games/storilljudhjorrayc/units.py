"""The units of an army, their classes and labels (Z4, Z5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from games.core import Seat, casefolded

Label: TypeAlias = str
"""What is written on a unit, such as ``KM`` or ``T3``."""

GREEN: Seat = 0
PURPLE: Seat = 1
SIDES = ("green", "purple")
"""The sides by seat."""

KING: Label = "A"
WARMASTER: Label = "KM"
GUARDMASTER: Label = "JM"
LORDS: tuple[Label, Label] = ("SÞ", "SD")
GUARDS: tuple[Label, Label] = ("JÞ", "JD")
ARCHERS: tuple[Label, Label] = ("KÞ", "KD")
FLANKS: tuple[Label, Label] = ("PÞ", "PD")
SWORDSMEN: tuple[Label, ...] = ("T1", "T2", "T3", "T4", "T5")
AMBUSH: Label = "W"

ROYALS = (KING, WARMASTER)
"""Both must fall for the game to end (Z8)."""

NOBLES = (KING, *LORDS)
GUARD_CLASS = (GUARDMASTER, *GUARDS)
INFANTRY = (WARMASTER, *SWORDSMEN)
REAR = (*ARCHERS, *FLANKS, AMBUSH)

UNITS: tuple[Label, ...] = (
    *(KING, WARMASTER, GUARDMASTER),
    *(*LORDS, *GUARDS, *ARCHERS, *FLANKS),
    *SWORDSMEN,
    AMBUSH,
)
"""The seventeen units of a side in the order of every text (Z4, G19)."""

EIGHT: tuple[Label, ...] = (*ROYALS, GUARDMASTER, "JÞ", "KÞ", "T1", "T2", AMBUSH)
"""The units of a small army, one of nearly every kind (G20)."""

INDEX: Mapping[Label, int] = {label: index for index, label in enumerate(UNITS)}

_ZDELMYOR = {"A": "R", "KM": "GM"}
_ASCII = {"Þ": "L", "D": "R"}

ALIASES: Mapping[Label, tuple[str, ...]] = {
    **{label: (label,) for label in UNITS},
    **{label: (label, label[0] + _ASCII[label[1]]) for label in UNITS if label[1:] in _ASCII},
    **{label: (label, other) for label, other in _ZDELMYOR.items()},
}
"""How the label of each unit may be typed: ``SL`` and ``SR`` for the lords, and so on (G17).

``R`` and ``GM`` are the labels of king and warmaster in Zdelmyor sets (Z15).
"""

_NAMED = {casefolded(way): label for label, ways in ALIASES.items() for way in ways}

AMBUSH_USES = 3
"""How often an ambush captures before it leaves the board (Z12)."""


def label_named(text: str) -> Label | None:
    """The unit that *text* names in any of its spellings."""
    return _NAMED.get(casefolded(text))


def kind_of(label: Label) -> str:
    """The kind of the unit *label*: ``A KM JM S J K P T W``."""
    return label if label in (KING, WARMASTER, GUARDMASTER, AMBUSH) else label[0]
