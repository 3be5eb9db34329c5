"""What medals somebody has: of which metal, of which game, since when, and how rare they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from render.club.club_canvas import BLACK, BOLD, LEAST, WIDE, ClubCanvas
from render.club.ranking import CACHED
from render.kit.poster_ground import poster_inks
from render.medals import MedalFace, put_medal

SHOWN = 6
"""How many are shown at most."""


@dataclass(frozen=True)
class MedalLine:
    """A medal with its *facts*, its *day*, its *share* of the club, and what is *told* of its deed.

    *done* says how far one is that is not given yet.
    """

    face: MedalFace
    facts: str
    day: str
    done: str = ""
    share: str = ""
    told: str = ""


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
        day = " · ".join(filter(None, (one.day, one.share)))
        canvas.words(x + 172, y + 134, day, LEAST, "soft", room=338)
    return canvas.png()


@lru_cache(CACHED)
def medal_card_picture(name: str, one: MedalLine, theme: str = "light") -> bytes:
    """A PNG file of the medal *one* of *name* alone, to be sent on."""
    inks, (wide, high) = poster_inks(one.face.game), WIDE
    canvas, whole = ClubCanvas(theme, inks.deep), [(0, 0), (wide, 0), (wide, high), (0, high)]
    canvas.ground(one.face.game, whole, high - 1)
    canvas.rays(264, 400, whole, inks.accent, 0.16)
    put_medal(canvas, one.face, 264, 400, 172, ribbon=True)
    canvas.words(536, 132, one.facts, 42, "title", BOLD, room=536)
    y = canvas.lines(536, 208, one.face.name, 72, 536, "white", BLACK, 2, 1.0)
    canvas.words(536, y, name, 54, "white", BOLD, room=536)
    y = canvas.lines(536, y + 74, one.told, 42, 536, "white")
    canvas.tag(540, y + 32, one.share, 44)
    canvas.words(536, y + 122, one.day, 42, inks.accent, BOLD, room=536)
    return canvas.png()
