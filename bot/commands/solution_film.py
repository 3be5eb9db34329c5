"""The film of a solution, for the asker."""

from __future__ import annotations

from functools import partial

from bot.commands.film_and_card import film_frames
from bot.commands.quotas import Export
from bot.commands.request import Request
from bot.port import Answer, Attachment, FileAnswer, Poster
from bot.presenters.puzzles import solution_shots, solution_words
from bot.presenters.school import ExerciseBoard
from bot.presenters.viewers import Viewer
from bot.session.exercise_catalogue import Exercise
from games.core import phrase
from games.core.school import LessonState
from render.kit.film import FEW, film


async def solution_film(
    request: Request, exercise: Exercise, solved: LessonState, key: str
) -> Answer:
    """The moves played in *solved* as a film, and in words by the sentence *key*."""
    name = request.person.name or request.by.asker.name
    viewer = Viewer(language=request.language, look=request.look)
    board = ExerciseBoard(exercise, 0, solved, viewer, request.services.key, name)
    file = f"ludoteca-{exercise.code}-{request.language}.gif"
    what = Export(exercise.code, f"{name}-{file}", viewer)
    data = await request.services.keepsakes.made(what, partial(_frames, board))
    moves = "; ".join(solution_words(board))
    said = request.tongue.say(phrase(key, code=exercise.code.upper(), moves=moves))
    film_file = Attachment(file, data)
    if request.by.where.private:
        return Poster(said, film_file, board.alt())
    return FileAnswer(said, film_file)


def _frames(board: ExerciseBoard) -> bytes:
    return film(film_frames(solution_shots(board)), FEW)
