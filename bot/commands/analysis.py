"""Asking the house what it thinks: hints and chances while one plays, a review after the end."""

from __future__ import annotations

import asyncio

from bot.commands.promises import LOOKING, STILL_LOOKING, promised
from bot.commands.request import InPrivate, Request
from bot.commands.table_search import meant
from bot.port import Answer, Card, MenuAnswer, Said
from bot.presenters.analysis import Reviewed, chances, curve, hinted, marked
from bot.session.table import CLOSED, ENDED, PLAYING, Table
from bot.session.unit_of_work import Refused
from bot.session.visibility import hides
from games.core import NotYourTurn, Phrase, Seat, phrase
from render import curve as painted


async def hint(asked: Request) -> Answer:
    """Tell the asker what he had better play, and why."""
    table, seat = await _playing(asked)
    if seat not in table.actors():
        raise NotYourTurn(seat)
    if not asked.discreet and hides(table, seat):
        raise InPrivate(phrase("house.in-private"))
    return await promised(asked, _hint(asked, table, seat))


async def _hint(asked: Request, table: Table, seat: Seat) -> Answer:
    found = await asked.services.advice.hint(table, seat)
    if found is None:
        raise Refused(phrase("house.no-opinion"))
    return _said(asked, table, hinted(table, seat, found))


async def odds(asked: Request) -> Answer:
    """Tell how likely each player is to win."""
    table, _ = await _playing(asked)
    if len(table.actors()) != 1:
        raise Refused(phrase("house.no-odds-yet"))
    return await promised(asked, _odds(asked, table, *table.actors()))


async def _odds(asked: Request, table: Table, mover: Seat) -> Answer:
    found = await asked.services.advice.odds(table, mover)
    if found is None:
        raise Refused(phrase("house.no-opinion"))
    return _said(asked, table, chances(*found))


async def review(asked: Request) -> Answer:
    """Show where the asker, or whoever lost, gave the game away."""
    table = await meant(asked, ENDED, or_else=(CLOSED, PLAYING))
    if table.status == PLAYING:
        raise Refused(phrase("house.review.later"))
    made, found = asked.services.advice.reviewed(table) is not None, _review(asked, table)
    said = LOOKING if made else phrase("house.review.promised")
    return await promised(asked, found, said, lambda: _far(asked, table))


def _far(asked: Request, table: Table) -> Phrase:
    """How far the review of *table* is."""
    advice = asked.services.advice
    if advice.reviewed(table) is not None:
        return STILL_LOOKING
    along = advice.along(table)
    if along is None:
        return phrase("house.review.queued")
    done, parts = along
    return phrase("house.review.along", done=done, n=parts)


async def _review(asked: Request, table: Table) -> Answer:
    seat, number = _of_whom(asked, table)
    found = await asked.services.advice.review(table)
    if not found:
        raise Refused(phrase("house.no-opinion" if found is None else "house.review.nothing"))
    composer = asked.composer_for(table, table.seat_of(asked.person.id))
    reviewed = Reviewed(composer, seat, found)
    if 0 < number <= len(reviewed.moments):
        screen = reviewed.moment(number - 1)
        picture = await asked.painted(screen)
    else:
        screen, seats = reviewed.overview(), len(table.players)
        picture = await asyncio.to_thread(
            painted, curve(found, seat, seats), marked(found, seat, seats), asked.look.theme
        )
    turned = bool(asked.path) and asked.own and await asked.view() is None
    return MenuAnswer(screen, picture) if turned else Card(screen, picture)


def _of_whom(asked: Request, table: Table) -> tuple[Seat, int]:
    """Whose decisions are looked at, and which moment is shown; 0 for all of them."""
    if len(asked.path) == 2:
        return int(asked.path[0]), int(asked.path[1])
    # Whoever won sees where the others gave it away; his own part is a press away.
    lost, seat = table.loser, table.seat_of(asked.person.id)
    return (lost if lost is not None else seat or 0), 0


async def _playing(asked: Request) -> tuple[Table, Seat]:
    """The table that is meant and the asker's seat; raises ``Refused`` where nobody may be told."""
    table = await meant(asked, PLAYING, to_move=True)
    if table.status != PLAYING:
        raise Refused(phrase("house.over" if table.status == ENDED else "house.not-playing"))
    seat = asked.seat(table)
    if not table.may_ask(seat):
        raise Refused(phrase("house.no-hints"))
    return table, seat


def _said(asked: Request, table: Table, said: Phrase) -> Said:
    return Said(asked.composer_for(table).say(said))
