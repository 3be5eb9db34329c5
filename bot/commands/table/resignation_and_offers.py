"""Agreements and demands of players: resigning, offers, rematches, time claimed, closing."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import timedelta
from functools import partial

from bot.commands.request import (
    AGAIN,
    Request,
    answer_beside,
    answer_done,
    answer_told,
    check_playing,
    ear_of,
    is_of_turn,
    name_table,
    own_composer,
    pressed_composer,
    standing_of_asker,
    with_key,
)
from bot.commands.services_of_handlers import PlayRoom
from bot.commands.table.lookup import TableLookup
from bot.port import Answer, MenuAnswer, PlaceStanding
from bot.presenters.button_codes import MISSED, Action
from bot.presenters.table.status import closed, followed_by
from bot.presenters.ways import NEW
from bot.service.school.advice import suggestion
from bot.session import flag_fall, offers, play, unreachable_players
from bot.session.offers import again, foreseen
from bot.session.rated import is_abortable
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, Table
from bot.session.unit_of_work import Refused, UnitOfWork, refuse_if
from games.core import phrase

IDLE = timedelta(days=7)
"""After how long without a move anybody in the place may close a table."""

ABORTS = "abort"
"""Begins the path of the question to somebody whose game would not count yet."""

UNANSWERED = timedelta(minutes=30)
"""After how long an invitation to anybody, which nobody has accepted, may be closed by anybody."""


async def resign_game(request: Request, lookup: TableLookup) -> Answer:
    """Resign after one question, which only the asker can answer.

    If the asker has done something since, or the answer would cost more than was asked, the
    question is put again, unless the answer came from the present board.
    """
    table = await lookup.find_table(request, PLAYING)
    check_playing(table)
    confirmed = is_confirmed(request)
    if "no" in request.path and not confirmed:
        return await leave_as_it_is(request, table)

    def decide(work: UnitOfWork) -> bool:
        seat = request.seat(work.table)  # A stranger is not asked.
        meant = confirmed and _is_still_meant(request, work.table)
        if meant:
            play.resign(work, seat)
        return meant

    several = len(table.players) > 2
    table, resigned = await request.change(table, decide)
    if not resigned:
        question = "house.sure.leave" if several else "house.sure.resign"
        aborts = is_abortable(table)
        question, steps = ("standing.sure.abort", (ABORTS,)) if aborts else (question, ())
        return await confirmation(request, table, Action.RESIGN, question, table.version, *steps)
    if table.status == CLOSED:
        return await answer_told(request, table, phrase("standing.aborted"))
    said = phrase("house.left.playing" if several else "house.resigned")
    answer = await answer_told(request, table, said)
    new = request.pages.button_to(NEW.act, NEW.label, *NEW.path)
    return with_key(answer, new) if several else answer


def _is_still_meant(request: Request, table: Table) -> bool:
    """Whether yes to the question of resigning means what it did when that was put."""
    if is_of_turn(request, table.version, table):
        return True
    dearer = ABORTS in request.path and not is_abortable(table)
    return request.turn >= table.acted[request.seat(table)] and not dearer


def is_confirmed(request: Request) -> bool:
    """Whether the asker has answered yes; raises ``Refused`` for anybody else."""
    if not request.path or request.path == ("yes",):
        # A button of an earlier release, on a board for all.
        return False
    word, person = request.path[-2:]
    refuse_if(person != f"@{request.person.id}", "house.not-asked")
    return word == "yes"


async def confirmation(
    request: Request, table: Table, act: Action, question: str, turn: int, *steps: str
) -> Answer:
    """Ask the asker to confirm the *act* of these *steps*.

    Where this is asked of somebody who has said yes already, it says why.
    """
    seat = table.seat_of(request.person.id)
    composer = own_composer(request, table, ear_of(request, table, seat))
    if request.own and await request.view() is not None:
        composer = await pressed_composer(request, table)
    name = request.person.name if seat is None else composer.names[seat]
    said = phrase(question, name=name, code=table.code)
    if request.path[-2:] == ("yes", f"@{request.person.id}"):
        said = phrase("house.question-stale", how=said)
    return answer_beside(request, composer.confirm(act, said, request.person.id, turn, *steps))


async def leave_as_it_is(request: Request, table: Table) -> Answer:
    """Cancel the question: show the asker's own board again, or say so on the card."""
    if request.own and await request.view() is not None:
        return MenuAnswer((await pressed_composer(request, table)).board())
    return await answer_told(request, table, phrase("house.nothing-done"))


async def make_offer(request: Request, room: PlayRoom) -> Answer:
    """Make an offer, such as a draw, or agree to the same offer of the other side."""
    (kind,) = request.path

    def offer(work: UnitOfWork, *, agreed: bool) -> bool:
        return offers.place_offer(work, request.seat(work.table), kind, agreed=agreed)

    # Whether a computer would agree is not told by where it is asked.
    fits = request.trial(partial(offer, agreed=True))
    table = await room.lookup.find_table(request, PLAYING, fits=fits)
    agreed = room.computers.resignation.agrees(table)
    table, at_once = await request.change(table, partial(offer, agreed=agreed))
    key = f"house.offer-done.{kind}" if at_once else f"house.offer-made.{kind}"
    told = await answer_told(request, table, name_table(request, table, key))
    if isinstance(told, MenuAnswer) and not at_once:
        path = (*AGAIN, kind, str(len(table.log)))
        return replace(told, renewal=own_composer(request, table).code(Action.MINE, *path))
    return told


async def answer_offer(request: Request, room: PlayRoom) -> Answer:
    """Accept, decline or withdraw the open offer."""
    kind, word = request.path
    if kind == "rematch" and word == "yes":
        return await offer_rematch(request, room)
    table = await room.lookup.find_table(request, PLAYING, ENDED)

    def decide(work: UnitOfWork) -> None:
        seat = request.seat(work.table)
        if word == "back":
            offers.withdraw(work, seat, kind)
        else:
            offers.answer(work, seat, kind, accepted=word == "yes")

    table, _ = await request.change(table, decide)
    return await answer_done(request, table, phrase(f"house.answered.{word}"))


async def offer_rematch(request: Request, room: PlayRoom) -> Answer:
    """Offer a rematch of the last game or agree to it; it begins when everybody has agreed."""
    table = await room.lookup.find_table(
        request, ENDED, or_else=(PLAYING, OPEN), fits=lambda one: one.child is None
    )
    while (later := await room.tables.find(table.child or "")) and later.status == ENDED:
        table = request.table = later
    gone = table.child if later is None or later.status == CLOSED else None
    code, secret = foreseen(table, request.key)
    if await room.tables.is_taken(code):  # once in a hundred million: the words bind less
        code, secret = await room.tables.free_code(), secrets.token_bytes(32)
    table, begun = await request.change(
        table, lambda work: again(work, request.seat(work.table), code, secret, gone)
    )
    key = f"house.{followed_by(table)}.{'begun' if begun else 'offered'}"
    said, evened = phrase(key), await suggestion(room.tables, table)
    if evened is not None:
        said = phrase("house.streak", said=said, suggestion=evened)
    return await answer_done(request, table, said)


async def close_table(request: Request, lookup: TableLookup) -> Answer:
    """Close an idle table, the asker's own before it starts, or any as a manager of the place.

    The only player who is still there may close theirs too.
    """
    standing = await standing_of_asker(request)
    fits = request.trial(lambda work: _closing(request, work, standing))
    table = await lookup.find_table(request, OPEN, PLAYING, fits=fits)
    stands = await request.views.stand(table.code, request.by.where)
    refuse_if(stands is None, "house.close-elsewhere")
    confirmed = is_confirmed(request)
    if request.path and not confirmed:
        return await leave_as_it_is(request, table)

    def decide(work: UnitOfWork) -> str:
        why = _closing(request, work, standing)
        if not (confirmed and is_of_turn(request, work.table.version, work.table)):
            return why
        play.close(work, why, request.person.id)
        return ""

    table, why = await request.change(table, decide)
    if why:
        question = "house.sure.close" + (".playing" if table.status == PLAYING else "")
        if why == unreachable_players.FORSAKEN:
            question = "house.sure.forsaken"
        return await confirmation(request, table, Action.CLOSE, question, table.version)
    return await answer_told(request, table, phrase("house.table-closed", code=table.code))


def _closing(request: Request, work: UnitOfWork, standing: PlaceStanding) -> str:
    """Why the asker may close the table; raises ``Refused`` where they may not."""
    table = work.table
    refuse_if(table.status == ENDED, "house.over")
    if table.status == CLOSED:
        raise Refused(closed(table))
    if table.status == OPEN and table.host == request.person.id:
        return "cancelled"
    idle = work.since(table.stirred) >= IDLE
    seat = table.seat_of(request.person.id)
    counts = table.rated and table.status == PLAYING and not is_abortable(table)
    if counts and seat is not None and (seat in table.actors() or not idle):
        raise Refused(phrase("standing.resign-instead"))
    if idle:
        return "idle"
    if table.seeks and work.since(table.stirred) >= UNANSWERED:
        return "unanswered"
    if unreachable_players.may_close(table, request.person.id):
        return unreachable_players.FORSAKEN
    refuse_if(standing.unknown, "settings.standing-unknown")
    if standing.manages:
        return "managed"
    refuse_if(table.seeks, "house.not-unanswered", n=UNANSWERED.seconds // 60)
    raise Refused(phrase("house.not-idle", n=IDLE.days))


async def use_clock(request: Request, lookup: TableLookup) -> Answer:
    """Claim the game of a player who has run out of time or is missed, or give more time."""
    claims = request.path == ("claim",)
    use = flag_fall.claim if claims else flag_fall.grant
    if request.path == (MISSED,):
        claims, use = True, unreachable_players.claim_win

    def decide(work: UnitOfWork) -> None:
        use(work, request.seat(work.table))

    table = await lookup.find_table(request, PLAYING, fits=request.trial(decide))
    table, _ = await request.change(table, decide)
    return await answer_done(request, table, phrase("clock.claimed" if claims else "clock.granted"))
