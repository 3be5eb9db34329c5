"""Asking the board in words: what stands where, what threatens, what may be played."""

from __future__ import annotations

from bot.commands.analysis import hint, odds
from bot.commands.request import InPrivate, Request
from bot.commands.table_search import meant
from bot.port import Answer, Said
from bot.presenters.board_questions import advice, answer
from bot.presenters.buttons import Action
from bot.session.table import ENDED, PLAYING, Table
from bot.session.unit_of_work import Refused
from games.core import Seat, phrase


async def ask(asked: Request) -> Answer:
    """Answer a question to the board, the asker alone, as far as he may know."""
    return await answered(asked, await meant(asked, PLAYING, ENDED, to_move=True), "question")


async def help_with(asked: Request) -> Answer:
    """Say what the board can be asked."""
    return asked.said(phrase("ask.help"))


async def answered(asked: Request, table: Table, parameter: str) -> Answer:
    """What the board answers to what was typed for *parameter*, or the house where it is meant."""
    if table.position is None:
        raise Refused(phrase("house.not-playing"))
    if table.status == PLAYING and (wanted := advice(asked.value(parameter))) is not None:
        return await (odds if wanted is Action.ODDS else hint)(asked)
    seat = _ear(asked, table)
    composer = asked.composer_for(table, seat)
    said = answer(composer, asked.value(parameter))
    return Said("\n".join(map(composer.say, said)))


def _ear(asked: Request, table: Table) -> Seat | None:
    """The asker's seat, ``None`` for who looks on; raises ``InPrivate`` where others would read."""
    seat = table.seat_of(asked.person.id)
    if seat is not None and asked.ear(table, seat) is None:
        raise InPrivate(phrase("house.in-private"))
    return seat
