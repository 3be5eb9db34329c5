"""Which puzzle is whose day: a calendar of numbered days, the same in every house, and its streaks.

``daily_calendar.txt`` has a line for each day: its number, the game of the day, the code of its
move, and those of the daily five, a small puzzle of each game, in the order of the head line. Lines
are only ever added (``python -m tests.tools.draw_calendar``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import Any, Final

from bot.session.exercise_catalogue import Exercise
from games.core import Game
from games.core.school import LessonState, right
from storage.records import DailyTryRow

FIRST_DAY: Final = date(2026, 11, 2).toordinal()
"""The ordinal of the day with number 1, a Monday."""

FREEZES: Final = 2
"""How many days of a calendar month a streak outlives."""

ANOTHER, NEAR, SOLVED, GIVEN_UP = "w", "n", "s", "g"
"""What a try was: another move, the right piece moved wrongly, the solution, or none wanted."""


@dataclass(frozen=True)
class CalendarDay:
    """The day with this *number*: its *game* and *move*, and the codes of its *five* by game."""

    number: int
    game: str
    move: str
    five: Mapping[str, str]


@dataclass(frozen=True)
class DailyResult:
    """How somebody did at the *exercise* of a day, as *row* says, with their streak and record.

    *days* are how many they have solved on their day. *five* are the puzzles of the daily five with
    what was tried at each, where *exercise* is one of them.
    """

    exercise: Exercise
    row: DailyTryRow
    streak: int
    longest: int
    days: int
    five: Sequence[tuple[Exercise, DailyTryRow]] = ()


@dataclass(frozen=True)
class DayOffers:
    """What somebody may do each day beside the move of the day.

    So many of their mistakes are *waiting*; a *game*, "" for none, against the computer of a
    *level*: one above that of their last such game if they won it, one below if they lost.
    """

    waiting: int = 0
    game: str = ""
    level: int = 0


@cache
def calendar() -> Sequence[CalendarDay]:
    """Every day that is drawn, in order."""
    text = resources.files("bot.session").joinpath("daily_calendar.txt").read_text("utf-8")
    head, *lines = (line.split() for line in text.splitlines())
    return tuple(
        CalendarDay(int(number), game, move, dict(zip(head[4:], codes, strict=True)))
        for number, game, move, *codes in lines
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
    near = {day: calendar_day(day) for day in (today, today - 1, today + 1)}
    return next((day for day, of in near.items() if puzzle in (of.move, *of.five.values())), None)


def daily_exercise(wanted: str, day: int, put: Mapping[str, Sequence[Exercise]]) -> Exercise | None:
    """The puzzle of the *day* with this ordinal among those that are *put*, by game.

    *wanted* is the beginning of a game's key, "" for the game of the day. Where the calendar knows
    none, or the house does not put it, all puzzles take turns.
    """
    known = calendar_day(day)
    games = [key for key in put if key.startswith(wanted)]
    if not games:
        return None
    named = known.game if not wanted and known.game in put else games[day % len(games)]
    every = {one.code: one for one in sorted(put[named], key=lambda one: one.code)}
    turn = list(every.values())[day // len(games) % len(every)]
    return every.get(known.move if named == known.game else known.five.get(named, ""), turn)


def daily_five(day: int, put: Mapping[str, Exercise]) -> Sequence[Exercise]:
    """The small puzzles of the *day* with this ordinal among those that are *put*, by code."""
    return [put[code] for code in calendar_day(day).five.values() if code in put]


def sign_of_miss(game: Game, known: LessonState, move: Any) -> str:
    """``NEAR`` where the wrong *move* begins as a right one does, else ``ANOTHER``.

    Where all legal moves begin alike that says nothing.
    """
    position, steps = known.position, game.menus.steps
    legal = position.legal_moves(known.seat)
    first = {steps(position, one)[0] for one in legal}
    good = {steps(position, one)[0] for one in legal if right(game, known, one) is not None}
    return NEAR if len(first) > 1 and steps(position, move)[0] in good else ANOTHER


def streaks(days: Collection[int], today: int) -> tuple[int, int]:
    """The streak that runs *today* of *days* that were solved, by ordinal, and the longest one.

    A day that is missed breaks none while a freeze of its month is left (``FREEZES``).
    """
    streak = longest = last = 0
    used: Counter[tuple[int, int]] = Counter()
    for day in sorted({*days, today}):
        missed = Counter(map(_month, range(last + 1, day))) if streak else Counter()
        if any(used[month] + many > FREEZES for month, many in missed.items()):
            streak = 0
        elif day in days:
            used += missed
        streak += day in days
        last, longest = day, max(longest, streak)
    return streak, longest


def _month(day: int) -> tuple[int, int]:
    at = date.fromordinal(day)
    return at.year, at.month
