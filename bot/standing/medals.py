"""Medals: what somebody has done for the first time, and is given once. Pure.

Some are common to all games; the others are titles of a game that are collected
(``Game.collected``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.standing.tallies import WON, Tally

FIRST: Final = "first-win"
"""Has won against people for the first time."""

TEN: Final = "ten"
"""Has ended ``MANY`` rated games of one game."""

STREAK: Final = "streak"
"""Has won ``ROW`` rated games of one game in a row."""

COMPUTER: Final = "computer"
"""Has beaten the strongest level of a game."""

ALL: Final = "all-round"
"""Has won a rated game of every game on the shelf."""

COURSE: Final = "course"
"""Has solved every step of the course of a game."""

EXAM: Final = "exam"
"""Has won the short game against the lowest level that ends the course of a game."""

ENTRANT: Final = "tournament"
"""Has played a tournament to its end."""

CHAMPION: Final = "champion"
"""Has won a tournament alone."""

COUNTED: Final[Mapping[str, tuple[str, int]]] = {
    "puzzles": ("solved", 10),
    "hundred": ("solved", 100),
    "week": ("days", 7),
    "month": ("days", 30),
    "mended": ("mended", 10),
}
"""Those for which something is counted: what of ``Deeds``, and how many."""

COMMON: Final = (FIRST, TEN, STREAK, COMPUTER, ALL, COURSE, EXAM, ENTRANT, CHAMPION, *COUNTED)

MANY, ROW = 10, 5

GOLD, SILVER = 0.05, 0.15
"""Of gold is what at most this share of the club has, then of silver; the rest is bronze."""


@dataclass(frozen=True, slots=True)
class Medal:
    """A medal by its *key*, which is that of a title where the game gives one; *game* is whose.

    Those that are not of one game have "".
    """

    key: str
    game: str = ""

    @property
    def words(self) -> str:
        """The key of its name; that of its sentence adds ``.told``."""
        return self.key if "." in self.key else f"standing.medal.{self.key}"


def by_number(pool: str, tally: Tally) -> tuple[Medal, ...]:
    """What somebody has with the *tally* of all their games of *pool*."""
    return (Medal(TEN, pool),) if tally.games >= MANY else ()


def in_a_row(pool: str, results: Sequence[str]) -> tuple[Medal, ...]:
    """What the last *results* of somebody in *pool* are worth, the newest last."""
    last = results[-ROW:]
    return (Medal(STREAK, pool),) if len(last) == ROW and set(last) == {WON} else ()


@dataclass(frozen=True, slots=True)
class Deeds:
    """What somebody has done besides rated games.

    Puzzles *solved*; the most *days* in a row with the move of the day, and the *streak* that
    runs; the games whose *courses* are done; mistakes *mended*, which are those that need not be
    put within a week.
    """

    solved: int = 0
    days: int = 0
    streak: int = 0
    courses: tuple[str, ...] = ()
    mended: int = 0


NOTHING: Final = Deeds()


@dataclass(frozen=True, slots=True)
class Goal:
    """The *medal* that is nearest: *done* of *many*."""

    medal: Medal
    done: int
    many: int


def by_deeds(deeds: Deeds) -> tuple[Medal, ...]:
    """What somebody has with these *deeds*."""
    counted = (Medal(key) for key, (what, many) in COUNTED.items() if getattr(deeds, what) >= many)
    return (*counted, *(Medal(COURSE, game) for game in deeds.courses))


def next_goal(deeds: Deeds, games: Mapping[str, int], given: Collection[Medal]) -> Goal | None:
    """The goal that is nearest, by *deeds* and the number of rated *games* by pool."""
    every = [Goal(Medal(key), getattr(deeds, what), n) for key, (what, n) in COUNTED.items()]
    every += [Goal(Medal(TEN, pool), played, MANY) for pool, played in games.items()]
    near = [one for one in every if one.medal not in given and 0 < one.done < one.many]
    return max(near, key=lambda one: one.done / one.many, default=None)


def metal_of(share: float) -> str:
    """Of what a medal is that this *share* of the club has, from 0 to 1."""
    return "gold" if share <= GOLD else "silver" if share <= SILVER else "bronze"
