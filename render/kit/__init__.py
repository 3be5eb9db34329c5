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

from render.kit.canvas import Canvas as Canvas
from render.kit.geometry import Box as Box, Grid as Grid
from render.kit.output import png as png, sized as sized
from render.kit.painters import (
    Figure as Figure,
    Gallery as Gallery,
    NoPainter as NoPainter,
    Spot as Spot,
    figure as figure,
    paint as paint,
    paint_by as paint_by,
    painter as painter,
    themed as themed,
)
from render.kit.palettes import Palette as Palette, mix as mix
from render.kit.player_bars import Bar as Bar, Item as Item, Mood as Mood, label as label
from render.kit.sprite_cache import (
    canvas_sprite as canvas_sprite,
    composed_sprite as composed_sprite,
    drawn_sprite as drawn_sprite,
    lay_ground as lay_ground,
)
from render.kit.sprites import Sheet as Sheet, Sprite as Sprite
from render.kit.themes import (
    DARK_THEMES as DARK_THEMES,
    EDGES as EDGES,
    THEMES as THEMES,
    TOKENS as TOKENS,
    plain as plain,
)
