"""Prepared pieces of pictures, and the sheet on which a picture is put together.

Everything here is indices into one palette: putting a sprite on a sheet copies bytes and
never computes a colour, except along the soft edges of sprites that have them.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from render.kit.palettes import Palette

LEVELS = 6
"""How many steps of cover a soft edge has."""


@dataclass(frozen=True, eq=False)
class Sprite:
    """A small picture, quantised once, to be put on sheets of the same palette.

    *left* and *top* say where its corner lies from the point at which it is put. *solid*
    tells the pixels that hide what is under them (``None``: all do); *soft* holds the
    pixels of soft edges, each with its offset and what becomes of each index under it.
    """

    indices: Image.Image
    left: int
    top: int
    solid: Image.Image | None = None
    soft: tuple[tuple[int, bytes], ...] = ()

    @property
    def width(self) -> int:
        """Its width in pixels."""
        return self.indices.width

    @property
    def height(self) -> int:
        """Its height in pixels."""
        return self.indices.height


def prepared(image: Image.Image, palette: Palette, left: int, top: int) -> Sprite:
    """*image* (RGBA) as a sprite; transparent margins are cut off."""
    alpha = image.getchannel("A")
    box = alpha.getbbox()
    if box is None:
        return Sprite(Image.new("L", (0, 0)), left, top)
    image, alpha = image.crop(box), alpha.crop(box)
    indices = palette.indices(image)
    place = (left + box[0], top + box[1])
    if alpha.getextrema() == (255, 255):
        return Sprite(indices, *place)
    degree = alpha.point([round(cover * LEVELS / 255) for cover in range(256)])
    solid = degree.point([255 if cover == LEVELS else 0 for cover in range(256)]).convert("1")
    return Sprite(indices, *place, solid, _soft(indices, degree, palette))


def _soft(
    image: Image.Image, degree: Image.Image, palette: Palette
) -> tuple[tuple[int, bytes], ...]:
    # The edges of things are drawn in flat colours: each soft pixel takes the nearest.
    indices = image.tobytes()
    nearest = {index: palette.nearest_flat(index) for index in set(indices)}
    tables: dict[tuple[int, int], bytes] = {}
    soft = []
    for offset, (index, cover) in enumerate(zip(indices, degree.tobytes(), strict=True)):
        if 0 < cover < LEVELS:
            kind = (nearest[index], cover)
            if kind not in tables:
                tables[kind] = bytes(palette.blend(*kind, LEVELS))
            soft.append((offset, tables[kind]))
    return tuple(soft)


class Sheet:
    """A picture being put together, as indices into *palette*."""

    def __init__(self, palette: Palette, width: int, height: int, ground: str = "paper") -> None:
        self.palette = palette
        self.indices = Image.new("L", (width, height), palette.index(ground))

    @property
    def width(self) -> int:
        """The width in pixels."""
        return self.indices.width

    @property
    def height(self) -> int:
        """The height in pixels."""
        return self.indices.height

    def put(self, sprite: Sprite, x: int = 0, y: int = 0) -> None:
        """Lay *sprite* over what is there, its origin at (x, y)."""
        corner = (x + sprite.left, y + sprite.top)
        if sprite.solid is None:
            self.indices.paste(sprite.indices, corner)
            return
        right, bottom = corner[0] + sprite.width, corner[1] + sprite.height
        if sprite.soft:
            under = self.indices.crop((*corner, right, bottom))
            # One pass in Python: Pillow's own ``point`` takes longer to read a single table.
            pixels = bytearray(under.tobytes())
            for offset, table in sprite.soft:
                pixels[offset] = table[pixels[offset]]
            self.indices.paste(Image.frombytes("L", under.size, bytes(pixels)), corner)
        self.indices.paste(sprite.indices, corner, sprite.solid)

    def wash(self, sprite: Sprite, colour: str, share: int, x: int = 0, y: int = 0) -> None:
        """Tint what lies under the solid part of *sprite* with *share* sixths of *colour*.

        Each colour becomes the nearest of the palette: name the mixes that matter.
        """
        left, top = x + sprite.left, y + sprite.top
        under = self.indices.crop((left, top, left + sprite.width, top + sprite.height))
        tinted = under.point(self.palette.blend(self.palette.index(colour), share, LEVELS))
        self.indices.paste(tinted, (left, top), sprite.solid)

    def fill(self, box: tuple[int, int, int, int], colour: str) -> None:
        """Fill the pixels from (left, top) up to, without, (right, bottom)."""
        self.indices.paste(self.palette.index(colour), box)

    def part(self, box: tuple[int, int, int, int]) -> Sprite:
        """What stands in *box* now, as an opaque sprite with its origin at (0, 0)."""
        return Sprite(self.indices.crop(box), box[0], box[1])

    def copy(self) -> Sheet:
        """A sheet of its own with the same picture: the way to start from a finished board."""
        twin = Sheet.__new__(Sheet)
        twin.palette, twin.indices = self.palette, self.indices.copy()
        return twin

    def picture(self) -> Image.Image:
        """The finished picture in mode P."""
        picture = self.indices.copy()
        picture.putpalette(self.palette.flat)
        return picture
