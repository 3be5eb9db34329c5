"""The move of the day: which one is whose, how people did at it, and where it is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.port import Where
from bot.service.clock import Clock
from bot.service.person.people import People
from bot.service.place.places import Places
from bot.service.school.mistakes import Mistakes
from bot.service.school.puzzle_collection import PuzzleCollection
from bot.session.daily_calendar import (
    SOLVED,
    DailyResult,
    DayOffers,
    daily_exercise,
    daily_five,
    day_with,
    streaks,
)
from bot.session.exercise_catalogue import Exercise
from bot.session.preferences import EVERY_GAME, PlaceRules, zone_of
from games.core.shelf import find_game, shelf
from storage.records import DailyTryRow
from storage.school import puzzles
from storage.store import Store
from storage.table import games

NOWHERE = Where("", "", private=True)


async def latest_level(store: Store, person: int) -> tuple[str, int]:
    """The game that *person* played last against a computer, and the level that suits them there.

    That is one more after a win, one less after a defeat; "" and 0 for who has played none.
    """
    last = await store.read(games.latest_against_computer, person)
    if last is None or last[0] not in shelf():
        return "", 0
    game, level, mine, theirs = last
    level += (mine < theirs) - (mine > theirs)
    return game, max(1, min(level, find_game(game).computer.levels))


@dataclass(kw_only=True)
class DailyMoves:
    """The moves of each day, by the time zones of people."""

    store: Store
    clock: Clock
    people: People
    places: Places
    collection: PuzzleCollection
    mistakes: Mistakes

    async def exercise(self, person: int) -> Exercise | None:
        """The move of the day of *person*; ``None`` where no puzzle is put."""
        return daily_exercise("", await self.people.today(person), await self.collection.by_game())

    async def offers(self, person: int | None) -> DayOffers:
        """What *person*, ``None`` for somebody unknown, may do today beside the move of the day."""
        if person is None:
            return DayOffers()
        waiting = len((await self.mistakes.agenda(person)).waiting)
        return DayOffers(waiting, *await latest_level(self.store, person))

    async def result(self, person: int, exercise: Exercise) -> DailyResult | None:
        """How *person* did at *exercise*; ``None`` unless it is a puzzle of these days and over."""
        today = await self.people.today(person)
        tried = await self.store.read(puzzles.daily_tries_of, person)
        days = {one.day for one in tried if one.on_day}
        that = (day_with(exercise.code, today), exercise.code)
        row = next((one for one in tried if (one.day, one.exercise) == that), None)
        if row is None or not row.is_over:
            return None
        five = await self.five(person, row.day)
        if all(one.code != exercise.code for one, _ in five):
            five = ()
        return DailyResult(exercise, row, *streaks(days, today), len(days), five)

    async def five(self, person: int, day: int) -> Sequence[tuple[Exercise, DailyTryRow]]:
        """The daily five of a *day*, with what *person* has tried at each."""
        rows = await self.store.read(puzzles.daily_tries_of, person)
        tried = {one.exercise: one for one in rows if one.day == day}
        none = DailyTryRow(person, day, "")
        every = daily_five(day, await self.collection.by_code())
        return [(one, tried.get(one.code, none)) for one in every]

    async def try_of(
        self, person: int, exercise: Exercise, sign: str = "", where: Where = NOWHERE
    ) -> DailyTryRow | None:
        """A try of *person*, to be noted; ``None`` unless *exercise* is a puzzle of these days.

        *where* is the place in which they opened it.
        """
        today = await self.people.today(person)
        day = day_with(exercise.code, today)
        if day is None:
            return None
        at, on_day = NOWHERE if where.private else where, sign == SOLVED and day == today
        return DailyTryRow(person, day, exercise.code, at.platform, at.place, sign, on_day)

    async def post_in(self, where: Where, person: int, *, weekly: bool = False) -> PlaceRules:
        """Post it, or the club's week, in *where* from now on, as *person* wishes."""
        rules = await self.places.rules(where)
        zone = rules.day_zone or (await self.people.personal(person)).zone
        wanted: dict[str, Any] = {"weekly": True} if weekly else {"daily": EVERY_GAME}
        return await self.places.choose(where, day_place=where.place, day_zone=zone, **wanted)

    async def remind(self, chat: Where, person: int | None, language: str) -> PlaceRules:
        """Remind *person* in their private *chat* at this time of each day, or nobody any more.

        The *language* is theirs.
        """
        to: dict[str, Any] = {"day_person": person, "day_place": chat.place}
        to["day_language"] = language
        if person is None:
            return await self.places.choose(chat, daily="", **to)
        zone = (await self.people.personal(person)).zone
        now = self.clock.now().astimezone(zone_of(zone))
        to |= {"day_hour": now.hour, "day_minute": now.minute, "day_zone": zone}
        return await self.places.choose(chat, daily=EVERY_GAME, **to)
