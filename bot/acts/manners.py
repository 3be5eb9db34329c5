"""What people settle with one another: giving up, draws, take-backs, rematches, closing."""

from __future__ import annotations

import secrets
from datetime import timedelta

from bot.acts.asked import Asked
from bot.acts.finding import meant
from bot.port import Answer, MenuAnswer
from bot.screen.buttons import Act
from bot.table import play
from bot.table.play import Pen, Refused
from bot.table.rematch import again, foreseen
from bot.table.table import CLOSED, ENDED, OPEN, PLAYING
from games.core import phrase

IDLE = timedelta(days=7)
"""After how long without a move anybody of the place may close a table."""


async def resign(asked: Asked) -> Answer:
    """Give up, asked back once where a button was pressed."""
    table = await meant(asked, PLAYING)
    asked.seat(table)
    if asked.pressed and asked.path != ("yes",):
        question = "house.sure.leave" if len(table.players) > 2 else "house.sure.resign"
        composer = await asked.composer(table)
        yes = phrase("house.button.sure")
        return MenuAnswer(composer.confirm(Act.RESIGN, phrase(question), yes))
    table, _ = await asked.change(table, lambda pen: play.resign(pen, asked.seat(pen.table)))
    return await asked.done(table, phrase("house.resigned"))


async def offer(asked: Asked) -> Answer:
    """Offer a draw or ask to take a move back, or agree to what the other side has asked."""
    table = await meant(asked, PLAYING)
    (kind,) = asked.path
    table, at_once = await asked.change(
        table, lambda pen: play.offer(pen, asked.seat(pen.table), kind)
    )
    key = f"house.offer-done.{kind}" if at_once else f"house.offer-made.{kind}"
    return await asked.done(table, phrase(key))


async def answer(asked: Asked) -> Answer:
    """Accept, decline or withdraw what stands offered."""
    kind, word = asked.path
    if kind == "rematch" and word == "yes":
        return await rematch(asked)
    table = await meant(asked, PLAYING, ENDED)

    def decide(pen: Pen) -> None:
        play.answer(pen, asked.seat(pen.table), kind, accepted=word == "yes")

    table, _ = await asked.change(table, decide)
    return await asked.done(table, phrase(f"house.answered.{word}"))


async def rematch(asked: Asked) -> Answer:
    """Offer a rematch, or agree to it: it begins when everybody has."""
    table = await meant(asked, ENDED)
    code, secret = foreseen(table, asked.manager.key)
    if await asked.manager.taken(code):  # once in a hundred million: the words bind less
        code, secret = await asked.manager.free_code(), secrets.token_bytes(32)
    table, begun = await asked.change(
        table, lambda pen: again(pen, asked.seat(pen.table), code, secret)
    )
    said = "house.rematch.begun" if begun else "house.rematch.offered"
    return await asked.done(table, phrase(said))


async def close(asked: Asked) -> Answer:
    """Close a table at which nobody has moved for long, or one's own that has not started.

    Who manages the place closes any.
    """
    table = await meant(asked, OPEN, PLAYING)
    if not await asked.views.stand(table, asked.by.where):
        raise Refused(phrase("house.close-elsewhere"))
    manages = (await asked.standing()).manages

    def decide(pen: Pen) -> None:
        host = pen.table.status == OPEN and pen.table.host == asked.person.id
        if pen.table.status in (ENDED, CLOSED):
            raise Refused(phrase("house.over"))
        idle = pen.since(pen.table.stirred) >= IDLE
        if not (idle or host or manages):
            raise Refused(phrase("house.not-idle", n=IDLE.days))
        play.close(pen, "cancelled" if host else "idle" if idle else "managed")

    table, _ = await asked.change(table, decide)
    return await asked.done(table, phrase("house.table-closed", code=table.code))
