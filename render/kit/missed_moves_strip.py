"""The strip above a board that tells in small pictures what happened since somebody last moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from PIL import Image, ImageChops

from render.kit.dirty_rectangles import Cut
from render.kit.output import WIDTH, written_on
from render.kit.palettes import Palette, rgb
from render.kit.player_bars import label
from render.kit.themes import THEMES

EDGE, GAP = 24, 16
"""The room at the sides, and between two pictures."""

TITLE, SHOT, PLATE, FOOT = 46, 156, 36, 10
"""How high the title is, a picture, the words under it, and the room below."""

HEIGHT = TITLE + SHOT + PLATE + FOOT
"""How high a recap is."""

WIDEST = 2
"""One picture is as wide as one of so many."""

LETTERS = 27
"""The size of the words: 12 pixels on a phone."""

NEAREST = 340
"""How much of a board, in pixels, a picture shows at least: a move is read by what is around it."""

AROUND = 50
"""How much is shown around what happened, where there is room."""

BARS = 72
"""How high the bars of the players are, above and below a board, which tell nothing of a move."""

SHADES = 14
"""How many colours a recap has beside those of its theme, such as those of marks.

Most of what it weighs are the edges of what was made smaller.
"""

_EDGES = {"paper": "ink soft hair", "bar": "ink soft hair"}


@dataclass(frozen=True)
class Vignette:
    """A picture of a move, in which the move is *marked*; the same *bare*; and its *words*."""

    marked: Image.Image
    bare: Image.Image
    words: str


def recap_strip(title: str, shots: Sequence[Vignette], theme: str) -> Image.Image:
    """The strip of *shots* under *title*, in mode P and the palette of the pictures."""
    palette, tokens = _palette(theme), THEMES[theme]
    strip = Image.new("RGB", (WIDTH, HEIGHT), rgb(tokens["paper"]))
    room = WIDTH - 2 * EDGE
    _write(strip, palette, (EDGE, TITLE // 2 - 2), title, ("ink", "paper"), room)
    columns = max(WIDEST, len(shots))
    wide = (room - GAP * (columns - 1)) // columns
    for number, shot in enumerate(shots):
        left = EDGE + number * (wide + GAP)
        around = (left - 3, TITLE - 3, left + wide + 3, TITLE + SHOT + PLATE + 3)
        strip.paste(rgb(tokens["soft"]), around)
        part = shot.marked.convert("RGB").crop(window(_change(shot), shot.marked.size, wide / SHOT))
        strip.paste(part.resize((wide, SHOT), Image.Resampling.LANCZOS), (left, TITLE))
        strip.paste(rgb(tokens["bar"]), (left, TITLE + SHOT, left + wide, TITLE + SHOT + PLATE))
        below = (left + 10, TITLE + SHOT + PLATE // 2)
        _write(strip, palette, below, shot.words, ("ink", "bar"), wide - 20)
    few = strip.quantize(palette=_few(strip, theme), dither=Image.Dither.NONE).convert("RGB")
    return few.quantize(palette=shots[0].marked, dither=Image.Dither.NONE)


def under(strip: Image.Image, picture: Image.Image) -> Image.Image:
    """*picture* with *strip* above it, both in the palette of *picture*."""
    whole = Image.new("P", (picture.width, strip.height + picture.height))
    whole.putpalette(picture.getpalette() or [])
    whole.im.paste(strip.im, (0, 0, *strip.size))
    whole.im.paste(picture.im, (0, strip.height, *whole.size))
    return whole


def window(change: Cut, size: tuple[int, int], aspect: float) -> Cut:
    """The part of a picture of *size* that shows *change*; *aspect* times as wide as high."""
    left, top, right, bottom = change
    wide = max(NEAREST, right - left + 2 * AROUND, aspect * (bottom - top + 2 * AROUND))
    wide = min(wide, size[0], aspect * (size[1] - 2 * BARS))
    high = wide / aspect
    x = min(max(0.0, (left + right - wide) / 2), size[0] - wide)
    y = min(max(BARS, (top + bottom - high) / 2), size[1] - BARS - high)
    return (round(x), round(y), round(x + wide), round(y + high))


def _few(strip: Image.Image, theme: str) -> Image.Image:
    """A picture with the palette of *strip*: its commonest colours, and all of the *theme*."""
    common = strip.quantize(SHADES, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    marks = [level for code in THEMES[theme].values() for level in rgb(code)]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(common.getpalette() or [])[: 3 * SHADES], *marks])
    return palette


def _change(shot: Vignette) -> Cut:
    """Where the marks of the move are; everywhere if it has none."""
    # Both have one palette, and indices are enough to tell them apart.
    marked, bare = (
        Image.frombytes("L", one.size, one.tobytes()) for one in (shot.marked, shot.bare)
    )
    return ImageChops.difference(marked, bare).getbbox() or (0, 0, *shot.marked.size)


def _write(
    strip: Image.Image,
    palette: Palette,
    at: tuple[int, int],
    text: str,
    inks: tuple[str, str],
    room: int,
) -> None:
    """*text* in the first of *inks* on the second, its left end and middle height *at*."""
    written = label(palette, text, LETTERS, *inks, room)
    picture = written.indices.copy()
    picture.putpalette(palette.flat)
    shown = picture.convert("RGB")
    # The room of a line, which signs of other scripts need, reaches beyond its plate.
    mask = written_on(shown, palette.flats[inks[1]])
    strip.paste(shown, (at[0] + written.left, at[1] + written.top), mask)


@cache
def _palette(theme: str) -> Palette:
    return Palette(THEMES[theme], _EDGES)
