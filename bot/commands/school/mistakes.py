"""One's own mistakes: kept from a review, put again like a puzzle, judged by the computer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from bot.commands.request import Request, in_time, painted_screen
from bot.commands.school.exercises import (
    Tried,
    answer_typed,
    begin_exercise,
    board_of,
    chosen_answer,
    known_at,
    refuse_exercise,
    shown_to_asker,
    solution_film,
)
from bot.commands.services_of_handlers import SchoolRoom
from bot.port import Answer, Card, Screen
from bot.presenters.school.exercises import ExerciseBoard
from bot.presenters.school.mistakes import MistakeScreens, better_line
from bot.service.club.medals import give_for_deeds
from bot.session.mistake_repetition import KeptMistake, mistake_of
from bot.session.table import Table
from bot.session.unit_of_work import Refused, need, refuse_if
from games.core import Menu, phrase
from games.core.advice import Review, Weighed
from games.core.school import LessonState, answered

TOLERATED: Final = 0.1
"""What a right move gives away at most against the best one, from 0 to 2."""


async def keep_moments(request: Request, room: SchoolRoom, table: Table, found: Review) -> Answer:
    """Keep the moments *found* in a review of the asker's own game, and put the first one due."""
    mistakes = [one for weighed in found if (one := mistake_of(table, weighed)) is not None]
    refuse_if(not mistakes, "mistake.nothing-to-keep")
    await room.mistakes.keep(request.person.id, mistakes)
    # In a message of its own, so that the review stays where it is.
    screen = await _next(request, room)
    return Card(screen, await painted_screen(request, screen))


async def try_moment(request: Request, room: SchoolRoom, table: Table, weighed: Weighed) -> Answer:
    """Open the position before the decision *weighed* as an exercise."""
    mistake = need(mistake_of(table, weighed), "mistake.nothing-to-keep")
    await room.mistakes.try_out(request.person.id, mistake)
    screen = await _open(request, room, await kept_mistake(request, room, mistake.exercise.code))
    return Card(screen, await painted_screen(request, screen))


async def film_moment(request: Request, room: SchoolRoom, table: Table, weighed: Weighed) -> Answer:
    """What was better than the decision *weighed*, and what would have followed it, as a film."""
    mistake = need(mistake_of(table, weighed), "mistake.nothing-to-keep")
    exercise, better = mistake.exercise, better_line(mistake)
    await refuse_exercise(request, room, exercise)
    return await solution_film(request, room.keepsakes, exercise, better, "mistake.solution")


async def put_next(request: Request, room: SchoolRoom) -> Answer:
    """Put the next mistake that is due to the asker, or say that none is."""
    return await shown_to_asker(request, await _next(request, room))


async def kept_mistake(request: Request, room: SchoolRoom, code: str) -> KeptMistake:
    """What the asker has kept by this *code*; raises ``Refused`` where nothing is."""
    return need(await room.mistakes.find(request.person.id, code), "school.changed")


async def answer_mistake(
    request: Request, room: SchoolRoom, code: str, steps: Sequence[str]
) -> Answer:
    """Show a mistake, or the next question after the pressed *steps*, or judge a whole move."""
    kept = await kept_mistake(request, room, code)
    if not steps:
        return await shown_to_asker(request, await _open(request, room, kept))
    found = chosen_answer(kept.mistake.exercise, request.turn, steps)
    if not isinstance(found, Menu):
        return await _judge(request, room, kept, found)
    board = _board(request, kept)
    return await shown_to_asker(request, _screens(request).asking(kept, board, steps))


async def type_mistake(request: Request, room: SchoolRoom, code: str, text: str) -> Answer:
    """Judge the typed move *text*."""
    kept = await kept_mistake(request, room, code)
    return await _judge(request, room, kept, answer_typed(request, kept.mistake.exercise, 0, text))


async def give_mistake(request: Request, room: SchoolRoom, code: str) -> Answer:
    """The better line as a film; for whoever has not answered yet that is a wrong answer."""
    kept = await kept_mistake(request, room, code)
    exercise = kept.mistake.exercise
    await refuse_exercise(request, room, exercise)
    await room.mistakes.answer(request.person.id, code, right=False)
    solved = better_line(kept.mistake)
    keys = [_screens(request).next_one("good")]
    film = solution_film(request, room.keepsakes, exercise, solved, "mistake.solution", keys)
    return await in_time(request, film)


async def drop_mistake(request: Request, room: SchoolRoom, code: str) -> Answer:
    """Put a mistake no more."""
    await kept_mistake(request, room, code)
    await room.mistakes.drop(request.person.id, code)
    return request.said(phrase("mistake.dropped"))


async def _next(request: Request, room: SchoolRoom) -> Screen:
    """The next mistake that is due, one without a rated game of the asker that stands alike."""
    me, mistakes = request.person.id, room.mistakes
    agenda, refused = await mistakes.agenda(me), None
    for row in agenda.waiting:
        kept = await mistakes.find(me, row.code)
        if kept is None:
            continue
        try:
            return await _open(request, room, kept)
        except Refused as alike:
            refused = alike
    if refused is not None:
        raise refused
    return _screens(request).nothing(agenda)


async def _open(request: Request, room: SchoolRoom, kept: KeptMistake) -> Screen:
    """*kept*, which is in front of the asker from now on."""
    exercise = kept.mistake.exercise
    await refuse_exercise(request, room, exercise)
    await begin_exercise(request, room, exercise, 0)
    return _screens(request).asking(kept, _board(request, kept))


async def _judge(request: Request, room: SchoolRoom, kept: KeptMistake, attempt: Tried) -> Answer:
    """What the answer was worth; a move that the review did not name is looked at first."""
    exercise = kept.mistake.exercise
    await refuse_exercise(request, room, exercise)
    await begin_exercise(request, room, exercise, 0)
    if attempt.then is not None:
        return await _right(request, room, kept, attempt.then)
    written = exercise.game.notation.written(attempt.known.position, attempt.move)
    if written == kept.mistake.played:
        return await _wrong(request, room, kept)
    looked_at = _looked_at(request, room, kept, attempt.move, written)
    return await in_time(request, looked_at, in_place=request.is_press and request.own)


async def _looked_at(
    request: Request, room: SchoolRoom, kept: KeptMistake, move: Any, written: str
) -> Answer:
    """The answer to *move* when the computer has compared it; the same once more does no harm."""
    mistake, seat = kept.mistake, known_at(kept.mistake.exercise, 0).seat
    lost = await room.advice.measure_loss(mistake.exercise, seat, written)
    if need(lost, "house.no-opinion") > TOLERATED:
        return await _wrong(request, room, kept)
    wider = mistake.accepting(written)
    await room.mistakes.accept(request.person.id, wider)
    then = answered(wider.exercise.game, known_at(wider.exercise, 0), move)
    return await _right(request, room, replace(kept, mistake=wider), then)


async def _right(
    request: Request, room: SchoolRoom, kept: KeptMistake, then: LessonState
) -> Answer:
    exercise = kept.mistake.exercise
    days = await room.mistakes.answer(request.person.id, exercise.code, right=True)
    await give_for_deeds(room.store, request.person.id, room.clock.now())
    board = board_of(request, exercise, 0, then)
    return await shown_to_asker(request, _screens(request).solved(kept, board, days))


async def _wrong(request: Request, room: SchoolRoom, kept: KeptMistake) -> Answer:
    screens, code = _screens(request), kept.mistake.exercise.code
    days = await room.mistakes.answer(request.person.id, code, right=False)
    said = [request.pages.say("mistake.wrong")]
    said += [screens.again(days)] if days is not None else []
    return await shown_to_asker(request, screens.asking(kept, _board(request, kept), (), *said))


def _board(request: Request, kept: KeptMistake) -> ExerciseBoard:
    exercise = kept.mistake.exercise
    return board_of(request, exercise, 0, known_at(exercise, 0))


def _screens(request: Request) -> MistakeScreens:
    return MistakeScreens(request.language, request.key)
