"""The bracket of a knockout tournament: from the left, or of sixteen from both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from render.club.club_canvas import BLACK, BOLD, LEAST, ClubCanvas
from render.club.ranking import CACHED

ROUNDS: Final = 4
"""How many rounds are shown at most: the last ones, from the sixteen on."""

COLUMNS: Final = ((28, 306), (396, 290), (744, 330))
"""Where each round begins and how wide its matches are, the final last."""

HALVES: Final = ((14, 176), (216, 158), (398, 150))
"""The same for the left half of sixteen."""


@dataclass(frozen=True)
class BracketSide:
    """One side of a match: a *name*, "" while nobody knows it, and the *points* so far."""

    name: str
    points: str = ""
    won: bool = False
    own: bool = False


@dataclass(frozen=True)
class BracketMatch:
    """A match of the bracket; of a *bye* only one side has a name. It is *live* while played."""

    sides: tuple[BracketSide, BracketSide]
    bye: bool = False
    live: bool = False


@dataclass(frozen=True)
class Bracket:
    """The matches of each of the *rounds* of a tournament of *game*, the final's last.

    *final*, *live* and *through* are the words for the final and for the two signs.
    """

    game: str
    title: str
    words: str
    rounds: tuple[tuple[BracketMatch, ...], ...]
    final: str = ""
    live: str = ""
    through: str = ""


@lru_cache(CACHED)
def bracket_picture(bracket: Bracket, theme: str = "light") -> bytes:
    """A PNG file of *bracket*; *theme* is that of the boards."""
    canvas = ClubCanvas(theme)
    rounds = bracket.rounds[-ROUNDS:]
    canvas.band(bracket.game, 122, bracket.title, bracket.words, 28)
    if len(rounds) == ROUNDS:
        _put_halves(canvas, bracket, rounds)
    else:
        columns = COLUMNS[len(COLUMNS) - len(rounds) :]
        aside = (columns[0][0] - COLUMNS[0][0]) // 2
        columns = tuple((x - aside, wide) for x, wide in columns)
        top = _put_rounds(canvas, rounds, columns, 46)
        x, wide = columns[-1]
        canvas.words(x + wide / 2, top - 30, bracket.final, 40, "ink", BLACK, "m")
    canvas.box((14, 652, 42, 680), "pale", "amber", 3, 6)
    after = 96 + canvas.words(54, 667, bracket.live, LEAST)
    canvas.box((after, 652, after + 10, 680), "gold", "line", 1.5, 4)
    canvas.words(after + 22, 667, bracket.through, LEAST)
    return canvas.png()


def _put_rounds(
    canvas: ClubCanvas,
    rounds: Sequence[Sequence[BracketMatch]],
    columns: Sequence[tuple[int, int]],
    high: int,
    *,
    mirrored: bool = False,
) -> float:
    """The matches and the lines between them; the answer is the top of the last match."""
    first, box = len(rounds[0]), 2 * high + 2
    step = min(140.0, 500 / first)
    middles = [400 + (number - (first - 1) / 2) * step for number in range(first)]
    for place, (matches, (x, wide)) in enumerate(zip(rounds, columns, strict=True)):
        left = 1100 - x - wide if mirrored else x
        for match, middle in zip(matches, middles, strict=True):
            _put_match(canvas, match, left, middle - box / 2, wide, high)
        if place + 1 < len(rounds):
            here, there = (left, left - 26) if mirrored else (left + wide, columns[place + 1][0])
            pairs = list(zip(middles[::2], middles[1::2], strict=True))
            for upper, lower in pairs:
                at = (here + there) / 2
                canvas.line([(here, upper), (at, upper), (at, lower), (here, lower)], "soft", 3)
                canvas.line([(at, (upper + lower) / 2), (there, (upper + lower) / 2)], "soft", 3)
            middles = [(upper + lower) / 2 for upper, lower in pairs]
    return middles[0] - box / 2


def _put_halves(
    canvas: ClubCanvas, bracket: Bracket, rounds: Sequence[Sequence[BracketMatch]]
) -> None:
    *before, (final,) = rounds
    for mirrored in (False, True):
        half = [one[len(one) // 2 :] if mirrored else one[: len(one) // 2] for one in before]
        _put_rounds(canvas, half, HALVES, 42, mirrored=mirrored)
    for x in (473, 627):
        canvas.line([(x, 350), (x, 270)], "soft", 3)
    canvas.box((396, 136, 704, 270), "bar", "gold", 4, 14)
    canvas.words(550, 162, bracket.final, 36, "ink", BLACK, "m")
    for side, y in zip(final.sides, (204, 244), strict=True):
        weight, ink = (BLACK, "ink") if side.won else (BOLD, "soft")
        canvas.words(550, y, f"{side.name or '—'} {side.points}", 36, ink, weight, "m", 280)
    canvas.pieces(bracket.game, 550, 580, 220, 120)


def _put_match(
    canvas: ClubCanvas, match: BracketMatch, x: float, y: float, wide: float, high: float
) -> None:
    """Two names one above the other; the winner strong and with a bar of gold."""
    box = (x, y, x + wide, y + 2 * high + 2)
    decided = any(side.won for side in match.sides)
    canvas.box((box[0], box[1] + 4, box[2], box[3] + 4), "track", radius=9)
    fill, line = ("pale", "amber") if match.live else ("bar", "hair")
    canvas.box(box, fill, line, 3 if match.live else 2, 9)
    canvas.line([(x + 16, y + high + 1), (x + wide - 12, y + high + 1)], "hair", 2)
    for side, middle in zip(match.sides, (y + high / 2 + 1, y + high * 1.5 + 1), strict=True):
        if side.won:
            gold = (x + 4, middle - high / 2 + 6, x + 12, middle + high / 2 - 6)
            canvas.box(gold, "gold", "line", 1.5, 4)
        ink = "ink" if side.won or not decided else "soft"
        taken = canvas.words(x + wide - 12, middle, side.points, LEAST, ink, BOLD, "r")
        room = wide - 36 - taken - 8 * bool(taken)
        weight = BLACK if side.won or side.own else "Semibold"
        said = "" if match.bye and not side.name else side.name or "—"
        canvas.words(x + 20, middle, said, LEAST, ink, weight, room=room)
