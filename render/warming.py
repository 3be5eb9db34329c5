"""Sprites drawn before anybody waits for them, so that a new bot is not slow at first.

``python -m render.warming FILE RELEASE GAME...`` draws them into FILE, in a process of its own that
gives way to all others: beside the event loop it would hold up whoever presses just then.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

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
    if not STORE.keeps or is_drawn_ahead(release):
        return
    for game in games:
        for scene in first_scenes(game):
            paint(scene)
            yield scene
        LARDER.forget()
    STORE.put(_mark(release), b"")


def is_drawn_ahead(release: str) -> bool:
    """Whether this *release* has drawn ahead what its games need first."""
    return STORE.get(_mark(release)) is not None


def _mark(release: str) -> bytes:
    """What stands in the file once *release* has drawn."""
    return key_of("drawn ahead", release)


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


def main(arguments: Sequence[str]) -> None:
    """Draw ahead what *arguments* name: a file, a release and games."""
    file, release, *games = arguments
    os.nice(19)
    STORE.open(Path(file))
    for _ in drawn_ahead(games, release):
        pass
    STORE.close()


if __name__ == "__main__":
    main(sys.argv[1:])
