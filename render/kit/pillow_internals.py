"""What films use of Pillow's core, which Pillow keeps private and may change.

A film has thousands of small boxes: to wrap each in ``Image`` would take longer than the work
itself. Where a release of Pillow lacks a part, ``AVAILABLE`` is false, and Pillow writes the films.
Core images are ``Image.im``; a box is left, top, right and bottom in pixels.
"""

from __future__ import annotations

from typing import Any

from PIL import Image

from render.kit.dirty_rectangles import Cut

_imaging: Any = getattr(Image, "core", None)

AVAILABLE = all(hasattr(_imaging, name) for name in ("gif_encoder", "raw_encoder")) and all(
    hasattr(Image.new("L", (1, 1)).im, name)
    for name in ("chop_darker", "chop_difference", "chop_subtract_modulo", "point", "getbbox")
)

ROOM = 32 * 1024
"""How many bytes an encoder may return at once."""

_HIGH = [0] * 128 + [255] * 128
"""What becomes of each difference: 255 of those from 128 on."""


def replace_box(
    screen: Any, pixels: Any, box: Cut, table: list[int], *, veils: bool
) -> tuple[Any, Cut] | None:
    """Paste the *box* of *pixels* into *screen*; returns the new part and where in it all differs.

    ``None`` where nothing does. The part is mapped by *table*; if it *veils*, what stays the same
    is 0 in it.
    """
    before, after = screen.crop(box), pixels.crop(box)
    differing = before.chop_subtract_modulo(after)
    within = differing.getbbox()
    if within is None:
        return None
    screen.paste(after, box)
    shown = after.point(table, "L")
    if veils:
        # A mask: 0 where nothing differs, else at least 127, which no index exceeds.
        # A difference n (modulo 256) is 256 - n the other way round; from n = 128 on,
        # that is at most 128 and becomes its distance from 255.
        there = after.chop_subtract_modulo(before)
        shown = shown.chop_darker(there.chop_difference(differing.point(_HIGH, "L")))
    return shown, within


def lzw_blocks(pixels: Any, box: Cut, bits: int) -> bytes:
    """The *box* of *pixels* as the image data of a GIF, *bits* a pixel; raises ``ValueError``."""
    encoder = _imaging.gif_encoder("L", "L", bits, False)
    encoder.setimage(pixels, box)
    parts, done = [bytes((bits,))], 0
    while not done:
        _, done, data = encoder.encode(ROOM)
        parts.append(data)
    encoder.cleanup()
    if done < 0:
        raise ValueError(f"Pillow compresses no such picture: {box}, {done}")
    parts.append(b"\0")
    return b"".join(parts)


def raw_bytes(pixels: Any, box: Cut) -> bytes:
    """The *box* of *pixels*, a byte each."""
    encoder = _imaging.raw_encoder("L", "L", 0, 1)
    encoder.setimage(pixels, box)
    _, _, data = encoder.encode((box[2] - box[0]) * (box[3] - box[1]) + ROOM)
    return bytes(data)
