"""Draw the posters of the front door: those of every game, without words and letters as shipped.

.venv/bin/python -m tests.tools.door_posters [FOLDER]
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from PIL import Image

from bot.presenters.game_poster import poster
from games.core.shelf import shelf
from render.kit import paint
from render.scene import Poster, Scene
from tests.laws.weight import ROOT

SHIPPED = ROOT / "bot" / "chats" / "web" / "static"

SIZE = (400, 240)


def without_letters(scene: Scene) -> Scene:
    """*scene* without the letters of a language: people of all languages see the same file."""
    told = dict(scene.captions)
    if "letters" in told:
        told["letters"] = " " * len(told["letters"])
    return replace(scene, captions=tuple(sorted(told.items())))


def door_poster(game: str) -> Image.Image:
    """The poster of *game* without words, as small as the door shows it."""
    shown = poster(shelf()[game], "light", "en")
    assert shown is not None
    picture = paint(Poster(without_letters(shown.board), "", ""))
    return picture.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)


def main(folder: Path) -> None:
    for game in shelf():
        door_poster(game).save(folder / f"poster-{game}.webp", quality=72, method=6)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED)
