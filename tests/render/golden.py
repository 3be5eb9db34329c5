"""The golden pictures, and the film with which the README begins.

``python -m tests.render.golden`` paints them anew, to be looked at.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from bot.commands.table.film_and_card import film_frames
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import reel_of, shots
from bot.presenters.table.viewers import Viewer
from games.core.shelf import shelf
from render.kit.film import FILM_COLOURS, film
from render.kit.output import png
from render.kit.painters import paint
from tests.render.moments import hard_cases, in_theme
from tests.tools.door_films import shipped_game

FOLDER = Path(__file__).resolve().parents[1] / "data" / "golden"
REPLAY = Path(__file__).resolve().parents[2] / "docs" / "replay.gif"
MOMENTS = 8
"""How many moves are told: a film of all would be large."""

THEMES = ("light", "dark")
MIDDLES = {
    "cirya": "sea",
    "niya": "asked",
    "parchis": "capture",
    "shogi": "middle",
    "storilljudhjorrayc": "attack",
}
"""The position of each game, in the middle of one, from the tests of its painter."""


def file_of(key: str, theme: str) -> Path:
    """Where the golden picture of the game *key* in *theme* lies."""
    return FOLDER / f"{key}-{theme}.png"


def picture(key: str, theme: str) -> Image.Image:
    """The picture as it is painted today."""
    return paint(in_theme(hard_cases(key)[MIDDLES[key]], theme))


def replay() -> bytes:
    """The moments of the game of Cirya that ``ludoteca demo`` shows, as a film."""
    table = shipped_game("cirya")
    composer = Composer(table, Viewer(None, "en"), b"k" * 32)
    return film(film_frames(shots(composer, reel_of(table, most=MOMENTS))), FILM_COLOURS)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for key in shelf():
        for theme in THEMES:
            file_of(key, theme).write_bytes(png(picture(key, theme)))
            print(file_of(key, theme))
    REPLAY.write_bytes(replay())
    print(REPLAY)


if __name__ == "__main__":
    main()
