"""What a game has to be printed, as its module ``printable`` says: boards, pieces to cut out."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, cast

from PIL import Image

from render.kit import Box, Canvas, Palette
from render.kit.game_modules import module_of
from render.paper.page import dots
from render.scene import Scene

FINEST = 12
"""How many times finer than on a screen things are drawn at most."""


@dataclass(frozen=True)
class Drawing:
    """What *draw* draws on a canvas of *box* in the colours of *palette*."""

    palette: Palette
    box: Box
    draw: Callable[[Canvas], None]

    def image(self, width: float) -> Image.Image:
        """The drawing in RGBA, 300 dots an inch, *width* wide."""
        left, top, right, bottom = self.box
        wide = dots(width)
        # Twice as fine where that is small, so that edges are smooth; a board is large enough.
        fine = math.ceil(wide / (right - left))
        fineness = min(2 * fine, FINEST) if wide < dots(60) else fine
        canvas = Canvas(self.palette, self.box, fineness=max(4, fineness))
        self.draw(canvas)
        drawn = canvas.fine_image()
        return drawn.resize(
            (wide, round(wide * (bottom - top) / (right - left))), Image.Resampling.LANCZOS
        )


@dataclass(frozen=True)
class Board:
    """A board *width* wide, cut into so many *columns* and *rows* of sheets."""

    drawing: Drawing
    width: float
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True)
class Cutout:
    """A piece to be cut out *count* times, its face on a cell of this *size*.

    Two *faces* lie side by side and are folded back to back. *drawn* is how wide the box of a face
    is on paper. One that is not *outlined* has lines of its own to be cut along.
    """

    faces: tuple[Drawing, ...]
    size: tuple[float, float]
    drawn: float
    count: int = 1
    outlined: bool = True


@dataclass(frozen=True)
class Printable:
    """What a game has to be printed; *nets* are folded to bodies, such as a die."""

    boards: tuple[Board, ...] = ()
    cutouts: tuple[Cutout, ...] = ()
    nets: tuple[Cutout, ...] = ()


class PrintableParts(Protocol):
    """What a module ``printable`` beside a painter exports."""

    def printable(self, scene: Scene) -> Printable:
        """What is printed for the game that begins as *scene*, in its theme and captions."""


def printable_parts(game: str) -> PrintableParts | None:
    """What is printed of *game*; ``None`` where it brings nothing."""
    found = module_of(game, "printable")
    return None if found is None else cast(PrintableParts, found)
