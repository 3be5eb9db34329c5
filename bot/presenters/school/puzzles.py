"""The screens of puzzles, and the film of a solution. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from bot.port import Button, Countdown, Screen
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action
from bot.presenters.school.exercises import (
    FIVE,
    GAME,
    TODAY,
    ExerciseBoard,
    helping,
    mistakes_button,
    next_filled,
)
from bot.presenters.table.film import LAST, LIGHT, SLOWEST, STEP, Shot
from bot.session.daily_calendar import number_of
from bot.session.exercise_catalogue import Exercise, PuzzleList
from games.core import Game, phrase
from games.core.move_parsing import read_move
from games.core.school import LessonState, answered, motifs, opening
from render.film_foot import FilmFoot
from render.scene import Last

MINE: Final = "mine"
"""The path of the button that lists what somebody has solved and missed begins so."""

THEMES, STORM, LIKED = "themes", "storm", "like"
"""Begin the paths of the buttons of themes, of three minutes of puzzles, and of opinions."""

MOST_THEMES = 3
"""How many themes a solved puzzle offers more of."""

GIVEN: Final = "give"
"""The path of the button that shows the solution begins so."""


class PuzzleScreens(PagePresenter):
    """Composes the screens of puzzles; of one of today where *day*, its ordinal, is not 0.

    Then it is the move of the day, or the one with this number *of_five*.
    """

    day: int = 0
    of_five: int = 0
    ends: datetime | None = None
    """When three minutes that run end, in which nothing is given away."""

    def games(self, solved: Mapping[str, tuple[int, int]], waiting: int, of: str = GAME) -> Screen:
        """The games to choose a puzzle from, by their keys, each with how many of all are *solved*.

        A game is chosen, its themes or a storm *of* it. One's own puzzles and mistakes, of which
        so many are *waiting*, come last.
        """
        rows = []
        for game, (done, many) in solved.items():
            label = self.say("school.course", game=phrase(f"{game}.name"), done=done, of=many)
            rows.append([Button(label, self._code(of, game), part=(game, done, many))])
        if of == GAME:
            words = {THEMES: "puzzle.button.themes", STORM: "puzzle.button.storm"}
            rows.append([Button(self.say(key), self._code(one)) for one, key in words.items()])
        mine = self.button_to(Action.PUZZLE, "puzzle.button.mine", MINE, "0")
        rows.append([mine, mistakes_button(self, waiting)])
        head = "puzzle.storm-games" if of == STORM else "puzzle.games"
        return self.page(self.say(head), rows=next_filled(rows))

    def themes(self, game: Game, many: Mapping[str, int]) -> Screen:
        """The themes of *game*, each with how *many* puzzles it has."""
        named = {one: self.say(f"{game.key}.motif.{one}") for one in many}
        labels = {one: f"{name} · {many[one]}" for one, name in named.items()}
        rows = [[Button(said, self._code(GAME, game.key, one))] for one, said in labels.items()]
        return self.page(self.say("puzzle.themes", game=phrase(f"{game.key}.name")), rows=rows)

    def _code(self, *path: str) -> str:
        return self.code(Action.PUZZLE, *path)

    def tried(self, listed: PuzzleList) -> Screen:
        """What somebody has solved and missed, each with its film."""
        if not listed.tried:
            return self.page(self.say("puzzle.list-empty"))
        head = self.say("puzzle.list", solved=listed.solved, missed=listed.missed)
        rows = [self._list_buttons(one, solved) for one, solved in listed.tried]
        many, words = listed.page + 1 + listed.goes_on, ("house.button.before", "house.button.next")
        turn = self.page_keys(listed.page, many, lambda to: self._code(MINE, str(to)), words=words)
        return self.page(head, rows=[*rows, turn])

    def _list_buttons(self, exercise: Exercise, solved: bool) -> list[Button]:
        name, code = phrase(f"{exercise.game.key}.name"), exercise.code
        key = "puzzle.list-solved" if solved else "puzzle.list-missed"
        again = self.button_to(Action.PUZZLE, key, code, game=name, code=code.upper())
        return [again, self._give(exercise, "puzzle.button.film")]

    def asking(self, board: ExerciseBoard, path: Sequence[str] = (), *said: str) -> Screen:
        """The puzzle with its task, and what was *said* of the last answer."""
        below = helping(self, board)
        if self.ends is None:
            going = (self._next(board.exercise, "house"),) if said or self.day else ()
            below += [self._give(board.exercise), *going]
        screen = board.asking(self._title(board), (self._task(board), *said), below, path)
        if self.ends is None:
            return screen
        plain = f"{self.ends.astimezone(UTC):%H:%M:%S} UTC"
        return replace(screen, countdown=Countdown(self.say("puzzle.storm-ends"), self.ends, plain))

    def solved(self, board: ExerciseBoard, *said: str) -> Screen:
        """The puzzle that is solved, and what that made of rating and streak."""
        another = [] if self.day else [self._next(board.exercise, "good")]
        below = [*another, self._give(board.exercise, "puzzle.button.film")]
        below += [
            Button(self.say(key), self._code(LIKED, board.exercise.code, sign))
            for sign, key in (("+", "puzzle.button.like"), ("-", "puzzle.button.dislike"))
        ]
        game, lesson = board.exercise.game, board.exercise.lesson
        found = {one: phrase(f"{game.key}.motif.{one}") for one in motifs(game, lesson)}
        below += [
            Button(self.say("puzzle.button.more", theme=name), self._code(GAME, game.key, one))
            for one, name in found.items()
            if another
        ][:MOST_THEMES]
        taught = self.say("puzzle.motifs", motifs=tuple(found.values())) if found else ""
        lines = (self.say("puzzle.solved"), *filter(None, (taught, board.proof_in_words())), *said)
        return board.standing(self._title(board), lines, below)

    def after_today(self, board: ExerciseBoard) -> Screen:
        """The move of the day for somebody for whom it is over."""
        film = self._give(board.exercise, "puzzle.button.film")
        return board.standing(self._title(board), (self.say("daily.again"),), [film])

    def storm_over(self, game: str, solved: int, record: int) -> Screen:
        """That a storm in *game* is over."""
        again = Button(self.say("puzzle.button.storm"), self._code(STORM, game), "good")
        told = self.say("puzzle.storm-over", n=solved, best=record)
        return self.page(f"{self.say(f'{game}.name')} · {told}", rows=[[again]])

    def all_solved(self, game: Game) -> Screen:
        """That no puzzle of *game* is left."""
        again = Button(self.say("puzzle.button.others"), self.code(Action.PUZZLE))
        name = phrase(f"{game.key}.name")
        return self.page(self.say("puzzle.none-left", game=name), rows=[[again]])

    def _title(self, board: ExerciseBoard) -> str:
        name = phrase(f"{board.table.game.key}.name")
        if self.of_five:
            return self.say("daily.five", n=str(self.of_five), game=name)
        if self.day:
            return self.say("puzzle.daily", n=str(number_of(self.day)), game=name)
        return self.say("puzzle.title", game=name, code=board.exercise.code.upper())

    def _task(self, board: ExerciseBoard) -> str:
        game, lesson = board.table.game.key, board.exercise.lesson
        side = phrase(f"{game}.side.{board.table.players[board.known.seat].side}")
        return self.say(f"{game}.puzzle.{lesson.theme}", side=side)

    def below_film(self, exercise: Exercise) -> list[Button]:
        """What leads on from the film of the solution."""
        rules = Button(self.say("house.button.rules"), self.code(Action.RULES, exercise.game.key))
        return [self._next(exercise, "good"), rules]

    def _next(self, exercise: Exercise, style: str) -> Button:
        label, path = "puzzle.button.next", [GAME, exercise.game.key]
        if self.day:
            label = "daily.button.next" if self.of_five else "daily.button.five"
            path = [TODAY, FIVE, exercise.code]
        return Button(self.say(label), self.code(Action.PUZZLE, *path), style)

    def _give(self, exercise: Exercise, key: str = "puzzle.button.give") -> Button:
        return Button(self.say(key), self.code(Action.PUZZLE, GIVEN, exercise.code))


def solution(exercise: Exercise) -> LessonState:
    """The exercise solved by the first right move each time, against the replies it knows."""
    game, known = exercise.game, opening(exercise.game, exercise.lesson)
    while known.answers is not None:
        move = read_move(game, known.position, known.seat, next(iter(known.answers)))
        known = answered(game, known, move)
    return known


def solution_shots(board: ExerciseBoard) -> Iterator[Shot]:
    """The pictures of a film in which the solution, as *board* knows it, is played."""
    played, words = board.known.played, board.plies_in_words(board.known.played)
    scene = board.standing("", (), ()).scene
    if scene is None:
        return
    for at, ((before, seat, move), said) in enumerate(zip(played, words, strict=True), 1):
        seen, last = board.seen.then(before), (Last(board.seen.then(before), seat, move),)
        there = replace(scene, seen=seen, last=(), ended=None, calm=True)
        there = replace(there, captions=board.captions(seen))
        foot = FilmFoot(said, at / len(played))
        yield Shot(there, SLOWEST, foot)
        yield Shot(replace(there, last=last), STEP, foot, LIGHT)
    yield Shot(replace(scene, calm=True), LAST, FilmFoot(words[-1], 1.0, gold=True))
