"""Sprites drawn before anybody waits for them, so that a new bot is not slow at first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from render.kit import paint, painter
from render.kit.canvas import LARDER
from render.kit.store import STORE, key_of
from render.scene import Scene, Target

THEMES = ("light", "dark")
"""The themes of those who have chosen none."""


def drawn_ahead(games: Iterable[str], release: str) -> Iterator[Scene]:
    """Draw picture by picture what *games* need first, so that its sprites are in their file.

    Nothing of it stays in the memory, and nothing is drawn where this *release* has done it before.
    """
    mark = key_of("drawn ahead", release)
    if not STORE.keeps or STORE.get(mark) is not None:
        return
    for game in games:
        for scene in first_scenes(game):
            paint(scene)
            yield scene
        LARDER.forget()
    STORE.put(mark, b"")


def first_scenes(game: str) -> Iterator[Scene]:
    """What has most sprites of *game* in it: its figures from every side, and all to be chosen."""
    found = painter(game)
    for theme in THEMES:
        for drawn in found.FIGURES.values():
            for scene in drawn.scenes():
                words = tuple((key, "") for key in found.captions(scene.seen))
                shown = replace(scene, theme=theme, captions=words)
                if not scene.path:
                    steps = tuple(Target("", spot.step) for spot in found.cells(shown))
                    yield replace(shown, targets=steps)
                for seat in range(len(scene.names)):
                    yield replace(shown, bottom=seat)
