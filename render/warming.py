"""Sprites drawn before a player waits for them, so that a new bot is not slow at first.

``python -m render.warming FILE GAME...`` draws them into FILE. It is a process of its own at the
lowest priority, since seconds of drawing in a thread would hold up the event loop.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from render.kit import paint, painter
from render.kit.sprite_cache import MEMORY, STORE
from render.scene import Scene, Target

USUAL_THEMES = ("light", "dark")
"""The themes of players who have chosen none."""


def warm(games: Iterable[str]) -> Iterator[Scene]:
    """Paint what the first pictures of *games* are made of, so that their sprites are stored.

    Yields each scene that is painted; none if this was done before. Nothing stays in memory.
    """
    if not STORE.keeps:
        return
    for game in games:
        if is_warm(game):
            continue
        for scene in first_scenes(game):
            paint(scene)
            yield scene
        MEMORY.clear()
        STORE.put(STORE.key("warm", game), b"")


def is_warm(game: str) -> bool:
    """Whether the first pictures of *game* find their sprites in the file."""
    return STORE.get(STORE.key("warm", game)) is not None


def first_scenes(game: str) -> Iterator[Scene]:
    """The scenes with most sprites of *game*: its figures, from each side and with all targets."""
    drawn = [scene for figure in painter(game).FIGURES.values() for scene in figure.scenes()]
    for theme in USUAL_THEMES:
        for scene in drawn:
            yield from _views(replace(scene, theme=theme))


def _views(scene: Scene) -> Iterator[Scene]:
    """*scene* with all that may be chosen on its board, and as each seat sees it."""
    shown = painter(scene.game)
    scene = replace(scene, captions=tuple((key, "") for key in shown.captions(scene.seen)))
    if not scene.path:
        yield replace(scene, targets=tuple(Target("", spot.step) for spot in shown.cells(scene)))
    yield from (replace(scene, bottom=seat) for seat in range(len(scene.names)))


def warm_file(arguments: Sequence[str]) -> None:
    """Warm the sprites that *arguments* name: a file and games."""
    file, *games = arguments
    os.nice(19)
    STORE.open(Path(file))
    for _ in warm(games):
        pass
    STORE.close()


if __name__ == "__main__":
    warm_file(sys.argv[1:])
