"""Medals: what somebody has done for the first time, and is given once. Pure.

Five are common to all games; the others are titles of a game that are collected
(``Game.collected``).
"""

from __future__ import annotations

from collections.abc import Sequence
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

COMMON: Final = (FIRST, TEN, STREAK, COMPUTER, ALL)

MANY, ROW = 10, 5


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
