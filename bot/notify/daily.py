"""The daily puzzle: posted once a day, silently, in each place that wants one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from typing import Final

from babel.dates import format_date

from bot.boards.delivery import Delivery
from bot.boards.views_besides_boards import ViewContent, ViewKind, home_of, of_home
from bot.port import Button, Screen, Where, capabilities_of
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import NO_TABLE, Action, Click, encode_click
from bot.presenters.school.daily import REMIND_NOT, DailyScreens
from bot.presenters.school.exercises import ExerciseBoard
from bot.presenters.table.viewers import Viewer
from bot.service.clock import Clock
from bot.service.person.people import People
from bot.service.place.places import CHANNEL, Places
from bot.service.school.puzzle_collection import PuzzleCollection
from bot.session.daily_calendar import FIRST_DAY, daily_exercise, number_of
from bot.session.exercise_catalogue import Exercise
from bot.session.preferences import EVERY_GAME, PlaceRules, look, zone_of
from games.core import phrase
from render.club.daily import DailyPuzzle, daily_picture
from render.kit import paint
from render.scene import Scene
from storage.records import DailyRow, DailyTryRow, ViewRow
from storage.school.puzzles import (
    claim_day,
    daily_tries_at,
    daily_tries_of,
    load_daily,
)
from storage.store import Store
from storage.table import views as stored

DAILY: Final = "daily"
"""The kind of the views that show daily puzzles; their subjects are a day and a puzzle's code."""

LATEST_DELAY: Final = timedelta(hours=6)
"""By how much it may be late; more, and it is left out."""

NIGHT: Final = 23
"""The hour from which on nothing is posted, however late it is."""

IDLE_DAYS, UNANSWERED = 7, 3
"""After so many days in a row that nobody cared for it stops, and a reminder of one person."""

OFFER: Final = "offer"
"""The subject of the view that asks a place once whether it wants it."""

OFFER_AFTER: Final = 3
"""After so many finished games in a place it is asked."""

HOUR: Final = timedelta(hours=1)
"""How often it is looked which places are to be asked."""

AT_NIGHT: Final = 1_000_000
"""The version from which on the solution is told; below it are the tries."""


def due_day(rules: PlaceRules, now: datetime, last: int) -> tuple[int, bool] | None:
    """The ordinal of the day whose puzzle is due at *now*, and whether it may still be posted.

    ``None`` before the hour, and where that day, or by a clock that was set a later one, is done.
    """
    here = now.astimezone(zone_of(rules.day_zone))
    day = here.toordinal()
    asked = here.replace(hour=rules.day_hour, minute=rules.day_minute, second=0, microsecond=0)
    if here < asked or day <= last:
        return None
    return day, here - asked <= LATEST_DELAY and (here.hour < NIGHT or bool(rules.day_person))


def _is_night(rules: PlaceRules, now: datetime, day: int) -> bool:
    """Whether the *day* of a place with *rules* is over, or its night has begun."""
    here = now.astimezone(zone_of(rules.day_zone))
    return here.toordinal() > day or here.hour >= NIGHT


def _puzzle_of(
    pages: DailyScreens, exercise: Exercise, scene: Scene, day: int, lines: Sequence[str]
) -> DailyPuzzle:
    """What the picture of the *day* shows beside the board of *scene*; *lines* tell it too."""
    game = exercise.game
    return DailyPuzzle(
        game.key,
        pages.say(f"{game.key}.name"),
        pages.say("club.daily"),
        pages.say("club.number", n=str(number_of(day))),
        lines[0],
        game.rules.sides[sorted(scene.seen.actors())[0]],
        tuple(lines[1:2]),
        format_date(date.fromordinal(day), "medium", pages.language.replace("-", "_")),
    )


def _paint(told: DailyPuzzle, scene: Scene) -> bytes:
    return daily_picture(told, paint(scene), scene.theme)


@dataclass(kw_only=True)
class DailyPuzzles(ViewKind):
    """Owes the daily puzzles to the places in which this process shows boards."""

    store: Store
    clock: Clock
    places: Places
    delivery: Delivery
    collection: PuzzleCollection
    key: bytes
    people: People
    _asked: datetime | None = None

    def __post_init__(self) -> None:
        self.delivery.renderer.kinds[DAILY] = self

    async def look(self) -> None:
        """Owe what is due now."""
        own = self.delivery.ownership
        for home, rules in await self.places.with_rule("daily"):
            where = Where(home.platform, rules.day_place or home.place)
            if rules.daily and home.platform in own.chats and await own.keeps_at(where):
                await self._show_tries(home, rules, where)
                await self._look(home, rules, where)
        now = self.clock.now()
        if self._asked is not None and now - self._asked < HOUR:
            return
        self._asked = now
        for platform, place in await self.store.read(stored.places_with_games, OFFER_AFTER):
            channel = (await self.places.at(Where(platform, place))).settings.get(CHANNEL)
            where = Where(platform, str(channel or place))
            if platform in own.chats and await own.keeps_at(where):
                await self._offer(where, now)

    async def _offer(self, where: Where, now: datetime) -> None:
        """Ask once whether the place wants it; that it was asked is noted with the view."""
        home = await self.places.home(where)
        if (await self.places.rules(where)).daily:
            return
        language = await self.people.language_in(where)
        view = ViewRow(0, OFFER, where.platform, where.place, language, 1, kind=DAILY)
        async with self.store.transaction() as tx:
            if await claim_day(tx, DailyRow(home.platform, home.place, 0, "", 0, now)):
                view = await stored.put_view(tx, view, now)
        if view.id:
            self.delivery.show_owed((view,))

    async def _show_tries(self, home: Where, rules: PlaceRules, where: Where) -> None:
        """Owe what was tried since the last look, and at night the solution."""
        last = await self.store.read(load_daily, home.platform, home.place)
        if last is None or not last.puzzle or rules.day_person:
            return
        tries = await self._tries(rules, where, last.day, last.puzzle)
        version = 1 + len(tries) + sum(len(one.signs) for one, _ in tries)
        if _is_night(rules, self.clock.now(), last.day):
            version = AT_NIGHT
        at = (DAILY, where.platform, where.place, version)
        self.delivery.show_owed(await self.store.write(stored.owe_views_at, *at))

    async def _tries(
        self, rules: PlaceRules, where: Where, day: int, code: str
    ) -> Sequence[tuple[DailyTryRow, str]]:
        """What was tried of the puzzle of a *day* in a place, or by whom it reminds, with names."""
        if rules.day_person is None:
            return await self.store.read(daily_tries_at, *where.key, day, code)
        tried = await self.store.read(daily_tries_of, rules.day_person)
        return tuple((one, "") for one in tried if one.day == day)

    async def _look(self, home: Where, rules: PlaceRules, where: Where) -> None:
        now = self.clock.now()
        before = await self.store.read(load_daily, home.platform, home.place)
        due = due_day(rules, now, 0 if before is None else before.day)
        if due is None:
            return
        day, in_time = due
        idle = await self._idle(rules, where, before)
        stops = idle >= (IDLE_DAYS if rules.day_person is None else UNANSWERED)
        code = await self._puzzle(rules, where, day) if in_time and not stops else ""
        taken = DailyRow(home.platform, home.place, day, code, idle, now)
        language = rules.day_language or await self.people.language_in(where)
        subject = of_home(f"{day} {code}", home, where)
        view = ViewRow(0, subject, where.platform, where.place, language, 1, kind=DAILY)
        async with self.store.transaction() as tx:
            if await claim_day(tx, taken) and (code or stops):
                # What still waits there of an earlier day is never shown.
                view = await stored.put_view(tx, view, now)
        if view.id:
            if stops:
                await self.places.choose(where, daily="")
            self.delivery.show_owed((view,))

    async def _puzzle(self, rules: PlaceRules, where: Where, day: int) -> str:
        """The code of the puzzle of *day*, "" for none: nobody is reminded of what is done."""
        wanted = "" if rules.daily == EVERY_GAME else rules.daily
        exercise = daily_exercise(wanted, day, await self.collection.by_game())
        if exercise is None:
            return ""
        tries = await self._tries(rules, where, day, exercise.code)
        mine = [one for one, _ in tries if one.exercise == exercise.code]
        done = rules.day_person is not None and any(one.is_over for one in mine)
        return "" if done else exercise.code

    async def _idle(self, rules: PlaceRules, where: Where, before: DailyRow | None) -> int:
        """How many days in a row nobody has been at it; a day left out does not count."""
        if before is None or not before.puzzle:
            return 0 if before is None else before.idle
        return 0 if await self._tries(rules, where, before.day, before.puzzle) else before.idle + 1

    async def content(self, view: ViewRow, *, masked: bool) -> ViewContent | None:
        """The puzzle of a day, or that there are no more of them; ``None`` if it is too late."""
        subject, home = home_of(view)
        pages = DailyScreens(view.language, self.key)
        if subject == OFFER:
            return ViewContent(pages.offer())
        day, _, code = subject.partition(" ")
        rules = await self.places.rules(home)
        if not code:
            said = pages.say("daily.reminder-ends" if rules.day_person else "puzzle.daily-stops")
            return ViewContent(Screen(NO_TABLE, 0, said, language=view.language, silent=True))
        due = due_day(rules, self.clock.now(), int(day) - 1)
        exercise = await self.collection.find(code)
        if exercise is None or (view.message is None and due != (int(day), True)):
            return None
        screen = self.screen(exercise, int(day), rules, view.platform, view.language)
        if rules.day_person:
            screen = pages.below(screen, (), [pages.key_of("daily.button.forget", REMIND_NOT)])
        else:
            tries = await self._tries(rules, Where(view.platform, view.place), int(day), code)
            over = _is_night(rules, self.clock.now(), int(day))
            names = [name for one, name in tries if one.named and one.on_day and not masked]
            signs = [one.signs for one, _ in tries]
            screen = pages.with_tries(screen, signs, exercise if over else None, names)
        return self._with_picture(screen, pages, exercise, int(day))

    def _with_picture(
        self, screen: Screen, pages: DailyScreens, exercise: Exercise, day: int
    ) -> ViewContent:
        scene = screen.scene
        if scene is None:
            return ViewContent(screen)
        told = _puzzle_of(pages, exercise, scene, day, screen.lines)
        return ViewContent(screen, paint=partial(asyncio.to_thread, _paint, told, scene))

    async def put(self, number: int, platform: str, code: str) -> ViewContent | None:
        """The puzzle of the day with this *number* as it was put; ``None`` where it is to come."""
        day = number + FIRST_DAY - 1
        exercise = daily_exercise("", day, await self.collection.by_game())
        # Somewhere on earth it is tomorrow.
        if exercise is None or not FIRST_DAY <= day <= self.clock.now().toordinal() + 1:
            return None
        screen = self.screen(exercise, day, PlaceRules(), platform, code)
        return self._with_picture(screen, DailyScreens(code, self.key), exercise, day)

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
        title = pages.say("puzzle.daily", n=str(number_of(day)), game=phrase(f"{game}.name"))
        # The picture marks what may be played.
        scene = board.asking(title, (), ()).scene
        return replace(board.standing(title, (task,), (solve,)), scene=scene, silent=True)
