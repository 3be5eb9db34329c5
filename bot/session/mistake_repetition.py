"""One's own mistakes: positions in which a move lost something, and when each is put again. Pure.

The days between are those of FSRS (J. Ye, J. Su, Y. Cao, A Stochastic Shortest Path Algorithm for
Optimizing Spaced Repetition Scheduling, KDD 2022), as ``fsrs`` has it with its defaults: two days
after the first right answer, then eleven, forty-six; one day after a wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from fsrs import Card, Rating, Scheduler, State

from bot.session.exercise_catalogue import Exercise, code_of
from bot.session.table import Table
from games.core import Game, RuleError, replay
from games.core.advice import Weighed
from games.core.move_parsing import play_along, read_entry
from games.core.school import BadLesson, Lesson, check_lesson, lesson_data, read_lesson
from storage.records import JSON, MistakeRow

THEME: Final = "mistake"
"""The theme of an exercise that asks for something better than what was played."""

A_DAY: Final = 5
"""How many mistakes are put to one person on one day at most."""

LONGEST_INTERVAL: Final = 365
"""After so many days at the latest a mistake is put again."""

MOST_STABLE: Final = 100_000.0
"""The most days of stability that are kept."""

LONGEST_LINE: Final = 4
"""How many moves of the better line are kept at most."""

_SCHEDULER = Scheduler(
    learning_steps=(), relearning_steps=(), maximum_interval=LONGEST_INTERVAL, enable_fuzzing=False
)


@dataclass(frozen=True)
class Mistake:
    """An *exercise*, what was *played* there in the game, and what follows the better move.

    *played* and the moves of *line*, the better one first, are in notation.
    """

    exercise: Exercise
    played: str
    line: tuple[str, ...]

    @property
    def data(self) -> dict[str, JSON]:
        """All of it but the game, as an object of JSON."""
        return {**lesson_data(self.exercise.lesson), "played": self.played, "line": list(self.line)}

    def accepting(self, move: str) -> Mistake:
        """The same with *move*, in notation, among the right ones."""
        lesson = self.exercise.lesson
        wider = replace(lesson, answers={**lesson.answers, move: None})
        return replace(self, exercise=replace(self.exercise, lesson=wider))


@dataclass(frozen=True)
class KeptMistake:
    """A *mistake* and when it is put: on the day *due*, an ordinal, ``None`` for never."""

    mistake: Mistake
    due: int | None


@dataclass(frozen=True)
class Agenda:
    """What *waiting* is to be put to somebody on the day *today*, an ordinal.

    *done* counts what was answered on that day; *following* is the next day with something to be
    put, ``None`` where nothing is kept.
    """

    today: int
    waiting: Sequence[MistakeRow]
    done: int
    following: int | None


def read_mistake(game: Game, data: Mapping[str, Any]) -> Mistake:
    """The mistake that ``Mistake.data`` has made of one in *game*.

    Raises ``BadLesson`` where the rules of today read it otherwise.
    """
    lesson = read_lesson(game.key, data)
    check_lesson(game, lesson)
    played, line = str(data.get("played", "")), tuple(map(str, data.get("line", ())))
    return Mistake(Exercise(mistake_code(game, lesson), game, lesson), played, line)


def mistake_code(game: Game, lesson: Lesson) -> str:
    """The code of a mistake: of its position alone, so that the same one is not kept twice."""
    return code_of(game.key, Lesson("", lesson.position, {}, options=lesson.options, theme=THEME))


def mistake_of(table: Table, weighed: Weighed) -> Mistake | None:
    """What there is to be learnt from the decision *weighed* of the game at *table*.

    ``None`` where its position cannot be told in notation, such as a hidden one.
    """
    game = table.game
    before = replay(game, game.start(table.setting), table.log[: weighed.number])
    try:
        written = game.notation.written(before, read_entry(game, before, table.log[weighed.number]))
        known = game.chosen({})
        options = {key: one for key, one in table.setting.options.items() if key in known}
        text = game.notation.text(before)
        lesson = Lesson("", text, {weighed.best: None}, options=options, theme=THEME)
        check_lesson(game, lesson)
        line = _line(game, lesson, (weighed.best, *weighed.line))
    except (RuleError, BadLesson):
        return None
    if written == weighed.best:
        return None
    return Mistake(Exercise(mistake_code(game, lesson), game, lesson), written, line)


def _line(game: Game, lesson: Lesson, moves: Sequence[str]) -> tuple[str, ...]:
    """Those first *moves* that can be played in the position of *lesson*, by whoever is to move."""
    position = game.notation.read(lesson.position, game.chosen(lesson.options))
    return tuple(moves[: len(list(play_along(game, position, moves[:LONGEST_LINE])))])


def rescheduled(row: MistakeRow, day: int, *, right: bool) -> MistakeRow:
    """*row* after an answer on the *day* with this ordinal: when it is put again."""
    review = State.Learning if row.stability is None else State.Review
    last = None if row.stability is None else _noon(row.last)
    card = Card(1, review, None, row.stability, row.difficulty, _noon(day), last)
    after, _ = _SCHEDULER.review_card(card, Rating.Good if right else Rating.Again, _noon(day))
    stable = None if after.stability is None else min(after.stability, MOST_STABLE)
    due = max(day + 1, after.due.toordinal())
    return replace(row, due=due, last=day, stability=stable, difficulty=after.difficulty)


def _noon(day: int) -> datetime:
    """An instant of the *day* with this ordinal, since FSRS counts by instants."""
    return datetime.fromordinal(day).replace(tzinfo=UTC) + timedelta(hours=12)
