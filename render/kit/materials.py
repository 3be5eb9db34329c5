"""Materials: what the flat colours of a board become in the look «Materia».

A texture is a small tile that is laid over everything painted in one colour. Its tones are close
to that colour, so what holds for contrast holds for them; its lines repeat within the 32 KB that a
PNG file looks back, so that files stay small. All light comes softly from the north-west.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from PIL import Image

from render.kit.palettes import Palette, mix, rgb
from render.kit.themes import is_textured

DARK = 3 * 85
"""Red, green and blue of a dark colour are less than that together."""

Draw: TypeAlias = Callable[[float, float, str], None]
"""Draws the shape of a thing, moved right and down, in a colour."""


@dataclass(frozen=True)
class Texture:
    """A *tile* (mode L) of which 0 is the colour itself and n the nth of the *tones*.

    A tone is the share of black (below 0) or white that is mixed into the colour.
    """

    tones: tuple[float, ...]
    tile: Image.Image


def material_palette(
    theme: str,
    flats: Mapping[str, str],
    edges: Mapping[str, str],
    textures: Mapping[str, Texture],
    shadows: Mapping[str, str],
    most: int = 256,
) -> Palette:
    """The palette of *theme*: plain, or with the *textures* of its colours and soft shadows.

    *shadows* are the colours of shadows with those of the ground into which they fade.
    """
    if not is_textured(theme):
        textures, shadows = {}, {}
    tones = {
        f"{name}.{n}": _toned(flats[name], tone)
        for name, texture in textures.items()
        for n, tone in enumerate(texture.tones, 1)
    }
    soft = {soft_of(name): mix(flats[name], flats[under], 0.5) for name, under in shadows.items()}
    tiles = {
        name: (tuple(f"{name}.{n}" for n in range(1, len(texture.tones) + 1)), texture.tile)
        for name, texture in textures.items()
    }
    return Palette(
        {**flats, **tones, **soft}, edges, most, tuple(tiles.items()), soft=bool(shadows)
    )


def _toned(colour: str, tone: float) -> str:
    """*colour* with its *tone*: in a dark colour black shows less, and white more."""
    dark = sum(rgb(colour)) < DARK
    if tone > 0:
        return mix(colour, "#FFFFFF", tone * (0.7 if dark else 1))
    return mix(colour, "#000000", -tone * (2.5 if dark else 1))


def soft_of(shadow: str) -> str:
    """The name of the outer tone of the colour *shadow*."""
    return f"{shadow}.soft"


def cast(palette: Palette, draw: Draw, ink: str, depth: float) -> None:
    """Let a thing cast its shadow: *depth* pixels down, softly to the south-east in a material."""
    if palette.soft_light:
        draw(depth * 0.9, depth * 1.35, soft_of(ink))
        draw(depth * 0.45, depth * 0.85, ink)
    else:
        draw(0, depth, ink)


@cache
def grain(wide: int, high: int, seed: int = 1) -> Image.Image:
    """Straight grain of wood along the height, in a darker and a lighter tone."""
    chance, columns = random.Random(seed), [0] * wide
    at = chance.randrange(3)
    while at < wide:
        broad = chance.choice((1, 1, 2, 3))
        columns[at : at + broad] = [chance.choice((1, 1, 2))] * len(columns[at : at + broad])
        at += broad + chance.choice((3, 4, 6, 8))
    tile = Image.new("L", (wide, high))
    for y in range(high):
        lean = round(1.2 * math.sin(2 * math.pi * y / high))
        row = bytes(columns[(x + lean) % wide] for x in range(wide))
        tile.paste(Image.frombytes("L", (wide, 1), row), (0, y))
    return tile


@cache
def lying_grain(wide: int, high: int, seed: int = 2) -> Image.Image:
    """The same along the width."""
    return grain(high, wide, seed).transpose(Image.Transpose.TRANSPOSE)


@cache
def current(wide: int, high: int, seed: int = 5) -> Image.Image:
    """A slow current: long streaks, a lighter one over a darker one.

    They lie level, since a file pays for every row in which a slanting line begins elsewhere.
    """
    chance, tile = random.Random(seed), Image.new("L", (wide, high))
    for y in range(4, high - 4, 12):
        x, long = chance.randrange(wide), chance.randint(wide // 3, wide // 2)
        for step in range(long):
            tile.putpixel(((x + step) % wide, y), 1)
            if 3 <= step < long - 3:
                tile.putpixel(((x + step) % wide, y + 1), 2)
    return tile


@cache
def cloth(high: int = 6) -> Image.Image:
    """Cloth: level threads."""
    tile = Image.new("L", (8, high))
    tile.paste(1, (0, 0, 8, 1))
    return tile


@cache
def felt(side: int = 24, seed: int = 3) -> Image.Image:
    """Felt: short fibres any way, in a darker and a lighter tone."""
    return _strokes(side, side, seed, count=side * side // 16, longest=2)


@cache
def fibres(wide: int = 64, high: int = 24, seed: int = 4) -> Image.Image:
    """Paper: a few long fibres."""
    return _strokes(wide, high, seed, count=wide * high // 450, longest=9)


def _strokes(wide: int, high: int, seed: int, count: int, longest: int) -> Image.Image:
    chance, tile = random.Random(seed), Image.new("L", (wide, high))
    for _ in range(count):
        x, y, tone = chance.randrange(wide), chance.randrange(high), chance.choice((1, 2))
        across, down = chance.choice(((1, 0), (1, 0), (1, 0), (1, 1)))
        for step in range(chance.randint(1, longest)):
            tile.putpixel(((x + step * across) % wide, (y + step * down) % high), tone)
    return tile
