"""Seating: joining, filling, starting and leaving a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.commands.agreements import resign_game
from bot.commands.opening import bring
from bot.commands.request import Request
from bot.commands.settings import refuse_challenger
from bot.commands.tables import find_table
from bot.port import Answer, BoardAnswer, MenuAnswer, Press
from bot.service.places import view_place
from bot.session import play
from bot.session.table import ENDED, OPEN, PLAYING, Player, Table
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import phrase

NEVER = "never"
"""The path of a button that declines a challenge and all further ones of its host."""


async def join_table(request: Request) -> Answer:
    """Sit down or accept a challenge; a player who cannot sit down becomes a spectator."""
    table = await find_table(request, OPEN, PLAYING)
    namesake = await request.services.people.namesake(request.by.asker)

    def decide(work: UnitOfWork) -> bool:
        try:
            _sit_down(request, work, namesake)
        except Refused:
            if request.pressed:
                raise
            return False
        return True

    where, token, link = request.by.where, request.by.token, ""
    apart, code = await request.views.within(table, where), await request.place_language()
    shown = []
    if apart is None and await request.views.of(table, where) is None:
        # Stored in the same transaction: a kill in between would leave no board.
        shown.append(request.views.fresh(table, where, request.person, code, token))
    table, sat = await request.change(table, decide, *shown)
    if apart is None:
        view = await request.views.ensure(table, where, request.person, code, token)
    else:
        # The table has a thread of its own: no second board is shown here.
        view, part = apart.id, replace(view_place(apart), home=where.home)
        await bring(request, part, [request.person.id])
        link = request.services.chats[part.platform].link(part)
    key = "house.joined" if sat else "house.watching"
    if table.seat_of(request.person.id) is not None and not sat:
        key = "house.your-table"
    answer = await request.done(table, phrase(key))
    if isinstance(answer, MenuAnswer):
        return answer
    # A spectator is told alone.
    alone = request.pressed or key == "house.watching"
    return BoardAnswer(answer.said, view, private=alone, aloud=not request.pressed, link=link)


def _sit_down(request: Request, work: UnitOfWork, namesake: int | None) -> None:
    table, person = work.table, request.person
    side = request.path[0] if request.path else None
    chair = table.seat_of(person.id)
    if chair is None and any(player.invited for player in table.players):
        # The chair is kept for the @name on the platform where it was written.
        chair = table.seat_of(namesake)
        if chair is None:
            raise Refused(phrase("house.not-invited"))
    if chair is not None and table.players[chair].seated and side is None:
        waiting = any(player.invited for player in table.players)
        raise Refused(phrase("house.own-challenge" if waiting else "house.sitting-already"))
    play.take_chair(work, Player(person.id, side=side), chair)
    play.start_if_full(work)


async def seat_computer(request: Request) -> Answer:
    """Let a computer take the next free chair."""
    table = await find_table(request, OPEN)

    def decide(work: UnitOfWork) -> None:
        _check_concerned(request, work.table)
        level = int(request.path[0]) if request.path else 2
        play.take_chair(work, Player(level=min(level, work.table.game.levels)))
        play.start_if_full(work)

    table, _ = await request.change(table, decide)
    return await request.done(table, phrase("house.computer-joined"))


async def start_table(request: Request) -> Answer:
    """Start the game with the players who sit."""
    table = await find_table(request, OPEN)

    def decide(work: UnitOfWork) -> None:
        _check_concerned(request, work.table)
        play.start(work)

    table, _ = await request.change(table, decide)
    return await request.done(table, phrase("house.started"))


async def leave_table(request: Request) -> Answer:
    """Leave, cancel, decline or withdraw; typed during a game it asks to resign."""
    table = await find_table(request, OPEN, PLAYING)
    if request.path == (NEVER,):
        chair = table.seat_of(request.person.id)
        if table.status != OPEN or chair is None or not table.players[chair].invited:
            raise Refused(phrase("house.not-invited"))
        # First, since it can be repeated after a fault; declining cannot.
        await refuse_challenger(request, table.host)
    # An old invitation's button must not resign a game that has begun.
    elif not request.pressed and table.status == PLAYING:
        return await resign_game(request)
    namesake = await request.services.people.namesake(request.by.asker)

    def decide(work: UnitOfWork) -> None:
        me = request.person.id
        if work.table.seat_of(me) is None and namesake is not None:
            me = namesake
        _check_leaving(request, work.table, me)
        play.stand_up(work, me)

    table, _ = await request.change(table, decide)
    return await request.done(table, phrase(_LEFT.get(request.path, "house.left")))


_LEFT: Mapping[tuple[str, ...], str] = {
    ("no",): "house.challenge-declined",
    ("back",): "house.challenge-withdrawn",
}
"""The answer to leaving a challenge, by the path of the button."""


def _check_leaving(request: Request, table: Table, me: int) -> None:
    """Raise ``Refused`` where the challenge's button is not meant for *me*."""
    seat, host = table.seat_of(me), me == table.host
    if table.status != OPEN or not request.path:
        return
    if request.path == ("no",) and not (seat is not None and table.players[seat].invited):
        raise Refused(phrase("house.own-challenge" if host else "house.not-invited"))
    if request.path == ("back",) and not host:
        raise Refused(phrase("house.not-your-challenge"))


async def add_words(request: Request) -> Answer:
    """Add the asker's words to the draws of a waiting table or of a rematch."""
    typed = request.by.text if isinstance(request.by, Press) else request.value("text")
    if request.pressed and not typed:
        return request.said(phrase("house.bare.words"))
    table = await find_table(request, OPEN, or_else=(ENDED, PLAYING))
    me, words = request.person.id, typed
    table, _ = await request.change(table, lambda work: play.say_words(work, me, words))
    said = table.words if table.status == OPEN else tuple(one for _, one in table.next_words)
    return await request.done(table, phrase("house.words-added", words=said))


def _check_concerned(request: Request, table: Table) -> None:
    if request.person.id != table.host:
        request.seat(table)
