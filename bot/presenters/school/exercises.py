"""The screens of exercises: a step of a course, what came of a move, the list of courses. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from bot.port import Button, KeyRows, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import NO_TABLE, TYPED, Action, Click, encode_click
from bot.presenters.table.composer import Composer
from bot.presenters.table.keyboard import ChoicePage, choice_rows
from bot.presenters.table.viewers import LOOK, Viewer
from bot.session.exercise_catalogue import (
    Exercise,
    games_with_courses,
    stages_of,
    stars,
    steps_of_course,
)
from bot.session.table import PLAYING, Player, Table
from bot.session.visibility import VisibleTable
from bot.texts import language
from bot.texts.orthography import capital
from games.core import Game, Phrase, RuleError, Seat, phrase, read_move
from games.core.school import LessonState, opening, sides_of
from render.scene import Last, Scene

GAME: Final = "game"
"""The path of the button that opens the course of a game begins so, the code of an exercise not."""

WORDS: Final = "words"
"""The path of the button that tells the board in words begins so."""


MISTAKES: Final = "mistakes"
"""The path of the button that puts the next of one's own mistakes."""

TODAY, FIVE = "today", "five"
"""Begins the paths of the buttons of the move of the day, and follows it for the daily five."""

LOWEST: Final = "1"
"""The level against which the course lets a beginner play."""

EXAM: Final = "exam"
"""Stands for that level in the button of the short game that ends a course."""

STARTER: Final = "starter"
"""The set of pieces that shows a newcomer how they move, where a game has it."""


@dataclass(frozen=True)
class MoveVerdict:
    """What came of a move: the *words* to say of it, and the *wrong* one in a few words."""

    words: str
    wrong: Phrase | None = None


class ExerciseBoard(Composer):
    """Composes the board of *exercise* at a *state*, which is *known*, for the person *name*."""

    def __init__(
        self,
        exercise: Exercise,
        state: int,
        known: LessonState,
        viewer: Viewer,
        key: bytes,
        name: str,
    ) -> None:
        self.exercise, self.state, self.known = exercise, state, known
        game, lesson = exercise.game, exercise.lesson
        rival = language(viewer.language).say(phrase("school.rival"))
        players = tuple(
            Player(0, name if seat == known.seat else rival, side=side)
            for seat, side in enumerate(sides_of(game, lesson, known.position))
        )
        seated = replace(viewer, seat=known.seat, bottom=known.seat, personal=True)
        if exercise.step and viewer.look.pieces == LOOK.pieces:
            seated = replace(seated, look=replace(viewer.look, pieces=STARTER))
        super().__init__(posed_table(game, lesson.options, players, known.position), seated, key)

    def code(self, act: Action, *path: str, turn: int = 0) -> str:
        """The code of a button; a move becomes an answer to the exercise."""
        if act is Action.MOVE:
            return self.own_code(self.exercise.code, *path)
        return encode_click(Click(act, NO_TABLE, turn, path), self.key)

    def own_code(self, *path: str) -> str:
        """The code of a button of the exercise itself."""
        act = Action.LEARN if self.exercise.step else Action.PUZZLE
        return encode_click(Click(act, NO_TABLE, self.state, path), self.key)

    def asking(
        self, title: str, lines: Sequence[str], below: Sequence[Button], path: Sequence[str] = ()
    ) -> Screen:
        """The board with the choices after *path*, under *lines*, and the buttons *below* them."""
        page = self.choices(self.known.seat, path)
        seen = VisibleTable(self.table, page.seat).position
        asked = self.say(self.table.game.menus.question(seen, page.seat, page.path))
        rows = choice_rows(self, page)
        if page.begun:
            back = self.own_code(self.exercise.code)
            below = (Button(self.say("house.button.back"), back), *below)
        return self._compose_screen(title, (*lines, asked), (*rows, below), page)

    def standing(self, title: str, lines: Sequence[str], below: Sequence[Button]) -> Screen:
        """The board without choices, under *lines*."""
        return self._compose_screen(title, lines, (below,), None)

    def last_reply(self) -> str:
        """What the other side has just played, in a few words; "" where it has not."""
        _, seat, _ = self.known.played[-1]
        return "" if seat == self.known.seat else self.plies_in_words(self.known.played[-1:])[0]

    def line_in_words(self, position: Any, line: Sequence[str]) -> str:
        """The plies of a *line* from *position* on, in a few words each, while they are legal.

        Where the game ends with the last of them, who wins is told behind them.
        """
        played: list[tuple[Any, Seat, Any]] = []
        with suppress(RuleError):
            for before, seat, move in plies_of(self.table.game, position, line):
                played.append((before, seat, move))
                position = before.after(move)
        words = capital("; ".join(self.plies_in_words(played)))
        return ". ".join(filter(None, (words, self.ending_in_words(position).removesuffix("."))))

    def ending_in_words(self, position: Any) -> str:
        """Who has won *position*, and how; "" while it goes on."""
        outcome = position.outcome()
        if outcome is None:
            return ""
        return self.say(outcome.ending(f"{self.table.game.key}.end.{outcome.reason}"))

    def proof_in_words(self) -> str:
        """What the first answer does, and how much more it won in the games that have proved it.

        By how much more than any other, as ``Lesson.proof`` tells it; "" where none were played.
        """
        game, lesson = self.table.game, self.exercise.lesson
        leads = re.findall(r":(\d+)\.\.(\d+)", lesson.proof)
        if not leads:
            return ""
        known = opening(game, lesson)
        move = read_move(game, known.position, known.seat, next(iter(lesson.answers)))
        reason = game.asking.reason(known.position, known.seat, move)
        told = "" if reason is None else self.say("puzzle.reason", reason=reason.words)
        least = min(int(low) + int(high) for low, high in leads) // 20
        return f"{told} {self.say('puzzle.better', n=least)}".lstrip()

    def plies_in_words(self, played: Sequence[tuple[Any, Seat, Any]]) -> tuple[str, ...]:
        """The plies *played*, in a few words each; where both sides play, behind whose they are."""
        say, spoken = self.tongue.clause, self.table.game.speech.spoken
        several = len({seat for _, seat, _ in played}) > 1
        whose = {seat: f"{name}: " for seat, name in self.names.items() if several}
        return tuple(
            whose.get(seat, "") + say(spoken(before, move), self.names)
            for before, seat, move in played
        )

    def _description(self, over: frozenset[str]) -> tuple[str, ...]:
        # What a step of a course leaves out was never there.
        left_out = [f"{self.table.game.key}.words.lost"] if self.exercise.step else []
        return super()._description(over.union(left_out))

    def in_words(self) -> str:
        """All that the board shows, in words."""
        return "\n".join(dict.fromkeys(self.description()))

    def _compose_screen(
        self, title: str, lines: Sequence[str], rows: KeyRows, page: ChoicePage | None
    ) -> Screen:
        return Screen(
            *(NO_TABLE, 0, title, tuple(lines)),
            alt=self.alt(),
            scene=self._exercise_scene(page),
            rows=tuple(tuple(row) for row in rows if row),
            language=self.tongue.code,
        )

    def _exercise_scene(self, page: ChoicePage | None) -> Scene:
        scene, moves = self._scene(page), self.known.played
        told = moves[-1:] if not self.known.is_solved else moves[-2:]
        last = tuple(Last(self.seen.then(before), seat, move) for before, seat, move in told)
        ended = self.table.present.outcome()
        return replace(scene, last=last, ended=ended, posed=bool(self.exercise.step))


def plies_of(game: Game, position: Any, line: Iterable[str]) -> Iterator[tuple[Any, Seat, Any]]:
    """The plies of a *line* from *position* on, each with what stands before it and whose it is."""
    for text in line:
        (seat,) = position.actors()
        move = read_move(game, position, seat, text)
        yield position, seat, move
        position = position.after(move)


def posed_table(
    game: Game, options: Mapping[str, str], players: tuple[Player, ...], position: Any
) -> Table:
    """A table that stands in *position* and is stored nowhere, for what is composed of a table."""
    never = datetime.fromtimestamp(0, UTC)
    return Table(
        code=NO_TABLE,
        game=game,
        options=game.chosen({**game.rules.solo, **options}),
        begins="",
        host=0,
        players=players,
        commitment="",
        created=never,
        touched=never,
        status=PLAYING,
        position=position,
        turns=(0,) * len(players),
    )


class CourseScreens(PagePresenter):
    """Composes the screens of courses."""

    def shelf(
        self, done: Mapping[str, Mapping[str, int]], passed: Collection[str], waiting: int
    ) -> Screen:
        """The courses to choose from, each with the steps that are *done*, and their errors.

        Of the games in *passed* the exam is passed too. Own mistakes, of which so many are
        *waiting*, come last.
        """
        rows: list[list[Button]] = []
        lines = []
        for game in games_with_courses():
            steps, solved = steps_of_course(game.key), done[game.key]
            name = phrase(f"{game.key}.name")
            lit = sum(stars(stage, solved) for stage in stages_of(game.key))
            done_here, many = len(solved), len(steps)
            label = self.say("school.course.stars", game=name, done=done_here, of=many, stars=lit)
            if game.key in passed:
                label = self.say("school.course.passed", course=label)
            lines.append(self.say("house.sheet.game", game=name, what=phrase(f"{game.key}.blurb")))
            code, part = self.code(Action.LEARN, GAME, game.key), (game.key, done_here, many)
            rows.append([Button(label, code, line=len(rows), part=part)])
        rows.append([mistakes_button(self, waiting)])
        return self.page(self.say("school.courses"), lines, next_filled(rows))

    def step(
        self, board: ExerciseBoard, path: Sequence[str] = (), verdict: MoveVerdict | None = None
    ) -> Screen:
        """A step with its task, or with the *verdict* on a move that was not right."""
        key = f"{board.table.game.key}.learn.{board.exercise.lesson.key}"
        goes_on = board.state and f"{key}.then" in language(self.language).templates
        lines = [self.say(f"{key}.then" if goes_on else key)]
        if verdict is not None:
            # The next task follows upon what was right.
            lines.insert(verdict.wrong is not None, self._verdict_text(verdict))
        return board.asking(self._title(board), lines, self._below(board), path)

    def _verdict_text(self, verdict: MoveVerdict) -> str:
        if verdict.wrong is None:
            return self.say("school.replied" if verdict.words else "school.good", why=verdict.words)
        # With the move in it two wrong ones in a row do not look as if nothing had been pressed.
        return self.say("school.not-it", move=verdict.wrong, why=verdict.words)

    def solved(self, board: ExerciseBoard, done: Mapping[str, int]) -> Screen:
        """A step that is solved: why, what is known with it, and the way on.

        *done* are the errors by the names of the steps that are solved.
        """
        exercise, game = board.exercise, board.table.game
        steps = steps_of_course(game.key)
        right = self.say(f"{game.key}.learn.{exercise.lesson.key}.right")
        lines = [self.say("school.right", why=right)]
        (part,) = (one for one in stages_of(game.key) if exercise in one)
        if exercise.lesson.stage and (lit := stars(part, done)):
            stage = phrase(f"{game.key}.stage.{exercise.lesson.stage}")
            lines.append(
                self.say("school.stage-done", stage=stage, stars="★" * lit + "☆" * (3 - lit))
            )
        below = [self._onward(exercise, "school.button.again")]
        if exercise.step < len(steps):
            below.insert(0, self._onward(steps[exercise.step], "house.button.next", "good"))
            return board.standing(self._title(board), lines, below)
        left = [one for one in steps if one.lesson.key not in done]
        if not left:
            lines.append(self.say("school.finished", game=phrase(f"{game.key}.name")))
            return board.standing(self._title(board), lines, [self._exam(game), *below])
        lines.append(self.say("school.steps-left", n=len(left)))
        onward = self._onward(left[0], "school.button.left", "good")
        play = self.button_to(Action.PLAY, "school.button.play", game.key, LOWEST)
        return board.standing(self._title(board), lines, [onward, play, *below])

    def end_of_course(self, game: Game, done: Mapping[str, int]) -> Screen:
        """A course of which all is *done*: the game that ends it, and its stages to repeat."""
        rows = [[self._exam(game)]]
        for first, *others in stages_of(game.key):
            named, lit = first.lesson.stage, stars((first, *others), done)
            key = f"{game.key}.stage.{named}" if named else "school.button.again"
            label = f"{self.say(key)} · {'★' * lit}{'☆' * (3 - lit)}"
            rows.append([Button(label, self.code(Action.LEARN, first.code))])
        return self.page(self.say("school.finished", game=phrase(f"{game.key}.name")), rows=rows)

    def _exam(self, game: Game) -> Button:
        return self.button_to(Action.PLAY, "school.button.exam", game.key, EXAM, style="good")

    def _title(self, board: ExerciseBoard) -> str:
        game, exercise = board.table.game, board.exercise
        name, many = phrase(f"{game.key}.name"), len(steps_of_course(game.key))
        if not exercise.lesson.stage:
            return self.say("school.title", game=name, n=exercise.step, of=many)
        stage = phrase(f"{game.key}.stage.{exercise.lesson.stage}")
        return self.say("school.title.stage", game=name, stage=stage, n=exercise.step, of=many)

    def _below(self, board: ExerciseBoard) -> list[Button]:
        """The buttons below the choices: the other steps, the board in words, a typed move."""
        exercise, steps = board.exercise, steps_of_course(board.table.game.key)
        below = []
        if exercise.step > 1:
            below.append(self._onward(steps[exercise.step - 2], "house.button.before"))
        if exercise.step < len(steps):
            below.append(self._onward(steps[exercise.step], "school.button.skip"))
        return [*below, *helping(self, board)]

    def _onward(self, exercise: Exercise, key: str, style: str = "house") -> Button:
        return Button(self.say(key), self.code(Action.LEARN, exercise.code), style)


def helping(pages: PagePresenter, board: ExerciseBoard) -> list[Button]:
    """The buttons for whoever cannot see the board, types, or does not know the game."""
    code, game = board.exercise.code, board.table.game.key
    return [
        *(() if board.exercise.step else (board.button("house.button.rules", Action.RULES, game),)),
        Button(pages.say("house.button.words"), board.own_code(WORDS, code)),
        Button(pages.say("school.button.type"), board.own_code(TYPED, code)),
    ]


def next_filled(rows: list[list[Button]]) -> list[list[Button]]:
    """*rows* with the game filled that one goes on with: one that is begun, or else not done."""
    parts = [one.part for row in rows for one in row if one.part]
    best = max(parts, key=lambda part: (0 < part[1] < part[2], part[1] < part[2]), default=None)
    styles: dict[object, str] = {best: "good"}
    return [[replace(one, style=styles.get(one.part, one.style)) for one in row] for row in rows]


def mistakes_button(pages: PagePresenter, waiting: int) -> Button:
    """The way to one's own mistakes, with how many wait today."""
    label = pages.say("mistake.button", n=waiting) if waiting else pages.say("mistake.button.none")
    return Button(label, pages.code(Action.PUZZLE, MISTAKES))
