"""What medals somebody has: of which metal, of which game, since when, and how rare they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from render.club.club_canvas import BLACK, BOLD, LEAST, ClubCanvas
from render.club.ranking import CACHED
from render.medals import MedalFace, put_medal

SHOWN = 6
"""How many are shown at most."""


@dataclass(frozen=True)
class MedalLine:
    """A medal with its *facts* and its *day*; *done* says how far one is that is not given yet."""

    face: MedalFace
    facts: str
    day: str
    done: str = ""


@dataclass(frozen=True)
class MedalCollection:
    """The medals of *name*, of whom *words* say how many there are."""

    name: str
    words: str
    lines: tuple[MedalLine, ...]


@lru_cache(CACHED)
def medal_collection_picture(shown: MedalCollection, theme: str = "light") -> bytes:
    """A PNG file of *shown*; *theme* is that of the boards."""
    canvas = ClubCanvas(theme)
    canvas.band("", 122, shown.name, shown.words)
    for number, one in enumerate(shown.lines[:SHOWN]):
        x, y = 20 + 540 * (number % 2), 142 + 184 * (number // 2)
        canvas.box((x, y, x + 520, y + 172), "bar", radius=16)
        if one.done:
            canvas.broken_ring(x + 86, y + 86, 58)
            canvas.words(x + 86, y + 86, one.done, 36, "soft", BOLD, "m", 100)
        else:
            put_medal(canvas, one.face, x + 86, y + 98, 48, ribbon=True)
        ink = "soft" if one.done else "ink"
        canvas.words(x + 172, y + 42, one.face.name, 40, ink, BLACK, room=338)
        canvas.words(x + 172, y + 90, one.facts, LEAST, ink, room=338)
        canvas.words(x + 172, y + 134, one.day, LEAST, "soft", room=338)
    return canvas.png()
