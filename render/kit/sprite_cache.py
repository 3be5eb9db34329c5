"""Each sprite is drawn once: it stays in memory, and in a file from one start to the next.

The file is a convenience: where it cannot be read or written, sprites are drawn anew.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sqlite3
import struct
import sys
import threading
import zlib
from array import array
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial, wraps
from importlib import resources
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import PIL
from cachetools import LRUCache, cached
from cachetools.keys import hashkey
from PIL import Image

from games.core.shelf import game_packages
from render.kit.canvas import Canvas
from render.kit.geometry import Box
from render.kit.palettes import Palette
from render.kit.sprites import Sheet, Sprite

log = logging.getLogger(__name__)

Given = ParamSpec("Given")
Key = TypeVar("Key")

MOST_IN_FILE = 64 * 1024 * 1024
"""How many bytes the file may have at an opening before it is emptied."""

SOURCES = ("render", "games")
"""The packages on whose sources sprites depend, beside the games from other distributions."""


class SpriteStore:
    """The sprites in one file, if one is open. Safe to use from threads."""

    def __init__(self) -> None:
        self._file: sqlite3.Connection | None = None
        self._version = b""
        self.path: Path | None = None
        """Where the file is, while one is open."""
        self._lock = threading.Lock()

    def open(self, path: Path) -> None:
        """Use the file *path* from now on, if it can be read and written."""
        self.close()
        try:
            self._version = _version()
            self._file, self.path = _open(path, self._version), path
        except (OSError, sqlite3.Error) as wrong:
            log.info("pictures are drawn without a file of sprites: %s", wrong)

    def close(self) -> None:
        """Use no file any more."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = self.path = None

    def key(self, *what: object) -> bytes:
        """The key of what these values describe, by their ``repr``."""
        return hashlib.blake2b(repr(what).encode(), key=self._version, digest_size=16).digest()

    def get(self, key: bytes) -> bytes | None:
        """The data stored under *key*."""
        with self._lock:
            if self._file is None:
                return None
            try:
                row = self._file.execute("SELECT data FROM kept WHERE key = ?", (key,)).fetchone()
            except sqlite3.Error as wrong:
                self._give_up(wrong)
                return None
        return None if row is None else bytes(row[0])

    def put(self, key: bytes, data: bytes) -> None:
        """Store *data* under *key*."""
        with self._lock:
            if self._file is None:
                return
            try:
                self._file.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (key, data))
            except sqlite3.Error as wrong:
                self._give_up(wrong)

    def sprite(self, key: bytes, draw: Callable[[], Sprite]) -> Sprite:
        """The sprite stored under *key*; if there is none, that which *draw* returns."""
        data = self.get(key)
        sprite = None if data is None else _unpack(data)
        if sprite is None:
            sprite = draw()
            self.put(key, _pack(sprite))
        return sprite

    @property
    def keeps(self) -> bool:
        """Whether a file is open."""
        return self._file is not None

    def _give_up(self, wrong: sqlite3.Error) -> None:
        log.info("the file of sprites is used no more: %s", wrong)
        if self._file is not None:
            self._file.close()
            self._file = self.path = None


STORE = SpriteStore()
"""The file of this process."""


def _version() -> bytes:
    """A digest of all that sprites depend on besides their arguments."""
    digest = hashlib.blake2b(repr((PIL.__version__, sys.byteorder)).encode(), digest_size=16)
    own = (Path(__file__).parents[2] / package for package in SOURCES)
    others = (Path(str(resources.files(one.module))) for one in game_packages().values())
    for folder in (*own, *others):
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.digest()


def _open(path: Path, version: bytes) -> sqlite3.Connection:
    """The file *path*, emptied if it has grown too large or was written by another version."""
    number = int.from_bytes(version[:4]) >> 1
    # For its owner alone, as the database beside it; -wal and -shm follow its mode.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    with suppress(PermissionError):
        path.chmod(0o600)
    file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0.2)
    # What is lost when the machine dies is drawn again.
    file.execute("PRAGMA journal_mode=WAL")
    file.execute("PRAGMA synchronous=OFF")
    file.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, data BLOB) STRICT")
    (written_by,) = file.execute("PRAGMA user_version").fetchone()
    if written_by != number or path.stat().st_size > MOST_IN_FILE:
        file.execute("DELETE FROM kept")
        file.execute("VACUUM")
        file.execute(f"PRAGMA user_version = {number}")
    return file


def _pack(sprite: Sprite) -> bytes:
    image, solid = sprite.indices, sprite.solid
    counts = [len(places) for _, places in sprite.soft]
    head = json.dumps(
        [image.width, image.height, sprite.left, sprite.top, solid is not None, counts]
    ).encode()
    tables = b"".join(table for table, _ in sprite.soft)
    places = b"".join(places.tobytes() for _, places in sprite.soft)
    body = image.tobytes() + (b"" if solid is None else solid.tobytes()) + tables + places
    return struct.pack("<H", len(head)) + head + zlib.compress(body, 1)


def _unpack(data: bytes) -> Sprite | None:
    """The sprite that ``_pack`` made *data* of; ``None`` where they are damaged."""
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
        numbers = array("I", body[at + 256 * len(counts) :])
        ends = list(accumulate(counts, initial=0))
        soft = tuple(
            (body[at + 256 * n : at + 256 * (n + 1)], numbers[start:end])
            for n, (start, end) in enumerate(pairwise(ends))
        )
    except (ValueError, struct.error, zlib.error, IndexError):
        return None
    return Sprite(image, left, top, solid, soft)


class SpriteMemory(LRUCache[object, Sprite]):
    """The sprites in memory, as many bytes at most as are told; safe to use from threads.

    What was not asked for the longest is forgotten first. With every theme in use all of them would
    take several hundred megabytes; the five games in one theme take 19.
    """

    def __init__(self, most: int) -> None:
        super().__init__(most, lambda sprite: sprite.weight)
        self._lock = threading.Lock()

    def cache(self, make: Callable[Given, Sprite]) -> Callable[Given, Sprite]:
        """Remember the sprites that *make* returns."""
        return cached(self, partial(hashkey, make), self._lock)(make)


MEMORY = SpriteMemory(64 * 1024 * 1024)
"""The sprites in the memory of this process."""


composed_sprite = MEMORY.cache
"""Remember the sprites that a function puts together from others."""


@lru_cache(maxsize=64)
def lay_ground(palette: Palette, size: tuple[int, int], *sprites: Sprite) -> Sheet:
    """The sheet that shows *sprites* alone; whoever puts more on it copies it."""
    sheet = Sheet(palette, *size)
    for sprite in sprites:
        sheet.put(sprite)
    return sheet


def drawn_sprite(draw: Callable[Given, Sprite]) -> Callable[Given, Sprite]:
    """Remember and store the sprites that *draw* returns.

    Its arguments must be plain values that their ``repr`` tells apart, and no names of people.
    """

    @wraps(draw)
    def stored(*args: Given.args, **named: Given.kwargs) -> Sprite:
        if not STORE.keeps:
            return draw(*args, **named)
        key = STORE.key(draw.__module__, draw.__qualname__, args, sorted(named.items()))
        return STORE.sprite(key, lambda: draw(*args, **named))

    return MEMORY.cache(stored)


def canvas_sprite(
    palette: Callable[[Key], Palette], box: Box | Callable[..., Box], ground: str | None = None
) -> Callable[
    [Callable[Concatenate[Canvas, Given], None]], Callable[Concatenate[Key, Given], Sprite]
]:
    """Turn a function that draws on a canvas of *box* into a ``drawn_sprite`` by theme.

    Where the size goes by what is drawn, *box* finds it from the same arguments.
    """

    def decorated(
        draw: Callable[Concatenate[Canvas, Given], None],
    ) -> Callable[Concatenate[Key, Given], Sprite]:
        @wraps(draw)
        def sprite(key: Key, /, *args: Given.args, **named: Given.kwargs) -> Sprite:
            extent = box if isinstance(box, tuple) else box(*args, **named)
            canvas = Canvas(palette(key), extent, ground)
            draw(canvas, *args, **named)
            return canvas.sprite()

        return drawn_sprite(sprite)

    return decorated
