"""The podium at the end of a season or a tournament, as a poster."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from render.club.club_canvas import BLACK, BOLD, LEAST, WIDE, ClubCanvas
from render.club.ranking import CACHED
from render.kit.poster_ground import house_shape, poster_inks
from render.medals import METALS

FLOOR: Final = 664

STEPS: Final = {1: (266, 510, 362), 2: (56, 276, 432), 3: (500, 720, 470)}
"""Where the step of each place begins and ends, and how high it reaches."""

CONFETTI: Final = ("#F5C11E", "#C79BE6", "#FFFFFF", "#8FC6D2", "#F0968E")


@dataclass(frozen=True)
class PodiumStep:
    """Somebody on a step: the *place*, the *name*, the *points* and what decided; a piece's *side*.

    Who shares a place shares its step.
    """

    place: int
    name: str
    points: str = ""
    side: str = ""


@dataclass(frozen=True)
class PodiumGroup:
    """People named beside the steps under a *title*; *game* has its piece before the title."""

    title: str
    names: tuple[str, ...]
    game: str = ""


@dataclass(frozen=True)
class Podium:
    """The podium of *game*: *title*, *words*, the *steps* from the first on, others beside."""

    game: str
    title: str
    words: str
    steps: tuple[PodiumStep, ...]
    beside: tuple[PodiumGroup, ...] = ()


@lru_cache(CACHED)
def podium_picture(podium: Podium, theme: str = "light") -> bytes:
    """A PNG file of *podium*; *theme* is that of the boards."""
    canvas = ClubCanvas(theme, poster_inks(podium.game).deep)
    width, height = WIDE
    whole = [(0, 0), (width, 0), (width, height), (0, height)]
    canvas.ground(podium.game, whole, height - 1)
    canvas.rays(388, 330, whole, poster_inks(podium.game).accent, 0.16)
    canvas.words(40, 62, podium.title, 66, "white", BLACK, room=1020, least=0.6)
    canvas.words(42, 122, podium.words, 38, poster_inks(podium.game).accent, BOLD, room=1020)
    for n in range(46):
        x, y = 30 + (n * 211) % 730, 150 + (n * n * 37 + n * 61) % 280
        if abs(x - 388) > 90 or abs(y - 250) > 110:
            house_shape(canvas, n, x, y, 6 + n % 3 * 2, CONFETTI[n % 5])
    for place in (2, 3, 1):
        if on := [step for step in podium.steps if step.place == place]:
            _put_step(canvas, podium.game, place, on)
    canvas.box((0, FLOOR, width, height), canvas.shade(poster_inks(podium.game).deep, 0.35, "line"))
    _put_beside(canvas, podium)
    return canvas.png()


def _put_step(canvas: ClubCanvas, game: str, place: int, on: list[PodiumStep]) -> None:
    left, right, top = STEPS[place]
    light, middle, rim = list(METALS.values())[place - 1]
    canvas.box((left, top, right, FLOOR), middle)
    canvas.veil([(right - 34, top), (right, top), (right, FLOOR), (right - 34, FLOOR)], rim, 0.35)
    lid = [(left - 8, top - 14), (right + 8, top - 14), (right, top + 12), (left, top + 12)]
    canvas.polygon(lid, light, "dark", 3)
    canvas.line([(left, top + 12), (left, FLOOR), (right, FLOOR), (right, top + 12)], "dark", 3)
    x, shared = (left + right) / 2, len(on) > 1
    canvas.words(x, top + 60, str(place), 80, "dark", BLACK, "m")
    y = top + 120
    for one in on[:3]:
        canvas.words(x, y, one.name, 44 - 8 * shared, "dark", BLACK, "m", right - left - 24)
        y += 46
    canvas.words(x, y, on[0].points, LEAST, "dark", anchor="m", room=right - left - 20)
    r = (60 if place == 1 else 48) * (0.72 if shared else 1)
    for number, one in enumerate(on[:3]):
        at = x - 22 + (number - (min(3, len(on)) - 1) / 2) * r * 1.7 + 22 * shared
        canvas.face(at, top - 12 - r, r, one.name, "white")
        canvas.piece(game, one.side, at + r + 16, top - 30, 76 - 26 * shared, 8)
    if place == 1 and not shared:
        canvas.crown(x - 22, top - 16 - 2 * r - 12, 30)


def _put_beside(canvas: ClubCanvas, podium: Podium) -> None:
    x, y = 800.0, 196.0
    if podium.beside:
        canvas.veil([(776, 150), (1100, 150), (1100, 700), (724, 700)], "line", 0.34)
    for group in podium.beside:
        if y > 640 - 50 * len(group.names):
            break
        at = x
        if group.game:
            canvas.pieces(group.game, x + 22, y, 60, 46)
            at += 62
        canvas.words(at, y, group.title, 40, "white", BLACK, room=1080 - at)
        y += 52
        for name in group.names:
            canvas.face(x + 24, y, 21, name, "white")
            canvas.words(x + 62, y, name, 36, "white", room=220)
            y += 50
        y += 12
    if y < 520:
        canvas.pieces(podium.game, 912, 590, 230, 130)
