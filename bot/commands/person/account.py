"""The asker's account: linked chats, stored data and its erasure."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from bot.commands.request import Request
from bot.commands.services_of_handlers import AccountRoom, LinkRoom
from bot.port import Answer, Attachment, Button, Card, FileAnswer, PrivateRefusal
from bot.presenters.button_codes import Action
from bot.presenters.command_specs import BY_ACT
from bot.presenters.ways import leading
from bot.service.table.changes import Update
from bot.session import play
from bot.session.table import CLOSED, CODE_LETTERS, ENDED, OPEN, PLAYING, BrokenTable
from bot.session.unit_of_work import Refused, UnitOfWork, refuse_if
from games.core import phrase
from storage.errors import StorageError
from storage.person import people, personal_data
from storage.records import JSON, IdentityRow
from storage.store import Transaction

LETTERS = 8
"""How many letters a linking code has. It lives ten minutes: too short to guess one of 10^12."""


async def link_account(request: Request, room: LinkRoom) -> Answer:
    """Give the asker a linking code, or ask whether to link them to the person of a typed one."""
    mine = f"@{request.person.id}"
    match request.path:
        case ("yes", code, for_whom) if for_whom == mine:
            return await _join(request, room, code)
        case (_, *_):
            return request.said(phrase("link.kept"))
    if request.value("code"):
        return await _ask(request, room, request.value("code").upper(), mine)
    if not request.discreet:
        return _in_private(request, "link")
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(LETTERS))
    me, now = request.person.id, room.clock.steady()
    await room.store.write(people.put_link_code, code, me, now)
    lasts = int(people.LINK_KEPT.total_seconds()) // 60
    told = request.said(phrase("link.code", code=code, n=lasts))
    typed = f"/{BY_ACT[Action.LINK].name_in(request.language)} {code}"
    screen = leading(request.pages, told.said, ())
    return replace(told, leads=replace(screen, lines=(*screen.lines, typed), pasted=(typed,)))


async def _ask(request: Request, room: LinkRoom, code: str, mine: str) -> Answer:
    """The question whether the asker and the person of *code*, who is named, are one."""
    pages = request.pages
    room.quota.check_tries(request.person.id)
    async with room.store.reading() as tx:
        owner = await _owner(request, room, tx, code)
        known = await people.load_identities(tx, owner)
        row = await people.load_person(tx, owner)
    keys = sorted({f"link.chat.{one.platform}" for one in known})
    names = tuple(phrase(key) for key in keys if key in request.tongue.templates)
    name = "" if row is None else row.name
    said = (
        phrase("link.sure", name=name, chats=names) if names else phrase("link.sure-of", name=name)
    )
    buttons = [
        Button(pages.say("link.yes"), pages.code(Action.LINK, "yes", code, mine), "good"),
        Button(pages.say("link.no"), pages.code(Action.LINK, "no")),
    ]
    return Card(pages.page(request.tongue.say(said), [pages.say("link.about")], [buttons]))


async def _owner(request: Request, room: LinkRoom, tx: Transaction, code: str) -> int:
    """The person of *code*; raises ``Refused`` where the asker cannot become one with them."""
    me = request.person.id
    owner = await people.find_link_owner(tx, code, room.clock.steady())
    if owner is None:
        room.quota.count_miss(me)
        raise Refused(phrase("link.no-code"))
    refuse_if(owner == me, "link.yourself")
    if tables := await personal_data.common_games(tx, owner, me):
        raise Refused(phrase("link.both-sit", tables=tables))
    return owner


async def _join(request: Request, room: LinkRoom, code: str) -> Answer:
    me = request.person.id
    room.quota.check_tries(me)

    async def join(tx: Transaction) -> None:
        owner = await _owner(request, room, tx, code)
        await people.delete_link_codes(tx, owner)
        await room.ratings.prepare_join(tx, owner, me)
        await room.people.join(tx, owner, me)
        await room.ratings.join(tx, owner, me)
        await room.bars.tell(tx)

    sat = await room.tables.list_lines((PLAYING, OPEN), person=me)
    await room.changes.once(request.origin, join)
    for line in sat:
        await request.views.show_table(line.code)
    return request.said(phrase("link.done"))


async def send_own_data(request: Request, room: AccountRoom) -> Answer:
    """Send all data stored about the asker as a file."""
    if not request.discreet:
        return _in_private(request, "mydata")
    kept = await room.store.read(personal_data.export_person, request.person.id)
    text = await asyncio.to_thread(_write_rows, kept)
    return FileAnswer(request.pages.say("privacy.data"), Attachment("ludoteca.json", text.encode()))


def _write_rows(kept: Mapping[str, Sequence[JSON]]) -> str:
    """The rows *kept* of each table as JSON, a row a line: none of them holds up the loop."""
    tables = []
    for name, rows in kept.items():
        lines = ",\n ".join(json.dumps(row, ensure_ascii=False) for row in rows)
        tables.append(f"{json.dumps(name)}: [{lines}]")
    return "{" + ",\n".join(tables) + "}\n"


async def forget_asker(request: Request, room: AccountRoom) -> Answer:
    """Erase the asker once they have confirmed it."""
    if not request.discreet:
        return _in_private(request, "forgetme")
    pages, mine = request.pages, f"@{request.person.id}"
    if request.path == ("yes", mine):
        namesake = await room.people.namesake(request.by.asker)
        others = () if namesake is None else (namesake,)
        said = request.said(phrase("forget.done"))
        await erase_person(room, request.origin, request.person.id, others)
        return said
    if request.path:
        return request.said(phrase("forget.kept"))
    row = [
        Button(pages.say("forget.yes"), pages.code(Action.FORGET, "yes", mine), "danger"),
        Button(pages.say("forget.no"), pages.code(Action.FORGET, "no", mine)),
    ]
    return Card(pages.page(pages.say("forget.sure"), [pages.say("forget.about")], [row]))


async def erase_person(
    room: AccountRoom, origin: Update, me: int, others: Sequence[int] = ()
) -> None:
    """Leave every table of *me*, then erase *me* and *others*; raises ``SeenBefore``."""
    await _erase_programs(room, origin, me)
    known = await room.people.identities(me)
    for place in await room.store.read(personal_data.own_places, me):
        room.places.dismiss(*place)
    await end_sessions(room, known)
    await _leave_all(room, origin, me)

    async def forgotten(tx: Transaction) -> None:
        for person in (me, *others):
            await room.people.erase(tx, person)

    sat = await room.tables.list_lines((PLAYING, OPEN, ENDED, CLOSED), person=me)
    await room.changes.once(origin, forgotten)
    await end_sessions(room, known)  # also what was read of them meanwhile
    with suppress(StorageError):  # erasing goes on all the same
        await room.store.sweep()
    for line in sat:
        await room.views.show_table(line.code)


async def _erase_programs(room: AccountRoom, origin: Update, owner: int) -> None:
    for program in await room.programs.of_owner(owner):
        number = await room.people.number(program.asker)
        if number is not None:
            update = Update(origin.platform, f"{origin.update}:{program.id}")
            await erase_person(room, update, number)


async def end_sessions(room: AccountRoom, known: Sequence[IdentityRow]) -> None:
    """Let every chat, in every process, end what the person *known* by these ids has open."""
    for one in known:
        if one.platform in room.chats:
            await room.chats[one.platform].forget(one.external)
        await room.store.cluster.say("forgotten", one.platform, one.external)


async def _leave_all(room: AccountRoom, origin: Update, me: int) -> None:

    def decide(work: UnitOfWork) -> None:
        seat = work.table.seat_of(me)
        if seat is None:
            return
        if work.table.status == OPEN:
            play.stand_up(work, me)
        elif work.table.status == PLAYING:
            play.resign(work, seat)

    before: tuple[str, ...] = ()
    while lines := await room.tables.list_lines((PLAYING, OPEN), person=me):
        codes = tuple(line.code for line in lines)
        if codes == before:  # the rest are tables that cannot be read
            return
        before = codes
        for code in codes:
            try:
                await room.changes.change(
                    Update(origin.platform, f"{origin.update}:{code}"), code, decide
                )
            except BrokenTable:
                continue


def _in_private(request: Request, command: str) -> PrivateRefusal:
    return PrivateRefusal(request.pages.say("privacy.in-private"), f"do-{command}")
