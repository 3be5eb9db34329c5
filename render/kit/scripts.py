"""The scripts that the one typeface lacks: which typeface has them, and what goes with what.

Accented Latin, Cyrillic and Greek are Source Sans, after which the Latin of the one typeface was
drawn; the rest is Noto Sans, as packages of Python bring it, and a Noto of the system for further
scripts where one is installed.
"""

from __future__ import annotations

import importlib.util
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from PIL import features


@dataclass(frozen=True)
class Script:
    """A script: the code points from *ranges*, in a file of one of the packages or the system.

    *shaped* says that its letters change with their neighbours, which Pillow leaves to libraqm.
    *scale* brings its letters to the height of the others.
    """

    name: str
    package: str
    ranges: tuple[tuple[int, int], ...]
    shaped: bool = True
    scale: float = 1.0


LATIN = "font_source_sans_pro"
RTL, SOUTH, EAST, SYSTEM = (
    "justmytype_intl_rtl",
    "justmytype_intl_south_asia",
    "justmytype_intl_sea",
    "",
)
SCRIPTS = (
    Script(
        "SourceSansPro",
        LATIN,
        ((0x100, 0x24F), (0x1E00, 0x1EFF), (0x370, 0x3FF), (0x400, 0x52F), (0x1F00, 0x1FFF)),
        shaped=False,
        scale=733 / 660,
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

_SYSTEMS = ("/usr/share/fonts", "/usr/local/share/fonts")


@lru_cache(maxsize=4096)
def script_of(character: str) -> Script | None:
    """The script of *character*, where there is a typeface for it."""
    if unicodedata.category(character) == "Cn":
        return None
    point = ord(character)
    for script in SCRIPTS:
        if any(first <= point <= last for first, last in script.ranges):
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
    if script.package:
        found = importlib.util.find_spec(script.package)
        if found is None or found.origin is None:
            return None
        if script.package == LATIN:
            return Path(found.origin).parent / "files" / f"{script.name}-Bold.ttf"
        folder = Path(found.origin).parent / "fonts" / "ofl" / name.lower()
        return next(iter(sorted(folder.glob("*.ttf"))), None)
    for system in _SYSTEMS:
        for shape in (f"{name}-Bold.ttf", f"{name}-Regular.ttf", f"{name}[[]*[]].ttf"):
            for file in sorted(Path(system).glob(f"**/{shape}")):
                return file
    return None


def leads_from_the_right(text: str) -> bool:
    """Whether *text* as a whole runs from right to left (UAX #9, P2 and P3)."""
    for character in text:
        match unicodedata.bidirectional(character):
            case "L":
                return False
            case "R" | "AL":
                return True
    return False
