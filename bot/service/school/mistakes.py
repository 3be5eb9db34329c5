"""One's own mistakes: kept after a review, put again at growing distances, few a day."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.service.clock import Clock
from bot.service.person.people import People
from bot.session.mistake_repetition import (
    A_DAY,
    Agenda,
    KeptMistake,
    Mistake,
    read_mistake,
    rescheduled,
)
from games.core.school import BadLesson
from games.core.shelf import shelf
from storage.records import MistakeRow
from storage.school import mistakes
from storage.store import Store

TRIED_KEPT: Final = timedelta(days=30)
"""For how long a position can be tried from its message that is never put again."""


@dataclass(kw_only=True)
class Mistakes:
    """The mistakes that people have kept."""

    store: Store
    clock: Clock
    people: People

    async def keep(self, person: int, found: Sequence[Mistake]) -> None:
        """Put each of *found* to *person* from today on."""
        today = await self.people.today(person)
        async with self.store.transaction() as tx:
            for one in found:
                await mistakes.put_mistake(tx, self._row(person, one, today))

    async def try_out(self, person: int, mistake: Mistake) -> None:
        """Let *person* try *mistake* now, without putting it again."""
        async with self.store.transaction() as tx:
            await mistakes.forget_tried(tx, person, self.clock.now() - TRIED_KEPT)
            await mistakes.put_mistake(tx, self._row(person, mistake, None))

    async def find(self, person: int, code: str) -> KeptMistake | None:
        """What *person* has kept by this *code*; ``None`` where the rules now read it otherwise."""
        row = await self.store.read(mistakes.load_mistake, person, code)
        mistake = None if row is None else _read(row)
        return None if row is None or mistake is None else KeptMistake(mistake, row.due)

    async def agenda(self, person: int) -> Agenda:
        """What is to be put to *person* today, without what new rules have spoilt."""
        today = await self.people.today(person)
        async with self.store.reading() as tx:
            done = await mistakes.answered_on(tx, person, today)
            rows = await mistakes.mistakes_due(tx, person, today)
            following = await mistakes.next_day(tx, person, today)
        waiting = [row for row in rows if _read(row) is not None]
        return Agenda(today, waiting[: max(0, A_DAY - done)], done, following)

    async def answer(self, person: int, code: str, *, right: bool) -> int | None:
        """Note an answer; in how many days it is put again, ``None`` for never.

        The first answer of a day decides, and only of what is due.
        """
        today = await self.people.today(person)
        async with self.store.transaction() as tx:
            row = await mistakes.load_mistake(tx, person, code)
            if row is None or row.due is None:
                return None
            if row.due <= today and row.last < today:
                after = rescheduled(row, today, right=right)
                if await mistakes.schedule_mistake(tx, after):
                    row = after
        return None if row.due is None else max(1, row.due - today)

    async def accept(self, person: int, mistake: Mistake) -> None:
        """Take from now on what *mistake* takes for right."""
        await self.store.write(mistakes.set_lesson, person, mistake.exercise.code, mistake.data)

    async def drop(self, person: int, code: str) -> None:
        """Put a mistake no more."""
        await self.store.write(mistakes.cancel_mistake, person, code)

    def _row(self, person: int, mistake: Mistake, due: int | None) -> MistakeRow:
        exercise, now = mistake.exercise, self.clock.now()
        return MistakeRow(person, exercise.code, exercise.game.key, mistake.data, now, due)


def _read(row: MistakeRow) -> Mistake | None:
    game = shelf().get(row.game)
    with suppress(BadLesson):
        return None if game is None else read_mistake(game, row.lesson)
    return None
