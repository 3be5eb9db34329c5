"""A picture told as sprites at places: what a page draws itself, and moves.

A painter lays sprites on a sheet, the lowest first (``render.kit.dirty_rectangles``). Those layers
are the scene: what is not painted for a viewer is in none of them. A sprite travels once, under a
name by its content; after that a move is a list of names and places.
"""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from typing import TypeAlias
from weakref import WeakKeyDictionary

from PIL import Image

from render.kit.dirty_rectangles import Layer, layers_of
from render.kit.output import optimised_png
from render.kit.painters import painter
from render.kit.palettes import Palette
from render.kit.sprites import LEVELS, Sprite
from render.scene import Scene

NAME = 8
"""How many letters name a sprite, of 64: browsers keep it by that name for a year."""


@dataclass(frozen=True)
class Cutout:
    """A sprite by itself: its size in pixels of the picture, and a PNG file."""

    width: int
    height: int
    data: bytes

    @cached_property
    def name(self) -> str:
        """Its name, by its content."""
        return urlsafe_b64encode(hashlib.sha256(self.data).digest()).decode()[:NAME]


@dataclass(frozen=True)
class Placed:
    """The sprite *name*, with its left upper corner at *x*, *y*."""

    name: str
    x: int
    y: int


@dataclass(frozen=True)
class Filled:
    """A rectangle in one *colour*, ``#rrggbb``."""

    colour: str
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Scenery:
    """A picture *width* × *height* pixels large, as *parts* from the lowest to the highest.

    *lays* is what a choice puts on a place, by its step, from the corner of the place; ``""`` is
    the place itself. *cutouts* are the sprites of all these by their names.
    """

    width: int
    height: int
    parts: tuple[Placed | Filled, ...]
    cutouts: Mapping[str, Cutout]
    lays: Mapping[str, Placed] = field(default_factory=dict)


_Made: TypeAlias = "dict[tuple[int, tuple[str, int] | None], Cutout]"
"""The cutouts of a sprite, by palette and by what it washes."""


class CutoutStore:
    """The files of sprites, each made once and kept as long as its sprite. Safe for threads.

    So the memory of sprites bounds that of their files.
    """

    def __init__(self) -> None:
        self._made: WeakKeyDictionary[Sprite, _Made] = WeakKeyDictionary()
        self._lock = Lock()

    def of(self, sprite: Sprite, palette: Palette, washed: tuple[str, int] | None) -> Cutout:
        """*sprite* in the colours of *palette*, or only the colour and share *washed* over it."""
        key = (id(palette), washed)
        with self._lock:
            found = self._made.get(sprite, {}).get(key)
        if found is None:
            picture = (
                cut_out(sprite, palette) if washed is None else _wash(sprite, palette, *washed)
            )
            found = Cutout(sprite.width, sprite.height, optimised_png(picture))
            with self._lock:
                self._made.setdefault(sprite, {})[key] = found
        return found


CUTOUTS = CutoutStore()
"""The cutouts of this process."""


def scenery_of(scene: Scene) -> Scenery:
    """*scene* as sprites at places, each piece apart; raises ``NoPainter``."""
    drawn = painter(scene.game)
    picture = drawn.paint(replace(scene, size=WIDTH, apart=True))
    layers, cutouts = layers_of(picture), dict[str, Cutout]()
    parts, palette = tuple(_parts(layers, cutouts)), _palette(layers)
    laid: Mapping[str, Laid] = drawn.lays(scene) if hasattr(drawn, "lays") else {}
    lays = {
        step: _placed(CUTOUTS.of(one, palette, None), x + one.left, y + one.top, cutouts)
        for step, (one, x, y) in laid.items()
    }
    return Scenery(picture.width, picture.height, parts, cutouts, lays)


Laid: TypeAlias = "tuple[Sprite, int, int]"
"""A sprite, and the point at which it is put, seen from the corner of its place."""


WIDTH = 800
"""The width for which sprites are drawn."""


def _parts(layers: tuple[Layer, ...], cutouts: dict[str, Cutout]) -> Iterator[Placed | Filled]:
    palette = _palette(layers)
    for what, (left, top, right, bottom) in layers:
        match what:
            case (Palette(), str(ground)):
                yield Filled(_hex(palette, ground), left, top, right - left, bottom - top)
            case str(colour):
                yield Filled(_hex(palette, colour), left, top, right - left, bottom - top)
            case Sprite() if what.width and what.height:
                yield _placed(CUTOUTS.of(what, palette, None), left, top, cutouts)
            case (Sprite() as sprite, str(colour), int(share)) if sprite.width and sprite.height:
                yield _placed(CUTOUTS.of(sprite, palette, (colour, share)), left, top, cutouts)


def _palette(layers: tuple[Layer, ...]) -> Palette:
    """The palette of the sheet on which *layers* lie."""
    match layers[0].what:
        case (Palette() as palette, str()):
            return palette
    raise TypeError("a picture without a ground")


def _placed(cutout: Cutout, x: int, y: int, cutouts: dict[str, Cutout]) -> Placed:
    cutouts[cutout.name] = cutout
    return Placed(cutout.name, x, y)


def _hex(palette: Palette, colour: str) -> str:
    red, green, blue = palette.colours[palette.index(colour)]
    return f"#{red:02x}{green:02x}{blue:02x}"


def cut_out(sprite: Sprite, palette: Palette) -> Image.Image:
    """*sprite* in its colours, in mode P; where not all is opaque, with the alpha of each."""
    if sprite.solid is None:
        picture = sprite.indices.copy()
        picture.putpalette(palette.flat)
        return picture
    indices = bytearray(sprite.indices.tobytes())
    alpha = bytearray(sprite.solid.convert("L").tobytes())
    for table, places in sprite.soft:
        over = palette.nearest_flat(indices[places[0]])
        cover = round(_cover(table, over, palette) * 255 / LEVELS)
        for at in places:
            indices[at], alpha[at] = over, cover
    inks = [
        (0, 0) if not cover else (ink, cover) for ink, cover in zip(indices, alpha, strict=True)
    ]
    return _ink(inks, palette, sprite.indices.size)


def _ink(inks: list[tuple[int, int]], palette: Palette, size: tuple[int, int]) -> Image.Image:
    """A picture of *inks*, each an index into *palette* and its opacity, 0 to 255."""
    used = {ink: number for number, ink in enumerate(dict.fromkeys(inks))}
    if len(used) > MOST_INKS:
        data = bytes(part for ink, cover in inks for part in (*palette.colours[ink], cover))
        return Image.frombytes("RGBA", size, data)
    picture = Image.frombytes("P", size, bytes(map(used.__getitem__, inks)))
    picture.putpalette(bytes(part for ink, _ in used for part in palette.colours[ink]))
    picture.info["transparency"] = bytes(cover for _, cover in used)
    return picture


MOST_INKS = 256
"""How many colours with their opacities fit into one palette."""


def _cover(table: bytes, over: int, palette: Palette) -> int:
    """How many of ``LEVELS`` parts the soft edge covers that turns each index into *table*."""
    covers = (one for one in range(1, LEVELS) if bytes(palette.blend(over, one, LEVELS)) == table)
    return next(covers, LEVELS // 2)


def _wash(sprite: Sprite, palette: Palette, colour: str, share: int) -> Image.Image:
    """The tint that ``Sheet.wash`` lays over what lies under *sprite*."""
    size, ink = sprite.indices.size, palette.index(colour)
    solid = Image.new("L", size, 255) if sprite.solid is None else sprite.solid.convert("L")
    degree = round(share * 255 / LEVELS)
    return _ink([(ink, degree if on else 0) for on in solid.tobytes()], palette, size)
