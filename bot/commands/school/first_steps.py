"""School: the first steps of a game, taken by the buttons and squares of play."""

from __future__ import annotations

from collections.abc import Sequence

from bot.commands.request import Request
from bot.commands.school.exercises import (
    Tried,
    answer_typed,
    ask_for_text,
    begin_exercise,
    board_of,
    chosen_answer,
    exercise_of,
    game_in,
    in_words,
    known_at,
    refuse_exercise,
    shown_to_asker,
)
from bot.commands.services_of_handlers import CommandRoom, SchoolRoom
from bot.port import Answer
from bot.presenters.button_codes import TYPED
from bot.presenters.school.exercises import GAME, WORDS, CourseScreens, MoveVerdict
from bot.service.club.medals import give_for_deeds, load_passed_exams
from bot.session.exercise_catalogue import (
    IN_FRONT,
    Exercise,
    exercises,
    games_with_courses,
    steps_of_course,
)
from bot.session.table import Table
from bot.session.unit_of_work import Refused, refuse_if
from games.core import Game, Menu, phrase
from games.core.shelf import find_game
from storage.school import attempts


async def learn(request: Request, room: SchoolRoom) -> Answer:
    """Show the courses or a step of one, or take a move in it."""
    if request.is_press:
        return await _press(request, room)
    game, text = game_in(" ".join(filter(None, (request.value("game"), request.value("answer")))))
    if game is None and not text:
        return await _courses(request, room)
    last = await room.store.read(attempts.latest_attempt, request.person.id, course=True)
    if game is not None and (last is None or last.game != game.key or not text):
        return await _go_on(request, room, game, text)
    if last is None or last.exercise not in exercises():
        raise Refused(phrase("school.nothing-begun"))
    return await take_typed(request, room, exercises()[last.exercise], last.state, text)


async def _press(request: Request, room: SchoolRoom) -> Answer:
    match request.path:
        case ():
            return await _courses(request, room)
        case (str(word), key) if word == GAME:
            return await _go_on(request, room, find_game(key))
        case (str(word), code) if word == WORDS:
            return in_words(request, exercise_of(code), request.turn)
        case (str(word), code) if word == TYPED:
            exercise = exercise_of(code)
            if request.form_text:
                return await take_typed(request, room, exercise, request.turn, request.form_text)
            return ask_for_text(request, exercise, "school.how-to-type")
        case (code, *steps):
            return await _choose(request, room, exercise_of(code), steps)
    raise Refused(phrase("school.changed"))


async def _courses(request: Request, room: SchoolRoom) -> Answer:
    done = {game.key: await _load_solved(request, room, game.key) for game in games_with_courses()}
    passed = await load_passed_exams(room.store, request.person.id)
    waiting = len((await room.mistakes.agenda(request.person.id)).waiting)
    return request.answer_in_place(_screens(request).shelf(done, passed, waiting))


async def _load_solved(request: Request, room: SchoolRoom, game: str) -> dict[str, int]:
    """The errors of the asker in the steps of *game* that they have solved, by their names."""
    found = await room.store.read(attempts.attempts_of, request.person.id, game=game)
    known = {one.lesson.key for one in steps_of_course(game)}
    return {one.step: one.wrong for one in found if one.solved and one.step in known}


async def _go_on(request: Request, room: SchoolRoom, game: Game, text: str = "") -> Answer:
    """The first step of the course of *game* that the asker has not solved, or what ends it.

    A typed move, *text*, is taken in that step, or in the first one again.
    """
    steps, done = steps_of_course(game.key), await _load_solved(request, room, game.key)
    refuse_if(not steps, "school.no-course", game=phrase(f"{game.key}.name"))
    step = next((one for one in steps if one.lesson.key not in done), None)
    if text:
        return await take_typed(request, room, step or steps[0], 0, text)
    if step is None:
        return request.answer_in_place(_screens(request).end_of_course(game, done))
    return await _show(request, room, step, 0)


async def _show(request: Request, room: SchoolRoom, exercise: Exercise, state: int) -> Answer:
    """*exercise* at *state*, which is in front of the asker from now on."""
    known = await refuse_exercise(request, room, exercise, state)
    await begin_exercise(request, room, exercise, state)
    screen = _screens(request).step(board_of(request, exercise, state, known))
    return await shown_to_asker(request, screen)


async def offer_course(request: Request, room: CommandRoom, table: Table) -> str:
    """The offer to learn the game of *table*, once to whoever has just opened their first of it."""
    me, game, store = request.person.id, table.game.key, room.store
    steps = steps_of_course(game)
    if not steps or not await store.read(attempts.is_newcomer, me, game, table.code):
        return ""
    # The first step counts as begun, so that nobody is asked twice; nobody has seen it.
    await begin_exercise(request, room, steps[0], 0, IN_FRONT)
    return request.pages.say("school.offer", game=phrase(f"{game}.name"))


async def _choose(
    request: Request, room: SchoolRoom, exercise: Exercise, path: Sequence[str]
) -> Answer:
    """The next question after the pressed steps, or what comes of the whole move."""
    if not path:
        return await _show(request, room, exercise, request.turn)
    found = chosen_answer(exercise, request.turn, path)
    if isinstance(found, Menu):
        board = board_of(request, exercise, request.turn, known_at(exercise, request.turn))
        return await shown_to_asker(request, _screens(request).step(board, path))
    return await _judge(request, room, found)


async def take_typed(
    request: Request, room: SchoolRoom, exercise: Exercise, state: int, text: str
) -> Answer:
    """Take the typed move *text* in *exercise* at *state*."""
    if known_at(exercise, state).is_solved:
        return await _show(request, room, exercise, 0)
    return await _judge(request, room, answer_typed(request, exercise, state, text))


async def _judge(request: Request, room: SchoolRoom, attempt: Tried) -> Answer:
    """Say whether the move was right, and show what comes of it."""
    exercise, screens = attempt.exercise, _screens(request)
    await begin_exercise(request, room, exercise, attempt.state)
    store, me = room.store, request.person.id
    if attempt.then is None:
        await store.write(attempts.miss_attempt, me, exercise.code)
        key = f"{exercise.game.key}.learn.{exercise.lesson.key}.wrong"
        board = board_of(request, exercise, attempt.state, attempt.known)
        verdict = MoveVerdict(request.pages.say(key), attempt.spoken)
        return await shown_to_asker(request, screens.step(board, (), verdict))
    if not attempt.then.is_solved:
        await begin_exercise(request, room, exercise, attempt.next_state)
        board = board_of(request, exercise, attempt.next_state, attempt.then)
        verdict = MoveVerdict(board.last_reply())
        return await shown_to_asker(request, screens.step(board, (), verdict))
    await store.write(attempts.solve_attempt, me, exercise.code, room.clock.now())
    await give_for_deeds(store, me, room.clock.now())
    board = board_of(request, exercise, attempt.state, attempt.then)
    screen = screens.solved(board, await _load_solved(request, room, exercise.game.key))
    return await shown_to_asker(request, screen)


def _screens(request: Request) -> CourseScreens:
    return CourseScreens(request.language, request.key)
