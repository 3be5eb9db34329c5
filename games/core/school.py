"""What a game teaches: positions in which something is to be found, as data of its package.

A game names the package that holds them (``Game.school``). There ``school/course.json`` has the
first steps, one thing to do in each, and ``school/puzzles.json`` proved problems. Both are lists of
objects::

    {"key": "row", "position": "…", "answers": {"M3": {"reply": "L1", "answers": ["L2"]}}}

*answers* are the moves, in notation, that are right: a list where each ends the lesson, ``"*"``
for every legal move, or an object that has the *reply* to each and what is right then; without a
reply the same side goes on. *options* are the rules that differ from the defaults, *stage* is the
part of a course that a step belongs to, *rules* are the numbers of the rules that it teaches.
*depth* is how many own moves a puzzle takes, *theme* what it asks, *mu* how hard it is, *code* the
name that a puzzle keeps when it is graded anew.

``school/exam.json`` says how the short game is opened that ends a course: a value for each option,
and the *side* of the learner where it is not by lot. ``school/rules.json`` lists the rules that a
player meets: each is taught by a step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from games.core.computer import ANY, DEEPEST, MOST_ANSWERS, Answers, LessonReply
from games.core.errors import RuleError
from games.core.game import Game
from games.core.move_parsing import read_move
from games.core.position import CHANCE, Position, Seat


class BadLesson(Exception):
    """A course or a puzzle cannot be used, as the sentence says: a fault of whoever wrote it."""


@dataclass(frozen=True)
class Lesson:
    """A *position* in the game's notation, and the *answers* that are right in it."""

    key: str
    """Names a step of a course; a puzzle needs none."""
    position: str
    answers: Answers
    options: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    stage: str = ""
    """Names the part of the course to which a step belongs."""
    theme: str = ""
    depth: int = 1
    mu: float | None = None
    """How hard a puzzle is by our own programs, in the unit of the ratings."""
    code: str = ""
    """Names a puzzle for good: tries and calendars know it by this name, whatever it is graded."""


@dataclass(frozen=True)
class LessonState:
    """Where a lesson stands: *seat* is to find one of *answers* in *position*.

    *played* are the moves since its beginning, each with the position before it and its seat;
    *answers* are ``None`` once the lesson is solved.
    """

    position: Position[Any]
    seat: Seat
    answers: Answers | None
    played: tuple[tuple[Position[Any], Seat, Any], ...] = ()

    @property
    def is_solved(self) -> bool:
        """Whether nothing is left to be found."""
        return self.answers is None


def course(game: Game) -> tuple[Lesson, ...]:
    """The first steps of *game*, in order; none where it teaches nothing. Raises ``BadLesson``."""
    return _lessons(game.key, game.school, "course.json")


def puzzles(game: Game) -> tuple[Lesson, ...]:
    """The proved problems that come with *game*. Raises ``BadLesson``."""
    return _lessons(game.key, game.school, "puzzles.json")


def exam(game: Game) -> Mapping[str, str]:
    """How the short game is opened that ends the course of *game*. Raises ``BadLesson``."""
    told = _school_file(game.key, game.school, "exam.json") or {}
    return {str(name): str(value) for name, value in told.items()}


@cache
def _lessons(key: str, package: str, name: str) -> tuple[Lesson, ...]:
    told = _school_file(key, package, name) or []
    if not isinstance(told, list):
        raise BadLesson(f"{key}/{name} is no list")
    return tuple(read_lesson(key, one) for one in told)


def _school_file(key: str, package: str, name: str) -> Any:
    """What the file *name* of the school of a *package* holds; ``None`` where there is none."""
    file = resources.files(package).joinpath("school", name) if package else None
    if file is None or not file.is_file():
        return None
    try:
        return json.loads(file.read_text("utf-8"))
    except ValueError as wrong:
        raise BadLesson(f"{key}/{name} is no JSON: {wrong}") from None


def read_lesson(game: str, told: Any) -> Lesson:
    """The lesson of the *game* with this key that *told*, an object of JSON, describes.

    Raises ``BadLesson``. Whether its moves are legal is for ``check_lesson`` to say.
    """
    if not isinstance(told, Mapping) or not isinstance(told.get("position"), str):
        raise BadLesson(f"{game}: a lesson has a position")
    mu = told.get("mu")
    return Lesson(
        key=str(told.get("key", "")),
        position=told["position"],
        answers=_answers(told.get("answers"), 1),
        options={str(key): str(value) for key, value in dict(told.get("options", {})).items()},
        rules=tuple(map(str, told.get("rules", ()))),
        stage=str(told.get("stage", "")),
        theme=str(told.get("theme", "")),
        depth=int(told.get("depth", 1)),
        mu=None if mu is None else float(mu),
        code=str(told.get("code", "")),
    )


def _answers(told: Any, depth: int) -> Answers:
    if told == ANY:
        return {ANY: None}
    if isinstance(told, list) and told and all(isinstance(one, str) for one in told):
        return dict.fromkeys(told)
    if not isinstance(told, Mapping) or not 0 < len(told) <= MOST_ANSWERS or depth > DEEPEST:
        raise BadLesson(f"these are no answers: {str(told)[:60]}")
    found: dict[str, LessonReply | None] = {}
    for move, then in told.items():
        if then is None:
            found[str(move)] = None
        elif isinstance(then, Mapping) and isinstance(reply := then.get("reply", ""), str):
            found[str(move)] = LessonReply(reply, _answers(then.get("answers"), depth + 1))
        else:
            raise BadLesson(f"this is no reply: {str(then)[:60]}")
    return found


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """*lesson* as the object of JSON that ``read_lesson`` reads."""
    told: dict[str, Any] = {"code": lesson.code, "key": lesson.key, "theme": lesson.theme}
    told |= {"position": lesson.position}
    told |= {"options": dict(lesson.options), "rules": list(lesson.rules), "mu": lesson.mu}
    told |= {"depth": lesson.depth if lesson.depth > 1 else None}
    kept = {name: value for name, value in told.items() if value}
    return {**kept, "answers": _data(lesson.answers)}


def _data(answers: Answers) -> Any:
    if answers == {ANY: None}:
        return ANY
    if all(reply is None for reply in answers.values()):
        return list(answers)
    return {
        move: None if reply is None else {"reply": reply.text, "answers": _data(reply.answers)}
        for move, reply in answers.items()
    }


def motifs(game: Game, lesson: Lesson) -> tuple[str, ...]:
    """What there is to learn in the puzzle *lesson*, by the patterns of its *game*.

    They are looked for in its position, its first answer, the reply to that and what is right then,
    and its depth, with a bar between them.
    """
    first, reply = next(iter(lesson.answers.items()))
    then = ("", "") if reply is None else (reply.text, ",".join(reply.answers))
    told = " | ".join((lesson.position, first, *then, str(lesson.depth)))
    return tuple(key for key, rule in game.computer.motifs.items() if re.search(rule, told))


def opening(game: Game, lesson: Lesson) -> LessonState:
    """*lesson* at its beginning; raises ``RuleError`` or ``BadLesson`` for a bad position."""
    position = game.notation.read(lesson.position, game.chosen(lesson.options))
    actors = position.actors()
    if len(actors) != 1 or CHANCE in actors:
        raise BadLesson(f"{game.key}: nobody alone is to move in {lesson.position}")
    return LessonState(position, min(actors), lesson.answers)


def sides_of(game: Game, lesson: Lesson, position: Position[Any]) -> tuple[str, ...]:
    """The sides in play in a *position* of *lesson*, by seat."""
    return game.notation.sides(position) or game.setting(dict(lesson.options)).sides


def right(game: Game, known: LessonState, move: Any) -> str | None:
    """Which of the answers the legal *move* is; ``None`` where it is none of them."""
    answers = known.answers or {}
    written = game.notation.written(known.position, move)
    return written if written in answers else ANY if ANY in answers else None


def answered(game: Game, known: LessonState, move: Any) -> LessonState:
    """*known* after a right *move* and the reply to it."""
    answer = right(game, known, move)
    if answer is None or known.answers is None:
        raise ValueError(f"{move} is no answer")
    played = (*known.played, (known.position, known.seat, move))
    position, reply = known.position.after(move), known.answers[answer]
    if reply is None:
        return LessonState(position, known.seat, None, played)
    if not reply.text:
        return LessonState(position, known.seat, reply.answers, played)
    (other,) = position.actors()
    returned = read_move(game, position, other, reply.text)
    played = (*played, (position, other, returned))
    return LessonState(position.after(returned), known.seat, reply.answers, played)


def numbered(game: Game, known: LessonState, move: Any) -> int:
    """The number, from 1, of a right *move* among the answers of *known*."""
    return list(known.answers or {}).index(right(game, known, move) or "") + 1


def resumed(game: Game, lesson: Lesson, numbers: tuple[int, ...]) -> LessonState:
    """*lesson* after the answers of these *numbers*; raises ``BadLesson`` for numbers of none."""
    known = opening(game, lesson)
    for number in numbers:
        answers = list(known.answers or {})
        if not 0 < number <= len(answers) or answers[number - 1] == ANY:
            raise BadLesson(f"{game.key}: no answer {number}")
        known = answered(game, known, _read(game, known, answers[number - 1]))
    return known


def _read(game: Game, known: LessonState, text: str) -> Any:
    return read_move(game, known.position, known.seat, text)


def check_lesson(game: Game, lesson: Lesson) -> None:
    """Raise ``BadLesson`` unless every answer and every reply of *lesson* is legal in its place."""
    try:
        _check(game, opening(game, lesson))
    except RuleError as refused:
        raise BadLesson(f"{game.key} {lesson.key} {lesson.position}: {refused.phrase}") from refused


def _check(game: Game, known: LessonState) -> None:
    if known.position.outcome() is not None:
        raise BadLesson(f"{game.key}: the game is over in {game.notation.text(known.position)}")
    if not known.position.legal_moves(known.seat):
        raise BadLesson(f"{game.key}: no move is legal in {game.notation.text(known.position)}")
    for text, reply in (known.answers or {}).items():
        if text == ANY:
            continue
        move = _read(game, known, text)
        if game.notation.written(known.position, move) != text:
            raise BadLesson(f"{game.key}: “{text}” is not how the move is written")
        then = answered(game, known, move)
        if reply is None:
            continue
        if then.position.actors() != {known.seat}:
            raise BadLesson(f"{game.key}: after {text} {reply.text} another one is to move")
        _check(game, then)
