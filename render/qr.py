"""QR codes of links, as pictures."""

from __future__ import annotations

import segno
from PIL import Image

QUIET = 4
"""How many modules stay white around a code (ISO/IEC 18004, 9.1)."""


def qr_code(link: str, room: int) -> Image.Image:
    """The code of *link* in mode L, black on white, as large as whole pixels allow in *room*."""
    matrix = segno.make(link, error="m", micro=False).matrix
    side = len(matrix)
    code = Image.new("L", (side + 2 * QUIET,) * 2, 255)
    code.putdata([0 if dark else 255 for dark in _framed(matrix, side)])
    return code.resize((code.width * max(1, room // code.width),) * 2, Image.Resampling.NEAREST)


def _framed(matrix: tuple[bytearray, ...], side: int) -> list[bool]:
    wide = side + 2 * QUIET
    rows = [[False] * wide for _ in range(QUIET)]
    rows += [
        [*[False] * QUIET, *(bool(module) for module in row), *[False] * QUIET] for row in matrix
    ]
    rows += [[False] * wide for _ in range(QUIET)]
    return [dark for row in rows for dark in row]
