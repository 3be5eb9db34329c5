"""Seating: joining, filling, starting and leaving a table, and invitations sent elsewhere.

The signed code of an invitation's button holds everything: the code of the table, its host, its
game, the day and the language. Nothing is stored of it before it is pressed.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial

from bot.commands.completion import PartialInput, suggestions
from bot.commands.request import (
    Request,
    answer_done,
    language_of_board,
    name_table,
)
from bot.commands.services_of_handlers import OpeningRoom
from bot.commands.settings import refuse_challenger
from bot.commands.table.creation import Sealed, bring, hosted_table, read_game_request
from bot.commands.table.lookup import TableLookup
from bot.commands.table.resignation_and_offers import resign_game
from bot.commands.table.whether_it_counts import counting
from bot.port import (
    Answer,
    Asker,
    BoardAnswer,
    Command,
    MenuAnswer,
    Said,
    ShareableInvitation,
    Where,
)
from bot.presenters.button_codes import FOR, Action, Click, base36, encode_click
from bot.presenters.command_specs import BY_ACT, ParameterKind
from bot.presenters.table.setup import game_facts
from bot.presenters.ways import leading, ways_from
from bot.service.clock import Clock
from bot.service.person.people import People
from bot.service.place.places import view_place
from bot.service.table.tables import Tables
from bot.session import play, unreachable_players
from bot.session.names import cleaned
from bot.session.rated import conditions
from bot.session.table import ENDED, OPEN, PLAYING, Player, Table
from bot.session.unit_of_work import Refused, UnitOfWork, need, refuse_if
from bot.texts import language
from games.core import Game, Phrase, phrase
from games.core.shelf import highest_level, shelf
from storage.person import people
from storage.records import PersonRow

NEVER = "never"
"""The path of a button that declines a challenge and all further ones of its host."""


async def join_table(request: Request, room: OpeningRoom) -> Answer:
    """Sit down or accept a challenge; a player who cannot sit down becomes a spectator."""
    namesake = await room.people.namesake(request.by.asker)

    def has_room(one: Table) -> bool:
        with suppress(Refused):
            return request.trial(partial(_sit_down, request, namesake))(one)
        return False

    table = await room.lookup.find_table(request, OPEN, PLAYING, fits=has_room)
    await _check_not_barred(request, room, table)

    def decide(work: UnitOfWork) -> bool:
        alone = frozenset({request.person.id}) in work.barred
        refuse_if(work.table.status == OPEN and work.table.rated and alone, "standing.no-guests")
        try:
            _sit_down(request, namesake, work)
        except Refused:
            if request.is_press or request.chat.programs:
                raise
            return False
        return True

    where, token, link = request.by.where, request.by.token, ""
    apart, code = await request.views.within(table, where), await language_of_board(request)
    shown = []
    if apart is None and await request.views.of(table, where) is None:
        # Stored in the same transaction: a kill in between would leave no board.
        shown.append(request.views.fresh(table, where, request.person, code, token))
    before = table
    table, sat = await request.change(table, decide, *shown)
    if apart is None:
        view = await request.views.ensure(table, where, request.person, code, token)
    else:
        # The table has a thread of its own: no second board is shown here.
        view, part = apart.id, replace(view_place(apart), home=where.home)
        await bring(request, room, part, [request.person.id])
        link = request.chats[part.platform].link(part)
    seat = before.seat_of(request.person.id)
    said = name_table(request, table, "house.watching" if seat is None else "house.your-table")
    if sat and seat is not None and before.players[seat].is_seated:
        said = phrase("house.side-chosen", side=phrase(f"{table.game.key}.side.{request.path[0]}"))
    elif sat:
        said = await _in_own_language(request, _tell_start(request, table, "house.joined"), table)
    answer = await answer_done(request, table, said)
    if isinstance(answer, MenuAnswer):
        return answer
    told = BoardAnswer(answer.said, view, aloud=not request.is_press, link=link)
    watches = not sat and seat is None
    return _answer_joining(request, table, told, watches=watches, stands=not shown)


def _answer_joining(
    request: Request, table: Table, answer: BoardAnswer, *, watches: bool, stands: bool
) -> Answer:
    """*answer*; a spectator is told alone, with a key to the board that *stands* above."""
    if watches and stands and not (answer.link or request.is_press or request.by.where.private):
        way = ways_from(Action.BOARD, table.code)
        return Said(answer.said, leads=leading(request.pages, answer.said, way))
    return replace(answer, private=request.is_press or watches)


async def _check_not_barred(request: Request, room: OpeningRoom, table: Table) -> None:
    """Raise ``Refused`` where whoever comes is taken, but not the asker by those who sit there."""
    me = request.person.id
    sitting = [one.person for one in table.players if one.person and one.person != me]
    refuse_if(table.stand_in and await room.people.refuse(me, sitting), "open.afar.gone")


async def _in_own_language(request: Request, said: Phrase, table: Table) -> Phrase:
    """*said*; who joins a board in another language hears where their own is.

    The key that gives it stands below *table* once it is played.
    """
    if table.status != PLAYING or (await request.tongue_of_keys()).code[:2] == request.language[:2]:
        return said
    more = phrase("house.button.more")
    return await request.name_key(phrase("house.joined-abroad", said=said, button=more))


def _tell_start(request: Request, table: Table, key: str = "house.started") -> Phrase:
    """That the game of *table* is on, and whose turn it is; the phrase *key* before that."""
    return name_table(request, table, "house.started" if table.status == PLAYING else key)


def _sit_down(request: Request, namesake: int | None, work: UnitOfWork) -> None:
    table, person = work.table, request.person
    refuse_if(table.rated and request.chat.programs, "house.no-programs")
    if table.status == PLAYING:
        play.take_over(work, person.id)
        return
    side = request.path[0] if request.path else None
    chair = table.seat_of(person.id)
    if chair is None and any(player.invited for player in table.players):
        # The chair is kept for the @name on the platform where it was written.
        chair = need(table.seat_of(namesake), "house.not-invited")
    if chair is not None and table.players[chair].is_seated and side is None:
        waiting = any(player.invited for player in table.players)
        raise Refused(phrase("house.own-challenge" if waiting else "house.sitting-already"))
    play.take_chair(work, Player(person.id, side=side), chair)
    play.start_if_full(work)


async def seat_computer(request: Request, lookup: TableLookup) -> Answer:
    """Let a computer take the next free chair, or play on for a player who is missed."""
    if request.path[:1] == (FOR,):
        return await _play_on(request, lookup)

    def decide(work: UnitOfWork) -> None:
        _check_concerned(request, work.table)
        level = int(request.path[0]) if request.path else work.table.stand_in or 2
        play.take_chair(work, Player(level=min(level, highest_level(work.table.game))))
        play.start_if_full(work)

    table = await lookup.find_table(request, OPEN, fits=request.trial(decide))
    table, _ = await request.change(table, decide)
    return await answer_done(request, table, _tell_start(request, table, "house.computer-joined"))


async def _play_on(request: Request, lookup: TableLookup) -> Answer:
    """Let a computer play on for a player who cannot be called any more."""
    table, seat = await lookup.find_table(request, PLAYING), int(request.path[1])
    table, _ = await request.change(
        table, lambda work: unreachable_players.play_on(work, request.seat(work.table), seat)
    )
    return await answer_done(request, table, phrase("house.computer-joined"))


async def choose_counting(request: Request, room: OpeningRoom) -> Answer:
    """Let the game of an open table count or not, as its host chooses."""
    table = await room.lookup.find_table(request, OPEN)
    others = [one for one in table.players if one.person != request.person.id]
    me, wished = request.person.id, request.path == ("yes",)
    rated, casual = await counting(request, room, wished, others, computer=False)
    table, _ = await request.change(
        table, lambda work: play.agree_counting(work, me, casual, rated=rated)
    )
    return await answer_done(request, table, conditions(table))


async def start_table(request: Request, lookup: TableLookup) -> Answer:
    """Start the game with the players who sit."""

    def decide(work: UnitOfWork) -> None:
        _check_concerned(request, work.table)
        play.start(work)

    table = await lookup.find_table(request, OPEN, fits=request.trial(decide))
    table, _ = await request.change(table, decide)
    return await answer_done(request, table, _tell_start(request, table))


async def leave_table(request: Request, room: OpeningRoom) -> Answer:
    """Leave, cancel, decline or withdraw; typed during a game it asks to resign."""
    table = await room.lookup.find_table(request, OPEN, PLAYING)
    if request.path == (NEVER,):
        chair = table.seat_of(request.person.id)
        if table.status != OPEN or chair is None or not table.players[chair].invited:
            raise Refused(phrase("house.not-invited"))
        # First, since it can be repeated after a fault; declining cannot.
        await refuse_challenger(request, room.people, table.host)
    # An old invitation's button must not resign a game that has begun.
    elif not request.is_press and table.status == PLAYING:
        return await resign_game(request, room.lookup)
    namesake = await room.people.namesake(request.by.asker)

    def decide(work: UnitOfWork) -> None:
        me = request.person.id
        if work.table.seat_of(me) is None and namesake is not None:
            me = namesake
        _check_leaving(request, work.table, me)
        play.stand_up(work, me)

    table, _ = await request.change(table, decide)
    return await answer_done(request, table, phrase(_LEFT.get(request.path, "house.left")))


_LEFT: Mapping[tuple[str, ...], str] = {
    ("no",): "house.challenge-declined",
    (NEVER,): "house.challenger-refused",
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
    refuse_if(request.path == ("back",) and not host, "house.not-your-challenge")


async def add_words(request: Request, lookup: TableLookup) -> Answer:
    """Add the asker's words to the draws of a waiting table or of a rematch."""
    typed = request.form_text or request.value("text")
    if request.is_press and not typed:
        return request.said(phrase("house.bare.words"))

    def decide(work: UnitOfWork) -> None:
        play.say_words(work, request.person.id, typed)

    fits = request.trial(decide)
    table = await lookup.find_table(request, OPEN, or_else=(ENDED, PLAYING), fits=fits)
    table, _ = await request.change(table, decide)
    said = table.words if table.status == OPEN else tuple(one for _, one in table.next_words)
    return await answer_done(request, table, phrase("house.words-added", words=said))


def _check_concerned(request: Request, table: Table) -> None:
    if request.person.id != table.host:
        request.seat(table)


DAYS = 7
"""After how many days an invitation without a table expires."""

_DAY = 86400


async def invitations_for(
    people: People, tables: Tables, key: bytes, asker: Asker, where: Where, text: str, clock: Clock
) -> tuple[ShareableInvitation, ...]:
    """An invitation by *asker* to each game that *text* fits; *where* is their chat.

    Whoever is not known yet is not written down: the first who presses is the host.
    """
    person = await people.find(asker)
    code = await people.language_of(where, person, asker)
    say, found = language(code).say, []

    def shareable(game: Game, line: str, host: str, click: Click) -> ShareableInvitation:
        words = phrase("house.invitation-all", host=host, game=phrase(f"{game.key}.name"))
        join, sit = say(phrase("house.button.join")), encode_click(click, key)
        return ShareableInvitation(say(game_facts(game)), line, say(words), join, sit)

    table = await tables.find(text.strip())
    if table is not None and table.status == OPEN:
        sit = Click(Action.JOIN, table.code)
        found.append(shareable(table.game, table.code, asker.name, sit))
    number, host = (0, cleaned(asker.name)) if person is None else (person.id, person.name)
    for game in suggestions(PartialInput(ParameterKind.GAME, text.strip(), {}, (), (), code)):
        stamp, blurb = f"{code[:2]}{base36(_day(clock.now()))}", say(phrase(f"{game.value}.blurb"))
        wish = Click(Action.INVITED, await tables.free_code(), number, (game.value, stamp))
        found.append(shareable(shelf()[game.value], blurb, host, wish))
    return tuple(found)


async def accept_invitation(request: Request, room: OpeningRoom) -> Answer:
    """Sit down at the table of an invitation, which the first press opens for its host."""
    quota, where = room.quota, request.by.where
    async with quota.opening:
        table = None if await room.tables.is_taken(request.code) else await _open(request, room)
    if table is None:
        typed = BY_ACT[Action.JOIN].name, {"table": request.code}
        by = Command(request.by.update, where, request.by.asker, *typed)
        return await join_table(replace(request, by=by, path=()), room)
    spoken = await language_of_board(request)
    shown = await request.views.ensure(table, where, request.person, spoken)
    said = _tell_start(request, table, "house.joined")
    if table.host == request.person.id and table.status == OPEN:
        said = phrase("house.opened", game=phrase(f"{table.game.key}.name"))
    return BoardAnswer(request.tongue.say(said), shown, private=False, aloud=False)


async def _open(request: Request, room: OpeningRoom) -> Table:
    """Open the table of an invitation with its host's board; the asker sits down too."""
    (game, stamp) = request.path
    refuse_if(not 0 <= _day(room.clock.now()) - int(stamp[2:], 36) <= DAYS, "house.invitation-old")
    host, home = await _host(request, room)
    await room.quota.check_room(host.id, home)
    wish = read_game_request({"game": game}, mentioned=False)
    others = () if host.id == request.person.id else (Player(request.person.id),)
    sealed = Sealed(request.code, secrets.token_bytes(32))
    work = hosted_table(room.clock, wish, host.id, sealed, others)
    view = request.views.fresh(work.table, home, host, stamp[:2])
    return await room.changes.create(request.origin, work, view)


async def _host(request: Request, room: OpeningRoom) -> tuple[PersonRow, Where]:
    """The host and where their board stands: in the message that was pressed, or in private.

    Raises ``Refused`` where either is unknown.
    """
    where, lone = request.by.where, request.by.where.lone is not None
    if lone and not request.turn:
        return request.person, where
    host = need(await room.store.read(people.load_person, request.turn), "house.invitation-old")
    home = await room.people.private_chat(host.id, where.platform, unasked=True)
    return host, where if lone else need(home, "house.invitation-old")


def _day(now: datetime) -> int:
    return int(now.timestamp()) // _DAY
