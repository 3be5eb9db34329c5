"""Which puzzle is whose day: a calendar of numbered days, the same in every house, and its streaks.

``daily_calendar.txt`` has a line for each day: its number, the game of the day, and the code of a
puzzle of each game, in the order of the head line. Lines are only ever added
(``python -m tests.tools.draw_calendar``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import Final

from bot.session.exercise_catalogue import Exercise

FIRST_DAY: Final = date(2026, 11, 2).toordinal()
"""The ordinal of the day with number 1, a Monday."""

FREEZES: Final = 2
"""How many days of a calendar month a streak outlives."""

ANOTHER, NEAR, SOLVED, GIVEN_UP = "w", "n", "s", "g"
"""What a try was: another move, the right piece moved wrongly, the solution, or none wanted."""


@dataclass(frozen=True)
class CalendarDay:
    """The day with this *number*: its *game*, and the codes of its *puzzles* by game."""

    number: int
    game: str
    puzzles: Mapping[str, str]


@cache
def calendar() -> Sequence[CalendarDay]:
    """Every day that is drawn, in order."""
    text = resources.files("bot.session").joinpath("daily_calendar.txt").read_text("utf-8")
    head, *lines = (line.split() for line in text.splitlines())
    return tuple(
        CalendarDay(int(number), game, dict(zip(head[2:], codes, strict=True)))
        for number, game, *codes in lines
    )


def number_of(day: int) -> int:
    """The number of the *day* with this ordinal."""
    return day - FIRST_DAY + 1


def calendar_day(day: int) -> CalendarDay:
    """The entry for the *day* with this ordinal; before and after the calendar it goes round."""
    return calendar()[(day - FIRST_DAY) % len(calendar())]


def day_with(puzzle: str, today: int) -> int | None:
    """The ordinal of the day near *today* that has the *puzzle* with this code, if one does.

    It may be the day before or after: somewhere on earth that is today.
    """
    near = (today, today - 1, today + 1)
    return next((day for day in near if puzzle in calendar_day(day).puzzles.values()), None)


def daily_exercise(
    wanted: str, day: int, put: Mapping[str, Sequence[Exercise]], before: str = ""
) -> Exercise | None:
    """The puzzle of the *day* with this ordinal among those that are *put*, by game.

    *wanted* is the beginning of a game's key, "" for the game of the day. Where the calendar knows
    none, or the house does not put it, all puzzles take turns but the one of the code *before*.
    """
    known = calendar_day(day)
    games = [key for key in put if key.startswith(wanted)]
    if not games:
        return None
    named = known.game if not wanted and known.game in put else games[day % len(games)]
    every = sorted(put[named], key=lambda one: one.code)
    found = {one.code: one for one in every}.get(known.puzzles.get(named, ""))
    if found is None:
        turn = day // len(games)
        turn += every[turn % len(every)].code == before
        found = every[turn % len(every)]
    return found


def streaks(days: Iterable[int]) -> tuple[int, int, int]:
    """The last streak in *days* that were solved, by ordinal, its last day, and the longest one.

    A day that is missed breaks none while a freeze of its month is left (``FREEZES``).
    """
    streak = longest = last = 0
    frozen: Counter[tuple[int, int]] = Counter()
    for day in sorted(set(days)):
        missed = [_month(one) for one in range(last + 1, day)] if day - last <= 40 else None
        needed = Counter(missed or ())
        if not last or missed is None or any(frozen[m] + n > FREEZES for m, n in needed.items()):
            streak = 0
        else:
            frozen += needed
        streak, last = streak + 1, day
        longest = max(longest, streak)
    return streak, last, longest


def present_streak(days: Sequence[int], today: int) -> tuple[int, int]:
    """The streak that still runs *today*, 0 where it has ended, and the longest one."""
    streak, last, longest = streaks(days)
    # What is missed up to today counts as if today were solved too.
    goes_on = not last or last >= today or streaks((*days, today))[0] == streak + 1
    return streak if goes_on else 0, longest


def _month(day: int) -> tuple[int, int]:
    at = date.fromordinal(day)
    return at.year, at.month
