"""Finished pictures: their size and their file."""

from __future__ import annotations

import io

from PIL import Image

WIDTH = 800
"""The width at which painters paint."""

SIZES = range(90, 1601)
"""The widths that may be asked for."""


def png(image: Image.Image) -> bytes:
    """*image* (mode P) as a PNG file; level 3 is the best bargain of time and size."""
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=3)
    return file.getvalue()


def sized(image: Image.Image, width: int) -> Image.Image:
    """*image* (mode P) brought to *width* pixels in the same palette.

    Raises ``ValueError`` for a width outside ``SIZES``.
    """
    if width not in SIZES:
        raise ValueError(f"a picture is {SIZES[0]} to {SIZES[-1]} pixels wide, not {width}")
    if width == image.width:
        return image
    height = round(image.height * width / image.width)
    smooth = image.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
    return smooth.quantize(palette=image, dither=Image.Dither.NONE)
