"""Finished pictures: their size and their PNG file."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

from isal import isal_zlib
from PIL import Image, ImageChops

WIDTH = 800
"""The width at which painters paint."""

SIZES = range(90, 1601)
"""The widths that may be asked for."""


LARGEST = 80_000
"""The most bytes that a picture may have."""


HEADS = 1_000
"""The most bytes of a file besides its pixels; three quarters of them are the palette."""


def png(image: Image.Image) -> bytes:
    """*image* (mode P) as a PNG file: one byte a pixel, unfiltered, which suits flat colours.

    Pillow compresses with zlib, which takes three quarters of the time of a new picture. ISA-L
    takes a fifth of that, for files of much the same size.
    """
    # Each row begins with the number of its filter (https://www.w3.org/TR/png-3/#9Filters), 0.
    # Pillow puts a 0 behind each row, so all but the first are in place, and the last is left out.
    rows = memoryview(image.tobytes("raw", "P", image.width + 1))[:-1]
    packer = isal_zlib.compressobj(2)
    data = packer.compress(b"\0") + packer.compress(rows) + packer.flush()
    for level in (6, 9):  # 15 and 100 times as long, a quarter smaller
        if len(data) > LARGEST - HEADS:
            data = zlib.compress(b"\0" + bytes(rows), level)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", image.width, image.height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", image.im.getpalette("RGB", "RGB")),
            _chunk(b"IDAT", data),
            _chunk(b"IEND", b""),
        )
    )


def optimised_png(image: Image.Image) -> bytes:
    """A PNG file of *image* in any mode, as small as Pillow makes it."""
    made = BytesIO()
    image.save(made, "PNG", optimize=True)
    return made.getvalue()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return (
        struct.pack(">I", len(data))
        + kind
        + data
        + struct.pack(">I", isal_zlib.crc32(data, isal_zlib.crc32(kind)))
    )


def sized(image: Image.Image, width: int) -> Image.Image:
    """*image* (mode P) at *width* in its own palette; raises ``ValueError`` outside ``SIZES``."""
    if width not in SIZES:
        raise ValueError(f"a picture is {SIZES[0]} to {SIZES[-1]} pixels wide, not {width}")
    if width == image.width:
        return image
    height = round(image.height * width / image.width)
    smooth = image.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
    small = smooth.quantize(palette=image, dither=Image.Dither.NONE)
    small.info.update(image.info)
    return small


def written_on(image: Image.Image, ground: tuple[int, int, int]) -> Image.Image:
    """A mask of where *image* (mode RGB) is not *ground*: to lay what is written, not its room."""
    gap = ImageChops.difference(image, Image.new("RGB", image.size, ground))
    return gap.convert("L").point([0] + [255] * 255)
