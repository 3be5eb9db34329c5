"""The exercises of every game by short codes, which buttons and rows carry."""

from __future__ import annotations

import hashlib
import json
import logging
from base64 import b32encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from itertools import groupby

from games.core import Game
from games.core.school import BadLesson, Lesson, LessonState, course, lesson_data, puzzles, resumed
from games.core.shelf import shelf

log = logging.getLogger(__name__)

CODE = 6
"""The letters of an exercise's code: 30 bits tell a few thousand of them apart."""

IN_FRONT = timedelta(hours=1)
"""How long a move that is typed where its writer plays nothing answers the exercise opened last."""

_BASE = 64
"""One digit of a state: the number of an answer, which is below it."""


@dataclass(frozen=True)
class Exercise:
    """A *lesson* of *game*, by its *code*; *step* is its number in the course, from 1.

    A puzzle has the *step* 0. A code made of the lesson changes with it: a button of an older one
    is known as such.
    """

    code: str
    game: Game
    lesson: Lesson
    step: int = 0

    def resumed(self, state: int) -> LessonState:
        """Where the exercise stands after the answers in *state*; raises ``BadLesson``."""
        return resumed(self.game, self.lesson, tuple(_numbers(state)))


@dataclass(frozen=True)
class PuzzleList:
    """A *page*, from 0, of the puzzles that somebody has *tried*, each with whether it is solved.

    *solved* and *missed* count all of them; *goes_on* says that another page follows.
    """

    page: int
    tried: Sequence[tuple[Exercise, bool]]
    solved: int
    missed: int
    goes_on: bool


def code_of(game: str, lesson: Lesson) -> str:
    """The code of *lesson*: the one that it bears, else made of all that it is."""
    if lesson.code:
        return lesson.code
    told = json.dumps([game, lesson_data(lesson)], sort_keys=True, ensure_ascii=False)
    return b32encode(hashlib.sha256(told.encode()).digest())[:CODE].decode().lower()


def advanced(state: int, number: int) -> int:
    """*state* with the answer of this *number* behind those it holds."""
    place: int = _BASE ** len(list(_numbers(state)))
    return state + number * place


def _numbers(state: int) -> Iterator[int]:
    while state:
        state, number = divmod(state, _BASE)
        yield number


@cache
def exercises() -> Mapping[str, Exercise]:
    """Every exercise that comes with a game, by its code; a game's bad ones are left out."""
    found: dict[str, Exercise] = {}
    for game in shelf().values():
        try:
            steps, problems = course(game), puzzles(game)
        except BadLesson as wrong:
            log.warning("the lessons of %s are left out: %s", game.key, wrong)
            continue
        for step, lesson in [*enumerate(steps, 1), *((0, one) for one in problems)]:
            code = code_of(game.key, lesson)
            found[code] = Exercise(code, game, lesson, step)
    return found


@cache
def steps_of_course(game: str) -> Sequence[Exercise]:
    """The first steps of the *game* with this key, in order."""
    return tuple(one for one in exercises().values() if one.game.key == game and one.step)


def stages_of(game: str) -> Sequence[Sequence[Exercise]]:
    """The steps of the course of the *game* with this key, stage by stage."""
    by_stage = groupby(steps_of_course(game), lambda one: one.lesson.stage)
    return [tuple(steps) for _, steps in by_stage]


def stars(stage: Sequence[Exercise], wrong: Mapping[str, int]) -> int:
    """The stars of a *stage*: three without an error, one for many, none while a step is left.

    *wrong* are the errors by the names of the steps that are solved.
    """
    errors = [wrong.get(one.lesson.key) for one in stage]
    if None in errors:
        return 0
    missed = sum(map(bool, errors))
    return 3 - (missed > 0) - (missed > len(stage) / 2)


@cache
def puzzles_of(game: str) -> Sequence[Exercise]:
    """The puzzles that come with the *game* of this key."""
    return tuple(one for one in exercises().values() if one.game.key == game and not one.step)


@cache
def games_with_courses() -> tuple[Game, ...]:
    """The games that have first steps, in the order of the shelf."""
    return tuple(game for game in shelf().values() if steps_of_course(game.key))


@cache
def step_that_teaches(game: str, rule: str) -> Exercise | None:
    """The first step of the *game* with this key that teaches *rule*, a number; if one does."""
    steps = steps_of_course(game) if rule else ()
    return next((one for one in steps if rule in one.lesson.rules), None)
