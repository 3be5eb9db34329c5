"""What every painter paints with.

A game has one ``Palette`` per theme: the shared colours (``THEMES``), its own, and which of them
touch (``EDGES`` and its own). It draws each thing once on a ``Canvas`` in flat colours, caches it
as a ``Sprite``, and puts a picture together on a ``Sheet``. A sprite is cached by theme and
arguments: ``canvas_sprite`` draws on a canvas of fixed size, ``drawn_sprite`` makes its own
canvas, ``composed_sprite`` joins other sprites. Sprites drawn on a known *ground* are opaque and
the fastest; others are blended at their edges with what lies under them. ``geometry`` has the
geometry, ``marks`` the marks that mean the same on every board, ``Bar`` the players' bars.

``render/niya`` is the example to follow; ``painters.Painter`` says what a painter exports.
Lengths are pixels of a picture 800 wide.
"""

from render.kit.canvas import Canvas
from render.kit.geometry import Box, Grid
from render.kit.output import png, sized
from render.kit.painters import Figure, Gallery, NoPainter, Spot, figure, paint, painter, themed
from render.kit.palettes import Palette, mix
from render.kit.player_bars import Bar, Item, Mood, label
from render.kit.sprite_cache import canvas_sprite, composed_sprite, drawn_sprite
from render.kit.sprites import Sheet, Sprite
from render.kit.themes import DARK_THEMES, EDGES, THEMES, TOKENS, plain

__all__ = [
    "DARK_THEMES",
    "EDGES",
    "THEMES",
    "TOKENS",
    "Bar",
    "Box",
    "Canvas",
    "Figure",
    "Gallery",
    "Grid",
    "Item",
    "Mood",
    "NoPainter",
    "Palette",
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
    "plain",
    "png",
    "sized",
    "themed",
]
