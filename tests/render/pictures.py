"""How tests look at pictures: what changed, and whether it still looks as it was approved.

The approved pictures lie in ``tests/data/render``, a fifth of the size. After a change that
was meant, look at the new pictures and approve them with ``LUDOTECA_APPROVE=1``.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.texts import language
from games.core import Menu, Phrase, pick
from games.core.shelf import find_game
from render.kit import Palette
from render.kit.canvas import Canvas
from render.kit.painters import paint, painter
from render.kit.palettes import difference
from render.kit.sprites import Sprite
from render.scene import Scene, Target
from tests.drawn_sprites import draw_anew

APPROVED = Path(__file__).resolve().parents[1] / "data" / "render"
SHRUNK = 160


def dressed(scene: Scene, code: str = "es") -> Scene:
    """*scene* with the painter's words in the language *code*."""
    words: Mapping[str, Phrase] = painter(scene.game).captions(scene.seen)
    say: Callable[[Phrase], str] = language(code).say
    return replace(scene, captions=tuple((key, say(words[key])) for key in sorted(words)))


def asked(scene: Scene, seat: int, path: tuple[str, ...] = ()) -> Scene:
    """*scene* with what *seat* is asked after *path*."""
    menu = pick(find_game(scene.game), scene.seen, seat, path)
    if not isinstance(menu, Menu):
        return replace(scene, path=path)
    letters = "abcdefghijklmnopqrstuvwx"  # one page of choices
    targets = tuple(Target(a, step) for a, step in zip(letters, menu.options, strict=False))
    return replace(scene, path=menu.path, targets=targets)


def seen(scene: Scene) -> Image.Image:
    """The picture of *scene* as it reaches the eye, in RGB."""
    return paint(scene).convert("RGB")


def changed(one: Image.Image, other: Image.Image) -> tuple[int, int, int, int] | None:
    """The box in which two pictures differ, or ``None``."""
    return ImageChops.difference(one, other).getbbox()


def colours(picture: Image.Image, box: tuple[int, int, int, int]) -> set[Any]:
    """The colours that occur in *box*."""
    part = picture.crop(box)
    return {colour for _, colour in part.getcolors(part.width * part.height) or []}


def check_approved(scene: Scene, name: str, theme: str) -> None:
    """*scene* looks in *theme* as it was approved by *name*; edges may differ a little."""
    picture, name = seen(replace(scene, theme=theme)), f"{scene.game}-{name}-{theme}"
    height = round(picture.height * SHRUNK / picture.width)
    small = picture.resize((SHRUNK, height), Image.Resampling.BOX)
    file = APPROVED / f"{name}.png"
    if os.environ.get("LUDOTECA_APPROVE"):
        APPROVED.mkdir(parents=True, exist_ok=True)
        small.save(file, optimize=True)
    approved = Image.open(file).convert("RGB")
    assert small.size == approved.size
    difference = ImageChops.difference(small, approved)
    mean = sum(ImageStat.Stat(difference).mean) / 3
    strong = sum(difference.convert("L").histogram()[40:]) / (small.width * small.height)
    assert mean < 1.0, f"{name} differs by {mean:.2f} on average: look at it"
    assert strong < 0.0003, f"{name} differs in {strong:.2%} of its pixels: look at it"


def loss(palette: Palette, image: Image.Image) -> float:
    """How far, at most, a colour that fills a thousandth of *image* is from *palette*.

    Only opaque pixels count. A large loss tells of an edge that the palette's *edges* lack.
    """
    pixels = Counter(memoryview(image.convert("RGBA").tobytes()).cast("I"))
    least = image.width * image.height / 1000
    worst = 0.0
    for pixel, count in pixels.items():
        r, g, b, alpha = pixel.to_bytes(4, sys.byteorder)
        if alpha == 255 and count >= least:
            nearest = palette.colours[palette.nearest((r, g, b))]
            worst = max(worst, difference((r, g, b), nearest))
    return worst


def losses_of(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The `loss` of every sprite that is drawn from now on, in the order in which they are."""
    losses: list[float] = []
    drawn = Canvas.sprite

    def sprite(canvas: Canvas) -> Sprite:
        losses.append(loss(canvas.palette, canvas.image()))
        return drawn(canvas)

    monkeypatch.setattr(Canvas, "sprite", sprite)
    draw_anew(monkeypatch)
    return losses
