"""The poster of a game: its name, a few words, its board and some of its pieces, large.

It stands above invitations and where games are chosen. The board is a picture of any painter; the
rest a module ``poster`` beside the painter brings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, cast

from PIL import Image, ImageDraw

from render.kit import fonts
from render.kit.canvas import Canvas
from render.kit.game_modules import module_of
from render.kit.geometry import Box
from render.kit.output import written_on
from render.kit.palettes import Palette, difference
from render.kit.themes import THEMES

SIZE = (800, 480)
"""The width and height of a poster."""

COLOURS = 48
"""How many colours a poster has at most: with more it would be a larger file than a board."""

TITLE, WORDS = 356, 326
"""How wide the title and the lines below are at most: the board begins there."""

EDGE = 36

SLANT = 11
"""The degrees by which the board is turned."""

SHOWN = 620
"""How wide the board is shown."""

LEFT = 372
"""Where the board begins, half way up."""

LARGER = 4
"""How many times larger than on a board the pieces of a poster are at most."""


@dataclass(frozen=True)
class PosterPiece:
    """A piece on a poster: its *image* (RGBA), its middle (*x*, *y*), and its *turn* in degrees."""

    image: Image.Image
    x: int
    y: int
    turn: int = 0


class PosterParts(Protocol):
    """What a module ``render.<game>.pieces`` exports for posters and podiums.

    ``POSTER_BOARD`` is the part of the picture that shows the board, in pixels; ``POSTER_GROUND``
    the name of the colour of its palette behind the words. ``POSTER_PIECES`` are the pieces in
    front on a poster 800 wide and 480 high, the rearmost first: by the extent and the function that
    draws them, what it is given of each, and then the middle, the turn in degrees and the width.
    ``PODIUM`` is the piece of each side that stands beside a name on a podium.
    """

    POSTER_BOARD: tuple[int, int, int, int]
    POSTER_GROUND: str
    POSTER_PIECES: Sequence[tuple[Box, Callable[..., None], Iterable[Sequence[Any]]]]
    PODIUM: tuple[Box, Callable[..., None], Mapping[str, Sequence[Any]]]

    def palette(self, theme: str) -> Palette:
        """The colours of the game."""


@cache
def poster_parts(game: str) -> PosterParts | None:
    """What *game* brings to its poster; ``None`` where it has none."""
    found = module_of(game, "pieces")
    return None if not hasattr(found, "POSTER_BOARD") else cast(PosterParts, found)


def _large(
    palette: Palette, box: Box, draw: Callable[..., None], width: int, of: Sequence[Any]
) -> Image.Image:
    """What *draw* draws *of* on a canvas of *box*, *width* wide, in RGBA with clear edges."""
    canvas = Canvas(palette, box)
    draw(canvas, *of)
    image = canvas.image(LARGER)
    height = round(image.height * width / image.width)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def poster_pieces(parts: PosterParts, theme: str) -> tuple[PosterPiece, ...]:
    """The pieces in front, drawn large, the rearmost first."""
    return tuple(
        PosterPiece(_large(parts.palette(theme), box, draw, wide, of), x, y, turn)
        for box, draw, standing in parts.POSTER_PIECES
        for *of, x, y, turn, wide in standing
    )


def podium_piece(parts: PosterParts, theme: str, side: str, width: int) -> Image.Image:
    """The piece of *side* (RGBA), *width* pixels wide, to stand beside a name on a podium."""
    box, draw, of = parts.PODIUM
    return _large(parts.palette(theme), box, draw, width, of[side])


def poster_picture(
    parts: PosterParts, theme: str, title: str, words: str, board: Image.Image
) -> Image.Image:
    """The poster in mode P: *title* and *words* beside the slanted *board*, *parts* in front.

    *board* is a picture of the game 800 wide; *theme* may name a set of pieces.
    """
    ground = "#{:02X}{:02X}{:02X}".format(*parts.palette(theme).flats[parts.POSTER_GROUND])
    picture = Image.new("RGB", SIZE, ground)
    _lay_board(picture, board.convert("RGB").crop(parts.POSTER_BOARD))
    for piece in poster_pieces(parts, theme):
        # A piece with a soft shadow to the south-east.
        turned = piece.image.rotate(-piece.turn, Image.Resampling.BICUBIC, expand=True)
        left, top = piece.x - turned.width // 2, piece.y - turned.height // 2
        shape = turned.getchannel("A").point([255 if level > 127 else 0 for level in range(256)])
        for away, cover in ((10, 45), (6, 70)):
            shadow = shape.point([cover * (level > 0) for level in range(256)])
            picture.paste((0, 0, 0), (left + away, top + away), shadow)
        picture.paste(turned, (left, top), turned)
    _write(picture, title, words, ground)
    return picture.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _lay_board(picture: Image.Image, board: Image.Image) -> None:
    """The board at the right, slanted and cut by the edges."""
    turned = board.rotate(-SLANT, Image.Resampling.BICUBIC)
    high = SHOWN * board.height // board.width
    shown = turned.resize((SHOWN, high), Image.Resampling.LANCZOS)
    corner = (616 - SHOWN // 2, (SIZE[1] - high) // 2)
    lean = math.tan(math.radians(SLANT)) * SIZE[1] / 2
    for away, ink in ((-8, "#000000"), (0, "")):
        cut = Image.new("L", SIZE)
        corners = [(LEFT + away + lean, 0), (SIZE[0], 0), SIZE, (LEFT + away - lean, SIZE[1])]
        ImageDraw.Draw(cut).polygon(corners, fill=60 if ink else 255)
        if ink:
            picture.paste(ink, (0, 0), cut)
        else:
            whole = Image.new("RGB", SIZE)
            whole.paste(shown, corner)
            picture.paste(whole, (0, 0), cut)


def _write(picture: Image.Image, title: str, words: str, ground: str) -> None:
    """The title and, below, the words in up to three lines."""
    palette, ink = _inks(ground)
    px = next((px for px in range(76, 29, -2) if fonts.width(title, px) <= TITLE), 30)
    _line(picture, palette, title, px, EDGE + px // 2 + 4, ink)
    y = EDGE + px + 40
    for line in _lines(words, 32):
        _line(picture, palette, line, 32, y, ink)
        y += 42


def _line(picture: Image.Image, palette: Palette, text: str, px: int, y: int, ink: str) -> None:
    canvas = Canvas(palette, (0, -px, TITLE + 8, px), "ground")
    canvas.text(0, 0, text, px, ink, "lc", room=TITLE)
    shown = canvas.image().convert("RGB")
    picture.paste(shown, (EDGE, y - px), written_on(shown, palette.flats["ground"]))


@cache
def _inks(ground: str) -> tuple[Palette, str]:
    """A palette of *ground* and two inks, and the ink that stands out the most."""
    inks = {"dark": THEMES["light"]["ink"], "pale": THEMES["light"]["bar"]}
    palette = Palette({"ground": ground, **inks}, {"ground": "dark pale"})
    flats = palette.flats
    return palette, max(inks, key=lambda ink: difference(flats[ink], flats["ground"]))


def _lines(words: str, px: int) -> list[str]:
    """*words* in lines that fit."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and fonts.width(longer, px) > WORDS:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
