"""Animation: the pictures between the one before a move and the one after it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, cast

from PIL import Image

from render.kit.game_modules import module_of
from render.kit.geometry import Point, along
from render.kit.output import sized
from render.kit.sprites import Sheet, Sprite
from render.scene import Scene


@dataclass(frozen=True)
class Flight:
    """A *sprite* that goes along *way* while the share of the move runs from *since* to *until*.

    Shares are from 0 to 1. Before it leaves it stands where it starts if it *waits*, and once it
    has arrived it stays there if it *stays*; otherwise it is not to be seen then.
    """

    sprite: Sprite
    way: tuple[Point, ...]
    since: float = 0.0
    until: float = 1.0
    waits: bool = True
    stays: bool = True

    def at(self, share: float) -> tuple[int, int] | None:
        """Where it is after *share* of the move; ``None`` while it is not to be seen."""
        if (share < self.since and not self.waits) or (share >= self.until and not self.stays):
            return None
        done = min(1.0, max(0.0, (share - self.since) / max(self.until - self.since, 1e-9)))
        x, y = _on(self.way, done * done * (3 - 2 * done))  # slowly off, slowly in
        return round(x), round(y)


@dataclass(frozen=True)
class Animation:
    """A move on its way: *ground*, the board without what goes, and the *flights* above it."""

    ground: Sheet
    flights: tuple[Flight, ...] = ()

    def pictures(self, count: int) -> Iterator[Image.Image]:
        """*count* pictures at even distances between before and after, in mode P."""
        for number in range(1, count + 1):
            sheet, share = self.ground.copy(), number / (count + 1)
            for flight in self.flights:
                place = flight.at(share)
                if place is not None:
                    sheet.put(flight.sprite, *place)
            yield sheet.picture()


class _Mover(Protocol):
    def motion(self, scene: Scene) -> Animation:
        """How the newest of the scene's ``last`` goes; *scene* shows the position before it."""


def tweens(scene: Scene, count: int) -> Iterator[Image.Image]:
    """*count* pictures of the newest move of *scene*, which shows the position before it.

    There are none for a move that goes nowhere, nor for a game without ``motion``.
    """
    module = module_of(scene.game, "painter")
    if not hasattr(module, "motion"):
        return
    shown = cast(_Mover, module).motion(scene)
    if shown.flights:
        yield from (sized(picture, scene.size) for picture in shown.pictures(count))


def _on(way: tuple[Point, ...], share: float) -> Point:
    """The point on *way* after *share* of its length."""
    lengths = [math.dist(here, there) for here, there in pairwise(way)]
    left = share * sum(lengths)
    for (here, there), length in zip(pairwise(way), lengths, strict=True):
        if left <= length and length:
            return along(here, there, left)
        left -= length
    return way[-1]
