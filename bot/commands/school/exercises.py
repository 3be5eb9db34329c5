"""An exercise in a chat: where it stands, what a pressed or typed move makes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from bot.commands.quotas import Export, ExportQueue
from bot.commands.request import Request, painted_screen
from bot.commands.services_of_handlers import CommandRoom
from bot.commands.table.film_and_card import film_frames
from bot.port import Answer, Attachment, Button, FileAnswer, Poster, Said, Screen
from bot.presenters.rulebook import chapter_title
from bot.presenters.school.exercises import ExerciseBoard
from bot.presenters.school.puzzles import solution_shots
from bot.presenters.table.keyboard import BLANK, steps_of
from bot.presenters.table.viewers import Viewer
from bot.service.table.tables import Tables
from bot.session.exercise_catalogue import Exercise, advanced, exercises
from bot.session.rated import stands_alike
from bot.session.table import Table
from bot.session.unit_of_work import Refused, need, refuse_if
from games.core import Game, IllegalMove, Menu, Phrase, RuleError, phrase, pick, read_moves
from games.core.school import BadLesson, LessonState, answered, motifs, numbered, right
from games.core.shelf import find_game
from render.kit.film import FILM_COLOURS, film
from storage.records import AttemptRow
from storage.school import attempts


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

    @property
    def spoken(self) -> Phrase:
        """The move in a few words: who learns a game does not read its notation yet."""
        return self.exercise.game.speech.spoken(self.known.position, self.move)


def exercise_of(code: str) -> Exercise:
    """The exercise of *code*; raises ``Refused`` where a release has changed or dropped it."""
    return need(exercises().get(code), "school.changed")


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
    name, key = request.person.name or request.by.asker.name, request.key
    return ExerciseBoard(exercise, state, known, viewer, key, name)


def sample_move_text(exercise: Exercise) -> str:
    """How a move is written there: not one that is right, where another is legal."""
    known = exercise.resumed(0)
    game, moves = exercise.game, known.position.legal_moves(known.seat)
    others = [move for move in moves if right(game, known, move) is None]
    return game.notation.written(known.position, (others or list(moves))[0])


def ask_for_text(request: Request, exercise: Exercise, how: str) -> Said:
    """How to type a move, by an example; *how* says it where the chat has no form for it."""
    key = "school.for-example" if request.chat.forms else how
    return request.said(phrase(key, example=sample_move_text(exercise)))


def game_in(typed: str) -> tuple[Game | None, str]:
    """The game that *typed* begins with, if one, and what is left."""
    words = typed.split()
    for many in range(len(words), 0, -1):
        try:
            return find_game(" ".join(words[:many])), " ".join(words[many:])
        except RuleError:
            continue
    return None, typed


async def contest_alike(
    request: Request, tables: Tables, game: Game, alike: Callable[[Table], bool]
) -> Table | None:
    """The first running game of the asker that counts and that is *alike*, if one is."""
    for table in await tables.contests(request.person.id, game.key):
        if await asyncio.to_thread(alike, table):
            return table
    return None


async def refuse_contest(
    request: Request, tables: Tables, game: Game, alike: Callable[[Table], bool]
) -> None:
    """Raise ``Refused`` with that game: nobody is helped there by way of another board."""
    if (table := await contest_alike(request, tables, game, alike)) is not None:
        raise Refused(phrase("standing.same-position", code=table.code))


async def refuse_exercise(
    request: Request, room: CommandRoom, exercise: Exercise, state: int = 0
) -> LessonState:
    """How far *exercise* is at *state*; raises ``Refused`` where a rated game stands like it."""
    known = known_at(exercise, state)
    alike = partial(stands_alike, position=known.position)
    await refuse_contest(request, room.tables, exercise.game, alike)
    return known


async def begin_exercise(
    request: Request,
    room: CommandRoom,
    exercise: Exercise,
    state: int,
    ago: timedelta = timedelta(),
) -> None:
    """Note that *exercise* at *state* is in front of the asker, or was so long *ago*."""
    what = (exercise.code, exercise.game.key, exercise.lesson.key if exercise.step else "")
    store, row = room.store, AttemptRow(request.person.id, *what, state, 0, room.clock.now() - ago)
    await store.write(attempts.begin_attempt, row)


def chosen_answer(exercise: Exercise, state: int, path: Sequence[str]) -> Menu | Tried:
    """The next question after the pressed steps of *path*, or what comes of the whole move.

    Raises ``Refused`` for a cell where nothing is to choose.
    """
    steps, known = steps_of(path), known_at(exercise, state)
    refuse_if(steps and steps[-1].startswith(BLANK), "house.blank")
    refuse_if(known.is_solved, "school.changed")
    move = pick(exercise.game, known.position, known.seat, steps)
    return move if isinstance(move, Menu) else tried(exercise, state, known, move)


def answer_typed(request: Request, exercise: Exercise, state: int, text: str) -> Tried:
    """What comes of the move in *text*; raises ``Refused`` with the rule where it is not legal."""
    known, game = known_at(exercise, state), exercise.game
    try:
        move = read_moves(game, known.position, known.seat, text)[0]
    except IllegalMove as refused:
        why = request.tongue.say(refused.refusal.phrase)
        chapter = chapter_title(game, request.language, refused.refusal.rule)
        if not chapter:
            raise
        raise Refused(phrase("house.rule-told", why=why, chapter=chapter)) from None
    return tried(exercise, state, known, _plain(game, known, move))


def _plain(game: Game, known: LessonState, move: Any) -> Any:
    """*move* without the remark it was typed with, such as an announcement."""
    moves, written = known.position.legal_moves(known.seat), game.notation.written
    if move in moves:
        return move
    text = written(known.position, move)
    fitting = (one for one in moves if text.startswith(written(known.position, one)))
    return max(fitting, key=lambda one: len(written(known.position, one)), default=move)


def tried(exercise: Exercise, state: int, known: LessonState, move: Any) -> Tried:
    """What comes of the legal *move*."""
    game = exercise.game
    then = None if right(game, known, move) is None else answered(game, known, move)
    return Tried(exercise, state, known, move, then)


async def shown_to_asker(request: Request, screen: Screen) -> Answer:
    """*screen* with its picture, for the asker alone."""
    return request.answer_in_place(screen, await painted_screen(request, screen))


async def solution_film(
    request: Request,
    keepsakes: ExportQueue,
    exercise: Exercise,
    solved: LessonState,
    key: str,
    keys: Sequence[Button] = (),
) -> Answer:
    """The moves played in *solved* as a film above *keys*, and in words by the sentence *key*."""
    name = request.person.name or request.by.asker.name
    viewer = Viewer(language=request.language, look=request.look)
    board = ExerciseBoard(exercise, 0, solved, viewer, request.key, name)
    file = f"ludoteca-{exercise.code}-{request.language}.gif"
    what = Export(exercise.code, f"{name}-{file}", viewer)
    moves = "; ".join(board.plies_in_words(board.known.played))
    told = request.pages.say(key, code=exercise.code.upper(), moves=moves)
    game = exercise.game
    themes = tuple(phrase(f"{game.key}.motif.{one}") for one in motifs(game, exercise.lesson))
    taught = request.pages.say("puzzle.motifs", motifs=themes) if themes else ""
    why = board.ending_in_words(board.table.present) or f"{taught} {board.proof_in_words()}"
    said = f"{told} {why.strip()}".rstrip()
    made = keepsakes.make(what, lambda: film(film_frames(solution_shots(board)), FILM_COLOURS))
    film_file = Attachment(file, await made)
    leads = request.pages.page(said, rows=[keys]) if keys else None
    kind = Poster if request.by.where.private else FileAnswer
    return kind(said, film_file, leads=leads, alt=board.alt())
