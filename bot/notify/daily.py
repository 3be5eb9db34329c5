"""The daily puzzle: posted once a day, silently, in each place that wants one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from zlib import crc32

from bot.port import Button, ChatError, Screen, Target, Where, capabilities_of
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import NO_TABLE, Action, Click, encode_click
from bot.presenters.school import ExerciseBoard
from bot.presenters.settings import EVERY_GAME
from bot.presenters.viewers import Viewer
from bot.service.clock import Clock
from bot.service.cluster import Ownership
from bot.service.places import Places
from bot.service.puzzle_collection import PuzzleCollection
from bot.session.exercise_catalogue import Exercise
from bot.session.preferences import PlaceRules, look, read, zone_of
from games.core import phrase
from render.kit import Gallery
from storage import daily
from storage.errors import StorageError
from storage.records import DailyRow, PlaceRow
from storage.store import Store

log = logging.getLogger(__name__)

LOOK: Final = 60.0
"""Seconds between two looks at what is due."""

LATEST: Final = timedelta(hours=6)
"""By how much it may be late; more, and it is left out."""

NIGHT: Final = 23
"""The hour from which on nothing is posted, however late it is."""

PATIENCE: Final = 7
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
    return day, here - asked <= LATEST and here.hour < NIGHT


def puzzle_of_day(
    rules: PlaceRules,
    place: str,
    day: int,
    puzzles: Mapping[str, Sequence[Exercise]],
    before: str = "",
) -> Exercise | None:
    """The puzzle of *place* on the *day* with this ordinal, of *puzzles* by game.

    It is another one than that of the day *before*, by its code, unless there is no other.
    """
    wanted = [key for key in puzzles if rules.daily == EVERY_GAME or key.startswith(rules.daily)]
    if not wanted:
        return None
    # Each place has an order of its own, in which all come before one comes again.
    every = sorted(
        puzzles[wanted[day % len(wanted)]], key=lambda one: crc32(f"{place}/{one.code}".encode())
    )
    number = day // len(wanted) % len(every)
    found = every[number]
    return found if found.code != before else every[(number + 1) % len(every)]


@dataclass(kw_only=True)
class DailyPuzzles:
    """Posts the daily puzzles of the places in which this process shows boards."""

    store: Store
    clock: Clock
    places: Places
    ownership: Ownership
    collection: PuzzleCollection
    gallery: Gallery
    key: bytes
    default_language: str

    async def keep(self) -> None:
        """Look every minute at what is due, for ever."""
        while True:
            try:
                await self.post_due()
            except StorageError as wrong:
                log.warning("the daily puzzles wait: %s", wrong)
            await asyncio.sleep(LOOK)

    async def post_due(self) -> None:
        """Post what is due now."""
        for row in await self.store.read(daily.places_that_choose, "daily"):
            rules = read(PlaceRules, row.settings)
            where = Where(row.platform, rules.day_place or row.place)
            if row.platform in self.ownership.chats and await self.ownership.keeps_at(where):
                await self._look(row, rules, where)

    async def _look(self, row: PlaceRow, rules: PlaceRules, where: Where) -> None:
        now = self.clock.now()
        before = await self.store.read(daily.load_daily, row.platform, row.place)
        due = due_day(rules, now, 0 if before is None else before.day)
        if due is None:
            return
        day, in_time = due
        exercise = None
        if in_time:
            puzzles = await self.collection.by_game()
            last = "" if before is None else before.puzzle
            exercise = puzzle_of_day(rules, row.place, day, puzzles, last)
        idle = await self._idle(before)
        code = "" if exercise is None or idle >= PATIENCE else exercise.code
        taken = DailyRow(row.platform, row.place, day, code, idle, now)
        # Taken before it is posted: killed in between, one is missing, and never two are there.
        if not await self.store.write(daily.claim_day, taken):
            return
        tongue = row.language or self.default_language
        if idle >= PATIENCE:
            await self._stop(where, rules, tongue)
        elif exercise is not None:
            await self._post(where, rules, exercise, tongue, day)

    async def _idle(self, before: DailyRow | None) -> int:
        """How many days in a row nobody has been at it; a day left out does not count."""
        if before is None:
            return 0
        if not before.puzzle:
            return before.idle
        seen = await self.store.read(daily.attempts_since, before.puzzle, before.at)
        return 0 if seen else before.idle + 1

    async def _stop(self, where: Where, rules: PlaceRules, code: str) -> None:
        """Say that it stops, and stop."""
        await self.places.choose(where, replace(rules, daily=""))
        said = PagePresenter(code, self.key).say("puzzle.daily-stops")
        screen = Screen(NO_TABLE, 0, said, language=code, silent=True)
        await self._show(where, screen, None, "stop")

    async def _post(
        self, where: Where, rules: PlaceRules, exercise: Exercise, code: str, day: int
    ) -> None:
        screen = self.screen(exercise, rules, where.platform, code)
        picture = None
        if screen.scene is not None:
            picture = await asyncio.to_thread(self.gallery.picture, screen.scene)
        await self._show(where, screen, picture, f"{day}")

    def screen(self, exercise: Exercise, rules: PlaceRules, platform: str, code: str) -> Screen:
        """The puzzle as everybody in a place sees it, with a button that solves in private."""
        chat, pages = capabilities_of(self.ownership.chats, platform), PagePresenter(code, self.key)
        viewer = Viewer(language=code, look=look(chat.theme or "light", rules), space=chat.space)
        board = ExerciseBoard(exercise, 0, exercise.resumed(0), viewer, self.key, "")
        game, lesson = exercise.game.key, exercise.lesson
        side = phrase(f"{game}.side.{board.table.players[board.known.seat].side}")
        task = pages.say(f"{game}.puzzle.{lesson.theme}", side=side)
        click = Click(Action.PUZZLE, NO_TABLE, 0, (exercise.code,))
        solve = Button(pages.say("puzzle.button.solve"), encode_click(click, self.key), "good")
        title = pages.say("puzzle.daily", game=phrase(f"{game}.name"))
        return replace(board.standing(title, (task,), (solve,)), silent=True)

    async def _show(self, where: Where, screen: Screen, picture: bytes | None, name: str) -> None:
        nonce = f"day{name}{crc32(where.place.encode()):x}"
        try:
            target = Target(where, None, nonce=nonce)
            await self.ownership.chats[where.platform].show(target, screen, picture)
        except ChatError as wrong:
            log.info("no daily puzzle in %s: %s", where.platform, wrong)
