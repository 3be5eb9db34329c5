"""What is written with: Noto Sans CJK JP Bold, and Noto Sans for the scripts that it lacks."""

from __future__ import annotations

import importlib
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TypeAlias

from PIL import ImageFont

from render.kit.scripts import Script, file_of, leads_from_the_right, script_of

SUPERSAMPLING = 4
"""How many times finer, in each direction, things are drawn than they are shown."""

ELLIPSIS = "..."  # The typeface's own "…" is Japanese: it hangs half way up.
_NO_CHARACTER = "\uffff"  # guaranteed by Unicode never to be one
_BOLD = 700

Run: TypeAlias = tuple[str, ImageFont.FreeTypeFont]
"""A stretch of text in one typeface."""


@cache
def font(pixels: int, script: Script | None = None) -> ImageFont.FreeTypeFont:
    """The typeface at *pixels* to the em, or that of *script*, bold.

    The usual one has the same shapes with or without libraqm.
    """
    if script is None:
        path = importlib.import_module("noto_cjk_sans_jp_bold").FONT_PATH
        return ImageFont.truetype(str(path), pixels, layout_engine=ImageFont.Layout.BASIC)
    engine = ImageFont.Layout.RAQM if script.shaped else ImageFont.Layout.BASIC
    found = ImageFont.truetype(str(file_of(script)), pixels, layout_engine=engine)
    try:
        axes = found.get_variation_axes()
    except OSError:
        return found  # It has one weight.
    bold = [_BOLD if axis["name"] == b"Weight" else axis["default"] for axis in axes]
    found.set_variation_by_axes([float(value or 0) for value in bold])
    return found


def fine(px: float, script: Script | None = None) -> ImageFont.FreeTypeFont:
    """The typeface for text that is shown *px* high, as it is drawn on a canvas."""
    return font(round(px * SUPERSAMPLING * (script.scale if script else 1.0)), script)


def runs(text: str, px: float) -> list[Run]:
    """*text* in stretches of one typeface each, as they stand from left to right.

    A blank goes with what stands before it.
    """
    found: list[tuple[str, Script | None]] = []
    for character in text:
        script = script_of(character)
        goes_on = character == " " or unicodedata.combining(character)
        if found and (goes_on or script == found[-1][1]):
            found[-1] = (found[-1][0] + character, found[-1][1])
        else:
            found.append((character, script))
    if leads_from_the_right(text):
        found.reverse()
    return [(part, fine(px, script)) for part, script in found]


def width(text: str, px: float) -> float:
    """How far *text* set at *px* advances, in pixels of the picture."""
    return sum(face.getlength(part) for part, face in runs(text, px)) / SUPERSAMPLING


def cap_height(px: float) -> float:
    """The height of a capital letter set at *px*."""
    return -fine(px).getbbox("H", anchor="ls")[1] / SUPERSAMPLING


@lru_cache(maxsize=4096)
def _has(character: str) -> bool:
    if script_of(character) is not None:
        return True
    small = font(16)
    if not small.getlength(character):
        return False
    lacking = small.getmask(_NO_CHARACTER)
    drawn = small.getmask(character)
    return drawn.size != lacking.size or bytes(drawn) != bytes(lacking)


def _drawable(text: str) -> Iterator[str]:
    """The characters of *text* that can be drawn; of what cannot, at least the bare letter."""
    for character in text:
        if character == " " or _has(character):
            yield character
        else:
            bare = unicodedata.normalize("NFD", character)[:1]
            if bare != character and _has(bare):
                yield bare


@lru_cache(maxsize=1024)
def legible(text: str) -> str:
    """*text* as far as there are shapes for it; nothing where most of its letters have none."""
    text = unicodedata.normalize("NFKC", text)
    found = " ".join("".join(_drawable(text)).split())
    letters, kept = (sum(map(str.isalnum, one)) for one in (text, found))
    return found if 2 * kept >= letters and kept else ""


@lru_cache(maxsize=1024)
def fitted(text: str, px: float, room: float) -> str:
    """*text* as far as it can be shown at *px* in *room* pixels, cut with dots at need."""
    text = " ".join("".join(_drawable(unicodedata.normalize("NFKC", text))).split())
    if width(text, px) <= room:
        return text
    for length in range(len(text) - 1, 0, -1):
        if unicodedata.category(text[length]).startswith("M"):
            continue  # A sign over a letter stays with it.
        cut = text[:length].rstrip() + ELLIPSIS
        if width(cut, px) <= room:
            return cut
    return ""
