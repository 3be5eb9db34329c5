"""The picture of Tres: nine cells with their marks."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from games.core import Phrase
from ludoteca_tres import CELLS, MARKS, Board
from render.kit import EDGES, THEMES, Bar, Canvas, Figure, Grid, Mood, Palette, Sheet, Spot, Sprite
from render.scene import Scene

if TYPE_CHECKING:
    from PIL import Image

BOTTOM, COVER, LETTERS, TURNS = 0, "row", False, False
FIGURES = {"row": Figure(lambda: (Scene("tres", Board("xo.ox...x"), ("", "")),))}
HEIGHT, GRID = 800, Grid(152, 152, 165, 165, 3, 3)


def captions(_seen: Board) -> dict[str, Phrase]:
    """The words in the picture: none."""
    return {}


def cells(_scene: Scene) -> tuple[Spot, ...]:
    """Where each cell can be tapped."""
    boxes = (GRID.box(place % 3, place // 3) for place in range(len(CELLS)))
    return tuple(Spot.of(cell, box, HEIGHT) for cell, box in zip(CELLS, boxes, strict=True))


def spots(scene: Scene) -> tuple[Spot, ...]:
    """Where the free cells can be tapped."""
    steps = {target.step for target in scene.targets}
    return tuple(spot for spot in cells(scene) if spot.step in steps)


def paint(scene: Scene) -> Image.Image:
    """The nine cells between the bars of the players."""
    sheet = Sheet(palette(scene.theme), 800, HEIGHT)
    for place, mark in enumerate(scene.seen.marks):
        sheet.put(cell(scene.theme, mark), *GRID.centre(place % 3, place // 3))
    for top, seat in ((24, 1 - scene.bottom), (712, scene.bottom)):
        emblem = cell(scene.theme, MARKS[seat], 22)
        Bar(top).put(sheet, scene.names[seat], emblem, mood=Mood.of(scene, seat))
    return sheet.picture()


@cache
def palette(theme: str) -> Palette:
    """The shared colours, and which of them touch here."""
    return Palette(THEMES[theme], {**EDGES, "blue": "bar"})


@cache
def cell(theme: str, mark: str, size: int = 80) -> Sprite:
    """A cell with its mark, *size* pixels from its middle to its edge."""
    canvas, reach = Canvas(palette(theme), (-size, -size, size, size), "bar"), size * 0.6
    if mark == "o":
        canvas.disc(0, 0, reach, "bar", "blue", size / 5)
    if mark == "x":
        canvas.line([(-reach, -reach), (reach, reach)], "ink", size / 5)
        canvas.line([(-reach, reach), (reach, -reach)], "ink", size / 5)
    return canvas.sprite()
