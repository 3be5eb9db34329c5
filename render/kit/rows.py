"""The pixels of a picture as a PNG file wants them, and as Pillow paints on them.

A PNG file tells before each row with which filter it is kept. Here these numbers, all 0, stand
behind each row: but for the first, which stands alone, that is the same.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from PIL import Image

ROWS = "rows"
"""What a picture calls the rows that it was painted on."""


Cut: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels; the last two are the first that do not belong to it."""


class Layer(NamedTuple):
    """What was laid on a picture, and the *box* outside of which it changed nothing."""

    what: Hashable
    box: Cut


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of pixels, a 0 behind each, what Pillow knows them by, and how they were painted.

    Of *layers* each lies over those before it.
    """

    data: bytearray
    core: Any  # Pillow gives the type of what it paints on no public name.
    layers: tuple[Layer, ...] = ()


def blank(width: int, height: int, index: int) -> bytearray:
    """Rows for so many pixels, all of them *index*."""
    return bytearray((bytes([index]) * width + b"\0") * height)


def mapped(rows: bytes | bytearray, width: int) -> Image.Image:
    """A picture in mode L whose very pixels are *rows*, each of *width*."""
    size = (width, len(rows) // (width + 1))
    return Image.frombuffer("L", size, rows, "raw", "L", width + 1, 1)


def remember(picture: Image.Image, rows: bytearray, layers: tuple[Layer, ...] = ()) -> None:
    """Let *picture* know the *rows* on which it was painted, and the *layers* laid there."""
    picture.info[ROWS] = Rows(rows, picture.im, layers)


def painted_rows(picture: Image.Image) -> Rows | None:
    """The very rows on which *picture* was painted; ``None`` where it was made otherwise."""
    kept = picture.info.get(ROWS)
    # A copy of the picture has pixels of its own, though it was told the same.
    return kept if isinstance(kept, Rows) and kept.core is picture.im else None


def rows_of(picture: Image.Image) -> bytes | bytearray:
    """The rows of *picture* (mode P or L), a 0 behind each."""
    painted = painted_rows(picture)
    if painted is not None:
        return painted.data
    return picture.tobytes("raw", picture.mode, picture.width + 1)
