"""School: the first steps of a game, taken by the buttons and squares of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.commands.request import Request
from bot.port import Answer, Card, MenuAnswer, Press, Said, Screen
from bot.presenters.button_codes import TYPED
from bot.presenters.keyboard import BLANK, steps_of
from bot.presenters.rulebook import chapter_title
from bot.presenters.school import GAME, WORDS, CourseScreens, ExerciseBoard, MoveVerdict
from bot.presenters.viewers import Viewer
from bot.session.exercises import (
    Exercise,
    advanced,
    exercises,
    steps_of_course,
)
from bot.session.rated import stands_alike
from bot.session.table import Table
from bot.session.unit_of_work import Refused
from games.core import Game, IllegalMove, Menu, RuleError, phrase, pick, read_moves
from games.core.school import BadLesson, LessonState, answered, numbered, right
from games.core.shelf import find_game
from storage import attempts
from storage.records import AttemptRow


@dataclass(frozen=True)
class Tried:
    """What came of a *move* in an exercise: where it stands *then*, ``None`` where it was not it.

    *state* and *known* are those before it.
    """

    exercise: Exercise
    state: int
    known: LessonState
    move: Any
    then: LessonState | None

    @property
    def next_state(self) -> int:
        """The state after a right move."""
        return advanced(self.state, numbered(self.exercise.game, self.known, self.move))


async def learn(request: Request) -> Answer:
    """Show the courses or a step of one, or take a move in it."""
    if request.pressed:
        return await _pressed(request)
    typed = " ".join(filter(None, (request.value("game"), request.value("answer"))))
    game, text = _game_in(typed)
    if game is None and not text:
        return await _courses(request)
    if game is not None and not steps_of_course(game.key):
        raise Refused(phrase("school.no-course", game=phrase(f"{game.key}.name")))
    last = await request.services.store.read(
        attempts.latest_attempt, request.person.id, course=True
    )
    if game is not None and (last is None or last.game != game.key or not text):
        exercise, state = await _kept_step(request, game.key), 0
    elif last is not None and last.exercise in exercises():
        exercise, state = exercises()[last.exercise], last.state
    else:
        raise Refused(phrase("school.nothing-begun"))
    if text:
        return await _typed(request, exercise, state, text)
    return await _shown(request, exercise, state)


async def _pressed(request: Request) -> Answer:
    match request.path:
        case ():
            return await _courses(request)
        case (str(word), key) if word == GAME:
            return await _shown(request, await _kept_step(request, find_game(key).key), 0)
        case (str(word), code) if word == WORDS:
            return in_words(request, exercise_of(code), request.turn)
        case (str(word), code) if word == TYPED:
            typed = request.by.text if isinstance(request.by, Press) else ""
            exercise = exercise_of(code)
            if not typed:
                return request.said(phrase("school.how-to-type", example=_example(exercise)))
            return await _typed(request, exercise, request.turn, typed)
        case (code, *steps):
            return await _chosen(request, exercise_of(code), steps)
    raise Refused(phrase("school.changed"))


def exercise_of(code: str) -> Exercise:
    """The exercise of *code*; raises ``Refused`` where a release has changed or dropped it."""
    found = exercises().get(code)
    if found is None:
        raise Refused(phrase("school.changed"))
    return found


def known_at(exercise: Exercise, state: int) -> LessonState:
    """Where *exercise* stands at *state*; raises ``Refused`` where there is no such state."""
    try:
        return exercise.resumed(state)
    except BadLesson:
        raise Refused(phrase("school.changed")) from None


def in_words(request: Request, exercise: Exercise, state: int) -> Said:
    """The board of *exercise* in words alone."""
    return Said(board_of(request, exercise, state, known_at(exercise, state)).in_words())


def board_of(request: Request, exercise: Exercise, state: int, known: LessonState) -> ExerciseBoard:
    """The presenter of *exercise* for the asker."""
    viewer = Viewer(language=request.language, look=request.look, space=request.chat.space)
    name, key = request.person.name or request.by.asker.name, request.services.key
    return ExerciseBoard(exercise, state, known, viewer, key, name)


def _example(exercise: Exercise) -> str:
    """How a move is written there: not one that is right, where another is legal."""
    known = exercise.resumed(0)
    game, moves = exercise.game, known.position.legal_moves(known.seat)
    others = [move for move in moves if right(game, known, move) is None]
    return game.notation.written(known.position, (others or list(moves))[0])


def _game_in(typed: str) -> tuple[Game | None, str]:
    """The game that *typed* begins with, if one, and what is left."""
    words = typed.split()
    for many in range(len(words), 0, -1):
        try:
            return find_game(" ".join(words[:many])), " ".join(words[many:])
        except RuleError:
            continue
    return None, typed


async def _courses(request: Request) -> Answer:
    done = {}
    for game in {one.game.key for one in exercises().values()}:
        done[game] = len(await _done(request, game))
    return _answer(request, _screens(request).shelf(done), None)


async def _done(request: Request, game: str) -> frozenset[str]:
    """The names of the steps of *game* that the asker has solved."""
    found = await request.services.store.read(attempts.attempts_at, request.person.id, game)
    known = {one.lesson.key for one in steps_of_course(game)}
    return frozenset(one.step for one in found if one.solved and one.step in known)


async def _kept_step(request: Request, game: str) -> Exercise:
    """The first step of the course of *game* that the asker has not solved, else the first."""
    steps, done = steps_of_course(game), await _done(request, game)
    if not steps:
        raise Refused(phrase("school.no-course", game=phrase(f"{game}.name")))
    return next((one for one in steps if one.lesson.key not in done), steps[0])


async def _shown(request: Request, exercise: Exercise, state: int) -> Answer:
    """*exercise* at *state*, which is in front of the asker from now on."""
    known = known_at(exercise, state)
    await refuse_contest(request, exercise, known)
    await begin_exercise(request, exercise, state)
    screen = _screens(request).step(board_of(request, exercise, state, known))
    return await _answer_with_picture(request, screen)


async def offer_course(request: Request, table: Table) -> str:
    """The offer to learn the game of *table*, once to whoever has just opened their first of it."""
    store, me, game = request.services.store, request.person.id, table.game.key
    if not steps_of_course(game):
        return ""
    if not await store.read(attempts.is_newcomer, me, game, table.code):
        return ""
    # The first step counts as begun, so that nobody is asked twice.
    await begin_exercise(request, steps_of_course(game)[0], 0)
    return request.pages.say("school.offer", game=phrase(f"{game}.name"))


async def refuse_contest(request: Request, exercise: Exercise, known: LessonState) -> None:
    """Raise ``Refused`` where a rated game of the asker stands as the exercise does."""
    contests = request.services.tables.contests(request.person.id, exercise.game.key)
    for table in await contests:
        if stands_alike(table, known.position):
            raise Refused(phrase("standing.same-position", code=table.code))


async def begin_exercise(request: Request, exercise: Exercise, state: int) -> None:
    """Note that *exercise* at *state* is in front of the asker."""
    row = AttemptRow(
        person=request.person.id,
        exercise=exercise.code,
        game=exercise.game.key,
        step=exercise.lesson.key if exercise.step else "",
        state=state,
        wrong=0,
        at=request.services.clock.now(),
    )
    await request.services.store.write(attempts.begin_attempt, row)


async def _chosen(request: Request, exercise: Exercise, path: Sequence[str]) -> Answer:
    """The next question after the pressed steps, or what comes of the whole move."""
    steps, known = steps_of(path), known_at(exercise, request.turn)
    if steps and steps[-1].startswith(BLANK):
        return request.said(phrase("house.blank"))
    if not path:
        return await _shown(request, exercise, request.turn)
    if known.solved:
        raise Refused(phrase("school.changed"))
    move = pick(exercise.game, known.position, known.seat, steps)
    if isinstance(move, Menu):
        board = board_of(request, exercise, request.turn, known)
        return await _answer_with_picture(request, _screens(request).step(board, path))
    return await _judged(request, tried(exercise, request.turn, known, move))


async def _typed(request: Request, exercise: Exercise, state: int, text: str) -> Answer:
    known = known_at(exercise, state)
    if known.solved:
        return await _shown(request, exercise, 0)
    move = read_answer(request, exercise, known, text)
    return await _judged(request, tried(exercise, state, known, move))


def read_answer(request: Request, exercise: Exercise, known: LessonState, text: str) -> Any:
    """The legal move in *text*; raises ``Refused`` with the rule, and its chapter, for no other."""
    game = exercise.game
    try:
        return read_moves(game, known.position, known.seat, text)[0]
    except IllegalMove as refused:
        why = request.tongue.say(refused.refusal.phrase)
        chapter = chapter_title(game, request.language, refused.refusal.rule)
        if not chapter:
            raise
        told = phrase("house.rule-told", why=why, chapter=chapter)
        raise Refused(told) from None


def tried(exercise: Exercise, state: int, known: LessonState, move: Any) -> Tried:
    """What comes of the legal *move*."""
    game = exercise.game
    then = None if right(game, known, move) is None else answered(game, known, move)
    return Tried(exercise, state, known, move, then)


async def _judged(request: Request, attempt: Tried) -> Answer:
    """Say whether the move was right, and show what comes of it."""
    exercise, screens = attempt.exercise, _screens(request)
    await begin_exercise(request, exercise, attempt.state)
    store, me = request.services.store, request.person.id
    if attempt.then is None:
        await store.write(attempts.miss_attempt, me, exercise.code)
        key = f"{exercise.game.key}.learn.{exercise.lesson.key}.wrong"
        board = board_of(request, exercise, attempt.state, attempt.known)
        verdict = MoveVerdict(request.pages.say(key), good=False)
        return await _answer_with_picture(request, screens.step(board, (), verdict))
    if not attempt.then.solved:
        await begin_exercise(request, exercise, attempt.next_state)
        board = board_of(request, exercise, attempt.next_state, attempt.then)
        _, _, reply = attempt.then.played[-1]
        said = exercise.game.speech.spoken(attempt.then.played[-1][0], reply)
        verdict = MoveVerdict(board.tongue.clause(said, board.names))
        return await _answer_with_picture(request, screens.step(board, (), verdict))
    await store.write(attempts.solve_attempt, me, exercise.code, request.services.clock.now())
    board = board_of(request, exercise, attempt.state, attempt.then)
    screen = screens.solved(board, await _done(request, exercise.game.key))
    return await _answer_with_picture(request, screen)


async def _answer_with_picture(request: Request, screen: Screen) -> Answer:
    return _answer(request, screen, await request.painted(screen))


def _answer(request: Request, screen: Screen, picture: bytes | None) -> Answer:
    """*screen* in place of the asker's own pressed message, else in one of its own."""
    if request.pressed and request.own:
        return MenuAnswer(screen, picture)
    return Card(screen, picture)


def _screens(request: Request) -> CourseScreens:
    return CourseScreens(request.language, request.services.key)
