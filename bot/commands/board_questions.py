"""Asking the board in words: what stands where, what threatens, what may be played."""

from __future__ import annotations

from bot.commands.analysis import show_hint, show_odds
from bot.commands.request import InPrivate, Request
from bot.commands.table_search import find_table
from bot.port import Answer, Said
from bot.presenters.board_questions import advice_asked, answer_question
from bot.presenters.buttons import Action
from bot.session.table import ENDED, PLAYING, Table
from bot.session.unit_of_work import Refused
from games.core import Seat, phrase


async def ask_board(request: Request) -> Answer:
    """Answer a question to the board, the asker alone, as far as he may know."""
    return await answer_to(
        request, await find_table(request, PLAYING, ENDED, to_move=True), "question"
    )


async def explain_questions(request: Request) -> Answer:
    """Say what the board can be asked."""
    return request.said(phrase("ask.help"))


async def answer_to(request: Request, table: Table, parameter: str) -> Answer:
    """What the board answers to what was typed for *parameter*, or the house where it is meant."""
    if table.position is None:
        raise Refused(phrase("house.not-playing"))
    if table.status == PLAYING and (wanted := advice_asked(request.value(parameter))) is not None:
        return await (show_odds if wanted is Action.ODDS else show_hint)(request)
    seat = _ear(request, table)
    composer = request.composer_for(table, seat)
    said = answer_question(composer, request.value(parameter))
    return Said("\n".join(map(composer.say, said)))


def _ear(request: Request, table: Table) -> Seat | None:
    """The asker's seat, ``None`` for who looks on; raises ``InPrivate`` where others would read."""
    seat = table.seat_of(request.person.id)
    if seat is not None and request.ear(table, seat) is None:
        raise InPrivate(phrase("house.in-private"))
    return seat
