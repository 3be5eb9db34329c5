"""Hints, odds and reviews by the worker processes, and what is suggested after a streak."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

from cachetools import LRUCache

from bot.runtime.caches import remembering
from bot.service.computers.chances import Chances
from bot.service.computers.pool import Question, Thinkers, opinion_of
from bot.service.computers.worker import Task
from bot.service.table.tables import Tables
from bot.session.computer_resignation_and_draws import Opinion
from bot.session.exercise_catalogue import Exercise
from bot.session.names import level_name
from bot.session.table import Table
from games.core import CHANCE, Game, Option, Phrase, Seat, Who, phrase
from games.core.advice import Weighed
from games.core.shelf import highest_level

SECONDS = 20.0
"""How many seconds of the processor the review of a whole game may take."""

COMPARED = 2.0
"""How many seconds of the processor the comparison of two moves may take."""

CACHED_ANSWERS = 256
"""How many answers are kept."""


REFUTED = 0.6
"""How many seconds of the processor it may take to refute a wrong answer."""

ROW = 3
"""After so many games in a row something is suggested."""


@dataclass
class Advice:
    """Asks *thinkers*; the same question is asked once, and its answer kept."""

    thinkers: Thinkers
    chances: Chances
    seconds: float = SECONDS
    _asked: LRUCache[tuple[str, int, Task, Seat], asyncio.Task[dict[str, Any] | None]] = (
        remembering(CACHED_ANSWERS)
    )

    async def hint(self, table: Table, seat: Seat) -> Opinion | None:
        """The best move of *seat*; ``None`` where no worker could tell."""
        found = await self._once(table, table.version, Task.HINT, seat)
        return None if found is None else opinion_of(found)

    async def odds(self, table: Table, mover: Seat) -> tuple[Sequence[float], int] | None:
        """The chances by seat, and of how many games played out; *mover* is to move."""
        found = await self._once(table, table.version, Task.ODDS, mover)
        return None if found is None else (found["shares"], found["games"])

    async def review(self, table: Table) -> tuple[Weighed, ...] | None:
        """The value of every decision of the game; ``None`` where no worker could tell."""
        found = await self._once(table, len(table.log), Task.REVIEW, 0, self.seconds)
        return None if found is None else tuple(map(_weigh, found["weighed"]))

    def along(self, table: Table) -> tuple[int, int, tuple[Weighed, ...]] | None:
        """How many decisions the review has weighed, of how many, and those; ``None`` for none."""
        found = self.thinkers.along(_question(table, 0).table, Task.REVIEW)
        return None if found is None else (found[0], found[1], tuple(map(_weigh, found[2])))

    def reviewed(self, table: Table) -> tuple[Weighed, ...] | None:
        """The review of *table*, if it was made already."""
        asked = self._asked.get((table.code, len(table.log), Task.REVIEW, 0))
        if asked is None or not asked.done() or asked.cancelled() or asked.exception():
            return None
        found = asked.result()
        return None if found is None else tuple(map(_weigh, found["weighed"]))

    async def measure_loss(self, exercise: Exercise, seat: Seat, move: str) -> float | None:
        """What *move* gives away against the right one of *exercise*, from 0 to 2.

        ``None`` where no worker could tell.
        """
        game, lesson = exercise.game, exercise.lesson
        about = {"position": lesson.position, "move": move, "best": next(iter(lesson.answers))}
        setting = game.setting(dict(lesson.options))
        name = f"{exercise.code}:{move}"
        asked = Question(name, game.key, setting, (), seat, game.computer.levels, about=about)
        found = await self.thinkers.answer(asked, Task.COMPARE, COMPARED)
        return None if found is None else found["lost"]

    async def refute(self, exercise: Exercise, after: Any, written: str) -> Opinion | None:
        """What follows *after* the wrong move that is *written* so, and its worth to who moves.

        ``None`` where luck is to decide, or no worker could tell.
        """
        game, actors = exercise.game, after.actors()
        if len(actors) != 1 or CHANCE in actors:
            return None
        text = game.notation.text(after)
        setting = replace(game.setting(dict(exercise.lesson.options)), start=text)
        name, (seat,) = f"{exercise.code}:{written}", actors
        asked = Question(name, game.key, setting, (), seat, game.computer.levels)
        found = await self.thinkers.answer(asked, Task.HINT, REFUTED)
        return None if found is None else opinion_of(found)

    async def _once(
        self, table: Table, at: int, task: Task, seat: Seat, seconds: float | None = None
    ) -> dict[str, Any] | None:
        key, curve = (table.code, at, task, seat), await self.chances.curve(table)
        asked = self._asked.get(key)
        if asked is None:
            question = _question(table, seat, curve=astuple(curve))
            answering = self.thinkers.answer(question, task, seconds)
            asked = self._asked[key] = asyncio.create_task(answering)
        # A caller who gives up does not end it for the others.
        found = None
        try:
            found = await asyncio.shield(asked)
        finally:
            if found is None and asked.done():
                self._asked.pop(key, None)
        return found


def _question(table: Table, seat: Seat, **about: object) -> Question:
    name, game = f"{table.code}:{len(table.log)}", table.game
    levels = game.computer.levels
    return Question(name, game.key, table.setting, table.log, seat, levels, about=about)


async def suggestion(tables: Tables, table: Table) -> Phrase | None:
    """The suggestion after three games won in a row: another level, or a handicap."""
    winner = _winner(table)
    if winner is None or table.match_goes_on:
        return None
    last = table
    for _ in range(ROW - 1):
        if last.parent is None:
            return None
        last = await tables.get(last.parent)
        if _winner(last) != winner:
            return None
    return _explain(table, winner)


def _winner(table: Table) -> tuple[int | None, int | None] | None:
    """The winner of a game of two without handicap: a person's id or a computer's level."""
    won = table.outcome.winner if table.outcome is not None else None
    if won is None or len(table.players) != 2 or table.game.rules.uneven(table.options):
        return None
    return table.players[won].person, table.players[won].level


def _explain(table: Table, winner: tuple[int | None, int | None]) -> Phrase | None:
    game, (person, _) = table.game, winner
    for level in [one.level for one in table.players if one.level is not None]:
        other = level - 1 if person is None else level + 1
        if 1 <= other <= highest_level(game):
            key = "house.streak.lost" if person is None else "house.streak.won"
            return phrase(key, level=other, name=level_name(game, other))
    rule = next((one.key for one in game.rules.options if _evens(game, one)), None)
    if rule is None or table.outcome is None:
        return None
    who = Who(min(table.outcome.places[0]))
    return phrase("house.streak.uneven", who=who, rule=phrase(f"{game.key}.option.{rule}"))


def _evens(game: Game, option: Option) -> bool:
    return any(game.rules.uneven({**game.chosen({}), option.key: value}) for value in option.values)


def _weigh(told: list[Any]) -> Weighed:
    """What a worker has *told* of a decision, as JSON has it."""
    number, seat, before, after, best, exact, line, allowed = told
    return Weighed(number, seat, before, after, best, exact, tuple(line), tuple(allowed))
