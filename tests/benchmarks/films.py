"""How fast films are written, and how small, beside Pillow's own writer on the same pictures.

Run by hand from the root of the project::

    python -m tests.benchmarks.films

A game of computers of 60 moves at most (Niya never has more than 16), painted before: what is
measured is the writing alone, in time of the processor. Pillow is given the pictures in RGB, as
whoever draws with it has them, converted before; the last column is how much sooner ours is where
Pillow is handed the very pictures with their one palette, which it need not look for then.
"""

from __future__ import annotations

import io
import sys
from functools import partial

from PIL import Image

from bot.commands.table.film_and_card import film_frames
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import reel_of, shots
from bot.presenters.table.viewers import Viewer
from games.core.shelf import shelf
from render.kit.film import FILM_COLOURS, FilmFrame, film
from tests.benchmarks.pictures import milliseconds
from tests.played import tables

MOVES = 60


def frames(key: str) -> list[FilmFrame]:
    """The pictures of the last moves of a game."""
    *_, table = tables(shelf()[key], looks=5)
    composer = Composer(table, Viewer(None), b"k" * 32)
    return [*film_frames(shots(composer, reel_of(table, MOVES)))]


def by_pillow(pictures: list[Image.Image]) -> bytes:
    """The film as Pillow writes it."""
    file = io.BytesIO()
    first, *others = pictures
    first.save(file, "GIF", save_all=True, append_images=others, duration=500)
    return file.getvalue()


def main() -> None:
    for key in shelf():
        shown = frames(key)
        plain = [one.picture for one in shown]
        coloured = [picture.convert("RGB") for picture in plain]
        ours, theirs = len(film(shown, FILM_COLOURS)), len(by_pillow(coloured))
        fast, slow, given = (
            milliseconds(partial(film, shown, FILM_COLOURS), 9),
            milliseconds(partial(by_pillow, coloured), 2),
            milliseconds(partial(by_pillow, plain), 3),
        )
        sys.stdout.write(
            f"{key:18} {len(shown):3} pictures {fast:6.1f} ms {ours / 1000:6.0f} kB"
            f" {slow / fast:5.0f}x {ours / theirs:5.2f} of Pillow's bytes {given / fast:5.1f}x\n"
        )


if __name__ == "__main__":
    main()
