"""The faces of Niya's buttons: the cards of all six colours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from games.core import Seat
from games.niya.board import COLOURS, Card
from games.niya.rules import Niya
from render.kit import Canvas, Palette, Sprite
from render.niya import pieces

ACCENTS = {"red": "#D2302A", "yellow": "#FFD23F"}


def _card(card: Card) -> tuple[Sprite, Palette]:
    palette = pieces.palette("light")
    canvas = Canvas(palette, (-56, -68, 56, 68))
    # Large enough for a button: the emblem and the index, no letter of any language.
    canvas.box((-56, -66, 56, 66), "card", "edge", 2, 14)
    canvas.box((-48, -58, 48, 58), f"{card.colour}.band", radius=9)
    pieces._emblem_shape(canvas, card.colour, -20, -27, 24, "white")
    canvas.text(12, 18, str(card.index), 88, "white", stroke=5, stroke_colour=f"{card.colour}.deep")
    return canvas.sprite(), palette


FACES = {
    card.code: partial(_card, card)
    for card in (Card(colour, index) for colour in COLOURS for index in (1, 2, 3, 4))
}


def face(seen: Niya, _seat: Seat, _path: Sequence[str], step: str) -> str:
    """The card that is taken."""
    card = seen.deck.get(step)
    return f"{card.colour}{card.index}" if card else ""
