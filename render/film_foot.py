"""The foot of a film: where in the game a picture stands, and what happens in it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from render.kit import fonts
from render.kit.dirty_rectangles import LAYERS, Layer, layers_of
from render.kit.palettes import Colour, difference, mix, rgb
from render.kit.themes import THEMES, plain

HEIGHT = 72
"""How many pixels the foot is high."""

BAR = 6
"""How thick the bar is that tells how far the game has come."""

EDGE = 20
"""The room on both sides of the words."""

SIZE, SMALL = 28, 25
"""The size of the words in one line, and in two."""

NARROWEST = 0.78
"""The share of their width to which words are narrowed before they are cut."""

SHADES = 4
"""How many degrees the soft edge of a letter has."""


@dataclass(frozen=True)
class FilmFoot:
    """The words *said* under a picture, and how far the game has come.

    *share* is the part of the moves that are over and *turning* that at which the game turned,
    both 0 to 1; *gold* lifts the words out.
    """

    said: str
    share: float
    turning: float | None = None
    gold: bool = False


def with_foot(picture: Image.Image, foot: FilmFoot, theme: str) -> Image.Image:
    """*picture* (mode P) with *foot* under it, in the same palette."""
    palette = bytes(picture.getpalette("RGB") or ())
    strip = _strip(foot, plain(theme), palette, picture.width)
    whole = Image.new("P", (picture.width, picture.height + HEIGHT))
    whole.putpalette(palette)
    whole.im.paste(picture.im, (0, 0, *picture.size))
    box = (0, picture.height, *whole.size)
    whole.im.paste(strip.im, box)
    whole.info.update({key: told for key, told in picture.info.items() if key != LAYERS})
    if layers := layers_of(picture):
        whole.info[LAYERS] = (whole.im, (*layers, Layer((foot, theme), box)))
    return whole


@lru_cache(maxsize=4)
def _strip(foot: FilmFoot, theme: str, palette: bytes, width: int) -> Image.Image:
    """The foot alone, as indices into *palette*."""
    tokens = THEMES.get(theme, THEMES["light"])
    ground, ink = (tokens["gold"], tokens["line"]) if foot.gold else (tokens["bar"], tokens["ink"])
    index = {name: _nearest(palette, rgb(tokens[name])) for name in ("hair", "amber", "ink")}
    strip = Image.new("L", (width, HEIGHT), _nearest(palette, rgb(ground)))
    draw = ImageDraw.Draw(strip)
    draw.rectangle((0, 0, width, BAR - 1), index["hair"])
    draw.rectangle((0, 0, round(foot.share * width), BAR - 1), index["amber"])
    if foot.turning is not None:
        x = round(foot.turning * width)
        draw.rectangle((x - 3, 0, x + 2, BAR + 3), index["ink"])
    room = width - 2 * EDGE
    lines = _halves(foot.said) if fonts.width(foot.said, SIZE) > room / NARROWEST else [foot.said]
    high = (HEIGHT - BAR) // len(lines)
    for number, line in enumerate(lines):
        px = SIZE if len(lines) == 1 else SMALL
        letters = _letters(fonts.fitting_text(line, px, room / NARROWEST), px, (room, high))
        shades = letters.point(_ramp(palette, ground, ink))
        strip.paste(shades, (EDGE, BAR + number * high), letters.point([0] + [255] * 255))
    return strip


def _halves(text: str) -> list[str]:
    """*text* in two lines of much the same length."""
    blanks = [at for at, one in enumerate(text) if one == " "]
    at = min(blanks, key=lambda at: abs(2 * at - len(text)), default=len(text) // 2)
    return [text[:at], text[at:].strip()]


def _letters(text: str, px: int, size: tuple[int, int]) -> Image.Image:
    """*text* white on black, narrowed to *size* where it is wider."""
    # The typefaces are those of canvases, which draw larger than they show.
    runs = fonts.runs(text, px / fonts.SUPERSAMPLING)
    wide = max(size[0], math.ceil(sum(face.getlength(part) for part, face in runs)))
    image = Image.new("L", (wide, size[1]))
    draw, x = ImageDraw.Draw(image), 0.0
    for part, face in runs:
        draw.text((x, size[1] / 2 + px * 0.37), part, 255, face, "ls")
        x += face.getlength(part)
    return image if image.size == size else image.resize(size)


@lru_cache(maxsize=64)
def _ramp(palette: bytes, ground: str, ink: str) -> list[int]:
    """The index for each of 256 degrees of *ink* on *ground*."""
    steps = [
        _nearest(palette, rgb(mix(ground, ink, step / (SHADES - 1)))) for step in range(SHADES)
    ]
    return [steps[round(degree * (SHADES - 1) / 255)] for degree in range(256)]


@lru_cache(maxsize=512)
def _nearest(palette: bytes, colour: Colour) -> int:
    colours = [(palette[n], palette[n + 1], palette[n + 2]) for n in range(0, len(palette), 3)]
    return min(range(len(colours)), key=lambda n: difference(colours[n], colour))
