"""Analysis: hints and odds during the game, a review after it, questions to the board."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from functools import partial

from bot.commands.request import (
    LOOKING,
    STILL_LOOKING,
    Leading,
    Request,
    check_playing,
    check_private,
    in_time,
    own_composer,
    painted_screen,
)
from bot.commands.school import mistakes
from bot.commands.school.exercises import refuse_contest
from bot.commands.services_of_handlers import OpeningRoom, PlayRoom, SchoolRoom
from bot.commands.table.lookup import NoTable
from bot.commands.table.setup import set_up
from bot.port import Answer, Card, MenuAnswer, Said
from bot.presenters.button_codes import Action
from bot.presenters.school.analysis import (
    FILM,
    Reviewed,
    curve,
    hinted,
    hinted_cells,
    moment_marks,
    odds_line,
    review_forms,
)
from bot.presenters.school.questions_to_the_board import (
    advice_asked,
    answer_question,
    question_words,
)
from bot.presenters.table.record_and_draw_proof import record_answer
from bot.presenters.ways import Way
from bot.session.opened_file import is_from_file, shows_moment_of
from bot.session.rated import stands_alike
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, Table
from bot.session.unit_of_work import Refused, Sought, need, refuse_if
from games.core import NotYourTurn, Phrase, Seat, phrase
from games.core.advice import Review
from games.core.move_parsing import casefolded
from render.curve import curve as painted


async def show_hint(request: Request, room: PlayRoom) -> Answer:
    """Tell the asker which move is best, and why."""
    table, seat = await _playing(request, room)
    if seat not in table.actors():
        raise NotYourTurn(seat)
    check_private(request, table, seat)
    return await in_time(request, _hint(request, room, table, seat))


async def _hint(request: Request, room: PlayRoom, table: Table, seat: Seat) -> Answer:
    found = _need_known(await room.advice.hint(table, seat), table, Action.HINT)
    await _check_present(room, table, Action.HINT)
    said = own_composer(request, table).say(hinted(table, seat, found))
    return Said(said, cells=hinted_cells(table, seat, found))


async def show_odds(request: Request, room: PlayRoom) -> Answer:
    """Tell how likely each player is to win."""
    table, _ = await _playing(request, room)
    refuse_if(len(table.actors()) != 1, "house.no-odds-yet")
    return await in_time(request, _odds(request, room, table, *table.actors()))


async def show_odds_or_sheet(request: Request, room: PlayRoom, opening: OpeningRoom) -> Answer:
    """The odds of a game; whoever plays none may have meant a handicap, which a sheet has."""
    try:
        return await show_odds(request, room)
    except NoTable:
        answer = None if request.is_press else await set_up(request, opening)
        if not isinstance(answer, Card):
            raise
    lines = (request.pages.say("house.odds-of-none"), *answer.screen.lines)
    return replace(answer, screen=replace(answer.screen, lines=lines))


async def _odds(request: Request, room: PlayRoom, table: Table, mover: Seat) -> Answer:
    found = _need_known(await room.advice.odds(table, mover), table, Action.ODDS)
    await _check_present(room, table, Action.ODDS)
    return Said(own_composer(request, table).say(odds_line(*found)))


async def show_review(request: Request, room: PlayRoom, school: SchoolRoom) -> Answer:
    """Show the costly decisions of the asker, or of the loser."""
    table = await room.lookup.find_table(request, ENDED, or_else=(CLOSED, PLAYING))
    refuse_if(table.status in (OPEN, PLAYING), "house.review.later")
    need(table.position, "house.review.nothing")
    advice = room.advice
    said = LOOKING if advice.reviewed(table) is not None else phrase("house.review.promised")

    def waiting() -> Phrase:
        if advice.reviewed(table) is not None:
            return STILL_LOOKING
        along = advice.along(table)
        if along is None:
            return phrase("house.review.queued")
        done, many, weighed = along
        said = phrase("house.review.along", done=done, n=many)
        found = _first_moments(request, table, weighed)
        return phrase("house.review.first", along=said, moments=found) if found else said

    return await in_time(request, _review(request, room, school, table), said, waiting)


FIRST = 2
"""How many moments are told while a review still goes on."""


def _first_moments(request: Request, table: Table, found: Review) -> str:
    """The costliest moments that are known already, in words; "" before there are any."""
    seat, _ = _of_whom(request, table)
    composer = own_composer(request, table, table.seat_of(request.person.id))
    return " ".join(Reviewed(composer, seat, found).lines(FIRST))


async def _review(request: Request, room: PlayRoom, school: SchoolRoom, table: Table) -> Answer:
    seat, number = _of_whom(request, table)
    await refuse_contest(request, room.tables, table.game, partial(shows_moment_of, table))
    found = _need_known(await room.advice.review(table), table, Action.REVIEW, *request.path)
    refuse_if(not found, "house.review.nothing")
    reviewed = Reviewed(own_composer(request, table, table.seat_of(request.person.id)), seat, found)
    if request.path[2:] and request.path[2] in review_forms(table.game):
        return record_answer(table, request.language, request.path[2], reviewed.write_record())
    if request.path[2:]:
        return await _practise(request, school, table, reviewed, number)
    if 0 < number <= len(reviewed.moments):
        screen = reviewed.moment(number - 1)
        picture = await painted_screen(request, screen)
    else:
        screen, seats = reviewed.overview(), len(table.players)
        picture = await asyncio.to_thread(
            painted, curve(found, seat, table), moment_marks(found, seat, seats), request.look.theme
        )
    turned = bool(request.path) and request.own and await request.view() is None
    return MenuAnswer(screen, picture) if turned else Card(screen, picture)


async def _practise(
    request: Request, school: SchoolRoom, table: Table, reviewed: Reviewed, number: int
) -> Answer:
    """The moment of this *number* as an exercise or a film, or for 0 all kept to be put again."""
    moments = [one.weighed for one in reviewed.moments]
    if 0 < number <= len(moments):
        opened = mistakes.film_moment if request.path[2] == FILM else mistakes.try_moment
        return await opened(request, school, table, moments[number - 1])
    if table.seat_of(request.person.id) != reviewed.seat and not is_from_file(table.code):
        raise Refused(phrase("house.not-seated"))
    return await mistakes.keep_moments(request, school, table, moments)


def _of_whom(request: Request, table: Table) -> tuple[Seat, int]:
    """Whose decisions are reviewed, and the number of the one shown; 0 for all."""
    if len(request.path) >= 2:
        return int(request.path[0]), int(request.path[1])
    # A player sees their own game first; one press leads to the others'.
    seat = table.seat_of(request.person.id)
    return (seat if seat is not None else table.loser or 0), 0


async def _playing(request: Request, room: PlayRoom) -> tuple[Table, Seat]:
    """The table and the asker's seat; raises ``Refused`` where analysis is not allowed."""

    def helps(one: Table) -> bool:
        refuse_if(one.competes, "standing.no-help")
        refuse_if(not one.may_ask(request.seat(one)), "house.no-hints")
        return True

    table = await room.lookup.find_table(request, PLAYING, to_move=True, fits=helps)
    check_playing(table)
    seat = request.seat(table)
    await refuse_aid(request, room, table)
    helps(table)
    return table, seat


async def refuse_aid(request: Request, room: PlayRoom, table: Table) -> None:
    """Raise ``Refused`` at a game that counts, and at a table that stands as one of the asker's."""
    refuse_if(table.competes, "standing.no-help")
    alike = partial(stands_alike, position=table.position)
    await refuse_contest(request, room.tables, table.game, alike)


def _need_known(found: Sought | None, table: Table, act: Action, *path: str) -> Sought:
    """What was *found*; raises ``Refused`` with a key that asks anew where no worker could tell."""
    if found is None:
        raise _again("house.no-opinion", table, act, *path)
    return found


async def _check_present(room: PlayRoom, table: Table, act: Action) -> None:
    """Raise ``Refused`` with a key that asks anew where *table* stands otherwise now."""
    now = await room.tables.get(table.code)
    check_playing(now)
    if now.log != table.log:
        raise _again("house.not-present", table, act)


def _again(said: str, table: Table, act: Action, *path: str) -> Leading:
    return Leading(phrase(said), Way("school.button.again", act, path, table.code))


async def ask_board(request: Request, room: PlayRoom) -> Answer:
    """Answer a question to the board in private, from what the asker may see."""
    table = await room.lookup.find_table(request, PLAYING, ENDED, to_move=True)
    return await answer_to(request, room, table, "question")


async def answer_to(request: Request, room: PlayRoom, table: Table, parameter: str) -> Answer:
    """The answer to the question typed for *parameter*, by the board or by the analysis."""
    need(table.position, "house.not-playing")
    if table.status == PLAYING and (wanted := advice_asked(request.value(parameter))) is not None:
        return await (show_odds if wanted is Action.ODDS else show_hint)(request, room)
    seat = table.seat_of(request.person.id)
    check_private(request, table, seat)
    composer = own_composer(request, table, seat)
    question = request.value(parameter)
    said = answer_question(composer, question)
    cells = tuple(map(casefolded, question_words(question)))
    lost = said[0].key in ("ask.nothing-there", "ask.help") and not re.search(r"\d", question)
    return Said("\n".join(map(composer.say, said)), parameter != "move" or not lost, cells=cells)
