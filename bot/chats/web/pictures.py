"""The pictures and files that were shown to guests, by their content."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from cachetools import LRUCache

from render.scene import Scene

SCENES_KEPT = 2048
"""How many scenes are remembered to be painted again; their bytes are cached elsewhere."""

FILES_KEPT = 128
"""How many files and figures are kept, of all guests together."""


@dataclass(frozen=True)
class Picture:
    """A painted picture: the *name* in its address, and its size in pixels."""

    name: str
    width: int
    height: int


@dataclass
class Pictures:
    """The pictures and files of guests; each may fetch only what was shown to them."""

    paint: Callable[[Scene], Awaitable[bytes]]
    """Paints a scene off the event loop."""
    painted: Callable[[Scene], bytes | None]
    """The picture of a scene, if it is painted already."""
    _scenes: LRUCache[tuple[str, str], Scene] = field(default_factory=lambda: LRUCache(SCENES_KEPT))
    _files: LRUCache[tuple[str, str], bytes] = field(default_factory=lambda: LRUCache(FILES_KEPT))

    async def show(self, guest: str, scene: Scene) -> Picture:
        """Paint *scene* for *guest* off the event loop, and let them fetch it."""
        data = await self.paint(scene)
        name = _named(data)
        self._scenes[guest, name] = scene
        return Picture(name, *_measured(data))

    def keep(self, guest: str, data: bytes) -> str:
        """Let *guest* fetch *data*; answers its name."""
        name = _named(data)
        self._files[guest, name] = data
        return name

    def keep_picture(self, guest: str, data: bytes) -> Picture:
        """Let *guest* fetch a painted picture."""
        return Picture(self.keep(guest, data), *_measured(data))

    async def fetch(self, guest: str, name: str) -> bytes | None:
        """The picture or file of this name for *guest*, painted again if need be."""
        scene = self._scenes.get((guest, name))
        if scene is None:
            return self._files.get((guest, name))
        return await self.paint(scene)

    def ready(self, guest: str, name: str) -> bytes | None:
        """The picture of this name for *guest*, if it is painted already."""
        scene = self._scenes.get((guest, name))
        return None if scene is None else self.painted(scene)


def _named(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def _measured(data: bytes) -> tuple[int, int]:
    """Width and height in the header of a GIF (GIF89a, 18) or a PNG (11.2.2 IHDR)."""
    if data.startswith(b"GIF"):
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
