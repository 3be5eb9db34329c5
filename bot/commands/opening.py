"""How a table is opened: as a command, a draft or an invitation describes it."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bot.commands.game_request import GameRequest, read_game_request
from bot.commands.request import Request, Services
from bot.commands.settings import check_may_open, check_welcome
from bot.port import Answer, Asker, BoardAnswer, ChatError, Command, PlaceShut, Where
from bot.session import play
from bot.session.table import OPEN, Player, Table
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import Phrase, phrase
from storage import people
from storage.records import PersonRow, ViewRow


@dataclass(frozen=True)
class Sealed:
    """The code of a future table and the secret of its draws, from the sheet *draft*.

    *words* are the host's own, mixed into the draws.
    """

    code: str
    secret: bytes
    words: str = ""
    draft: int | None = None


async def open_typed(request: Request) -> Answer:
    """Open the table that a command or a button of an older release describes."""
    guest = await guest_of(request)
    if isinstance(request.by, Command):
        values = request.by.values
    else:
        game, *against = request.path
        values = {"game": game, "opponent": "" if guest is not None else "".join(against)}
    sealed = Sealed(await request.services.tables.free_code(), secrets.token_bytes(32))
    return await open_wished(request, values, guest, sealed)


async def open_wished(
    request: Request, values: Mapping[str, str], guest: PersonRow | None, sealed: Sealed
) -> Answer:
    """Open a table where the asker is, with the asker as host and *guest* as opponent."""
    by, services, host = request.by, request.services, request.person
    await check_may_open(request)
    wish = read_game_request(values, mentioned=guest is not None)
    others = await _others(request, wish, guest)
    work = hosted_table(services, wish, host.id, sealed, others)
    quota = request.services.quota
    await quota.check_room(host.id, by.where)
    where, why = await place_for(request, work.table)
    if where != by.where:
        # Built anew, so that the time spent on making the thread is nobody's.
        work = hosted_table(services, wish, host.id, sealed, others)
    code, token = await request.place_language(), by.token if where == by.where else None
    view = request.views.fresh(work.table, where, host, code, token)
    theirs = await _theirs(request, work.table, guest, code) if where.private else ()
    try:
        async with quota.opening:
            await quota.check_room(host.id, by.where)
            table = await services.changes.create(
                request.origin, work, view, *theirs, draft=sealed.draft
            )
    except Exception:
        await give_up_place(request, where)
        raise
    shown = await request.views.of(table, where)
    key = "house.opened" if table.status == OPEN else "house.begun"
    key = key if where == by.where else "house.opened-apart"
    said = request.tongue.say(phrase(key, game=phrase(f"{table.game.key}.name"), code=table.code))
    return BoardAnswer(
        said,
        shown.id if shown is not None else None,
        private=False,
        aloud=shown is None,
        link="" if where == by.where else request.services.chats[where.platform].link(where),
        note="" if why is None else request.tongue.say(why),
    )


async def _theirs(
    request: Request, table: Table, guest: PersonRow | None, code: str
) -> tuple[ViewRow, ...]:
    """The view by which *guest* is challenged in their private chat, if they have one."""
    home = None if guest is None else await private_chat(request, guest)
    if guest is None or home is None or not await request.services.places.opened(home):
        return ()
    return (request.views.fresh(table, home, guest, guest.language or code),)


async def private_chat(request: Request, person: PersonRow) -> Where | None:
    """The private chat of *person* on the asker's platform; its id is the person's own."""
    platform = request.by.where.platform
    for one in await request.services.people.identities(person.id):
        if one.platform == platform and not one.external.startswith("@"):
            return Where(platform, one.external, private=True)
    return None


async def _others(
    request: Request, wish: GameRequest, guest: PersonRow | None
) -> tuple[Player, ...]:
    """The players who sit from the beginning besides the asker; *guest* is challenged."""
    if guest is None and wish.named is not None:
        _check_name(request.by.asker, wish.named)
        guest = await request.services.people.named(request.by.where.platform, wish.named)
    elif guest is not None and guest.id == request.person.id:
        raise Refused(phrase("house.not-yourself"))
    if guest is not None:
        await check_welcome(request, guest)
        return (Player(guest.id, invited=True),)
    computers = wish.seats - 1 if wish.against_computer else 0
    return (Player(level=wish.level),) * computers


def hosted_table(
    services: Services, wish: GameRequest, host: int, sealed: Sealed, others: Sequence[Player]
) -> UnitOfWork:
    """The table of *wish*, not yet stored, with *host* and *others*; if it is full it starts."""
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
    play.take_chair(work, Player(host, side=wish.side))
    if sealed.words:
        play.say_words(work, host, sealed.words)
    for other in others:
        play.take_chair(work, other)
    play.start_if_full(work)
    return work


def _check_name(asker: Asker, name: str) -> None:
    if asker.handle is None:  # without @names nobody could ever accept
        raise Refused(phrase("house.bad-opponent", text=name))
    if f"@{asker.handle}".casefold() == name.casefold():
        raise Refused(phrase("house.not-yourself"))


async def guest_of(request: Request) -> PersonRow | None:
    """The challenged person: mentioned in the command, or named by id in the button."""
    if isinstance(request.by, Command):
        mentioned = request.by.people.get("opponent")
        return None if mentioned is None else await request.services.people.of(mentioned)
    if not request.path or not request.path[-1].startswith("@"):
        return None
    number = request.path[-1].removeprefix("@")
    async with request.services.store.reading() as tx:
        return await people.load_person(tx, int(number))


log = logging.getLogger(__name__)


async def place_for(request: Request, table: Table) -> tuple[Where, Phrase | None]:
    """The place of the new *table*: the asker's or a thread made for it, and why it got no thread.

    A thread whose table was never stored, as after a kill, is archived by its chat.
    """
    where, home = request.by.where, request.by.where.home
    if home is None or home.channel != where.place:
        return where, None
    if not (await request.services.places.rules(where)).threads or await request.was_done():
        return where, None
    if not home.parts:
        return where, phrase("house.no-thread.allowed")
    chat = request.services.chats[where.platform]
    try:
        part = await chat.part(where, await _title(request, table))
    except PlaceShut:
        return where, phrase("house.no-thread.allowed")
    except ChatError as wrong:
        log.warning("no thread for table %s: %s", table.code, wrong)
        return where, phrase("house.no-thread")
    await request.services.places.parted(where, part)
    await bring(request, part, (p.person for p in table.players if p.person is not None))
    return part, None


async def bring(request: Request, part: Where, people: Iterable[int]) -> None:
    """Bring *people* to *part*; anybody missed is brought by the first notification."""
    askers = []
    for person in people:
        known = await request.services.people.identities(person)
        askers += [
            Asker(one.platform, one.external, "") for one in known if one.platform == part.platform
        ]
    with suppress(ChatError):
        await request.services.chats[part.platform].lead(part, askers)


async def give_up_place(request: Request, part: Where) -> None:
    """Let *part* go, in which no table came to stand."""
    if part == request.by.where:
        return
    with suppress(ChatError):
        await request.services.chats[part.platform].keep(part, played=False)
        await request.services.places.played_in(part, played=False)


async def _title(request: Request, table: Table) -> str:
    """The name of the thread of *table*: its game, its players, its code."""
    named = await request.services.people.introduced(table)
    people = " – ".join(one.name for one in named.players if one.name)
    game = request.tongue.say(phrase(f"{table.game.key}.name"))
    return " · ".join(filter(None, (game, people, table.code)))
