"""Niya on paper: sixteen cards and eight markers of each colour."""

from __future__ import annotations

from functools import partial

from games.niya.board import BY_CODE
from render.niya import pieces as drawn
from render.niya.painter import card_letter, own_letter
from render.niya.pieces import palette
from render.paper.parts import Cutout, Drawing, Printable
from render.scene import Scene

CARD = (40.0, 50.0)
"""The cell of a card; a marker lies across. So all of them are on two sheets of either paper."""

WIDTH = 38.5

MARKERS = 8


def printable(scene: Scene) -> Printable:
    """The cards and the markers, with the letters of *scene*'s language."""
    colours = palette(scene.theme)
    cutouts = []
    for card in BY_CODE.values():
        draw = partial(drawn.poster_card, card=card, letter=card_letter(scene, card.colour))
        cutouts.append(Cutout((Drawing(colours, drawn.WHOLE_CARD, draw),), CARD, WIDTH))
    high = WIDTH * 146 / 116
    for seat in (0, 1):
        draw = partial(drawn.poster_marker, seat=seat, letter=own_letter(scene, seat))
        face = Drawing(colours, drawn.WHOLE_MARKER, draw)
        cutouts.append(Cutout((face,), (CARD[1], CARD[0]), high, MARKERS))
    return Printable(cutouts=tuple(cutouts))
