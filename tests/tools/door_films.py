"""Paint the films of the front door: a finished game of each kind, whose record is shipped.

.venv/bin/python -m tests.tools.door_films [FOLDER]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from PIL import Image

from bot.facade import board_shape
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import reel_of, shots
from bot.presenters.table.viewers import Viewer
from bot.session.opened_file import table_of_file
from bot.session.table import Table
from games.core.recognition import read_file
from games.core.shelf import shelf
from render.kit import paint, painter, sized
from tests.tools.door_posters import SHIPPED, without_letters

WIDE = 320

QUALITY = 66

MOST_BELOW, MARGIN = 0.1, 0.012
"""How much may lie below the squares before it is taken for words, and what then stays of it."""

HUNDREDTH = 10
"""The milliseconds of a hundredth of a second."""


def shipped_game(game: str) -> Table:
    """The finished game that the door shows of *game*, by its record."""
    text = (SHIPPED / f"game-{game}.txt").read_text("utf-8")
    return table_of_file("1AAAAA", read_file(text, shelf()), datetime(2026, 11, 29, tzinfo=UTC))


def frames(game: str) -> Iterator[tuple[Image.Image, int]]:
    """The boards of the film without what surrounds them, each with its milliseconds."""
    table = shipped_game(game)
    composer = Composer(table, Viewer(language="en"), b"")
    stills = [one for one in shots(composer, reel_of(table)) if not one.tweens]
    first, (top, bottom, _) = stills[0].scene, board_shape(stills[0].scene)
    lowest = max(one.y + one.h for one in painter(game).cells(first))
    if bottom - lowest > MOST_BELOW:
        bottom = lowest + MARGIN
    for shot in stills:
        whole = paint(without_letters(shot.scene))
        box = (0, round(top * whole.height), whole.width, round(bottom * whole.height))
        yield sized(whole.crop(box), WIDE).convert("RGB"), shot.stands * HUNDREDTH


def door_film(game: str) -> bytes:
    """The film of *game* as an animated WebP file, which begins anew when it is over."""
    pictures, lasts = zip(*frames(game), strict=True)
    file, told = BytesIO(), {"quality": QUALITY, "method": 6, "minimize_size": True}
    pictures[0].save(
        file, "WEBP", save_all=True, append_images=pictures[1:], duration=list(lasts), **told
    )
    return file.getvalue()


def main(folder: Path) -> None:
    for game in shelf():
        (folder / f"film-{game}.webp").write_bytes(door_film(game))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED)
