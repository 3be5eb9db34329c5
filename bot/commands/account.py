"""What somebody may do with himself: be one person in all chats, see what is kept, be forgotten."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from contextlib import suppress

from bot.commands.request import Request, Services
from bot.port import Answer, Attachment, Button, Card, FileAnswer, PrivateRefusal, Said, Screen
from bot.presenters.buttons import NO_TABLE, Action, Click, encode
from bot.service.updates import Update
from bot.session import play
from bot.session.table import CLOSED, CODE_LETTERS, ENDED, OPEN, PLAYING, BrokenTable
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import phrase
from storage import links, personal
from storage.engine import Transaction
from storage.errors import StorageError

LETTERS = 8
"""How many letters a linking code has: nobody guesses one of a million millions in ten minutes."""


async def link(asked: Request) -> Answer:
    """Hand out a code to be typed in another chat; or join whoever was handed the code typed."""
    if asked.value("code"):
        return await _joined(asked, asked.value("code").upper())
    if not asked.discreet:
        return _in_private(asked, "link")
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(LETTERS))
    me, now = asked.person.id, asked.services.clock.steady()
    await asked.services.store.write(links.put, code, me, now)
    return asked.said(phrase("link.code", code=code, n=int(links.KEPT.total_seconds()) // 60))


async def _joined(asked: Request, code: str) -> Answer:
    services, quota, me = asked.services, asked.services.quota, asked.person.id
    quota.check_tries(me)

    async def join(tx: Transaction) -> None:
        owner = await links.find(tx, code, services.clock.steady())
        if owner is None:
            quota.missed(me)
            raise Refused(phrase("link.no-code"))
        if owner == me:
            raise Refused(phrase("link.yourself"))
        if tables := await personal.together(tx, owner, me):
            raise Refused(phrase("link.both-sit", tables=tables))
        await links.drop(tx, owner)
        await services.people.join(tx, owner, me)

    sat = await services.tables.listed((PLAYING, OPEN), person=me)
    await services.changes.once(asked.origin, join)
    for line in sat:
        await asked.views.show_table(line.code)
    return asked.said(phrase("link.done"))


async def privacy(asked: Request) -> Answer:
    """Say what is kept of people, and for how long."""
    return asked.said(phrase("privacy.about"))


async def my_data(asked: Request) -> Answer:
    """Hand over all that is kept of the asker."""
    if not asked.discreet:
        return _in_private(asked, "mydata")
    kept = await asked.services.store.read(personal.told, asked.person.id)
    data = json.dumps(kept, ensure_ascii=False, indent=1).encode()
    said = asked.tongue.say(phrase("privacy.data"))
    return FileAnswer(said, Attachment("ludoteca.json", data))


async def forget(asked: Request) -> Answer:
    """Forget who the asker is, once he has said that he means it."""
    if not asked.discreet:
        return _in_private(asked, "forgetme")
    mine = f"@{asked.person.id}"
    if asked.path == ("yes", mine):
        return await _forgotten(asked)
    if asked.path:
        return asked.said(phrase("forget.kept"))
    say = asked.tongue.say
    answers = (("forget.yes", "yes", "danger"), ("forget.no", "no", "house"))
    row = tuple(
        Button(
            say(phrase(said)), encode(Click(Action.FORGET, NO_TABLE, 0, (word, mine)), key), style
        )
        for key in (asked.services.key,)
        for said, word, style in answers
    )
    title, lines = say(phrase("forget.sure")), (say(phrase("forget.about")),)
    return Card(Screen(NO_TABLE, 0, title, lines, rows=(row,), language=asked.language))


async def _forgotten(asked: Request) -> Answer:
    namesake = await asked.services.people.namesake(asked.by.asker)
    others = () if namesake is None else (namesake,)
    said = Said(asked.tongue.say(phrase("forget.done")))
    await erase(asked.services, asked.origin, asked.person.id, others)
    return said


async def erase(services: Services, origin: Update, me: int, others: Sequence[int] = ()) -> None:
    """Leave every table of the person *me* for him, then forget who he and *others* are.

    Nothing of it is done where the update of *origin* was done before; raises ``SeenBefore``.
    """
    known = await services.people.identities(me)
    await _leave_all(services, origin, me)

    async def forgotten(tx: Transaction) -> None:
        for person in (me, *others):
            await services.people.erase(tx, person)

    sat = await services.tables.listed((PLAYING, OPEN, ENDED, CLOSED), person=me)
    await services.changes.once(origin, forgotten)
    with suppress(StorageError):  # it is erased all the same
        await services.store.sweep()
    for line in sat:
        await services.views.show_table(line.code)
    for one in known:
        await services.forgotten(one.platform, one.external)


async def _leave_all(services: Services, origin: Update, me: int) -> None:
    """Leave every table as *me* would by himself: an invitation, or a game that goes on."""

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
        if codes == before:  # what cannot be read cannot be left
            return
        before = codes
        for code in codes:
            try:
                await services.changes.change(
                    Update(origin.platform, f"{origin.update}:{code}"), code, decide
                )
            except BrokenTable:
                continue


def _in_private(asked: Request, command: str) -> PrivateRefusal:
    return PrivateRefusal(asked.tongue.say(phrase("privacy.in-private")), f"do-{command}")
