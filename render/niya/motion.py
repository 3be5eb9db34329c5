"""A move of Niya on its way: the card goes to the pile, and the marker comes in its place."""

from __future__ import annotations

from dataclasses import replace

from games.core import CHANCE
from games.niya.board import Card
from games.niya.rules import Niya
from render.kit.motion import Animation, Flight
from render.niya import painter, pieces
from render.scene import Scene

DROP = 34
"""From how far above its square the marker falls, in pixels."""


def motion(scene: Scene) -> Animation:
    """How the newest of the scene's ``last`` goes; *scene* shows the position before it."""
    seen: Niya = scene.seen
    newest = scene.last[-1]
    card = newest.move
    square = seen.square_of(card) if isinstance(card, Card) else None
    if newest.seat == CHANCE or square is None:
        return Animation(painter.sheet_of(scene))
    x, y = painter.GRID.centre(square % 4, square // 4)
    flying = pieces.flying(scene.theme, card, painter.card_letter(scene, card.colour))
    own = pieces.falling(scene.theme, newest.seat, painter.own_letter(scene, newest.seat))
    return Animation(
        painter.sheet_of(replace(scene, last=()), lifted=square),
        (
            Flight(own, ((x, y - DROP), (x, y)), since=0.4, waits=False),
            Flight(flying, ((x, y), painter.DISCARD), until=0.9),
        ),
    )
