"""Sprites, and the sheet on which a picture is put together from them.

Both are indices into one palette. Putting a sprite on a sheet copies bytes; only its soft edges
are looked up pixel by pixel.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from PIL import Image

from render.kit.dirty_rectangles import LAYERS, Cut, Layer
from render.kit.palettes import FLATS, Palette

PLATES = "plates"
"""The key of what bars say in a picture's ``info``."""

LEVELS = 6
"""How many degrees of opacity a soft edge has."""

_PARTLY = re.compile(b"[\\x01-\\x%02x]" % (LEVELS - 1))
"""A partly covered pixel, among bytes that are degrees of opacity."""

Edge: TypeAlias = "tuple[bytes, array[int]]"
"""Pixels of one colour and opacity: what each index under them becomes, and their offsets."""


class _Sized:
    """Whatever is as large as its *indices*."""

    indices: Image.Image

    @property
    def width(self) -> int:
        """Its width in pixels."""
        return self.indices.width

    @property
    def height(self) -> int:
        """Its height in pixels."""
        return self.indices.height


@dataclass(frozen=True, eq=False)
class Sprite(_Sized):
    """A small picture, quantised once, to be put on sheets of the same palette.

    *left* and *top* are its corner, seen from the point at which it is put. *solid* marks the
    opaque pixels (``None``: all are); *soft* are the pixels of soft edges.
    """

    indices: Image.Image
    left: int
    top: int
    solid: Image.Image | None = None
    soft: tuple[Edge, ...] = ()
    _laid: dict[int, tuple[Edge, ...]] = field(default_factory=dict, init=False, repr=False)

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes: Pillow needs one per pixel and mask pixel."""
        pixels = self.width * self.height * (1 if self.solid is None else 2)
        return 512 + pixels + sum(len(table) + 8 * len(places) for table, places in self.soft)

    def lay(self, across: int) -> tuple[Edge, ...]:
        """The soft pixels as they lie in a picture *across* pixels wide."""
        found = self._laid.get(across)
        if found is None:
            width = self.width
            found = self._laid[across] = tuple(
                (table, array("I", [at // width * across + at % width for at in places]))
                for table, places in self.soft
            )
        return found

    def within(self, left: int, top: int, right: int, bottom: int) -> Iterator[Edge]:
        """The soft pixels inside a box, which is relative to the corner of the sprite."""
        for table, places in self.soft:
            both = [divmod(at, self.width) for at in places]
            kept = [y * self.width + x for y, x in both if left <= x < right and top <= y < bottom]
            yield table, array("I", kept)


def quantised(image: Image.Image, palette: Palette, left: int, top: int) -> Sprite:
    """*image* (RGBA) as a sprite; transparent margins are cut off."""
    alpha = image.getchannel("A")
    box = alpha.getbbox()
    if box is None:
        return Sprite(Image.new("L", (0, 0)), left, top)
    image, alpha = image.crop(box), alpha.crop(box)
    indices = palette.indices(image)
    place = (left + box[0], top + box[1])
    if alpha.getextrema() == (255, 255):
        return Sprite(palette.textured(indices, *place), *place)
    degree = alpha.point([round(cover * LEVELS / 255) for cover in range(256)])
    solid = degree.point([255 if cover == LEVELS else 0 for cover in range(256)]).convert("1")
    return Sprite(palette.textured(indices, *place), *place, solid, _soft(indices, degree, palette))


def _soft(image: Image.Image, degree: Image.Image, palette: Palette) -> tuple[Edge, ...]:
    # Things are drawn in flat colours, so each soft pixel takes the nearest one.
    indices = image.tobytes()
    nearest = {index: palette.nearest_flat(index) for index in set(indices)}
    places: dict[tuple[int, int], array[int]] = {}
    covers = degree.tobytes()
    for found in _PARTLY.finditer(covers):
        offset = found.start()
        kind = nearest[indices[offset]], covers[offset]
        places.setdefault(kind, array("I")).append(offset)
    return tuple((bytes(palette.blend(*kind, LEVELS)), where) for kind, where in places.items())


class Sheet(_Sized):
    """A picture being put together, as indices into *palette*.

    Sprites are pasted by Pillow's core: the checks before a paste of ``Image`` take longer than
    the paste.
    """

    def __init__(self, palette: Palette, width: int, height: int, ground: str = "paper") -> None:
        layers = [Layer((palette, ground), (0, 0, width, height))]
        pixels = bytearray([palette.index(ground)]) * (width * height)
        self._take(palette, (width, height), pixels, layers)

    def _take(
        self, palette: Palette, size: tuple[int, int], pixels: bytearray, layers: list[Layer]
    ) -> None:
        self.palette, self._pixels, self._layers = palette, pixels, layers
        self.plates: list[Any] = []
        """What bars say, for those who lay them beside the board."""
        # The picture and *pixels* are the same memory.
        self.indices = Image.frombuffer("L", size, pixels, "raw", "L", 0, 1)

    def put(self, sprite: Sprite, x: int = 0, y: int = 0) -> None:
        """Lay *sprite* over what is there, its origin at (x, y)."""
        left, top = x + sprite.left, y + sprite.top
        box = (left, top, left + sprite.indices.width, top + sprite.indices.height)
        self._layers.append(Layer(sprite, box))
        if sprite.solid is None:
            self.indices.im.paste(sprite.indices.im, box)
            return
        if sprite.soft:
            self._soften(sprite, left, top)
        self.indices.im.paste(sprite.indices.im, box, sprite.solid.im)

    def _soften(self, sprite: Sprite, left: int, top: int) -> None:
        width, height = self.indices.size
        pixels, edges = self._pixels, sprite.lay(width)
        if left < 0 or top < 0 or left + sprite.width > width or top + sprite.height > height:
            inside = sprite.within(-left, -top, width - left, height - top)
            edges = Sprite(sprite.indices, 0, 0, soft=tuple(inside)).lay(width)
        corner = top * width + left
        for table, places in edges:
            for at in places:
                pixels[corner + at] = table[pixels[corner + at]]

    def wash(self, sprite: Sprite, colour: str, share: int, x: int = 0, y: int = 0) -> None:
        """Tint what lies under the solid part of *sprite* with *share* sixths of *colour*.

        Each mix becomes the nearest colour of the palette, so name the mixes that matter.
        """
        left, top = x + sprite.left, y + sprite.top
        box = (left, top, left + sprite.width, top + sprite.height)
        self._layers.append(Layer((sprite, colour, share), box))
        tinted = self.indices.crop(box).point(
            self.palette.blend(self.palette.index(colour), share, LEVELS)
        )
        self.indices.im.paste(tinted.im, box, *([sprite.solid.im] if sprite.solid else []))

    def fill(self, box: Cut, colour: str) -> None:
        """Fill the pixels from (left, top) up to, without, (right, bottom)."""
        self._layers.append(Layer(colour, box))
        self.indices.im.paste(self.palette.index(colour), box)

    def part(self, box: Cut) -> Sprite:
        """The content of *box* as an opaque sprite with its origin at (0, 0)."""
        return Sprite(self.indices.crop(box), box[0], box[1])

    def copy(self) -> Sheet:
        """Another sheet with the same picture, to start from a finished board."""
        twin = Sheet.__new__(Sheet)
        twin._take(self.palette, self.indices.size, self._pixels.copy(), self._layers.copy())
        return twin

    def picture(self) -> Image.Image:
        """The finished picture in mode P; the sheet cannot be used afterwards."""
        picture = self.indices
        picture.putpalette(self.palette.flat)
        picture.info[FLATS] = self.palette.flat_count
        picture.info[LAYERS] = (picture.im, tuple(self._layers))
        picture.info[PLATES] = tuple(self.plates)
        return picture
