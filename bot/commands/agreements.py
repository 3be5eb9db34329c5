"""What people settle with one another: giving up, draws, take-backs, rematches, closing."""

from __future__ import annotations

import secrets
from datetime import timedelta

from bot.commands.request import Request
from bot.commands.table_search import meant
from bot.port import Answer, MenuAnswer
from bot.presenters.buttons import Action
from bot.presenters.matches import followed_by
from bot.service.streak import suggestion
from bot.session import offers, play
from bot.session.rematch import again, foreseen
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, Table
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import phrase

IDLE = timedelta(days=7)
"""After how long without a move anybody of the place may close a table."""


async def resign(asked: Request) -> Answer:
    """Give up, asked back once, by name: nobody else can give the answer.

    Where the game has gone on since the question it is put anew, as a computer may just have moved,
    but not to who answers it below the present board.
    """
    table = await meant(asked, PLAYING)
    if table.status != PLAYING:
        raise Refused(phrase("house.over" if table.status == ENDED else "house.not-playing"))
    confirmed = confirmed_by(asked)
    seat, several = asked.seat(table), len(table.players) > 2
    if not confirmed or not asked.is_of(table.turns[seat], table):
        if asked.path[:1] == ("no",):
            return await kept(asked, table)
        question = "house.sure.leave" if several else "house.sure.resign"
        return await asked_back(asked, table, Action.RESIGN, question, table.turns[seat])

    def decide(work: UnitOfWork) -> None:
        seat = asked.seat(work.table)
        if not asked.is_of(work.table.turns[seat], work.table):
            raise Refused(phrase("house.question-stale"))
        play.resign(work, seat)

    table, _ = await asked.change(table, decide)
    return await asked.told(table, phrase("house.left" if several else "house.resigned"))


def confirmed_by(asked: Request) -> bool:
    """Whether the question was put to the asker, and he says yes; raises ``Refused`` for others."""
    if not asked.path or asked.path == ("yes",):
        # As a button of an earlier release said it, on a board for all.
        return False
    word, person = asked.path[-2:]
    if person != f"@{asked.person.id}":
        raise Refused(phrase("house.not-asked"))
    return word == "yes"


async def asked_back(
    asked: Request, table: Table, act: Action, question: str, turn: int, *steps: str
) -> Answer:
    """Ask the asker alone, by name, whether he means the *act* of these *steps*."""
    seat = table.seat_of(asked.person.id)
    composer = asked.composer_for(table, asked.ear(table, seat))
    if asked.own and await asked.view() is not None:
        composer = await asked.composer(table)
    name = asked.person.name if seat is None else composer.names[seat]
    said = phrase(question, name=name, code=table.code)
    return asked.beside(composer.confirm(act, said, asked.person.id, turn, *steps))


async def kept(asked: Request, table: Table) -> Answer:
    """Nothing happens after all: the asker's own board is back, or his card says so."""
    if asked.own and await asked.view() is not None:
        return MenuAnswer((await asked.composer(table)).board())
    return await asked.told(table, phrase("house.nothing-done"))


async def offer(asked: Request) -> Answer:
    """Offer a draw or ask to take a move back, or agree to what the other side has asked."""
    table = await meant(asked, PLAYING)
    (kind,) = asked.path
    agreed = asked.services.computers.temper.agrees(table)
    table, at_once = await asked.change(
        table, lambda work: offers.offer(work, asked.seat(work.table), kind, agreed=agreed)
    )
    key = f"house.offer-done.{kind}" if at_once else f"house.offer-made.{kind}"
    return await asked.told(table, phrase(key))


async def answer(asked: Request) -> Answer:
    """Accept, decline or withdraw what stands offered."""
    kind, word = asked.path
    if kind == "rematch" and word == "yes":
        return await rematch(asked)
    table = await meant(asked, PLAYING, ENDED)

    def decide(work: UnitOfWork) -> None:
        seat = asked.seat(work.table)
        if word == "back":
            offers.withdraw(work, seat, kind)
        else:
            offers.answer(work, seat, kind, accepted=word == "yes")

    table, _ = await asked.change(table, decide)
    return await asked.done(table, phrase(f"house.answered.{word}"))


async def rematch(asked: Request) -> Answer:
    """Offer a rematch, or agree to it: it begins when everybody has."""
    table = await meant(asked, ENDED, or_else=(PLAYING, OPEN))
    code, secret = foreseen(table, asked.services.key)
    if await asked.services.tables.taken(code):  # once in a hundred million: the words bind less
        code, secret = await asked.services.tables.free_code(), secrets.token_bytes(32)
    table, begun = await asked.change(
        table, lambda work: again(work, asked.seat(work.table), code, secret)
    )
    key = f"house.{followed_by(table)}.{'begun' if begun else 'offered'}"
    said, evened = phrase(key), await suggestion(asked.services.tables, table)
    if evened is not None:
        said = phrase("house.streak", said=said, suggestion=evened)
    return await asked.done(table, said)


async def close(asked: Request) -> Answer:
    """Close a table at which nobody has moved for long, or one's own that has not started.

    Who manages the place closes any. It is asked back once.
    """
    table = await meant(asked, OPEN, PLAYING)
    if not await asked.views.stand(table, asked.by.where):
        raise Refused(phrase("house.close-elsewhere"))
    manages = (await asked.standing()).manages
    if not confirmed_by(asked):
        if asked.path:
            return await kept(asked, table)
        await asked.change(table, lambda work: _closing(asked, work, manages=manages))
        return await asked_back(asked, table, Action.CLOSE, "house.sure.close", table.version)

    def decide(work: UnitOfWork) -> None:
        why = _closing(asked, work, manages=manages)
        if not asked.is_of(work.table.version, work.table):
            raise Refused(phrase("house.question-stale"))
        play.close(work, why, asked.person.id)

    table, _ = await asked.change(table, decide)
    return await asked.told(table, phrase("house.table-closed", code=table.code))


def _closing(asked: Request, work: UnitOfWork, *, manages: bool) -> str:
    """Why the asker may close the table; raises ``Refused`` where he may not."""
    table = work.table
    if table.status in (ENDED, CLOSED):
        raise Refused(phrase("house.over"))
    if table.status == OPEN and table.host == asked.person.id:
        return "cancelled"
    if work.since(table.stirred) >= IDLE:
        return "idle"
    if not manages:
        raise Refused(phrase("house.not-idle", n=IDLE.days))
    return "managed"
