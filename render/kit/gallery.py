"""From a scene to the bytes of a picture, and the shelf where finished ones wait."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Lock

from cachetools import LRUCache
from PIL import Image

from render.kit.output import png, sized
from render.kit.painters import painter
from render.scene import Scene


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
        self._pictures: LRUCache[Scene, Future[bytes]] = LRUCache(most)
        self._lock = Lock()

    def ready(self, scene: Scene) -> bytes | None:
        """The picture of *scene* where it is painted already; waits for nobody."""
        wanted = self.begun(scene)
        if wanted is None or not wanted.done() or wanted.exception() is not None:
            return None
        return wanted.result()

    def begun(self, scene: Scene) -> Future[bytes] | None:
        """The picture of *scene* where it is painted already or being painted just now."""
        with self._lock:
            return self._pictures.get(scene)

    def asked(self, scene: Scene) -> tuple[Future[bytes], bool]:
        """The picture of *scene* to come, and whether whoever asks must ``fulfil`` it.

        That is so for the first who asks: all others wait for him.
        """
        with self._lock:
            wanted = self._pictures.get(scene)
            if wanted is not None:
                return wanted, False
            wanted = self._pictures[scene] = Future()
            wanted.set_running_or_notify_cancel()  # whoever waits no more stops nobody else
            return wanted, True

    def fulfil(self, scene: Scene, wanted: Future[bytes]) -> None:
        """Paint *scene*, which was *wanted*; what goes wrong is told to all who wait."""
        try:
            wanted.set_result(png(paint(scene)))
        except BaseException as wrong:
            with self._lock:
                self._pictures.pop(scene, None)
            wanted.set_exception(wrong)

    def picture(self, scene: Scene) -> bytes:
        """The picture of *scene* as a PNG file; raises what ``paint`` raises."""
        wanted, first = self.asked(scene)
        if first:
            self.fulfil(scene, wanted)
        return wanted.result()
