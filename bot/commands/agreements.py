"""What people settle with one another: giving up, draws, take-backs, rematches, closing."""

from __future__ import annotations

import secrets
from datetime import timedelta

from bot.commands.request import Request
from bot.commands.tables import find_table
from bot.port import Answer, MenuAnswer
from bot.presenters.buttons import Action
from bot.presenters.status import followed_by
from bot.service.streak import suggestion
from bot.session import offers, play
from bot.session.rematch import again, foreseen
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, Table
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import phrase

IDLE = timedelta(days=7)
"""After how long without a move anybody of the place may close a table."""


async def resign_game(request: Request) -> Answer:
    """Give up, asked back once, by name: nobody else can give the answer.

    Where the game has gone on since the question it is put anew, as a computer may just have moved,
    but not to who answers it below the present board.
    """
    table = await find_table(request, PLAYING)
    if table.status != PLAYING:
        raise Refused(phrase("house.over" if table.status == ENDED else "house.not-playing"))
    confirmed = is_confirmed(request)
    seat, several = request.seat(table), len(table.players) > 2
    if not confirmed or not request.is_of(table.turns[seat], table):
        if request.path[:1] == ("no",):
            return await leave_as_it_is(request, table)
        question = "house.sure.leave" if several else "house.sure.resign"
        return await confirmation(request, table, Action.RESIGN, question, table.turns[seat])

    def decide(work: UnitOfWork) -> None:
        seat = request.seat(work.table)
        if not request.is_of(work.table.turns[seat], work.table):
            raise Refused(phrase("house.question-stale"))
        play.resign(work, seat)

    table, _ = await request.change(table, decide)
    return await request.told(table, phrase("house.left" if several else "house.resigned"))


def is_confirmed(request: Request) -> bool:
    """Whether the question was put to the asker, and he says yes; raises ``Refused`` for others."""
    if not request.path or request.path == ("yes",):
        # As a button of an earlier release said it, on a board for all.
        return False
    word, person = request.path[-2:]
    if person != f"@{request.person.id}":
        raise Refused(phrase("house.not-asked"))
    return word == "yes"


async def confirmation(
    request: Request, table: Table, act: Action, question: str, turn: int, *steps: str
) -> Answer:
    """Ask the asker alone, by name, whether he means the *act* of these *steps*."""
    seat = table.seat_of(request.person.id)
    composer = request.composer_for(table, request.ear(table, seat))
    if request.own and await request.view() is not None:
        composer = await request.composer(table)
    name = request.person.name if seat is None else composer.names[seat]
    said = phrase(question, name=name, code=table.code)
    return request.beside(composer.confirm(act, said, request.person.id, turn, *steps))


async def leave_as_it_is(request: Request, table: Table) -> Answer:
    """Nothing happens after all: the asker's own board is back, or his card says so."""
    if request.own and await request.view() is not None:
        return MenuAnswer((await request.composer(table)).board())
    return await request.told(table, phrase("house.nothing-done"))


async def make_offer(request: Request) -> Answer:
    """Offer a draw or ask to take a move back, or agree to what the other side has asked."""
    table = await find_table(request, PLAYING)
    (kind,) = request.path
    agreed = request.services.computers.resignation.agrees(table)
    table, at_once = await request.change(
        table, lambda work: offers.place_offer(work, request.seat(work.table), kind, agreed=agreed)
    )
    key = f"house.offer-done.{kind}" if at_once else f"house.offer-made.{kind}"
    return await request.told(table, phrase(key))


async def answer_offer(request: Request) -> Answer:
    """Accept, decline or withdraw what stands offered."""
    kind, word = request.path
    if kind == "rematch" and word == "yes":
        return await offer_rematch(request)
    table = await find_table(request, PLAYING, ENDED)

    def decide(work: UnitOfWork) -> None:
        seat = request.seat(work.table)
        if word == "back":
            offers.withdraw(work, seat, kind)
        else:
            offers.answer(work, seat, kind, accepted=word == "yes")

    table, _ = await request.change(table, decide)
    return await request.done(table, phrase(f"house.answered.{word}"))


async def offer_rematch(request: Request) -> Answer:
    """Offer a rematch, or agree to it: it begins when everybody has."""
    table = await find_table(request, ENDED, or_else=(PLAYING, OPEN))
    code, secret = foreseen(table, request.services.key)
    if await request.services.tables.taken(code):  # once in a hundred million: the words bind less
        code, secret = await request.services.tables.free_code(), secrets.token_bytes(32)
    table, begun = await request.change(
        table, lambda work: again(work, request.seat(work.table), code, secret)
    )
    key = f"house.{followed_by(table)}.{'begun' if begun else 'offered'}"
    said, evened = phrase(key), await suggestion(request.services.tables, table)
    if evened is not None:
        said = phrase("house.streak", said=said, suggestion=evened)
    return await request.done(table, said)


async def close_table(request: Request) -> Answer:
    """Close a table at which nobody has moved for long, or one's own that has not started.

    Who manages the place closes any. It is asked back once.
    """
    table = await find_table(request, OPEN, PLAYING)
    if not await request.views.stand(table, request.by.where):
        raise Refused(phrase("house.close-elsewhere"))
    manages = (await request.standing()).manages
    if not is_confirmed(request):
        if request.path:
            return await leave_as_it_is(request, table)
        await request.change(table, lambda work: _closing(request, work, manages=manages))
        return await confirmation(request, table, Action.CLOSE, "house.sure.close", table.version)

    def decide(work: UnitOfWork) -> None:
        why = _closing(request, work, manages=manages)
        if not request.is_of(work.table.version, work.table):
            raise Refused(phrase("house.question-stale"))
        play.close(work, why, request.person.id)

    table, _ = await request.change(table, decide)
    return await request.told(table, phrase("house.table-closed", code=table.code))


def _closing(request: Request, work: UnitOfWork, *, manages: bool) -> str:
    """Why the asker may close the table; raises ``Refused`` where he may not."""
    table = work.table
    if table.status in (ENDED, CLOSED):
        raise Refused(phrase("house.over"))
    if table.status == OPEN and table.host == request.person.id:
        return "cancelled"
    if work.since(table.stirred) >= IDLE:
        return "idle"
    if not manages:
        raise Refused(phrase("house.not-idle", n=IDLE.days))
    return "managed"
