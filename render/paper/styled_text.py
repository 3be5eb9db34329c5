"""The letters of printed texts: plain, bold and slanted, and other scripts as on the boards."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont

from render.kit import fonts
from render.kit.bidi import visual_order

ASCENT, DESCENT = 0.95, 0.30
"""How far letters reach above and below the line they stand on, in their size."""


class Style(Enum):
    """A style of letters, by its typeface of Source Sans."""

    PLAIN = "Regular"
    BOLD = "Bold"
    ITALIC = "It"


Span: TypeAlias = tuple[Style, str]
"""A part of a text in one style."""

Run: TypeAlias = tuple[str, ImageFont.FreeTypeFont]


@cache
def _face(style: Style, px: int) -> ImageFont.FreeTypeFont:
    found = importlib.util.find_spec(fonts.LATIN)
    if found is None or found.origin is None:  # pragma: no cover - a dependency of ours
        return fonts.font(px)
    path = Path(found.origin).parent / "files" / f"SourceSansPro-{style.value}.ttf"
    return ImageFont.truetype(str(path), px, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _stands_in_face(character: str) -> bool:
    """Whether Source Sans has *character*."""
    face = _face(Style.PLAIN, 16)
    lacking, drawn = face.getmask("\uffff"), face.getmask(character)
    return character == " " or drawn.size != lacking.size or bytes(drawn) != bytes(lacking)


def runs(spans: Iterable[Span], px: float) -> Iterator[Run]:
    """*spans* in runs of one typeface, set at *px* dots to the em."""
    for style, text in spans:
        if any(from_the_right for _, from_the_right in visual_order(text)):
            # Each word in its own place is the business of the letters of the boards.
            yield from fonts.runs(text, px / fonts.SUPERSAMPLING)
            continue
        part, own = "", True
        for character in text:
            stands = _stands_in_face(character)
            if part and stands != own:
                yield _run(part, style, px, own)
                part = ""
            part, own = part + character, stands
        if part:
            yield _run(part, style, px, own)


def _run(part: str, style: Style, px: float, own: bool) -> Run:
    if own:
        return part, _face(style, round(px))
    return part, fonts.font(round(px), fonts.script_of(part[0]))


def width(spans: Sequence[Span], px: float) -> float:
    """The width of *spans* in dots, in a line set at *px*."""
    return sum(face.getlength(part) for part, face in runs(spans, px))


def written(spans: Sequence[Span], px: float, ink: str = "black") -> Image.Image:
    """A line of *spans* on white."""
    size = (max(1, round(width(spans, px)) + 2), round((ASCENT + DESCENT) * px))
    line = Image.new("RGB", size, "white")
    draw, at = ImageDraw.Draw(line), 0.0
    for part, face in runs(spans, px):
        draw.text((round(at), round(ASCENT * px)), part, fill=ink, font=face, anchor="ls")
        at += face.getlength(part)
    return line
