"""The card of a person: where they stand in each game, what they have done, what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from render.club.club_canvas import BLACK, BOLD, LEAST, SEMIBOLD, ClubCanvas
from render.club.ranking import CACHED
from render.kit.poster_ground import poster_inks
from render.medals import MedalFace, put_medal

LOW, HIGH, MIDDLE = 1200, 1900, 1500
"""The ends of the scale on which all ratings stand, and the rating of a beginner."""

SCALE: Final = (404, 690)
"""Where the scale begins and ends."""


@dataclass(frozen=True)
class RankRow:
    """How somebody stands in a *game*, which is *called* so: the *rating* and its *deviation*.

    *form* are the signs of the last results, the oldest first; *side* is the piece beside.
    """

    game: str
    called: str
    rating: int
    deviation: int
    figure: str
    settled: bool
    form: str = ""
    side: str = ""


@dataclass(frozen=True)
class RankFact:
    """A fact at the foot of a card, in two lines.

    *sign* is ``"flame"``, ``"goal"`` with a bar as full as *part* of *of*, or "" for words alone.
    """

    first: str
    second: str
    sign: str = ""
    part: int = 0
    of: int = 100


@dataclass(frozen=True)
class RankCard:
    """The card of *name*; *place* stands on gold, *words* beside and below the name.

    *where* is the game of the place, *head* is above the results. *medals* are those pinned,
    *facts* up to three, *lines* what else there is, as far as games leave room.
    """

    name: str
    words: str
    rows: tuple[RankRow, ...]
    head: str = ""
    place: tuple[str, str] = ("", "")
    where: str = ""
    medals: tuple[MedalFace, ...] = ()
    facts: tuple[RankFact, ...] = ()
    letters: str = "WDL"
    lines: tuple[str, ...] = ()


@lru_cache(CACHED)
def rank_card_picture(card: RankCard, theme: str = "light") -> bytes:
    """A PNG file of *card*; *theme* is that of the boards."""
    canvas = ClubCanvas(theme)
    canvas.band("", 196, "", drop=30)
    canvas.face(120, 112, 84, card.name, "gold")
    pinned = card.medals[:3]
    right = 1066.0 - 240 * bool(card.place[0])
    room = right - 90 * len(pinned) - 232
    canvas.words(232, 62, card.name, 76, "white", BLACK, room=room, least=0.55)
    canvas.words(234, 122, card.words, 38, poster_inks("").accent, BOLD, room=room)
    for number, face in enumerate(pinned):
        put_medal(canvas, face, right - 50 - 90 * (len(pinned) - 1 - number), 104, 36, ribbon=True)
    if card.place[0]:
        canvas.disc(912, 84, 62, "gold", "dark", 4)
        canvas.words(912, 72, card.place[0], 56, "dark", BLACK, "m", 112, 0.5)
        canvas.words(912, 114, card.place[1], LEAST, "dark", BOLD, "m", 100)
        canvas.pieces(card.where, 1034, 84, 108, 92)
    _put_games(canvas, card)
    for number, fact in enumerate(card.facts[:3]):
        _put_fact(canvas, (24, 388, 716)[number], fact)
    return canvas.png()


def _put_games(canvas: ClubCanvas, card: RankCard) -> None:
    left, right = SCALE

    def at(rating: float) -> float:
        return left + (right - left) * max(0.0, min(1.0, (rating - LOW) / (HIGH - LOW)))

    high = min(104.0, 310 / max(1, len(card.rows)))
    y = 227 + high / 2
    for number in range(0, len(card.rows), 2):
        middle = y + number * high
        canvas.box((20, middle - high / 2, 1080, middle + high / 2), "bar", radius=10)
    canvas.words(1064, 213, card.head, LEAST, "soft", SEMIBOLD, "r", 330)
    if card.rows:
        canvas.line([(at(MIDDLE), 227), (at(MIDDLE), y + (len(card.rows) - 0.5) * high)], "soft", 3)
        canvas.words(at(MIDDLE), 211, str(MIDDLE), LEAST, "soft", BOLD, "m")
    for row in card.rows:
        inks = poster_inks(row.game)
        canvas.piece(row.game, row.side, 58, y, 50)
        canvas.words(98, y, row.called, 36, "ink", BOLD, room=290)
        canvas.box((left, y - 3, right, y + 3), "track", radius=3)
        ends = at(row.rating - row.deviation), at(row.rating + row.deviation)
        canvas.box((ends[0], y - 9, ends[1], y + 9), inks.accent, "line", 2, 9)
        canvas.disc(at(row.rating), y, 15, "white")
        canvas.disc(at(row.rating), y, 12, inks.ground)
        canvas.words(812, y, row.figure, 38, "ink" if row.settled else "soft", BLACK, "r")
        canvas.results(852, y, row.form, card.letters, 52)
        y += high
    top = 240 + len(card.rows) * high
    for line in card.lines[: max(0, int(558 - top) // 76)]:
        canvas.box((20, top, 1080, top + 66), "bar", radius=10)
        canvas.star(62, top + 33, 19)
        canvas.words(100, top + 33, line, 38, "ink", BOLD, room=960)
        top += 76


def _put_fact(canvas: ClubCanvas, x: float, fact: RankFact) -> None:
    y, room = 630, 300
    canvas.line([(24, 566), (1076, 566)], "hair", 2)
    if fact.sign == "goal":
        canvas.words(x, y - 26, fact.first, 36, "ink", BOLD, room=350)
        wide = canvas.words(1070, y + 24, fact.second, 36, "ink", BOLD, "r")
        canvas.bar(x, y + 24, 1052 - wide, fact.part / max(1, fact.of))
        return
    if fact.sign == "flame":
        canvas.flame(x + 44, y, 40)
    if fact.sign:
        x, room = x + 104, 236
    canvas.words(x, y - 22, fact.first, 36, "ink", BOLD, room=room)
    canvas.words(x, y + 24, fact.second, LEAST, "soft", room=room)
