"""What every painter paints with.

A painter has one ``Palette`` a theme: its flat colours by name, and which of them touch. It
draws each thing once on a ``Canvas`` (shapes and text, supersampled), keeps it as a
``Sprite`` (``functools.lru_cache`` by theme and what it shows), and puts a picture together
on a ``Sheet``. Opaque sprites on a known ground are the quick ones: give their canvas a
*ground*. ``render/niya.py`` is the example to follow; ``Painter`` says what to export.

Everything is measured in pixels of a picture 800 wide.
"""

from render.kit.bars import Bar, Item, Mood, label
from render.kit.canvas import Box, Canvas
from render.kit.gallery import Gallery, paint
from render.kit.output import SIZES, WIDTH, png, sized
from render.kit.painters import Figure, NoPainter, Painter, Say, Spot, figure, painter
from render.kit.palettes import DARK, EDGES, LIGHT, TOKENS, Palette, mix
from render.kit.sprites import Sheet, Sprite
from render.kit.squares import Grid

__all__ = [
    "DARK",
    "EDGES",
    "LIGHT",
    "SIZES",
    "TOKENS",
    "WIDTH",
    "Bar",
    "Box",
    "Canvas",
    "Figure",
    "Gallery",
    "Grid",
    "Item",
    "Mood",
    "NoPainter",
    "Painter",
    "Palette",
    "Say",
    "Sheet",
    "Spot",
    "Sprite",
    "figure",
    "label",
    "mix",
    "paint",
    "painter",
    "png",
    "sized",
]
