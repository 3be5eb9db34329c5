"""How a table comes to be: opened, joined, filled and started, or left before that."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.commands.agreements import resign
from bot.commands.game_request import Wish, read_wish
from bot.commands.request import Request, Services
from bot.commands.settings import check_may_open, check_welcome, refuse
from bot.commands.table_search import meant
from bot.commands.threads import given_up, lead, place_for
from bot.port import Answer, Asker, BoardAnswer, Command, MenuAnswer, Press, Where
from bot.service.places import view_place
from bot.session import play
from bot.session.table import ENDED, OPEN, PLAYING, Player, Table
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import phrase
from storage import people
from storage.records import PersonRow, ViewRow

NEVER = "never"
"""Says with a challenge that is declined that there shall be no other by its host."""


@dataclass(frozen=True)
class Sealed:
    """The code of a table to be and the secret of its draws, as the sheet *draft* has them.

    *words* are what its host adds to the draws.
    """

    code: str
    secret: bytes
    words: str = ""
    draft: int | None = None


async def typed(asked: Request) -> Answer:
    """Open the table that a command describes, or a button of an older release."""
    guest = await guest_of(asked)
    if isinstance(asked.by, Command):
        values = asked.by.values
    else:
        game, *against = asked.path
        values = {"game": game, "opponent": "" if guest is not None else "".join(against)}
    sealed = Sealed(await asked.services.tables.free_code(), secrets.token_bytes(32))
    return await opened(asked, values, guest, sealed)


async def opened(
    asked: Request, values: Mapping[str, str], guest: PersonRow | None, sealed: Sealed
) -> Answer:
    """Open a table where the asker is, with him as its host and *guest* as whom he challenges."""
    by, services, host = asked.by, asked.services, asked.person
    await check_may_open(asked)
    wish = read_wish(values, mentioned=guest is not None)
    others = await _others(asked, wish, guest)
    work = _seated(services, wish, host.id, sealed, others)
    quota = asked.services.quota
    await quota.check_room(host.id, by.where)
    where, why = await place_for(asked, work.table)
    if where != by.where:
        # The time that it took to come there is nobody's.
        work = _seated(services, wish, host.id, sealed, others)
    code, token = await asked.place_language(), by.token if where == by.where else None
    view = asked.views.fresh(work.table, where, host, code, token)
    theirs = await _theirs(asked, work.table, guest, code) if where.private else ()
    try:
        async with quota.opening:
            await quota.check_room(host.id, by.where)
            table = await services.changes.create(
                asked.origin, work, view, *theirs, draft=sealed.draft
            )
    except Exception:
        await given_up(asked, where)
        raise
    shown = await asked.views.of(table, where)
    key = "house.opened" if table.status == OPEN else "house.begun"
    key = key if where == by.where else "house.opened-apart"
    said = asked.tongue.say(phrase(key, game=phrase(f"{table.game.key}.name"), code=table.code))
    return BoardAnswer(
        said,
        shown.id if shown is not None else None,
        private=False,
        aloud=shown is None,
        link="" if where == by.where else asked.services.chats[where.platform].link(where),
        note="" if why is None else asked.tongue.say(why),
    )


async def _theirs(
    asked: Request, table: Table, guest: PersonRow | None, code: str
) -> tuple[ViewRow, ...]:
    """The view by which *guest* is asked in his own private chat, where he has one with us."""
    home = None if guest is None else await private_chat(asked, guest)
    if guest is None or home is None or not await asked.services.places.opened(home):
        return ()
    return (asked.views.fresh(table, home, guest, guest.language or code),)


async def private_chat(asked: Request, person: PersonRow) -> Where | None:
    """The private chat of *person* on the asker's platform, if its id is that by which he goes."""
    platform = asked.by.where.platform
    for one in await asked.services.people.identities(person.id):
        if one.platform == platform and not one.external.startswith("@"):
            return Where(platform, one.external, private=True)
    return None


async def _others(asked: Request, wish: Wish, guest: PersonRow | None) -> tuple[Player, ...]:
    """Who sits at the table besides the asker from the beginning; *guest* is whom he challenges."""
    if guest is None and wish.named is not None:
        _check_name(asked.by.asker, wish.named)
        guest = await asked.services.people.named(asked.by.where.platform, wish.named)
    elif guest is not None and guest.id == asked.person.id:
        raise Refused(phrase("house.not-yourself"))
    if guest is not None:
        await check_welcome(asked, guest)
        return (Player(guest.id, invited=True),)
    computers = wish.seats - 1 if wish.against_computer else 0
    return (Player(level=wish.level),) * computers


def _seated(
    services: Services, wish: Wish, host: int, sealed: Sealed, others: Sequence[Player]
) -> UnitOfWork:
    """A table as *wish* says, at which *host* and *others* sit; it starts if no chair is free."""
    work = hosted(services, wish, host, sealed)
    for other in others:
        play.sit(work, other)
    play.start_if_full(work)
    return work


def hosted(
    services: Services, wish: Wish, host: int, sealed: Sealed, others: Sequence[int] = ()
) -> UnitOfWork:
    """A table as *wish* says, not yet stored, at which *host* sits and *others* after him.

    With others it starts when no chair is free.
    """
    work = play.open_table(
        sealed.code,
        wish.game,
        options=wish.options,
        hints=wish.hints,
        begins=wish.begins,
        seats=wish.seats,
        host=host,
        secret=sealed.secret,
        now=services.clock.now(),
        steady=services.clock.steady(),
        control=wish.control,
        match=wish.match,
    )
    play.sit(work, Player(host, side=wish.side))
    if sealed.words:
        play.say_words(work, host, sealed.words)
    for other in others:
        play.sit(work, Player(other))
    if others:
        play.start_if_full(work)
    return work


def _check_name(asker: Asker, name: str) -> None:
    if asker.handle is None:  # nobody could ever accept
        raise Refused(phrase("house.bad-opponent", text=name))
    if f"@{asker.handle}".casefold() == name.casefold():
        raise Refused(phrase("house.not-yourself"))


async def guest_of(asked: Request) -> PersonRow | None:
    """Whom the asker challenges: who was mentioned, or whom the button names by his id."""
    if isinstance(asked.by, Command):
        mentioned = asked.by.people.get("opponent")
        return None if mentioned is None else await asked.services.people.mentioned(mentioned)
    if not asked.path or not asked.path[-1].startswith("@"):
        return None
    number = asked.path[-1].removeprefix("@")
    async with asked.services.store.reading() as tx:
        return await people.get(tx, int(number))


async def join(asked: Request) -> Answer:
    """Sit down, or accept a challenge; whoever gave the code and cannot sit down looks on."""
    table = await meant(asked, OPEN, PLAYING)
    namesake = await asked.services.people.namesake(asked.by.asker)

    def decide(work: UnitOfWork) -> bool:
        try:
            _sit_down(asked, work, namesake)
        except Refused:
            if asked.pressed:
                raise
            return False
        return True

    where, token, link = asked.by.where, asked.by.token, ""
    apart, code = await asked.views.within(table, where), await asked.place_language()
    shown = []
    if apart is None and await asked.views.of(table, where) is None:
        # Stored with his sitting down: else a kill in between leaves him without a board.
        shown.append(asked.views.fresh(table, where, asked.person, code, token))
    table, sat = await asked.change(table, decide, *shown)
    if apart is None:
        view = await asked.views.ensure(table, where, asked.person, code, token)
    else:
        # It has a place of its own: no second board comes to stand here.
        view, part = apart.id, replace(view_place(apart), home=where.home)
        await lead(asked, part, [asked.person.id])
        link = asked.services.chats[part.platform].link(part)
    key = "house.joined" if sat else "house.watching"
    if table.seat_of(asked.person.id) is not None and not sat:
        key = "house.your-table"
    answer = await asked.done(table, phrase(key))
    if isinstance(answer, MenuAnswer):
        return answer
    # Who only looks on is told so by himself.
    alone = asked.pressed or key == "house.watching"
    return BoardAnswer(answer.said, view, private=alone, aloud=not asked.pressed, link=link)


def _sit_down(asked: Request, work: UnitOfWork, namesake: int | None) -> None:
    table, person = work.table, asked.person
    side = asked.path[0] if asked.path else None
    chair = table.seat_of(person.id)
    if chair is None and any(player.invited for player in table.players):
        # Kept for whoever bears the @name, and bears it on the very platform it was written on.
        chair = table.seat_of(namesake)
        if chair is None:
            raise Refused(phrase("house.not-invited"))
    if chair is not None and table.players[chair].seated and side is None:
        waiting = any(player.invited for player in table.players)
        raise Refused(phrase("house.own-challenge" if waiting else "house.sitting-already"))
    play.sit(work, Player(person.id, side=side), chair)
    play.start_if_full(work)


async def seat_computer(asked: Request) -> Answer:
    """Let a computer take the next free chair."""
    table = await meant(asked, OPEN)

    def decide(work: UnitOfWork) -> None:
        _check_concerned(asked, work.table)
        level = int(asked.path[0]) if asked.path else 2
        play.sit(work, Player(level=min(level, work.table.game.levels)))
        play.start_if_full(work)

    table, _ = await asked.change(table, decide)
    return await asked.done(table, phrase("house.computer-joined"))


async def start(asked: Request) -> Answer:
    """Start with those who sit."""
    table = await meant(asked, OPEN)

    def decide(work: UnitOfWork) -> None:
        _check_concerned(asked, work.table)
        play.start(work)

    table, _ = await asked.change(table, decide)
    return await asked.done(table, phrase("house.started"))


async def leave(asked: Request) -> Answer:
    """Stand up, cancel, decline or withdraw; typed during the game it asks to give the game up."""
    table = await meant(asked, OPEN, PLAYING)
    if asked.path == (NEVER,):
        chair = table.seat_of(asked.person.id)
        if table.status != OPEN or chair is None or not table.players[chair].invited:
            raise Refused(phrase("house.not-invited"))
        # First what must outlive a fault: declining twice is refused, refusing twice is not.
        await refuse(asked, table.host)
    # The button stands on invitations only: on an old one it must not give up a game.
    elif not asked.pressed and table.status == PLAYING:
        return await resign(asked)
    namesake = await asked.services.people.namesake(asked.by.asker)

    def decide(work: UnitOfWork) -> None:
        me = asked.person.id
        if work.table.seat_of(me) is None and namesake is not None:
            me = namesake
        _check_leaving(asked, work.table, me)
        play.stand_up(work, me)

    table, _ = await asked.change(table, decide)
    return await asked.done(table, phrase(_LEFT.get(asked.path, "house.left")))


_LEFT: Mapping[tuple[str, ...], str] = {
    ("no",): "house.challenge-declined",
    ("back",): "house.challenge-withdrawn",
}
"""What is heard by whoever left a challenge, by the path of the button."""


def _check_leaving(asked: Request, table: Table, me: int) -> None:
    """Raise ``Refused`` where the button of a challenge is for somebody else than *me*."""
    seat, host = table.seat_of(me), me == table.host
    if table.status != OPEN or not asked.path:
        return
    if asked.path == ("no",) and not (seat is not None and table.players[seat].invited):
        raise Refused(phrase("house.own-challenge" if host else "house.not-invited"))
    if asked.path == ("back",) and not host:
        raise Refused(phrase("house.not-your-challenge"))


async def say_words(asked: Request) -> Answer:
    """Add one's own words to the draws of a table that has not started, or of a rematch."""
    typed = asked.by.text if isinstance(asked.by, Press) else asked.value("text")
    if asked.pressed and not typed:
        return asked.said(phrase("house.bare.words"))
    table = await meant(asked, OPEN, or_else=(ENDED, PLAYING))
    me, words = asked.person.id, typed
    table, _ = await asked.change(table, lambda work: play.say_words(work, me, words))
    said = table.words if table.status == OPEN else tuple(one for _, one in table.next_words)
    return await asked.done(table, phrase("house.words-added", words=said))


def _check_concerned(asked: Request, table: Table) -> None:
    if asked.person.id != table.host:
        asked.seat(table)
