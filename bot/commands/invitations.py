"""Invitations that somebody sends into any chat: each its own table, opened at the first press.

The button's code is the whole wish, signed: the table's code to be, its host, its game, and the day
and the language it was made in. Nothing is stored of an invitation that nobody follows.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import datetime

from bot.commands.completion import Typing, suggestions
from bot.commands.game_request import read_wish
from bot.commands.request import Request, Services
from bot.commands.seating import Sealed, hosted, join, private_chat
from bot.port import Answer, Asker, BoardAnswer, Command, ShareableInvitation, Where
from bot.presenters.buttons import Action, Click, base36, encode
from bot.presenters.command_specs import BY_ACT, ParameterKind
from bot.presenters.setup import facts
from bot.session.table import OPEN, Table
from bot.session.unit_of_work import Refused
from bot.texts import language
from games.core import phrase
from games.core.shelf import shelf
from storage import people
from storage.records import PersonRow

DAYS = 7
"""For how many days an invitation is good of which nobody has made a table."""

_DAY = 86400


async def offers(
    services: Services, asker: Asker, where: Where, text: str
) -> tuple[ShareableInvitation, ...]:
    """An invitation by *asker* to each game that *text* fits; *where* is his chat."""
    person = await services.people.of(asker)
    code = await services.people.language_of(where, person, asker)
    say, found = language(code).say, []
    for game in suggestions(Typing(ParameterKind.GAME, text.strip(), {}, (), (), code)):
        name = phrase(f"{game.value}.name")
        stamp = f"{code[:2]}{base36(_day(services.clock.now()))}"
        wish = Click(
            Action.INVITED, await services.tables.free_code(), person.id, (game.value, stamp)
        )
        found.append(
            ShareableInvitation(
                title=say(facts(shelf()[game.value])),
                line=say(phrase(f"{game.value}.blurb")),
                words=say(phrase("house.invitation-all", host=person.name, game=name)),
                sit=say(phrase("house.button.join")),
                code=encode(wish, services.key),
            )
        )
    return tuple(found)


async def sit_down(asked: Request) -> Answer:
    """Sit down at the table of an invitation: the first who comes opens it, for its host."""
    quota, where = asked.services.quota, asked.by.where
    async with quota.opening:
        taken = await asked.services.tables.taken(asked.code)
        table = None if taken else await _opened(asked)
    if table is None:
        typed = BY_ACT[Action.JOIN].name, {"table": asked.code}
        by = Command(asked.by.update, where, asked.by.asker, *typed)
        return await join(replace(asked, by=by, path=()))
    shown = await asked.views.ensure(table, where, asked.person, await asked.place_language())
    said, name = "house.joined", phrase(f"{table.game.key}.name")
    if table.host == asked.person.id:
        said = "house.opened" if table.status == OPEN else "house.begun"
    words = asked.tongue.say(phrase(said, game=name, code=table.code))
    return BoardAnswer(words, shown, private=False, aloud=False)


async def _opened(asked: Request) -> Table:
    """The table of an invitation, stored with the board of its host; the asker sits as well."""
    (game, stamp), services = asked.path, asked.services
    if not 0 <= _day(services.clock.now()) - int(stamp[2:], 36) <= DAYS:
        raise Refused(phrase("house.invitation-old"))
    host, home = await _host(asked)
    await asked.services.quota.check_room(host.id, home)
    wish = read_wish({"game": game}, mentioned=False)
    others = () if host.id == asked.person.id else (asked.person.id,)
    sealed = Sealed(asked.code, secrets.token_bytes(32))
    work = hosted(services, wish, host.id, sealed, others)
    return await services.changes.create(
        asked.origin, work, asked.views.fresh(work.table, home, host, stamp[:2])
    )


async def _host(asked: Request) -> tuple[PersonRow, Where]:
    """Who invited, and his private chat, whose id is his own; raises ``Refused`` if he is gone."""
    async with asked.services.store.reading() as tx:
        host = await people.get(tx, asked.turn)
    home = None if host is None else await private_chat(asked, host)
    if host is None or home is None:
        raise Refused(phrase("house.invitation-old"))
    return host, home


def _day(now: datetime) -> int:
    return int(now.timestamp()) // _DAY
