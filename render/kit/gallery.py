"""From a scene to the bytes of a picture, and the cache of finished pictures."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Lock

from cachetools import LRUCache
from PIL import Image

from render.kit.output import png, sized
from render.kit.painters import painter
from render.scene import Scene


def paint(scene: Scene) -> Image.Image:
    """The picture of *scene* in mode P; raises ``NoPainter``, and ``ValueError`` for a bad size."""
    return sized(painter(scene.game).paint(scene), scene.size)


class Gallery:
    """The *most* pictures asked for last, each painted once. Safe to use from threads."""

    def __init__(self, most: int = 256) -> None:
        self._pictures: LRUCache[Scene, Future[bytes]] = LRUCache(most)
        self._lock = Lock()

    def ready(self, scene: Scene) -> bytes | None:
        """The picture of *scene* if it is painted already; never waits."""
        wanted = self.begun(scene)
        if wanted is None or not wanted.done() or wanted.exception() is not None:
            return None
        return wanted.result()

    def begun(self, scene: Scene) -> Future[bytes] | None:
        """The picture of *scene* if it is painted already or being painted."""
        with self._lock:
            return self._pictures.get(scene)

    def asked(self, scene: Scene) -> tuple[Future[bytes], bool]:
        """The future picture, and whether the caller, being the first, must ``fulfil`` it."""
        with self._lock:
            wanted = self._pictures.get(scene)
            if wanted is not None:
                return wanted, False
            wanted = self._pictures[scene] = Future()
            wanted.set_running_or_notify_cancel()  # One who stops waiting must not cancel it.
            return wanted, True

    def fulfil(self, scene: Scene, wanted: Future[bytes]) -> None:
        """Paint *scene* into *wanted*; an error is raised in all who wait."""
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
