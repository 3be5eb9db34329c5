"""The daily puzzle: posted once a day, silently, in each place that wants one."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.boards.delivery import Delivery
from bot.boards.views_besides_boards import ViewContent, ViewKind, home_of, of_home
from bot.port import Button, Screen, Where, capabilities_of
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import NO_TABLE, Action, Click, encode_click
from bot.presenters.school.exercises import ExerciseBoard
from bot.presenters.settings import EVERY_GAME
from bot.presenters.table.viewers import Viewer
from bot.service.clock import Clock
from bot.service.place.places import Places
from bot.service.school.puzzle_collection import PuzzleCollection
from bot.session.daily_calendar import daily_exercise, number_of
from bot.session.exercise_catalogue import Exercise
from bot.session.preferences import PlaceRules, look, read, zone_of
from games.core import phrase
from storage.errors import StorageError
from storage.records import DailyRow, PlaceRow, ViewRow
from storage.school.puzzles import attempts_since, claim_day, load_daily, places_that_choose
from storage.store import Store
from storage.table import views as stored

log = logging.getLogger(__name__)

DAILY: Final = "daily"
"""The kind of the views that show daily puzzles; their subjects are a day and a puzzle's code."""

LOOK: Final = 60.0
"""Seconds between two looks at what is due."""

LATEST_DELAY: Final = timedelta(hours=6)
"""By how much it may be late; more, and it is left out."""

NIGHT: Final = 23
"""The hour from which on nothing is posted, however late it is."""

IDLE_DAYS: Final = 7
"""After so many days in a row that nobody cared for it stops."""


def due_day(rules: PlaceRules, now: datetime, last: int) -> tuple[int, bool] | None:
    """The ordinal of the day whose puzzle is due at *now*, and whether it may still be posted.

    ``None`` before the hour, and where that day, or by a clock that was set a later one, is done.
    """
    here = now.astimezone(zone_of(rules.day_zone))
    day = here.toordinal()
    if here.hour < rules.day_hour or day <= last:
        return None
    asked = here.replace(hour=rules.day_hour, minute=0, second=0, microsecond=0)
    return day, here - asked <= LATEST_DELAY and here.hour < NIGHT


@dataclass(kw_only=True)
class DailyPuzzles(ViewKind):
    """Owes the daily puzzles to the places in which this process shows boards."""

    store: Store
    clock: Clock
    places: Places
    delivery: Delivery
    collection: PuzzleCollection
    key: bytes
    default_language: str

    def __post_init__(self) -> None:
        self.delivery.renderer.kinds[DAILY] = self

    async def keep(self) -> None:
        """Look every minute at what is due, for ever."""
        while True:
            try:
                await self.owe_due()
            except StorageError as wrong:
                log.warning("the daily puzzles wait: %s", wrong)
            await asyncio.sleep(LOOK)

    async def owe_due(self) -> None:
        """Owe what is due now."""
        own = self.delivery.ownership
        for row in await self.store.read(places_that_choose, "daily"):
            rules = read(PlaceRules, row.settings)
            where = Where(row.platform, rules.day_place or row.place)
            if row.platform in own.chats and await own.keeps_at(where):
                await self._look(row, rules, where)

    async def _look(self, row: PlaceRow, rules: PlaceRules, where: Where) -> None:
        now = self.clock.now()
        before = await self.store.read(load_daily, row.platform, row.place)
        due = due_day(rules, now, 0 if before is None else before.day)
        if due is None:
            return
        day, in_time = due
        exercise = None
        if in_time:
            puzzles = await self.collection.by_game()
            last = "" if before is None else before.puzzle
            wanted = "" if rules.daily == EVERY_GAME else rules.daily
            exercise = daily_exercise(wanted, day, puzzles, last)
        idle = await self._idle(before)
        stops = idle >= IDLE_DAYS
        code = "" if exercise is None or stops else exercise.code
        taken = DailyRow(row.platform, row.place, day, code, idle, now)
        language = row.language or self.default_language
        subject = of_home(f"{day} {code}", Where(row.platform, row.place), where)
        view = ViewRow(0, subject, where.platform, where.place, language, 1, kind=DAILY)
        async with self.store.transaction() as tx:
            if await claim_day(tx, taken) and (code or stops):
                # What still waits there of an earlier day is never shown.
                view = await stored.put_view(tx, view, now)
        if view.id:
            if stops:
                await self.places.choose(where, replace(rules, daily=""))
            self.delivery.show_owed((view,))

    async def _idle(self, before: DailyRow | None) -> int:
        """How many days in a row nobody has been at it; a day left out does not count."""
        if before is None:
            return 0
        if not before.puzzle:
            return before.idle
        seen = await self.store.read(attempts_since, before.puzzle, before.at)
        return 0 if seen else before.idle + 1

    async def content(self, view: ViewRow, *, masked: bool) -> ViewContent | None:
        """The puzzle of a day, or that there are no more of them; ``None`` if it is too late."""
        del masked  # it names nobody
        subject, home = home_of(view)
        day, _, code = subject.partition(" ")
        rules = await self.places.rules(home)
        if not code:
            said = PagePresenter(view.language, self.key).say("puzzle.daily-stops")
            return ViewContent(Screen(NO_TABLE, 0, said, language=view.language, silent=True))
        due = due_day(rules, self.clock.now(), int(day) - 1)
        exercise = await self.collection.find(code)
        if exercise is None or (view.message is None and due != (int(day), True)):
            return None
        screen = self.screen(exercise, int(day), rules, view.platform, view.language)
        scene = screen.picture
        if scene is None:
            return ViewContent(screen)
        return ViewContent(screen, paint=partial(self.delivery.renderer.picture, scene))

    def screen(
        self, exercise: Exercise, day: int, rules: PlaceRules, platform: str, code: str
    ) -> Screen:
        """The puzzle as everybody in a place sees it, with a button that solves in private."""
        chats = self.delivery.ownership.chats
        chat, pages = capabilities_of(chats, platform), PagePresenter(code, self.key)
        viewer = Viewer(language=code, look=look(chat.theme or "light", rules), space=chat.space)
        board = ExerciseBoard(exercise, 0, exercise.resumed(0), viewer, self.key, "")
        game, lesson = exercise.game.key, exercise.lesson
        side = phrase(f"{game}.side.{board.table.players[board.known.seat].side}")
        task = pages.say(f"{game}.puzzle.{lesson.theme}", side=side)
        click = Click(Action.PUZZLE, NO_TABLE, 0, (exercise.code,))
        solve = Button(pages.say("puzzle.button.solve"), encode_click(click, self.key), "good")
        name = phrase(f"{game}.name")
        title = pages.say("puzzle.daily", n=str(number_of(day)), game=name)
        return replace(board.standing(title, (task,), (solve,)), silent=True)
