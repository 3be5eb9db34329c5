"""The figures of the rule text of Cubo."""

from __future__ import annotations

from ludoteca_cubo.board import NUMBERS
from ludoteca_cubo.rules import Cube
from render.kit import Figure
from render.scene import Last, Scene


def after(*cells: str, fall: bool = False) -> Scene:
    """The table once stones were put into *cells*, in turn."""
    seen, last = Cube(fall=fall), ()
    for name in cells:
        last = (Last(seen, seen.turn, NUMBERS[name]),)
        seen = seen.after(NUMBERS[name])
    return Scene("cubo", seen, ("", ""), last=last)


_BOARDS = (0, 96, 800, 902)

FIGURES: dict[str, Figure] = {
    "upright": Figure(lambda: (after("b21", "c21", "b22", "c31", "b23", "a11", "b24"),), _BOARDS),
    "diagonal": Figure(lambda: (after("a11", "a12", "b22", "d11", "c33", "b23", "d44"),), _BOARDS),
}
"""A line through the four floors in one place, and one from corner to corner."""
