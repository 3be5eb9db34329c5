"""Contact sheets: every game in every theme, from every side, to be looked at by people.

    python -m tests.render.sheet FOLDER [--game niya] [--theme dark] [--size 360] [--hard]

A sheet has the opening, the middle, the late game and the end of a played game side by side, as
everybody sees them and then from each seat, 800 pixels wide, or 360 and through a JPEG of quality
80 as a phone shows it. With ``--hard`` it has the scenes of the painter's own tests instead.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PIL import Image

from games.core.shelf import shelf
from render.kit import plain, themed
from render.kit.painters import paint
from render.kit.themes import TEXTURED
from render.scene import Scene
from tests.render.moments import THEMES, hard_cases, in_theme, moments, seen_from

SIZES = (800, 360)
GAP = 12
COLUMNS = 4


def as_seen(scene: Scene, size: int) -> Image.Image:
    """The picture of *scene*; small ones as they come out of a JPEG."""
    picture = paint(replace(scene, size=size)).convert("RGB")
    if size == SIZES[0]:
        return picture
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=80)
    return Image.open(file).convert("RGB")


def joined(pictures: list[Image.Image], columns: int = COLUMNS) -> Image.Image:
    """*pictures* side by side in rows of *columns*."""
    wide, high = (max(sizes) + GAP for sizes in zip(*(p.size for p in pictures), strict=True))
    rows = -(-len(pictures) // columns)
    sheet = Image.new("RGB", (wide * min(columns, len(pictures)), high * rows), "#808080")
    for number, picture in enumerate(pictures):
        sheet.paste(picture, (number % columns * wide, number // columns * high))
    return sheet


def scenes(key: str, *, hard: bool) -> Iterator[Scene]:
    """What stands on a sheet of the game *key*, row by row."""
    if hard:
        yield from hard_cases(key).values()
        return
    chosen = moments(key).values()
    for seat in (None, *range(len(next(iter(chosen)).players))):
        for table in chosen:
            yield seen_from(table, seat)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.render.sheet", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", choices=shelf(), action="append")
    parser.add_argument("--theme", choices=THEMES, action="append")
    parser.add_argument("--pieces", default="", help="a set of pieces, where the game has it")
    parser.add_argument("--size", type=int, choices=SIZES, action="append")
    parser.add_argument("--hard", action="store_true", help="the scenes of the painters' tests")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for key in asked.game or shelf():
        for theme in asked.theme or THEMES:
            dressed = themed(key, plain(theme), asked.pieces, material=theme in TEXTURED)
            wanted = [in_theme(scene, dressed) for scene in scenes(key, hard=asked.hard)]
            for size in asked.size or SIZES:
                name = "-".join([key, *(["hard"] if asked.hard else []), dressed, str(size)])
                joined([as_seen(scene, size) for scene in wanted]).save(
                    asked.folder / f"{name}.png"
                )
                print(asked.folder / f"{name}.png", flush=True)


if __name__ == "__main__":
    main()
