"""What every painter paints with.

A game has one ``Palette`` a theme: the shared ``TOKENS`` and its own flat colours by name, and
which of them touch (``EDGES`` and its own). It draws each thing once on a ``Canvas`` (shapes
and text, supersampled, in flat colours only), keeps it as a ``Sprite`` by theme and by what it
shows (``drawn``, or ``kept`` where the room depends on what is shown), and puts a
picture together on a ``Sheet``. Sprites drawn on a known *ground* are opaque and the quickest;
others are blended at their edges with whatever lies under them. ``shapes`` has the geometry,
round boards included, ``marks`` the marks that mean the same on every board, ``Bar`` the
players' bars, ``Grid`` the cells of square boards.

``render/niya/painter.py`` (what the house asks for) and ``render/niya/pieces.py`` (palette and
sprites) are the example to follow; ``Painter`` says what a painter exports.

Everything is measured in pixels of a picture 800 wide.
"""

from render.kit.bars import Bar, Item, Mood, label
from render.kit.canvas import Canvas
from render.kit.gallery import Gallery, paint
from render.kit.output import SIZES, WIDTH, png, sized
from render.kit.painters import Figure, NoPainter, Painter, Say, Spot, figure, painter, themed
from render.kit.palettes import Palette, mix
from render.kit.shapes import Box
from render.kit.sprite_cache import canvas_sprite, composed_sprite, drawn_sprite
from render.kit.sprites import Sheet, Sprite
from render.kit.squares import Grid
from render.kit.tokens import DARK, EDGES, LIGHT, NIGHT, TOKENS

__all__ = [
    "DARK",
    "EDGES",
    "LIGHT",
    "NIGHT",
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
    "canvas_sprite",
    "composed_sprite",
    "drawn_sprite",
    "figure",
    "label",
    "mix",
    "paint",
    "painter",
    "png",
    "sized",
    "themed",
]
