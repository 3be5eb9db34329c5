"""The asker's account: linked chats, stored data and its erasure."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from contextlib import suppress

from bot.commands.request import Request, Services
from bot.port import Answer, Attachment, Button, Card, FileAnswer, PrivateRefusal
from bot.presenters.button_codes import Action
from bot.service.changes import Update
from bot.session import play
from bot.session.table import CLOSED, CODE_LETTERS, ENDED, OPEN, PLAYING, BrokenTable
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import phrase
from storage import people, personal_data
from storage.errors import StorageError
from storage.records import IdentityRow
from storage.store import Transaction

LETTERS = 8
"""How many letters a linking code has. It lives ten minutes: too short to guess one of 10^12."""


async def link_account(request: Request) -> Answer:
    """Give the asker a linking code, or link the asker to the person of the code typed."""
    if request.value("code"):
        return await _joined(request, request.value("code").upper())
    if not request.discreet:
        return _in_private(request, "link")
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(LETTERS))
    me, now = request.person.id, request.services.clock.steady()
    await request.services.store.write(people.put_link_code, code, me, now)
    return request.said(
        phrase("link.code", code=code, n=int(people.LINK_KEPT.total_seconds()) // 60)
    )


async def _joined(request: Request, code: str) -> Answer:
    services, quota, me = request.services, request.services.quota, request.person.id
    quota.check_tries(me)

    async def join(tx: Transaction) -> None:
        owner = await people.find_link_owner(tx, code, services.clock.steady())
        if owner is None:
            quota.missed(me)
            raise Refused(phrase("link.no-code"))
        if owner == me:
            raise Refused(phrase("link.yourself"))
        if tables := await personal_data.common_games(tx, owner, me):
            raise Refused(phrase("link.both-sit", tables=tables))
        await people.delete_link_codes(tx, owner)
        await services.people.join(tx, owner, me)

    sat = await services.tables.listed((PLAYING, OPEN), person=me)
    await services.changes.once(request.origin, join)
    for line in sat:
        await request.views.show_table(line.code)
    return request.said(phrase("link.done"))


async def send_own_data(request: Request) -> Answer:
    """Send all data stored about the asker as a file."""
    if not request.discreet:
        return _in_private(request, "mydata")
    kept = await request.services.store.read(personal_data.export_person, request.person.id)
    data = json.dumps(kept, ensure_ascii=False, indent=1).encode()
    return FileAnswer(request.pages.say("privacy.data"), Attachment("ludoteca.json", data))


async def forget_asker(request: Request) -> Answer:
    """Erase the asker once they have confirmed it."""
    if not request.discreet:
        return _in_private(request, "forgetme")
    pages, mine = request.pages, f"@{request.person.id}"
    if request.path == ("yes", mine):
        namesake = await request.services.people.namesake(request.by.asker)
        others = () if namesake is None else (namesake,)
        said = request.said(phrase("forget.done"))
        await erase_person(request.services, request.origin, request.person.id, others)
        return said
    if request.path:
        return request.said(phrase("forget.kept"))
    row = [
        Button(pages.say("forget.yes"), pages.code(Action.FORGET, "yes", mine), "danger"),
        Button(pages.say("forget.no"), pages.code(Action.FORGET, "no", mine)),
    ]
    return Card(pages.page(pages.say("forget.sure"), [pages.say("forget.about")], [row]))


async def erase_person(
    services: Services, origin: Update, me: int, others: Sequence[int] = ()
) -> None:
    """Leave every table of *me*, then erase *me* and *others*; raises ``SeenBefore``."""
    known = await services.people.identities(me)
    for place in await services.store.read(personal_data.own_places, me):
        services.places.dismiss(*place)
    await _end_sessions(services, known)
    await _leave_all(services, origin, me)

    async def forgotten(tx: Transaction) -> None:
        for person in (me, *others):
            await services.people.erase(tx, person)

    sat = await services.tables.listed((PLAYING, OPEN, ENDED, CLOSED), person=me)
    await services.changes.once(origin, forgotten)
    await _end_sessions(services, known)  # also what was read of them meanwhile
    with suppress(StorageError):  # erasing goes on all the same
        await services.store.sweep()
    for line in sat:
        await services.views.show_table(line.code)


async def _end_sessions(services: Services, known: Sequence[IdentityRow]) -> None:
    """Let every chat, in every process, end what the person *known* by these ids has open."""
    for one in known:
        if one.platform in services.chats:
            await services.chats[one.platform].forgotten(one.external)
        await services.store.cluster.say("forgotten", one.platform, one.external)


async def _leave_all(services: Services, origin: Update, me: int) -> None:

    def decide(work: UnitOfWork) -> None:
        seat = work.table.seat_of(me)
        if seat is None:
            return
        if work.table.status == OPEN:
            play.stand_up(work, me)
        elif work.table.status == PLAYING:
            play.resign(work, seat)

    before: tuple[str, ...] = ()
    while lines := await services.tables.listed((PLAYING, OPEN), person=me):
        codes = tuple(line.code for line in lines)
        if codes == before:  # the rest are tables that cannot be read
            return
        before = codes
        for code in codes:
            try:
                await services.changes.change(
                    Update(origin.platform, f"{origin.update}:{code}"), code, decide
                )
            except BrokenTable:
                continue


def _in_private(request: Request, command: str) -> PrivateRefusal:
    return PrivateRefusal(request.pages.say("privacy.in-private"), f"do-{command}")
