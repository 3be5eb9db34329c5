"""The puzzles that are put: those that ship and the house's own, without what does not hold."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.service.clock import Clock
from bot.session.exercise_catalogue import Exercise, code_of, puzzles_of
from games.core import Game
from games.core.school import BadLesson, Lesson, lesson_data, read_lesson
from games.core.shelf import shelf
from storage.records import HousePuzzleRow
from storage.school import puzzles
from storage.store import Store

VOTES, LEAST_LIKED = 20, 0.4
"""With so many opinions a puzzle of which fewer people than this part think well is put no more."""

LIKE, DISLIKE = "+", "-"
"""What people think of a puzzle."""


class PuzzleOrigin(StrEnum):
    """Where a puzzle of the house comes from."""

    SHIPPED = "shipped"
    """With a game: kept in the house only for a verdict."""
    ADDED = "added"
    MINED = "mined"


@dataclass(frozen=True)
class HousePuzzle:
    """A puzzle of the house as it is stored: an *exercise*, and its *row*."""

    exercise: Exercise
    row: HousePuzzleRow

    @property
    def is_stale(self) -> bool:
        """Whether it was proved under other rules than those of today."""
        return self.row.rules != self.exercise.game.rules.version


@dataclass(frozen=True)
class _Known:
    """What is put, by game and by code, as of a stamp of the database."""

    stamp: tuple[object, ...]
    by_game: Mapping[str, Sequence[Exercise]]
    by_code: Mapping[str, Exercise]


@dataclass(kw_only=True)
class PuzzleCollection:
    """Knows which puzzles are put. What another process keeps or judges counts at once."""

    store: Store
    clock: Clock
    _known: _Known | None = None
    _loading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def of(self, game: str) -> Sequence[Exercise]:
        """The puzzles that are put of the *game* with this key."""
        return (await self._current()).by_game.get(game, ())

    async def by_game(self) -> Mapping[str, Sequence[Exercise]]:
        """The puzzles that are put, by the games that have some, in the order of the shelf."""
        return (await self._current()).by_game

    async def by_code(self) -> Mapping[str, Exercise]:
        """The puzzles that are put, by their codes."""
        return (await self._current()).by_code

    async def find(self, code: str) -> Exercise | None:
        """The puzzle of this *code*; ``None`` where none is put."""
        return (await self._current()).by_code.get(code)

    async def load(self) -> Sequence[HousePuzzle]:
        """The house's own puzzles that can be read, whether they hold or not."""
        rows = await self.store.read(puzzles.house_puzzles)
        found = (_read(row) for row in rows if row.origin != PuzzleOrigin.SHIPPED)
        return tuple(one for one in found if one is not None)

    async def add(self, game: Game, lessons: Sequence[Lesson], origin: PuzzleOrigin) -> int:
        """Keep *lessons* of *game*, which are proved; answers how many positions are new."""
        kept = [one.exercise for one in await self.load() if one.row.game == game.key]
        known = {one.lesson.position for one in (*puzzles_of(game.key), *kept)}
        new = {one.position: self._row(game, replace(one, code=""), origin) for one in lessons}
        rows = [row for position, row in new.items() if position not in known]
        return await self.store.write(puzzles.add_puzzles, rows)

    async def judge(self, game: Game, lesson: Lesson, fault: str) -> None:
        """Note that *lesson* holds under the rules of today, or with *fault* why it is put no more.

        A shipped one that holds needs no note unless there is one.
        """
        shipped = code_of(game.key, lesson) in {one.code for one in puzzles_of(game.key)}
        if shipped and not fault and await self.find(code_of(game.key, lesson)) is not None:
            return
        origin = PuzzleOrigin.SHIPPED if shipped else PuzzleOrigin.ADDED
        row = replace(self._row(game, lesson, origin), fault=fault)
        await self.store.write(puzzles.judge_puzzle, row)

    async def rate(self, person: int, exercise: Exercise, sign: str) -> None:
        """Note that *person* likes or dislikes *exercise*; what few like is put no more."""
        said = await self.store.write(puzzles.put_opinion, person, exercise.code, sign)
        if (many := sum(said.values())) >= VOTES and said.get(LIKE, 0) < LEAST_LIKED * many:
            await self.judge(exercise.game, exercise.lesson, puzzles.DISLIKED)

    def _row(self, game: Game, lesson: Lesson, origin: PuzzleOrigin) -> HousePuzzleRow:
        code, now = code_of(game.key, lesson), self.clock.now()
        told = lesson_data(lesson)
        return HousePuzzleRow(code, game.key, told, origin, now, game.rules.version, now)

    async def _current(self) -> _Known:
        stamp = await self.store.read(puzzles.verdict_stamp)
        known = self._known
        if known is not None and known.stamp == stamp:
            return known
        async with self._loading:
            if self._known is None or self._known.stamp != stamp:
                self._known = await self._load()
            return self._known

    async def _load(self) -> _Known:
        async with self.store.reading() as tx:
            stamp = await puzzles.verdict_stamp(tx)
            rows = await puzzles.house_puzzles(tx)
        bad = {row.code for row in rows if row.fault}
        own = [one for row in rows if row.origin != PuzzleOrigin.SHIPPED and (one := _read(row))]
        by_game = {}
        for game in shelf():
            put = [one for one in puzzles_of(game) if one.code not in bad]
            sound = (one for one in own if not (one.row.fault or one.is_stale))
            put += [one.exercise for one in sound if one.row.game == game]
            if put:
                by_game[game] = tuple(put)
        return _Known(stamp, by_game, {one.code: one for each in by_game.values() for one in each})


def _read(row: HousePuzzleRow) -> HousePuzzle | None:
    """The puzzle of *row*; ``None`` where it cannot be read, or is not the one of its code."""
    game = shelf().get(row.game)
    with suppress(BadLesson):
        lesson = None if game is None else read_lesson(game.key, row.lesson)
        if game is not None and lesson is not None and code_of(game.key, lesson) == row.code:
            return HousePuzzle(Exercise(row.code, game, lesson), row)
    return None
