"""The card of a finished game: winner, title earned, final board and three numbers.

The board is the picture of any painter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from PIL import Image

from render.kit import fonts, marks
from render.kit.canvas import Canvas
from render.kit.output import WIDTH, sized
from render.kit.palettes import Palette
from render.kit.themes import THEMES

BOARD = 480
"""How wide the final board is."""

EDGE, BAND, NUMBERS = 24, 196, 190
"""The room at the sides, for the words above and for the numbers below."""

_EDGES = {
    "paper": "hair soft ink gold line bar",
    "bar": "hair soft ink",
    "gold": "line",
}


@dataclass(frozen=True)
class Result:
    """The content of a card; each of *numbers* has its word; *won* by somebody, it is gold."""

    title: str
    winner: str
    numbers: tuple[tuple[str, str], ...]
    foot: str
    theme: str = "light"
    won: bool = True


def card(result: Result, final: Image.Image) -> Image.Image:
    """The card in mode P, ``WIDTH`` wide; *final* is the last picture of the game."""
    board = sized(final, BOARD)
    height = BAND + board.height + NUMBERS
    canvas = Canvas(_palette(result.theme.partition("-")[0]), (0, 0, WIDTH, height), "paper")
    _put_head(canvas, result)
    left = (WIDTH - BOARD) // 2
    canvas.box((left - 6, BAND - 6, left + BOARD + 6, BAND + board.height + 6), "line", radius=8)
    _put_numbers(canvas, result, BAND + board.height)
    whole = canvas.image().convert("RGB")
    whole.paste(board.convert("RGB"), (left, BAND))
    return whole.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _put_head(canvas: Canvas, result: Result) -> None:
    middle = WIDTH / 2
    title, px = _fitting(result.title, 46, WIDTH - 2 * EDGE - 120)
    half = fonts.width(title, px) / 2 + 34
    fill, ink = ("gold", "line") if result.won else ("bar", "ink")
    canvas.box((middle - half, 26, middle + half, 96), fill, "line", 3, 14)
    canvas.text(middle, 61, title, px, ink, "mc")
    name, px = _fitting(result.winner, 54, WIDTH - 2 * EDGE - 130)
    canvas.text(middle, 142, name, px, "ink", "mc")
    if result.won:
        half = fonts.width(name, px) / 2 + 42
        for x in (middle - half, middle + half):
            marks.victory_star(canvas, x, 142, 24)


def _put_numbers(canvas: Canvas, result: Result, top: int) -> None:
    wide = (WIDTH - 2 * EDGE) / max(1, len(result.numbers))
    for column, (number, word) in enumerate(result.numbers):
        x = EDGE + wide * (column + 0.5)
        figure, px = _fitting(number, 60, wide - 16)
        canvas.text(x, top + 52, figure, px, "ink", "mc")
        said, px = _fitting(word, 27, wide - 12)
        canvas.text(x, top + 106, said, px, "soft", "mc")
        if column:
            canvas.line(
                [(EDGE + wide * column, top + 32), (EDGE + wide * column, top + 118)], "hair", 2
            )
    foot, px = _fitting(result.foot, 26, WIDTH - 2 * EDGE)
    canvas.text(WIDTH / 2, top + 158, foot, px, "soft", "mc")


def _fitting(text: str, px: int, room: float) -> tuple[str, int]:
    """*text* and the size at which it fits in *room*: made smaller first, then cut."""
    while px > 26 and fonts.width(fonts.drawable(text), px) > room:
        px -= 2
    return fonts.fitting_text(text, px, room), px


@cache
def _palette(theme: str) -> Palette:
    return Palette(THEMES.get(theme, THEMES["light"]), _EDGES)
