"""The typefaces: Noto Sans CJK JP Bold, and others for the scripts that it lacks.

Accented Latin, Cyrillic and Greek are Source Sans, after which the Latin of Noto Sans CJK was
drawn. The rest is Noto Sans, from Python packages whose files ``hatch_build.py`` takes into a wheel
or, for further scripts, from the system.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

from bidi import get_display
from PIL import ImageFont, features

FSI, PDI = "\u2068", "\u2069"
"""First strong isolate, and its end."""

SUPERSAMPLING = 4
"""How many times larger, in each direction, things are drawn than shown."""

ELLIPSIS = "..."  # The typeface's own "…" is Japanese: it hangs half way up.
_NO_CHARACTER = "\uffff"  # guaranteed by Unicode never to be one
_BOLD = 700


@dataclass(frozen=True)
class Script:
    """A script: its code points (*ranges*), and the package that has its typeface, or "" if none.

    *shaped* means that letters change with their neighbours, for which Pillow needs libraqm.
    *scale* brings its letters to the height of the others.
    """

    name: str
    package: str
    ranges: tuple[tuple[int, int], ...]
    shaped: bool = True
    scale: float = 1.0
    weight: str = "Bold"

    def covers(self, character: str) -> bool:
        """Whether *character* is one of this script."""
        return any(first <= ord(character) <= last for first, last in self.ranges)


LATIN = "font_source_sans_pro"
RTL, SOUTH, EAST, SYSTEM = (
    "justmytype_intl_rtl",
    "justmytype_intl_south_asia",
    "justmytype_intl_sea",
    "",
)
OURS = "ludoteca_fonts"
"""The folder of a wheel that holds the fonts of the packages which are needed to build it alone."""

SOURCE = 733 / 660
"""How much larger Source Sans is set, so that its letters are as high as those of Noto Sans."""

SCRIPTS = (
    Script(
        "SourceSansPro",
        LATIN,
        ((0x100, 0x24F), (0x1E00, 0x1EFF), (0x370, 0x3FF), (0x400, 0x52F), (0x1F00, 0x1FFF)),
        shaped=False,
        scale=SOURCE,
    ),
    Script(
        "Arabic",
        RTL,
        ((0x600, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFE)),
    ),
    Script("Hebrew", RTL, ((0x590, 0x5FF), (0xFB1D, 0xFB4F))),
    Script("Devanagari", SOUTH, ((0x900, 0x97F),)),
    Script("Bengali", SOUTH, ((0x980, 0x9FF),)),
    Script("Tamil", SOUTH, ((0xB80, 0xBFF),)),
    Script("Telugu", SOUTH, ((0xC00, 0xC7F),)),
    Script("Thai", EAST, ((0xE00, 0xE7F),)),
    Script("Lao", EAST, ((0xE80, 0xEFF),)),
    Script("Khmer", EAST, ((0x1780, 0x17FF),)),
    Script("Myanmar", EAST, ((0x1000, 0x109F),)),
    Script("Gurmukhi", SYSTEM, ((0xA00, 0xA7F),)),
    Script("Gujarati", SYSTEM, ((0xA80, 0xAFF),)),
    Script("Kannada", SYSTEM, ((0xC80, 0xCFF),)),
    Script("Malayalam", SYSTEM, ((0xD00, 0xD7F),)),
    Script("Sinhala", SYSTEM, ((0xD80, 0xDFF),)),
    Script("Armenian", SYSTEM, ((0x530, 0x58F),), shaped=False),
    Script("Georgian", SYSTEM, ((0x10A0, 0x10FF), (0x1C90, 0x1CBF)), shaped=False),
    Script("Ethiopic", SYSTEM, ((0x1200, 0x139F),), shaped=False),
)

WEIGHTS = {
    weight: Script(
        "SourceSansPro",
        LATIN,
        (
            (0x20, 0x2AF),
            *SCRIPTS[0].ranges[1:],
            (0x2010, 0x2044),
            (0x2212, 0x2212),
            (0x2248, 0x2248),
        ),
        shaped=False,
        scale=SOURCE,
        weight=weight,
    )
    for weight in ("Semibold", "Bold", "Black")
}
"""The typefaces of large words, in which all that is Latin is Source Sans, by their weights."""

_SYSTEMS = ("/usr/share/fonts", "/usr/local/share/fonts")


@lru_cache(maxsize=4096)
def script_of(character: str) -> Script | None:
    """The script of *character*, if there is a typeface for it."""
    if unicodedata.category(character) == "Cn":
        return None
    for script in SCRIPTS:
        if script.covers(character):
            usable = not script.shaped or shaping()
            return script if usable and file_of(script) is not None else None
    return None


@cache
def shaping() -> bool:
    """Whether this Pillow can join and reorder letters."""
    return bool(features.check("raqm"))


@cache
def file_of(script: Script) -> Path | None:
    """Where the typeface of *script* lies."""
    name = f"NotoSans{script.name}"
    latin = script.package == LATIN
    shape = f"{script.name}-{script.weight}.ttf" if latin else "*.ttf"
    inside = "files" if latin else f"fonts/ofl/{name.lower()}"
    for package, folder in ((script.package, inside), (OURS, name.lower())):
        found = importlib.util.find_spec(package) if script.package else None
        for place in (found and found.submodule_search_locations) or ():
            for file in sorted(Path(place, folder).glob(shape)):
                return file
    for system in _SYSTEMS:
        for shape in (f"{name}-Bold.ttf", f"{name}-Regular.ttf", f"{name}[[]*[]].ttf"):
            for file in sorted(Path(system).glob(f"**/{shape}")):
                return file
    return None


Run: TypeAlias = tuple[str, ImageFont.FreeTypeFont]
"""A part of a text in one typeface."""


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
    """The typeface in which text shown at *px* is drawn on a canvas."""
    return font(round(px * SUPERSAMPLING * (script.scale if script else 1.0)), script)


def isolated(text: str) -> str:
    """*text*, of which neither the letters before nor those after tell the direction."""
    return f"{FSI}{text}{PDI}"


def runs(text: str, px: float, weight: str = "") -> list[Run]:
    """*text* in runs of one typeface, from left to right; a blank belongs to the run before it.

    Each run is as it is read. *weight* is one of ``WEIGHTS``, or "" for the usual typeface.
    """
    found: list[tuple[str, Script | None, bool]] = []
    latin = WEIGHTS.get(weight)
    for character in visual_order(text):
        script = latin if latin and latin.covers(character) else script_of(character)
        turned = script in _FROM_THE_RIGHT and unicodedata.bidirectional(character) not in _DIGITS
        goes_on = character == " " or (script is None and unicodedata.combining(character))
        if found and (goes_on or (script, turned) == found[-1][1:]):
            found[-1] = (found[-1][0] + character, *found[-1][1:])
        else:
            found.append((character, script, turned))
    return [(part[::-1] if turned else part, fine(px, script)) for part, script, turned in found]


_FROM_THE_RIGHT = tuple(script for script in SCRIPTS if script.package == RTL)
_DIGITS = ("EN", "AN")
_MARK = "\u034f"
"""Combines with what is before it, as accents do, and is not seen."""

_BRACKET = "([][(){}<>«»])"
_MARKED = re.compile(f"{_MARK}{_BRACKET}|{_BRACKET}{_MARK}")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def visual_order(text: str) -> str:
    """The characters of *text* as they stand from left to right (UAX #9), without isolates.

    A bracket among letters from the right stands there with its mark on the other side: it is
    turned.
    """
    if text.isascii():
        return text  # nothing in it is from the right
    shown = get_display(re.sub(_BRACKET, rf"\1{_MARK}", text)).translate(
        {ord(FSI): "", ord(PDI): ""}
    )
    return _MARKED.sub(lambda one: one[2] or one[1].translate(_MIRRORED), shown)


def width(text: str, px: float, weight: str = "") -> float:
    """The width of *text* set at *px*, in pixels of the picture."""
    return sum(face.getlength(part) for part, face in runs(text, px, weight)) / SUPERSAMPLING


@lru_cache(maxsize=64)
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


KEPT_SIGNS = re.compile("([½ªº…])")
"""What a normal form would tear apart, and every typeface here has."""


def _normal(text: str) -> str:
    """*text* in the form in which as few characters as can be stand for what is seen."""
    return "".join(
        part if place % 2 else unicodedata.normalize("NFKC", part)
        for place, part in enumerate(KEPT_SIGNS.split(text))
    )


KEPT_BLANKS = frozenset({" ", FSI, PDI})
"""What has no ink and is kept: a blank, and the isolates around a name."""


def _drawable(text: str) -> Iterator[str]:
    """The characters of *text* that can be drawn; of others the bare letter, if that can be."""
    for character in text:
        if character in KEPT_BLANKS or _has(character):
            yield character
        else:
            bare = unicodedata.normalize("NFD", character)[:1]
            if bare != character and _has(bare):
                yield bare


@lru_cache(maxsize=1024)
def drawable(text: str) -> str:
    """The part of *text* that has glyphs; "" if most of its letters have none."""
    text = _normal(text)
    found = " ".join("".join(_drawable(text)).split())
    letters, kept = (sum(map(str.isalnum, one)) for one in (text, found))
    return found if 2 * kept >= letters and kept else ""


@lru_cache(maxsize=1024)
def fitting_text(text: str, px: float, room: float, weight: str = "") -> str:
    """*text* as it fits at *px* in *room* pixels, cut with dots if need be."""
    text = " ".join("".join(_drawable(_normal(text))).split())
    if width(text, px, weight) <= room:
        return text
    for length in range(len(text) - 1, 0, -1):
        if unicodedata.category(text[length]).startswith("M"):
            continue  # A combining mark stays with its letter.
        cut = text[:length].rstrip() + ("…" if weight else ELLIPSIS)
        if width(cut, px, weight) <= room:
            return cut
    return ""
