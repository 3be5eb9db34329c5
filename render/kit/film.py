"""Films: animated GIF files that hold only what changes from picture to picture.

Pillow can write such files, but it makes a palette for every picture and compares whole pictures.
Ours share one palette, and their layers tell the few small boxes in which two differ. That takes
parts of Pillow that are private (``pillow_internals``); without them Pillow writes the film.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any

from PIL import Image

from render.kit import pillow_internals
from render.kit.dirty_rectangles import Cut, PictureChanges, layers_of
from render.kit.palettes import FLATS, Colour, difference

HOP = 2
"""Hundredths of a second between the boxes of one change; viewers take less for ten."""

FILM_COLOURS = 63
"""How many colours suffice for a film: all flat ones, and the mixes that differ most."""

MOST_KEPT_COLOURS = 127
"""With more colours than these, pixels that stay the same are written again too."""

STRIDE = 5
"""The distance in the film's palette of two neighbours in the palette of the pictures.

Pillow's encoder hashes each pixel with those before it, and neighbouring colours collide. Any odd
number works; 5 was the fastest.
"""


@dataclass(frozen=True)
class FilmFrame:
    """A *picture* in mode P and how long it is shown, in hundredths of a second."""

    picture: Image.Image
    stands: int


def film(frames: Iterable[FilmFrame], colours: int = 256) -> bytes:
    """A GIF file of *frames* in at most so many *colours*, which repeats for ever.

    All frames share size and palette. Raises ``ValueError`` if there are none.
    """
    if not pillow_internals.AVAILABLE:
        return _by_pillow(list(frames))
    waiting: list[tuple[bytes, int]] = []
    screen: _Screen | None = None
    for frame in frames:
        if screen is None:
            screen = _Screen(frame.picture, _Inks.of(frame.picture, colours))
            blocks = [screen.whole()]
        else:
            blocks = list(screen.turn(frame.picture))
        if not blocks:
            block, before = waiting.pop()
            waiting.append((block, before + frame.stands))
            continue
        waiting += [(block, HOP) for block in blocks[:-1]]
        # A picture stands longer than its parts, so that it is told from them.
        waiting.append((blocks[-1], max(HOP + 1, frame.stands - HOP * (len(blocks) - 1))))
    if screen is None:
        raise ValueError("a film needs a picture")
    written = [_control(stands, screen.inks.veils) + block for block, stands in waiting]
    return b"".join((_head(screen.size, screen.inks.palette), *written, b";"))


def _by_pillow(frames: list[FilmFrame]) -> bytes:
    """The same film as Pillow's own writer makes it: slower, and larger."""
    if not frames:
        raise ValueError("a film needs a picture")
    file, (first, *others) = BytesIO(), [frame.picture for frame in frames]
    lengths = [10 * frame.stands for frame in frames]
    first.save(file, "GIF", save_all=True, append_images=others, duration=lengths, loop=0)
    return file.getvalue()


@dataclass(frozen=True)
class _Inks:
    """The colours of a film: its *palette*, and how many *bits* a pixel is written with.

    *table* maps the indices of the pictures to those of the film; none becomes 0, which is
    transparent. *first* maps those of the first picture, written with one bit more: every second
    colour lies in a second half of the palette, where Pillow's encoder finds it sooner. A palette
    of more than ``MOST`` colours has no transparent one (*veils* is false) and is not mapped.
    """

    palette: bytes
    bits: int
    veils: bool
    table: list[int]
    first: list[int]

    @classmethod
    def of(cls, picture: Image.Image, most: int) -> _Inks:
        flat = bytes(picture.getpalette("RGB") or ())
        count = len(flat) // 3
        kept, near = tuple(range(count)), list(range(256))
        if count > most:
            kept, near = _fewer(flat, min(int(picture.info.get(FLATS, 1)), most), most)
        if len(kept) > MOST_KEPT_COLOURS:
            whole = b"".join(flat[3 * n : 3 * n + 3] for n in kept)
            return cls(whole.ljust(3 * 256, b"\0"), 8, False, near, near)
        bits = max(2, len(kept).bit_length())
        half = 1 << bits
        places = [STRIDE * (at + 1) % half for at in range(half)]
        palette = bytearray(6 * half)
        for place, n in zip(places, kept, strict=False):
            for at in (place, place + half):
                palette[3 * at : 3 * at + 3] = flat[3 * n : 3 * n + 3]
        table = [places[at] if at < len(kept) else 0 for at in near]
        first = [place + at % 2 * half for at, place in zip(near, table, strict=True)]
        return cls(bytes(palette), bits, True, table, first)


@lru_cache(maxsize=32)
def _fewer(flat: bytes, flats: int, most: int) -> tuple[tuple[int, ...], list[int]]:
    """The *most* indices that are kept, and the position among them that each index maps to.

    The first *flats* are kept, and then whatever is farthest from all kept ones.
    """
    colours: list[Colour] = [(flat[n], flat[n + 1], flat[n + 2]) for n in range(0, len(flat), 3)]
    kept = list(range(flats))
    near = [min((difference(one, colours[n]), at) for at, n in enumerate(kept)) for one in colours]
    for at in range(flats, most):
        new = max(range(len(colours)), key=near.__getitem__)
        kept.append(new)
        near = [
            min(now, (difference(one, colours[new]), at))
            for now, one in zip(near, colours, strict=True)
        ]
    return tuple(kept), [at for _, at in near] + [0] * (256 - len(near))


class _Screen:
    """The picture on the screen while a film runs, and the blocks that lead to the next one."""

    def __init__(self, picture: Image.Image, inks: _Inks) -> None:
        self.size = picture.size
        self.inks = inks
        self._changes = PictureChanges(self.size)
        self._changes.boxes(layers_of(picture))
        self._pixels = picture.im.copy()
        self._kept = _Kept(inks.bits)

    def whole(self) -> bytes:
        """The whole picture as a block."""
        pixels, box = self._pixels.point(self.inks.first, "L"), (0, 0, *self.size)
        return _block(
            pillow_internals.lzw_blocks(pixels, box, self.inks.bits + self.inks.veils), box
        )

    def turn(self, picture: Image.Image) -> Iterator[bytes]:
        """The blocks that turn the screen into *picture*."""
        pixels, boxes = picture.im, self._changes.boxes(layers_of(picture))
        table, veils = self.inks.table, self.inks.veils
        for box in boxes:
            changed = pillow_internals.replace_box(self._pixels, pixels, box, table, veils=veils)
            if changed is None:
                continue
            shown, within = changed
            left, top, right, bottom = within
            x, y = box[:2]
            place = (x + left, y + top, x + right, y + bottom)
            yield _block(self._kept.compress(shown, within), place)


class _Kept:
    """The compressed blocks of a film, since many come again: a square is left, a hand refilled."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._first: dict[tuple[int, int], tuple[Any, Cut, bytes]] = {}
        self._known: dict[tuple[int, int], dict[bytes, bytes]] = {}

    def compress(self, pixels: Any, box: Cut) -> bytes:
        """The *pixels* in *box*, compressed."""
        size = (box[2] - box[0], box[3] - box[1])
        if size not in self._first:
            data = pillow_internals.lzw_blocks(pixels, box, self._bits)
            self._first[size] = (pixels, box, data)
            return data
        known = self._known.get(size)
        if known is None:
            # Most sizes occur only once, so the first of a size is encoded as a key only now.
            *one, data = self._first[size]
            known = self._known[size] = {pillow_internals.raw_bytes(*one): data}
        key = pillow_internals.raw_bytes(pixels, box)
        if key not in known:
            known[key] = pillow_internals.lzw_blocks(pixels, box, self._bits)
        return known[key]


def _head(size: tuple[int, int], palette: bytes) -> bytes:
    """The header with the *palette*, and the note that the film repeats for ever."""
    bits = (len(palette) // 3).bit_length() - 1
    flags = 0x80 | 0x70 | (bits - 1)  # A palette of so many bits follows, eight bits each.
    screen = struct.pack("<HHBBB", *size, flags, 0, 0)
    return b"GIF89a" + screen + palette + b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"


def _control(stands: int, veils: bool) -> bytes:
    """How long the next block *stands*; it is not removed, and if it *veils*, 0 is transparent."""
    return struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 1 << 2 | veils, stands, 0, 0)


def _block(data: bytes, box: Cut) -> bytes:
    left, top, right, bottom = box
    return struct.pack("<BHHHHB", 0x2C, left, top, right - left, bottom - top, 0) + data
