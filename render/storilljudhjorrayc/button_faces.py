"""The faces of the buttons of Storilljuðjorrayc: the units of both armies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from games.core import Seat
from games.storilljudhjorrayc.rules import StorillPosition
from games.storilljudhjorrayc.units import UNITS, Label, kind_of
from render.kit import Palette, Sprite
from render.storilljudhjorrayc import board, pieces

ACCENTS = {"green": "#2E7D46", "purple": "#5B2A93"}


def _name(seat: Seat, label: Label) -> str:
    return f"{'gp'[seat]}{label.replace('Þ', 'th')}"


def _unit(seat: Seat, label: Label) -> tuple[Sprite, Palette]:
    return pieces.unit("light", seat, label, 44), board.palette("light")


FACES = {_name(seat, label): partial(_unit, seat, label) for seat in (0, 1) for label in UNITS}

_KINDS = {
    kind: [label for label in UNITS if kind_of(label) == kind] for kind in map(kind_of, UNITS)
}

LEGEND = {kind: (_name(0, labels[0]), _name(1, labels[-1])) for kind, labels in _KINDS.items()}
"""A unit of each kind and each side."""


def face(_seen: StorillPosition, seat: Seat, path: Sequence[str], step: str) -> str:
    """The unit that is chosen."""
    return "" if path or step not in UNITS else _name(seat, step)
