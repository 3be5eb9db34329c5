"""How a table comes to be: opened, joined, filled and started, or left before that."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.acts.asked import Asked
from bot.acts.choosing import check_may_open, check_welcome, refuse
from bot.acts.finding import meant
from bot.acts.manners import resign
from bot.acts.parting import given_up, lead, place_for
from bot.acts.wish import Wish, read_wish
from bot.outbox.views import where_of
from bot.port import Answer, Asker, BoardAnswer, Call, MenuAnswer, Press, Where
from bot.table import play
from bot.table.manager import Manager
from bot.table.pen import Pen, Refused
from bot.table.table import ENDED, OPEN, PLAYING, Player, Table
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


async def typed(asked: Asked) -> Answer:
    """Open the table that a command describes, or a button of an older release."""
    guest = await guest_of(asked)
    if isinstance(asked.by, Call):
        values = asked.by.values
    else:
        game, *against = asked.path
        values = {"game": game, "opponent": "" if guest is not None else "".join(against)}
    sealed = Sealed(await asked.manager.free_code(), secrets.token_bytes(32))
    return await opened(asked, values, guest, sealed)


async def opened(
    asked: Asked, values: Mapping[str, str], guest: PersonRow | None, sealed: Sealed
) -> Answer:
    """Open a table where the asker is, with him as its host and *guest* as whom he challenges."""
    by, manager, host = asked.by, asked.manager, asked.person
    await check_may_open(asked)
    wish = read_wish(values, mentioned=guest is not None)
    others = await _others(asked, wish, guest)
    pen = _seated(manager, wish, host.id, sealed, others)
    quota = asked.services.quota
    await quota.check_room(host.id, by.where)
    where, why = await place_for(asked, pen.table)
    if where != by.where:
        # The time that it took to come there is nobody's.
        pen = _seated(manager, wish, host.id, sealed, others)
    code, token = await asked.place_language(), by.token if where == by.where else None
    view = asked.views.fresh(pen.table, where, host, code, token)
    theirs = await _theirs(asked, pen.table, guest, code) if where.private else ()
    try:
        async with quota.opening:
            await quota.check_room(host.id, by.where)
            table = await manager.create(asked.origin, pen, view, *theirs, draft=sealed.draft)
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
    asked: Asked, table: Table, guest: PersonRow | None, code: str
) -> tuple[ViewRow, ...]:
    """The view by which *guest* is asked in his own private chat, where he has one with us."""
    home = None if guest is None else await private_chat(asked, guest)
    if guest is None or home is None or not await asked.manager.places.opened(home):
        return ()
    return (asked.views.fresh(table, home, guest, guest.language or code),)


async def private_chat(asked: Asked, person: PersonRow) -> Where | None:
    """The private chat of *person* on the asker's platform, if its id is that by which he goes."""
    platform = asked.by.where.platform
    for one in await asked.manager.people.identities(person.id):
        if one.platform == platform and not one.external.startswith("@"):
            return Where(platform, one.external, private=True)
    return None


async def _others(asked: Asked, wish: Wish, guest: PersonRow | None) -> tuple[Player, ...]:
    """Who sits at the table besides the asker from the beginning; *guest* is whom he challenges."""
    if guest is None and wish.named is not None:
        _check_name(asked.by.asker, wish.named)
        guest = await asked.manager.people.named(asked.by.where.platform, wish.named)
    elif guest is not None and guest.id == asked.person.id:
        raise Refused(phrase("house.not-yourself"))
    if guest is not None:
        await check_welcome(asked, guest)
        return (Player(guest.id, invited=True),)
    computers = wish.seats - 1 if wish.against_computer else 0
    return (Player(level=wish.level),) * computers


def _seated(
    manager: Manager, wish: Wish, host: int, sealed: Sealed, others: Sequence[Player]
) -> Pen:
    """A table as *wish* says, at which *host* and *others* sit; it starts if no chair is free."""
    pen = hosted(manager, wish, host, sealed)
    for other in others:
        play.sit(pen, other)
    play.start_if_full(pen)
    return pen


def hosted(
    manager: Manager, wish: Wish, host: int, sealed: Sealed, others: Sequence[int] = ()
) -> Pen:
    """A table as *wish* says, not yet stored, at which *host* sits and *others* after him.

    With others it starts when no chair is free.
    """
    pen = play.open_table(
        sealed.code,
        wish.game,
        options=wish.options,
        hints=wish.hints,
        begins=wish.begins,
        seats=wish.seats,
        host=host,
        secret=sealed.secret,
        now=manager.now(),
        steady=manager.steady(),
        control=wish.control,
        match=wish.match,
    )
    play.sit(pen, Player(host, side=wish.side))
    if sealed.words:
        play.say_words(pen, host, sealed.words)
    for other in others:
        play.sit(pen, Player(other))
    if others:
        play.start_if_full(pen)
    return pen


def _check_name(asker: Asker, name: str) -> None:
    if asker.handle is None:  # nobody could ever accept
        raise Refused(phrase("house.bad-opponent", text=name))
    if f"@{asker.handle}".casefold() == name.casefold():
        raise Refused(phrase("house.not-yourself"))


async def guest_of(asked: Asked) -> PersonRow | None:
    """Whom the asker challenges: who was mentioned, or whom the button names by his id."""
    if isinstance(asked.by, Call):
        mentioned = asked.by.people.get("opponent")
        return None if mentioned is None else await asked.manager.people.mentioned(mentioned)
    if not asked.path or not asked.path[-1].startswith("@"):
        return None
    number = asked.path[-1].removeprefix("@")
    async with asked.manager.store.reading() as tx:
        return await people.get(tx, int(number))


async def join(asked: Asked) -> Answer:
    """Sit down, or accept a challenge; whoever gave the code and cannot sit down looks on."""
    table = await meant(asked, OPEN, PLAYING)
    namesake = await asked.manager.people.namesake(asked.by.asker)

    def decide(pen: Pen) -> bool:
        try:
            _sit_down(asked, pen, namesake)
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
        view, part = apart.id, replace(where_of(apart), home=where.home)
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


def _sit_down(asked: Asked, pen: Pen, namesake: int | None) -> None:
    table, person = pen.table, asked.person
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
    play.sit(pen, Player(person.id, side=side), chair)
    play.start_if_full(pen)


async def seat_computer(asked: Asked) -> Answer:
    """Let a computer take the next free chair."""
    table = await meant(asked, OPEN)

    def decide(pen: Pen) -> None:
        _check_concerned(asked, pen.table)
        level = int(asked.path[0]) if asked.path else 2
        play.sit(pen, Player(level=min(level, pen.table.game.levels)))
        play.start_if_full(pen)

    table, _ = await asked.change(table, decide)
    return await asked.done(table, phrase("house.computer-joined"))


async def start(asked: Asked) -> Answer:
    """Start with those who sit."""
    table = await meant(asked, OPEN)

    def decide(pen: Pen) -> None:
        _check_concerned(asked, pen.table)
        play.start(pen)

    table, _ = await asked.change(table, decide)
    return await asked.done(table, phrase("house.started"))


async def leave(asked: Asked) -> Answer:
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
    namesake = await asked.manager.people.namesake(asked.by.asker)

    def decide(pen: Pen) -> None:
        me = asked.person.id
        if pen.table.seat_of(me) is None and namesake is not None:
            me = namesake
        _check_leaving(asked, pen.table, me)
        play.stand_up(pen, me)

    table, _ = await asked.change(table, decide)
    return await asked.done(table, phrase(_LEFT.get(asked.path, "house.left")))


_LEFT: Mapping[tuple[str, ...], str] = {
    ("no",): "house.challenge-declined",
    ("back",): "house.challenge-withdrawn",
}
"""What is heard by whoever left a challenge, by the path of the button."""


def _check_leaving(asked: Asked, table: Table, me: int) -> None:
    """Raise ``Refused`` where the button of a challenge is for somebody else than *me*."""
    seat, host = table.seat_of(me), me == table.host
    if table.status != OPEN or not asked.path:
        return
    if asked.path == ("no",) and not (seat is not None and table.players[seat].invited):
        raise Refused(phrase("house.own-challenge" if host else "house.not-invited"))
    if asked.path == ("back",) and not host:
        raise Refused(phrase("house.not-your-challenge"))


async def say_words(asked: Asked) -> Answer:
    """Add one's own words to the draws of a table that has not started, or of a rematch."""
    typed = asked.by.text if isinstance(asked.by, Press) else asked.value("text")
    if asked.pressed and not typed:
        return asked.said(phrase("house.bare.words"))
    table = await meant(asked, OPEN, or_else=(ENDED, PLAYING))
    me, words = asked.person.id, typed
    table, _ = await asked.change(table, lambda pen: play.say_words(pen, me, words))
    said = table.words if table.status == OPEN else tuple(one for _, one in table.next_words)
    return await asked.done(table, phrase("house.words-added", words=said))


def _check_concerned(asked: Asked, table: Table) -> None:
    if asked.person.id != table.host:
        asked.seat(table)
