"""Films: pictures one after the other in one GIF file, of which only what changes is written.

Pillow can write such files too, but it makes a palette for every picture and compares them by
itself; ours share one palette, and what changes between two lies in a few small boxes.
"""

from __future__ import annotations

import struct
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from PIL import Image, _imaging

from render.kit.palettes import FLATS, Colour, difference
from render.kit.rows import Cut, painted_rows

MOST_BOXES = 8
"""In how many boxes at most the change from one picture to the next is written."""

ROOM = 16 * 1024
"""How many bytes the encoder may give at once."""

HOP = 2
"""Hundredths of a second between the boxes of one change: what is less, viewers take for ten."""

FEW = 63
"""So many colours are enough for a film: all flat ones, and the mixes that differ most."""

LARGE = 25_000
"""From so many pixels on it is worth looking whether a box can be two smaller ones."""

SPARED = 6_000
"""So many pixels less are worth one box more."""


class Still(NamedTuple):
    """A picture as films compare it: its *pixels*, and where each of its *layers* lies.

    The pixels, like all here, are Pillow's own: of a few thousand small pieces a film, Pillow's
    pictures around them would take longer to make than what is done with them.
    """

    pixels: Any
    size: tuple[int, int]
    layers: dict[int, Cut]


class Stills:
    """Pictures as films compare them: a layer of several bears the same number in all."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def of(self, picture: Image.Image) -> Still:
        """*picture* (mode P); without layers where it was not painted as a sheet."""
        rows = painted_rows(picture)
        if rows is None:
            return Still(picture.im, picture.size, {})
        number, known = self._numbers.setdefault, self._numbers
        layers = {number(layer, len(known)): layer.box for layer in rows.layers}
        if len(layers) < len(rows.layers):
            # What is laid twice changes soft edges twice.
            layers = {}
            for at, layer in enumerate(rows.layers):
                again = rows.layers[:at].count(layer)
                layers[number((layer, again) if again else layer, len(known))] = layer.box
        as_rows = ("L", picture.width + 1, 1)
        pixels = _imaging.map_buffer(rows.data, picture.size, "raw", 0, as_rows)
        return Still(pixels, picture.size, layers)


@dataclass(frozen=True)
class Frame:
    """A *picture* in mode P and how long it stands, in hundredths of a second."""

    picture: Image.Image
    stands: int


_Kept: TypeAlias = dict[tuple[tuple[int, int], bytes], bytes]
"""What was compressed in a film: by size and pixels."""


class Change(NamedTuple):
    """A *box* in which two pictures differ, and how much each pixel there does: mostly 0."""

    box: Cut
    differing: Any


def film(frames: Iterable[Frame], colours: int = 256) -> bytes:
    """A GIF file of *frames* in at most so many *colours*, played again and again.

    All share size and palette. Raises ``ValueError`` where there are none.
    """
    waiting: list[tuple[bytes, int]] = []
    inks: _Inks | None = None
    head = b""
    shown: Still | None = None
    stills = Stills()
    kept: _Kept = {}
    for frame in frames:
        still = stills.of(frame.picture)
        if inks is None or shown is None:
            inks = _Inks.of(frame.picture, colours)
            head = _head(still.size, inks)
            pixels = inks.of_film(still.pixels)
            blocks = [_block(_compressed(pixels, still.size, inks.bits), (0, 0, *still.size))]
        else:
            blocks = list(_changes(shown, still, inks, kept))
        shown = still
        if not blocks:
            block, before = waiting.pop()
            waiting.append((block, before + frame.stands))
            continue
        waiting += [(block, HOP) for block in blocks[:-1]]
        waiting.append((blocks[-1], max(HOP, frame.stands - HOP * (len(blocks) - 1))))
    if inks is None:
        raise ValueError("a film needs a picture")
    written = [_control(stands, inks.clear) + block for block, stands in waiting]
    return b"".join((head, *written, b";"))


# -- the colours ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Inks:
    """The colours of a film.

    *table* says what becomes of each index of the pictures, ``None`` that all stay; *clear* is
    the index that shows what was there before, which a palette of 256 colours cannot spare; the
    *veil* says what each difference of indices lays over the colour: *clear*, the highest, or 0.
    """

    palette: bytes
    bits: int
    table: list[int] | None
    clear: int | None
    veil: list[int]

    @classmethod
    def of(cls, picture: Image.Image, most: int) -> _Inks:
        flat = bytes(picture.getpalette("RGB") or ())
        count, table = len(flat) // 3, None
        if count > most:
            flats = int(picture.info.get(FLATS, 1))
            kept, table = _fewer(flat, min(flats, most), most)
            flat, count = b"".join(flat[3 * n : 3 * n + 3] for n in kept), most
        bits = max(2, count.bit_length())
        if bits > 8:
            return cls(flat, 8, table, None, [])
        clear = (1 << bits) - 1
        return cls(flat, bits, table, clear, [clear] + [0] * 255)

    def of_film(self, pixels: Any) -> Any:
        """*pixels* in the colours of the film."""
        return pixels if self.table is None else pixels.point(self.table, "L")


@lru_cache(maxsize=32)
def _fewer(flat: bytes, flats: int, most: int) -> tuple[tuple[int, ...], list[int]]:
    """The *most* indices that are kept, and which of these, counted anew, each index becomes.

    Kept are the first *flats*, and then what is farthest from all that is kept already.
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


# -- what changes --------------------------------------------------------------------------


def _changes(one: Still, other: Still, inks: _Inks, kept: _Kept) -> Iterator[bytes]:
    """What leads from picture *one* to the *other*, compressed; what stays is left out.

    *kept* is what was compressed before, by its pixels: squares get empty again, hands full.
    """
    for box, differing in changed(one, other):
        shown = inks.of_film(other.pixels.crop(box))
        if inks.clear is not None:
            shown = shown.chop_lighter(differing.point(inks.veil, "L"))
        size = (box[2] - box[0], box[3] - box[1])
        key = (size, _bytes(shown, size))
        data = kept.get(key)
        if data is None:
            data = kept[key] = _compressed(shown, size, inks.bits)
        yield _block(data, box)


def changed(one: Still, other: Still) -> list[Change]:
    """Where two pictures differ: in a few tight boxes, and nowhere else."""
    found = [change for box in _apart(_touched(one, other)) for change in _tight(one, other, box)]
    if len(found) > MOST_BOXES:
        boxes = _fewest([it.box for it in found])
        found = [change for box in boxes for change in _tight(one, other, box)]
    return _halved(found)


def _tight(one: Still, other: Still, box: Cut) -> list[Change]:
    """What differs in *box*, if anything does."""
    before, after = (still.pixels.crop(box) for still in (one, other))
    return _trimmed(box, before.chop_difference(after))


def _trimmed(box: Cut, differing: Any) -> list[Change]:
    within = differing.getbbox()
    if within is None:
        return []
    left, top, right, bottom = within
    x, y = box[:2]
    return [Change((x + left, y + top, x + right, y + bottom), differing.crop(within))]


def _touched(one: Still, other: Still) -> list[Cut]:
    """Boxes outside of which two pictures are the same, as their layers tell."""
    before, after = one.layers, other.layers
    wide, high = other.size
    if not before or not after:
        return [(0, 0, wide, high)]
    changed = before.keys() ^ after.keys()
    stayed = ([it for it in before if it in after], [it for it in after if it in before])
    changed |= {it for pair in zip(*stayed, strict=True) if pair[0] != pair[1] for it in pair}
    boxes = {before.get(it) or after[it] for it in changed}
    inside = [it for it in boxes if it[0] >= 0 and it[1] >= 0 and it[2] <= wide and it[3] <= high]
    if len(inside) < len(boxes):
        cut = [(max(0, a), max(0, b), min(wide, c), min(high, d)) for a, b, c, d in boxes]
        inside = [box for box in cut if box[0] < box[2] and box[1] < box[3]]
    return inside


def _apart(boxes: list[Cut], axis: int = 1, tried: int = 0) -> list[Cut]:
    """Boxes around those of *boxes* that no gap parts, be it across or down."""
    if len(boxes) < 2:
        return boxes
    if tried == 2:
        return [_around(boxes)]
    boxes.sort(key=itemgetter(axis))
    groups, end = [[boxes[0]]], boxes[0][axis + 2]
    for box in boxes[1:]:
        if box[axis] >= end:
            groups.append([])
        groups[-1].append(box)
        if box[axis + 2] > end:
            end = box[axis + 2]
    tried = tried + 1 if len(groups) == 1 else 1
    return [one for group in groups for one in _apart(group, 1 - axis, tried)]


def _fewest(boxes: list[Cut]) -> list[Cut]:
    """*boxes*, of which neighbours become one until there are no more than ``MOST_BOXES``."""
    while len(boxes) > MOST_BOXES:
        joined = [_around(pair) for pair in pairwise(boxes)]
        more = [_area(it) - _area(boxes[at]) - _area(boxes[at + 1]) for at, it in enumerate(joined)]
        at = more.index(min(more))
        boxes[at : at + 2] = [joined[at]]
    return boxes


def _halved(found: list[Change]) -> list[Change]:
    """*found*, where a large box is two smaller ones if these, drawn tight, hold much less."""
    large, done = [it for it in found if _area(it.box) >= LARGE], len(found)
    kept = [it for it in found if _area(it.box) < LARGE]
    while large:
        change = max(large, key=lambda it: _area(it.box))
        large.remove(change)
        halves = min(_halves(change), key=_areas)
        if done == MOST_BOXES or _area(change.box) - _areas(halves) < SPARED:
            kept.append(change)
            continue
        done += 1
        for half in halves:
            (large if _area(half.box) >= LARGE else kept).append(half)
    return kept


def _halves(change: Change) -> Iterator[list[Change]]:
    """The two ways to halve *change*; in every half of a tight box there is something."""
    (left, top, _, _), differing = change
    wide, high = differing.size
    x, y = wide // 2, high // 2
    for cuts in ((0, 0, x, high), (x, 0, wide, high)), ((0, 0, wide, y), (0, y, wide, high)):
        yield [
            half
            for cut in cuts
            for half in _trimmed((left + cut[0], top + cut[1], 0, 0), differing.crop(cut))
        ]


def _areas(changes: list[Change]) -> int:
    return sum(_area(it.box) for it in changes)


def _area(box: Cut) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _around(boxes: Sequence[Cut]) -> Cut:
    left, top, right, bottom = zip(*boxes, strict=True)
    return (min(left), min(top), max(right), max(bottom))


# -- the file (https://www.w3.org/Graphics/GIF/spec-gif89a.txt) ------------------------------


def _head(size: tuple[int, int], inks: _Inks) -> bytes:
    """The header, the palette of all pictures, and that they are played for ever."""
    flags = 0x80 | 0x70 | (inks.bits - 1)  # A palette of so many bits follows, eight bits each.
    screen = struct.pack("<HHBBB", *size, flags, 0, 0)
    for_ever = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return b"GIF89a" + screen + inks.palette.ljust(3 << inks.bits, b"\0") + for_ever


def _control(stands: int, clear: int | None) -> bytes:
    """How long what follows stands; it is left where it is, and *clear* is no colour."""
    flags = 1 << 2 | (clear is not None)
    return struct.pack("<BBBBHBB", 0x21, 0xF9, 4, flags, stands, clear or 0, 0)


def _block(data: bytes, box: Cut) -> bytes:
    """The compressed *data* of the pixels that stand in *box*."""
    left, top, right, bottom = box
    return struct.pack("<BHHHHB", 0x2C, left, top, right - left, bottom - top, 0) + data


def _compressed(pixels: Any, size: tuple[int, int], bits: int) -> bytes:
    """The *pixels* of a picture of *size*, compressed by Pillow's encoder alone."""
    encoder = _imaging.gif_encoder("L", "L", bits, False)
    encoder.setimage(pixels, (0, 0, *size))
    parts, done = [bytes((bits,))], 0
    while not done:
        _, done, data = encoder.encode(ROOM)
        parts.append(data)
    encoder.cleanup()
    if done < 0:
        raise ValueError(f"Pillow compresses no such picture: {size}, {done}")
    return b"".join((*parts, b"\0"))


def _bytes(pixels: Any, size: tuple[int, int]) -> bytes:
    """The *pixels* of a picture of *size* one after the other."""
    encoder = _imaging.raw_encoder("L", "L", 0, 1)
    encoder.setimage(pixels, (0, 0, *size))
    _, _, data = encoder.encode(size[0] * size[1] + ROOM)
    return bytes(data)
