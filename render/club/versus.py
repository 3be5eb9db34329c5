"""Two people and what they have played against each other.

Left and right are places, no sentence: no name can turn them round.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from render.club.club_canvas import BLACK, BOLD, LEAST, ClubCanvas
from render.club.ranking import CACHED

INKS: Final = ("#1F5C77", "#8A3A22")
"""The grounds of the two."""


@dataclass(frozen=True)
class VersusRow:
    """What two have won of a *game*, which is *called* so; *side* is the piece beside."""

    game: str
    called: str
    mine: int
    theirs: int
    side: str = ""


@dataclass(frozen=True)
class Versus:
    """The *names* of two, what each has *won*, how many were *drawn*, and *rows* by game.

    *draws* says the number in words.
    """

    names: tuple[str, str]
    won: tuple[int, int]
    drawn: int
    rows: tuple[VersusRow, ...]
    draws: str = ""


@lru_cache(CACHED)
def versus_picture(shown: Versus, theme: str = "light") -> bytes:
    """A PNG file of *shown*; *theme* is that of the boards."""
    canvas = ClubCanvas(theme)
    left = [(0, 0), (590, 0), (510, 400), (0, 400)]
    right = [(590, 0), (1100, 0), (1100, 400), (510, 400)]
    for side, (outline, ink) in enumerate(zip((left, right), INKS, strict=True)):
        canvas.polygon(outline, ink)
        canvas.rays(550, 190, outline, "white", 0.08)
        x, inner = (150, 372) if not side else (950, 728)
        canvas.face(x, 128, 92, shown.names[side], "white")
        canvas.words(
            x, 278, shown.names[side], 60, "white", BLACK, "m", room=280 if not side else 290
        )
        px = 190 if shown.won[side] < 100 else 120
        canvas.words(inner, 150, str(shown.won[side]), px, "white", BLACK, "m")
    canvas.line([(592, -6), (508, 408)], "paper", 10)
    if shown.drawn:
        canvas.box((472, 150, 628, 226), "gold", "dark", 4, 38)
        canvas.words(550, 188, shown.draws, 36, "dark", BLACK, "m", 140, 0.8)
    _put_share(canvas, shown)
    x = 40 if len(shown.rows) > 3 else 300
    for number, row in enumerate(shown.rows[:6]):
        column, line = divmod(number, 3)
        _put_game(canvas, row, x + 530 * column, 450 + 62 * line)
    return canvas.png()


def _put_share(canvas: ClubCanvas, shown: Versus) -> None:
    """A bar of what each has won, what was drawn between them."""
    left, right, y = 40.0, 1060.0, 354
    canvas.box((left - 4, y - 26, right + 4, y + 26), "white", radius=14)
    counts = (shown.won[0], shown.drawn, shown.won[1])
    inks = (canvas.shade(INKS[0], 0.14, "white"), "#E9E1D2", canvas.shade(INKS[1], 0.14, "white"))
    x, each = left, (right - left) / max(1, sum(counts))
    for number, (count, ink) in enumerate(zip(counts, inks, strict=True)):
        if count:
            end = x + each * count
            canvas.box((x, y - 22, end - 3, y + 22), ink, radius=10)
            if end - x > 60:
                said = "dark" if number == 1 else "white"
                canvas.words((x + end) / 2, y, str(count), LEAST, said, BLACK, "m")
            x = end


def _put_game(canvas: ClubCanvas, row: VersusRow, x: float, y: float) -> None:
    canvas.piece(row.game, row.side, x + 26, y, 48)
    canvas.words(x + 66, y, row.called, 36, room=250)
    canvas.words(x + 376, y, str(row.mine), 42, "ink", BLACK, "r")
    canvas.words(x + 400, y, "–", 36, "soft", BOLD, "m")
    canvas.words(x + 424, y, str(row.theirs), 42, "ink", BLACK)
    if row.mine != row.theirs:
        wide = 24 * len(str(row.mine if row.mine > row.theirs else row.theirs)) + 20
        canvas.star(x + 376 - wide if row.mine > row.theirs else x + 424 + wide, y, 13)
