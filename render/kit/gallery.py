"""From a scene to the bytes of a picture, and the shelf where finished ones wait."""

from __future__ import annotations

import io
from collections import OrderedDict
from concurrent.futures import Future
from threading import Lock

from PIL import Image

from render.kit.painters import painter
from render.scene import Scene

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


def paint(scene: Scene) -> Image.Image:
    """The picture of *scene*, in mode P and as wide as the scene says.

    Raises ``NoPainter`` for a game that has none, ``ValueError`` for a bad size.
    """
    return sized(painter(scene.game).paint(scene), scene.size)


class Gallery:
    """Pictures by scene, the *most* last asked for kept; safe to use from several threads.

    Two threads that want the same new picture paint it once.
    """

    def __init__(self, most: int = 256) -> None:
        self._most = most
        self._pictures: OrderedDict[Scene, Future[bytes]] = OrderedDict()
        self._lock = Lock()

    def picture(self, scene: Scene) -> bytes:
        """The picture of *scene* as a PNG file; raises what ``paint`` raises."""
        with self._lock:
            wanted = self._pictures.get(scene)
            if wanted is not None:
                self._pictures.move_to_end(scene)
            else:
                painted: Future[bytes] = Future()
                self._pictures[scene] = painted
        if wanted is not None:
            return wanted.result()
        try:
            painted.set_result(png(paint(scene)))
        except BaseException as wrong:
            painted.set_exception(wrong)
            with self._lock:
                self._pictures.pop(scene, None)
            raise
        with self._lock:
            while len(self._pictures) > self._most:
                self._pictures.popitem(last=False)
        return painted.result()
