"""How eyes see pictures: contrast, colour vision, and whether two things differ in shape."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import _lru_cache_wrapper, cache
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from render.kit import Canvas, Palette, Sheet, Sprite, fonts
from render.kit.palettes import Colour, difference
from render.kit.sprite_cache import MEMORY
from tests.drawn_sprites import draw_anew

VISIONS: dict[str, tuple[tuple[float, ...], ...]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Machado, Oliveira and Fernandes (2009), severity 1.0, on linear red, green and blue."""


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _coded(part: float) -> int:
    part = min(1.0, max(0.0, part))
    return round(255 * (part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055))


@cache
def luminance(colour: Colour) -> float:
    """How light *colour* is, 0 to 1 (WCAG 2.2)."""
    r, g, b = (_linear(part / 255) for part in colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: Colour, other: Colour) -> float:
    """The contrast between two colours, 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@cache
def seen_by(colour: Colour, vision: str) -> Colour:
    """*colour* as an eye of *vision* sees it."""
    parts = [_linear(part / 255) for part in colour]
    rows = VISIONS[vision]
    r, g, b = (_coded(sum(a * p for a, p in zip(row, parts, strict=True))) for row in rows)
    return (r, g, b)


def distance(one: Colour, other: Colour) -> float:
    """How different two colours look at least, to the four visions; black and white are 1."""
    return min(difference(seen_by(one, v), seen_by(other, v)) for v in VISIONS)


def standing_out(before: Image.Image, after: Image.Image) -> tuple[int, float]:
    """How many pixels changed between two pictures (mode P, of one palette).

    And which share of these has 3 : 1 against what was there.
    """
    flat = before.getpalette() or []
    assert flat == after.getpalette()
    colours = [(flat[n], flat[n + 1], flat[n + 2]) for n in range(0, len(flat), 3)]
    box = ImageChops.difference(before, after).getbbox() or (0, 0, 0, 0)
    parts = (before.crop(box).tobytes(), after.crop(box).tobytes())
    pairs = Counter(zip(*parts, strict=True))
    changed = {pair: count for pair, count in pairs.items() if pair[0] != pair[1]}
    strong = sum(n for (a, b), n in changed.items() if contrast(colours[a], colours[b]) >= 3)
    return sum(changed.values()), strong / max(sum(changed.values()), 1)


def shown(palette: Palette, ground: str, *sprites: Sprite, room: int = 120) -> Image.Image:
    """*sprites* one over the other in the middle of a field of *ground*, in RGB."""
    sheet = Sheet(palette, 2 * room, 2 * room, ground)
    for sprite in sprites:
        sheet.put(sprite, room, room)
    return sheet.picture().convert("RGB")


def differing(one: Image.Image, other: Image.Image) -> Image.Image:
    """White where two images in RGB differ, else black: a mask of mode L."""
    red, green, blue = ImageChops.difference(one, other).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point([0, *[255] * 255])


def apart(one: Image.Image, other: Image.Image) -> float:
    """How far the mean colours of two images lie from each other where they differ."""
    mask = differing(one, other)
    if mask.getbbox() is None:
        return 0.0
    means = []
    for side in (one, other):
        r, g, b = (round(part) for part in ImageStat.Stat(side, mask).mean)
        means.append((r, g, b))
    return distance(*means)


FAINT = 30
"""What differs less from the ground is its grain."""


def unlike(one: Image.Image, other: Image.Image) -> float:
    """Which share of what two images show differs though each has only two tones of its own."""
    tones = [_two_toned(image) for image in (one, other)]
    grounds = [Image.new("RGB", image.size, image.getpixel((0, 0))) for image in (one, other)]
    extents = [
        ImageChops.difference(a, b).convert("L").point([255 * (gap > FAINT) for gap in range(256)])
        for a, b in zip((one, other), grounds, strict=True)
    ]
    box = ImageChops.lighter(*extents).getbbox() or (0, 0, 1, 1)
    differing = ImageChops.logical_xor(*(tone.crop(box).convert("1") for tone in tones))
    white = differing.histogram()[255]
    return white / ((box[2] - box[0]) * (box[3] - box[1]))


def _two_toned(image: Image.Image) -> Image.Image:
    """*image* in black and white alone, parted in the middle of its own tones."""
    grey = image.convert("L")
    low, high = grey.getextrema()
    return grey.point([255 if tone > (low + high) / 2 else 0 for tone in range(256)])


def forget() -> None:
    """Let every sprite be drawn anew, in the palettes that are there."""
    MEMORY.clear()
    for found in painters_caches():
        if found.__name__ != "palette":
            found.cache_clear()


def painters_caches() -> set[_lru_cache_wrapper[Any]]:
    """The caches of the modules and classes below ``render`` that are imported."""
    modules = [vars(one) for name, one in sys.modules.items() if name.startswith("render.")]
    classes = [vars(one) for found in modules for one in found.values() if isinstance(one, type)]
    return {
        one
        for found in (*modules, *classes)
        for one in found.values()
        if isinstance(one, _lru_cache_wrapper) and one.__module__.startswith("render.")
    }


@contextmanager
def writing(patch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, float, float, str]]]:
    """What is written on new sprites: text, size in pixels of the em, least contrast, and ink.

    Against a ground that the sprite itself does not know, the contrast is 0.
    """
    noted: list[tuple[str, float, float, str]] = []
    real = Canvas.text

    def write(
        canvas: Canvas,
        x: float,
        y: float,
        text: str,
        px: float,
        colour: str,
        anchor: str = "mm",
        stroke: float = 0,
        stroke_colour: str | None = None,
        **how: Any,
    ) -> None:
        s, wide, high = fonts.SUPERSAMPLING, fonts.width(text, px) + 8, 1.2 * px
        left, top = x - canvas.left, y - canvas.top
        box = tuple(round(e * s) for e in (left - wide, top - high, left + wide, top + high))
        before = canvas._image.crop(box)
        real(canvas, x, y, text, px, colour, anchor, stroke, stroke_colour, **how)
        after = canvas._image.crop(box)
        flats = canvas.palette.flats
        if stroke and stroke_colour:
            least = contrast(flats[colour], flats[stroke_colour])
        else:
            least = _least_contrast(before, after, flats[colour])
        noted.append((text, px, least, colour))

    with patch.context() as patched:
        patched.setattr(Canvas, "text", write)
        draw_anew(patched)
        forget()
        yield noted


COLOURS = 1024
"""More than a palette has; Pillow clears so many places at every count, which took seconds."""


def _least_contrast(before: Image.Image, after: Image.Image, ink: Colour) -> float:
    mask = ImageChops.difference(before.convert("RGB"), after.convert("RGB")).convert("L")
    under = Image.new("RGBA", before.size, (1, 2, 3, 4))
    under.paste(before, mask=mask.point([0, *[255] * 255]).convert("1"))
    counted = [(n, c) for n, c in under.getcolors(COLOURS) or [] if c != (1, 2, 3, 4)]
    whole = sum(n for n, _ in counted)
    grounds = [c for n, c in counted if n > 0.15 * whole]
    if any(colour[3] == 0 for colour in grounds) or not grounds:
        return 0.0
    return min(contrast(ink, colour[:3]) for colour in grounds)
