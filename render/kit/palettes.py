"""Palettes: named flat colours, and the mixes that soften their edges."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TypeAlias

from PIL import Image, ImageChops

Colour: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 … 255."""

Tile: TypeAlias = tuple[tuple[str, ...], Image.Image]
"""The names of the tones of a texture, and its tile: 0 is the colour itself, n the nth tone."""

MOST_COLOURS = 256

FLATS = "flats"
"""The key of the number of flat colours in a picture's ``info``; they come first."""

COARSEST = 25
"""Mixes look jagged if they are further apart, in hundredths of black to white."""


def rgb(code: str) -> Colour:
    """The colour written ``#RRGGBB``."""
    value = int(code.removeprefix("#"), 16)
    return (value >> 16, value >> 8 & 255, value & 255)


def mix(first: str, second: str, share: float) -> str:
    """The colour with *share* (0 … 1) of *second* in *first*, all written ``#RRGGBB``.

    >>> mix("#000000", "#FF8000", 0.5)
    '#804000'
    """
    return "#{:02X}{:02X}{:02X}".format(*_mixed(rgb(first), rgb(second), share))


def _mixed(first: Colour, second: Colour, share: float) -> Colour:
    r, g, b = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return (r, g, b)


@cache
def _oklab(colour: Colour) -> tuple[float, float, float]:
    # Björn Ottosson's OKLab: distances in it are close to what the eye sees.
    r, g, b = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (part / 255 for part in colour)
    )
    long = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    medium = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def difference(first: Colour, second: Colour) -> float:
    """How different two colours look: 0 the same, 1 black and white."""
    return math.dist(_oklab(first), _oklab(second))


class Palette:
    """At most 256 colours: named flat ones, and mixes along the edges where two meet.

    *flats* are colours by name, ``#RRGGBB``; *edges* says which of them touch: by name, the names
    of those that touch it, separated by blanks. The mixes are as fine as *most* colours in all
    allow, and evenly spaced to the eye. Flat colours keep their order from index 0, which is
    *paper* if the shared colours come first. *textures* are laid over what is painted in a colour.
    """

    def __init__(
        self,
        flats: Mapping[str, str],
        edges: Mapping[str, str],
        most: int = MOST_COLOURS,
        textures: Sequence[tuple[str, Tile]] = (),
        *,
        soft: bool = False,
    ) -> None:
        self.flats: Mapping[str, Colour] = {name: rgb(code) for name, code in flats.items()}
        pairs = sorted({tuple(sorted(pair)) for pair in _pairs(edges)})
        named = dict.fromkeys(self.flats.values())
        ends = [(self.flats[a], self.flats[b]) for a, b in pairs]
        self.colours: tuple[Colour, ...] = _finest(named, ends, most)
        self._labs = [_oklab(colour) for colour in self.colours]
        self._indices = {colour: index for index, colour in enumerate(self.colours)}
        self.textures = tuple(textures)
        self.soft_light = soft
        """Whether things cast a soft shadow to the south-east."""
        woven = [(name, tones) for name, (tones, _) in self.textures]
        self._made_of = f"Palette({self.flats}, {pairs}, {most}, {woven}, {soft})"
        self._blends: dict[tuple[int, int, int], list[int]] = {}

    def __repr__(self) -> str:
        return self._made_of

    def itself(self) -> Palette:
        """The palette, for sprites that are given it and no theme."""
        return self

    @cached_property
    def flat_count(self) -> int:
        """How many flat colours there are; they have the first indices."""
        return len(set(self.flats.values()))

    @property
    def night(self) -> bool:
        """Whether this is a dark theme: blue and red marks need white beside them."""
        return sum(self.flats["paper"]) < 3 * 128

    def index(self, name: str) -> int:
        """The index of the flat colour *name*."""
        return self._indices[self.flats[name]]

    def nearest(self, colour: Colour) -> int:
        """The index of the colour that looks most like *colour*."""
        index = self._indices.get(colour)
        if index is None:
            wanted = _oklab(colour)
            distances = [math.dist(lab, wanted) for lab in self._labs]
            index = distances.index(min(distances))
            self._indices[colour] = index
        return index

    def nearest_flat(self, index: int) -> int:
        """The index of the flat colour that looks most like the colour at *index*."""
        return min(
            range(self.flat_count), key=lambda i: difference(self.colours[i], self.colours[index])
        )

    def indices(self, image: Image.Image) -> Image.Image:
        """*image* (RGBA, alpha ignored) as indices in mode L, not dithered."""
        pixels = memoryview(image.tobytes()).cast("I")
        table = {}
        for pixel in set(pixels):
            r, g, b, _ = pixel.to_bytes(4, sys.byteorder)
            table[pixel] = self.nearest((r, g, b))
        return Image.frombytes("L", image.size, bytes(map(table.__getitem__, pixels)))

    def textured(self, indices: Image.Image, left: int, top: int) -> Image.Image:
        """*indices* with the tiles of their textures, as they lie at (*left*, *top*)."""
        for name, (tones, tile) in self.textures:
            colour = self.index(name)
            under = indices.point([255 * (n == colour) for n in range(MOST_COLOURS)])
            if under.getbbox() is None:
                continue
            laid = _laid(tile, indices.size, left, top)
            for n, tone in enumerate(tones, 1):
                toned = laid.point([255 * (value == n) for value in range(MOST_COLOURS)])
                indices.paste(self.index(tone), mask=ImageChops.multiply(under, toned))
        return indices

    def blend(self, index: int, share: int, of: int) -> list[int]:
        """What each of 256 indices becomes under *share* / *of* of the colour at *index*."""
        key = (index, share, of)
        if key not in self._blends:
            over = self.colours[index]
            mixes = [_mixed(under, over, share / of) for under in self.colours]
            mixes += [over] * (MOST_COLOURS - len(mixes))
            found = Image.frombytes(
                "RGB", (MOST_COLOURS, 1), bytes(part for mix in mixes for part in mix)
            ).quantize(palette=self.image, dither=Image.Dither.NONE)
            self._blends[key] = list(found.tobytes())
        return self._blends[key]

    @cached_property
    def flat(self) -> bytes:
        """Red, green and blue of all colours in turn, the form that Pillow reads fastest."""
        return bytes(part for colour in self.colours for part in colour)

    @cached_property
    def image(self) -> Image.Image:
        """A tiny picture that carries the palette, for ``Image.quantize``."""
        carrier = Image.new("P", (1, 1))
        carrier.putpalette(self.flat)
        return carrier


def _laid(tile: Image.Image, size: tuple[int, int], left: int, top: int) -> Image.Image:
    """A picture of *size* full of *tile*, its corner at (*left*, *top*) of the pattern."""
    whole = Image.new("L", size)
    for y in range(-(top % tile.height), size[1], tile.height):
        for x in range(-(left % tile.width), size[0], tile.width):
            whole.paste(tile, (x, y))
    return whole


def _pairs(edges: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, others in edges.items():
        yield from ((name, other) for other in others.split())


def _finest(
    named: Mapping[Colour, None], ends: Iterable[tuple[Colour, Colour]], most: int
) -> tuple[Colour, ...]:
    ends = list(ends)
    for percent in range(2, COARSEST):
        colours = dict(named)
        for first, second in ends:
            steps = math.ceil(difference(first, second) * 100 / percent)
            for step in range(1, steps):
                colours.setdefault(_mixed(first, second, step / steps))
        if len(colours) <= most:
            return tuple(colours)
    raise ValueError(f"{len(named)} flat colours leave no room for their edges")
