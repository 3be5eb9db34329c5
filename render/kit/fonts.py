"""The one typeface: Noto Sans CJK JP Bold, which has Latin letters, figures and kanji."""

from __future__ import annotations

import importlib
from functools import cache, lru_cache

from PIL import ImageFont

SUPERSAMPLING = 4
"""How many times finer, in each direction, things are drawn than they are shown."""

ELLIPSIS = "..."  # The typeface's own "…" is Japanese: it hangs half way up.
_NO_CHARACTER = "\uffff"  # guaranteed by Unicode never to be one


@cache
def font(pixels: int) -> ImageFont.FreeTypeFont:
    """The typeface at *pixels* to the em; the same shapes with or without libraqm."""
    path = importlib.import_module("noto_cjk_sans_jp_bold").FONT_PATH
    return ImageFont.truetype(str(path), pixels, layout_engine=ImageFont.Layout.BASIC)


def fine(px: float) -> ImageFont.FreeTypeFont:
    """The typeface for text that is shown *px* high, as it is drawn on a canvas."""
    return font(round(px * SUPERSAMPLING))


def width(text: str, px: float) -> float:
    """How far *text* set at *px* advances, in pixels of the picture."""
    return fine(px).getlength(text) / SUPERSAMPLING


def cap_height(px: float) -> float:
    """The height of a capital letter set at *px*."""
    return -fine(px).getbbox("H", anchor="ls")[1] / SUPERSAMPLING


@lru_cache(maxsize=4096)
def _has(character: str) -> bool:
    small = font(16)
    if not small.getlength(character):
        return False
    lacking = small.getmask(_NO_CHARACTER)
    drawn = small.getmask(character)
    return drawn.size != lacking.size or bytes(drawn) != bytes(lacking)


def legible(text: str) -> str:
    """*text* without the characters for which the typeface has no shape."""
    return " ".join("".join(c for c in text if c == " " or _has(c)).split())


@lru_cache(maxsize=1024)
def fitted(text: str, px: float, room: float) -> str:
    """*text* as far as it can be shown at *px* in *room* pixels, cut with dots at need."""
    text = legible(text)
    if width(text, px) <= room:
        return text
    for length in range(len(text) - 1, 0, -1):
        cut = text[:length].rstrip() + ELLIPSIS
        if width(cut, px) <= room:
            return cut
    return ""
