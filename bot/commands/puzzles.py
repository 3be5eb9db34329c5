"""Puzzles: one at the asker's strength, solved by the buttons and squares of play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.commands.exercises import (
    Tried,
    answer_typed,
    begin_exercise,
    board_of,
    chosen_answer,
    example_of,
    exercise_of,
    game_in,
    in_place,
    in_words,
    known_at,
    refuse_contest,
    shown_to_asker,
)
from bot.commands.film_and_card import film_frames
from bot.commands.quota import Export
from bot.commands.request import Request, in_time
from bot.port import Answer, Attachment, FileAnswer, Poster, Press
from bot.presenters.button_codes import TYPED
from bot.presenters.puzzles import (
    GIVEN,
    PuzzleScreens,
    games_with_puzzles,
    solution,
    solution_shots,
    solution_words,
)
from bot.presenters.school import GAME, WORDS, ExerciseBoard
from bot.presenters.viewers import Viewer
from bot.service.puzzles import Scored
from bot.session.exercises import Exercise, exercises, puzzles_of
from bot.session.unit_of_work import Refused
from games.core import Game, Menu, phrase
from games.core.shelf import find_game
from render.kit.film import FEW, film
from storage import attempts


async def show_puzzle(request: Request) -> Answer:
    """Show a puzzle, or take an answer to one."""
    if request.pressed:
        return await _pressed(request)
    typed = " ".join(filter(None, (request.value("game"), request.value("answer"))))
    game, text = game_in(typed)
    if game is not None and not text:
        return await _next(request, game)
    last = await request.services.store.read(
        attempts.latest_attempt, request.person.id, course=False
    )
    begun = None if last is None else exercises().get(last.exercise)
    if text:
        if begun is None or last is None or (game is not None and begun.game.key != game.key):
            raise Refused(phrase("puzzle.nothing-begun"))
        return await _judged(request, answer_typed(request, begun, last.state, text))
    return await _games(request)


async def _pressed(request: Request) -> Answer:
    match request.path:
        case ():
            return await _games(request)
        case (str(word), key) if word == GAME:
            return await _next(request, find_game(key))
        case (str(word), code) if word == GIVEN:
            return await _given(request, exercise_of(code))
        case (str(word), code) if word == WORDS:
            return in_words(request, exercise_of(code), request.turn)
        case (str(word), code) if word == TYPED:
            typed = request.by.text if isinstance(request.by, Press) else ""
            exercise = exercise_of(code)
            if not typed:
                return request.said(phrase("puzzle.how-to-type", example=example_of(exercise)))
            return await _judged(request, answer_typed(request, exercise, request.turn, typed))
        case (code, *steps):
            return await _chosen(request, exercise_of(code), steps)
    raise Refused(phrase("school.changed"))


async def _games(request: Request) -> Answer:
    records, me = request.services.puzzles, request.person.id
    solved = {
        game.key: (await records.record(me, game.key)).solved for game in games_with_puzzles()
    }
    return in_place(request, _screens(request).games(solved), None)


async def _next(request: Request, game: Game) -> Answer:
    """The next puzzle of *game*, or the one that was begun and not answered yet."""
    if not puzzles_of(game.key):
        raise Refused(phrase("puzzle.no-puzzles", game=phrase(f"{game.key}.name")))
    tried = await request.services.store.read(attempts.attempts_at, request.person.id, game.key)
    known = {one.code: one for one in puzzles_of(game.key)}
    waiting = [one for one in tried if one.exercise in known and not one.solved and not one.wrong]
    if waiting:
        return await _shown(request, known[waiting[0].exercise])
    turn = sum(one.exercise in known for one in tried)
    found = await request.services.puzzles.next_for(request.person.id, game.key, turn)
    if found is None:
        return in_place(request, _screens(request).all_solved(game), None)
    return await _shown(request, found)


async def _shown(request: Request, exercise: Exercise, state: int = 0) -> Answer:
    known = known_at(exercise, state)
    await refuse_contest(request, exercise, known)
    await begin_exercise(request, exercise, state)
    screen = _screens(request).asking(board_of(request, exercise, state, known))
    return await shown_to_asker(request, screen)


async def _chosen(request: Request, exercise: Exercise, path: Sequence[str]) -> Answer:
    if not path:
        return await _shown(request, exercise, request.turn)
    found = chosen_answer(exercise, request.turn, path)
    if isinstance(found, Menu):
        board = board_of(request, exercise, request.turn, known_at(exercise, request.turn))
        return await shown_to_asker(request, _screens(request).asking(board, path))
    return await _judged(request, found)


async def _judged(request: Request, attempt: Tried) -> Answer:
    """What the answer was worth: the first one counts, others are for learning."""
    exercise, screens, puzzles = attempt.exercise, _screens(request), request.services.puzzles
    await begin_exercise(request, exercise, attempt.state)
    if attempt.then is None:
        scored = await puzzles.missed(request.person.id, exercise)
        board = board_of(request, exercise, attempt.state, attempt.known)
        said = (request.pages.say("puzzle.wrong"), *_told(request, scored))
        return await shown_to_asker(request, screens.asking(board, (), *said))
    if not attempt.then.solved:
        await begin_exercise(request, exercise, attempt.next_state)
        board = board_of(request, exercise, attempt.next_state, attempt.then)
        line = request.pages.say("school.right-so-far", why=board.last_reply())
        return await shown_to_asker(request, screens.asking(board, (), line))
    scored = await puzzles.solved(request.person.id, exercise)
    board = board_of(request, exercise, attempt.state, attempt.then)
    return await shown_to_asker(request, screens.solved(board, *_told(request, scored)))


def _told(request: Request, scored: Scored | None) -> tuple[str, ...]:
    """What an answer made of the rating, and the streak of days."""
    if scored is None:
        return ()
    lines = []
    if scored.change:
        points = f"{scored.after.shown}{'?' if scored.after.provisional else ''}"
        change = f"{scored.change:+d}".replace("-", "−")
        lines.append(request.pages.say("puzzle.rating", points=points, change=change))
    if scored.streak > 1:
        lines.append(request.pages.say("puzzle.streak", n=scored.streak))
    return tuple(lines)


async def _given(request: Request, exercise: Exercise) -> Answer:
    """The solution as a film; for whoever has not answered yet that is a wrong answer."""
    await begin_exercise(request, exercise, 0)
    await request.services.puzzles.missed(request.person.id, exercise)
    return await in_time(request, _film(request, exercise))


async def _film(request: Request, exercise: Exercise) -> Answer:
    solved = solution(exercise)
    key, name = request.services.key, request.person.name or request.by.asker.name
    viewer = Viewer(language=request.language, look=request.look)
    board = ExerciseBoard(exercise, 0, solved, viewer, key, name)
    file = f"ludoteca-{exercise.code}-{request.language}.gif"
    what = Export(exercise.code, f"{name}-{file}", viewer)
    data = await request.services.keepsakes.made(what, partial(_frames, board))
    moves = "; ".join(solution_words(board))
    said = request.pages.say("puzzle.solution", code=exercise.code.upper(), moves=moves)
    film_file = Attachment(file, data)
    if request.by.where.private:
        return Poster(said, film_file, board.alt())
    return FileAnswer(said, film_file)


def _frames(board: ExerciseBoard) -> bytes:
    return film(film_frames(solution_shots(board)), FEW)


def _screens(request: Request) -> PuzzleScreens:
    return PuzzleScreens(request.language, request.services.key)
