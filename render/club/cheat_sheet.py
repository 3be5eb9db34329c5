"""A game in one picture: what it is about, and five rules, each with a pointer on the board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from render.club.club_canvas import BLACK, BOLD, LEAST, ClubCanvas
from render.kit import paint, painter
from render.kit.poster_ground import poster_inks
from render.kit.posters import poster_parts
from render.scene import Scene

CHEAT: Final = "cheat"
"""What this picture is called among the figures of rules."""

KEPT: Final = 40
"""How many of them are kept: each game in two languages and two themes, and some more."""


@dataclass(frozen=True)
class CheatSheet:
    """The *title* and *words* of a game, its *goal*, and five *rules*, each in two lines."""

    title: str
    words: str
    goal: str
    rules: tuple[tuple[str, str], ...]


@lru_cache(KEPT)
def cheat_sheet_picture(sheet: CheatSheet, scene: Scene) -> bytes:
    """A PNG file of *sheet* beside the board of *scene*, to which the rules point.

    The points are ``CHEAT`` of the game's painter, in pixels of its picture.
    """
    canvas, drawn, parts = ClubCanvas(scene.theme), paint(scene), poster_parts(scene.game)
    canvas.panel(scene.game, 524, 440)
    canvas.words(36, 66, sheet.title, 84, "white", BLACK, room=440, least=0.5)
    canvas.words(38, 136, sheet.words, 40, poster_inks(scene.game).accent, BOLD, room=420)
    crop = (0, 0, *drawn.size) if parts is None else parts.POSTER_BOARD
    (left, top), (right, _), _ = canvas.board(drawn.crop(crop), (24, 196, 474, 676))
    scale = (right - left) / (crop[2] - crop[0])
    canvas.words(548, 50, sheet.goal, 42, "ink", BLACK, room=530, least=0.7)
    points: tuple[tuple[float, float], ...] = getattr(painter(scene.game), "CHEAT", ())
    for number, (rule, more) in enumerate(sheet.rules):
        y = 150.0 + 120 * number
        canvas.box((544, y - 54, 1080, y + 54), "bar", radius=14)
        _put_number(canvas, 590, y, number + 1)
        canvas.words(636, y - 20, rule, 38, "ink", BOLD, room=432)
        canvas.words(636, y + 24, more, LEAST, "soft", room=432)
        if number < len(points):
            across, down = points[number]
            x, y = left + (across - crop[0]) * scale, top + (down - crop[1]) * scale
            side = 1 if x < 420 else -1
            x, y, aside = x + 12 * side, y - 11, (x + 42 * side, y - 38)
            canvas.line([(x, y), aside], "dark", 9)
            canvas.line([(x, y), aside], "gold", 4)
            canvas.disc(x, y, 7, "gold", "dark", 2.5)
            _put_number(canvas, *aside, number + 1)
    return canvas.png()


def _put_number(canvas: ClubCanvas, x: float, y: float, number: int) -> None:
    canvas.disc(x, y, 24, "gold", "dark", 3)
    canvas.words(x, y, str(number), 36, "dark", BLACK, "m")
