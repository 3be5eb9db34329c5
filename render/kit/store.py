"""Sprites kept in a file from one start to the next: what was drawn once is never drawn again.

The file knows a sprite by all that was drawn for it, so that a change of anything makes a new one,
and no name of a player is in it. It is a convenience: where it cannot be read or written, sprites
are drawn, as without it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import struct
import sys
import threading
import zlib
from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path

from PIL import Image, __version__

from render.kit.sprites import Sprite

log = logging.getLogger(__name__)

MOST = 64 * 1024 * 1024
"""How many bytes the file may have before it is begun anew."""

FORM = 2
"""Grows where sprites are kept in another form."""


def key_of(*drawn: object) -> bytes:
    """What a thing is known by that is made of *drawn*, plain values alone."""
    return hashlib.blake2b(repr((FORM, __version__, drawn)).encode(), digest_size=16).digest()


class SpriteStore:
    """The sprites of one file; without a file it keeps nothing. Safe to use from threads."""

    def __init__(self) -> None:
        self._file: sqlite3.Connection | None = None
        self.path: Path | None = None
        """Where the file is, while there is one."""
        self._lock = threading.Lock()

    def open(self, path: Path) -> None:
        """Keep sprites in the file *path* from now on, as far as it can be read and written."""
        self.close()
        try:
            if path.exists() and path.stat().st_size > MOST:
                path.unlink()
            self._file, self.path = self._opened(path), path
        except (OSError, sqlite3.Error) as wrong:
            log.info("pictures are drawn without a file of sprites: %s", wrong)

    def close(self) -> None:
        """Keep nothing any more."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = self.path = None

    @staticmethod
    def _opened(path: Path) -> sqlite3.Connection:
        file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0.2)
        # What is lost when the machine dies is drawn again.
        file.execute("PRAGMA journal_mode=WAL")
        file.execute("PRAGMA synchronous=OFF")
        file.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, data BLOB) STRICT")
        return file

    def get(self, key: bytes) -> bytes | None:
        """What was kept under *key*."""
        with self._lock:
            if self._file is None:
                return None
            try:
                row = self._file.execute("SELECT data FROM kept WHERE key = ?", (key,)).fetchone()
            except sqlite3.Error as wrong:
                self._gave_up(wrong)
                return None
        return None if row is None else bytes(row[0])

    def put(self, key: bytes, data: bytes) -> None:
        """Keep *data* under *key*."""
        with self._lock:
            if self._file is None:
                return
            try:
                self._file.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (key, data))
            except sqlite3.Error as wrong:
                self._gave_up(wrong)

    @property
    def keeps(self) -> bool:
        """Whether there is a file."""
        return self._file is not None

    def _gave_up(self, wrong: sqlite3.Error) -> None:
        log.info("the file of sprites is used no more: %s", wrong)
        if self._file is not None:
            self._file.close()
            self._file = self.path = None


STORE = SpriteStore()
"""The file of this process."""


def packed(sprite: Sprite) -> bytes:
    """*sprite* as bytes."""
    image, solid = sprite.indices, sprite.solid
    counts = [len(places) for _, places in sprite.soft]
    head = json.dumps(
        [image.width, image.height, sprite.left, sprite.top, solid is not None, counts]
    ).encode()
    tables = b"".join(table for table, _ in sprite.soft)
    places = b"".join(_little(places).tobytes() for _, places in sprite.soft)
    body = image.tobytes() + (b"" if solid is None else solid.tobytes()) + tables + places
    return struct.pack("<H", len(head)) + head + zlib.compress(body, 1)


def _little(numbers: array[int]) -> array[int]:
    """*numbers* in the order of bytes in which they are kept, whatever machine this is."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers


def unpacked(data: bytes) -> Sprite | None:
    """The sprite that ``packed`` has made *data* of; ``None`` where it is spoilt."""
    try:
        (length,) = struct.unpack_from("<H", data)
        wide, high, left, top, part, counts = json.loads(data[2 : 2 + length])
        body = zlib.decompress(data[2 + length :])
        image = Image.frombytes("L", (wide, high), body[: wide * high])
        at = wide * high
        solid = None
        if part:
            size = (wide + 7) // 8 * high
            solid = Image.frombytes("1", (wide, high), body[at : at + size])
            at += size
        numbers = _little(array("I", body[at + 256 * len(counts) :]))
        ends = list(accumulate(counts, initial=0))
        soft = tuple(
            (body[at + 256 * n : at + 256 * (n + 1)], numbers[start:end])
            for n, (start, end) in enumerate(pairwise(ends))
        )
    except (ValueError, struct.error, zlib.error, IndexError):
        return None
    return Sprite(image, left, top, solid, soft)


def plain(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """*points* as a key takes them."""
    return tuple((float(x), float(y)) for x, y in points)
