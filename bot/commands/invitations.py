"""Invitations that a person sends into any chat; the first press opens their table.

The signed code of the button holds everything: the code of the table, its host, its game, the day
and the language. Nothing is stored of an invitation before it is pressed.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import datetime

from bot.commands.completion import PartialInput, suggestions
from bot.commands.game_request import read_game_request
from bot.commands.opening import Sealed, hosted_table, private_chat
from bot.commands.request import Request, Services
from bot.commands.seating import join_table
from bot.port import Answer, Asker, BoardAnswer, Command, ShareableInvitation, Where
from bot.presenters.buttons import Action, Click, base36, encode_click
from bot.presenters.command_specs import BY_ACT, ParameterKind
from bot.presenters.setup import game_facts
from bot.session.table import OPEN, Player, Table
from bot.session.unit_of_work import Refused
from bot.texts import language
from games.core import phrase
from games.core.shelf import shelf
from storage import people
from storage.records import PersonRow

DAYS = 7
"""After how many days an invitation without a table expires."""

_DAY = 86400


async def invitations_for(
    services: Services, asker: Asker, where: Where, text: str
) -> tuple[ShareableInvitation, ...]:
    """An invitation by *asker* to each game that *text* fits; *where* is their chat."""
    person = await services.people.of(asker)
    code = await services.people.language_of(where, person, asker)
    say, found = language(code).say, []
    for game in suggestions(PartialInput(ParameterKind.GAME, text.strip(), {}, (), (), code)):
        name = phrase(f"{game.value}.name")
        stamp = f"{code[:2]}{base36(_day(services.clock.now()))}"
        wish = Click(
            Action.INVITED, await services.tables.free_code(), person.id, (game.value, stamp)
        )
        found.append(
            ShareableInvitation(
                title=say(game_facts(shelf()[game.value])),
                line=say(phrase(f"{game.value}.blurb")),
                words=say(phrase("house.invitation-all", host=person.name, game=name)),
                sit=say(phrase("house.button.join")),
                code=encode_click(wish, services.key),
            )
        )
    return tuple(found)


async def accept_invitation(request: Request) -> Answer:
    """Sit down at the table of an invitation, which the first press opens for its host."""
    quota, where = request.services.quota, request.by.where
    async with quota.opening:
        taken = await request.services.tables.taken(request.code)
        table = None if taken else await _opened(request)
    if table is None:
        typed = BY_ACT[Action.JOIN].name, {"table": request.code}
        by = Command(request.by.update, where, request.by.asker, *typed)
        return await join_table(replace(request, by=by, path=()))
    shown = await request.views.ensure(table, where, request.person, await request.place_language())
    said, name = "house.joined", phrase(f"{table.game.key}.name")
    if table.host == request.person.id:
        said = "house.opened" if table.status == OPEN else "house.begun"
    words = request.tongue.say(phrase(said, game=name, code=table.code))
    return BoardAnswer(words, shown, private=False, aloud=False)


async def _opened(request: Request) -> Table:
    """Open the table of an invitation with its host's board; the asker sits down too."""
    (game, stamp), services = request.path, request.services
    if not 0 <= _day(services.clock.now()) - int(stamp[2:], 36) <= DAYS:
        raise Refused(phrase("house.invitation-old"))
    host, home = await _host(request)
    await request.services.quota.check_room(host.id, home)
    wish = read_game_request({"game": game}, mentioned=False)
    others = () if host.id == request.person.id else (Player(request.person.id),)
    sealed = Sealed(request.code, secrets.token_bytes(32))
    work = hosted_table(services, wish, host.id, sealed, others)
    return await services.changes.create(
        request.origin, work, request.views.fresh(work.table, home, host, stamp[:2])
    )


async def _host(request: Request) -> tuple[PersonRow, Where]:
    """The host and their private chat; raises ``Refused`` if either is unknown."""
    async with request.services.store.reading() as tx:
        host = await people.load_person(tx, request.turn)
    home = None if host is None else await private_chat(request, host)
    if host is None or home is None:
        raise Refused(phrase("house.invitation-old"))
    return host, home


def _day(now: datetime) -> int:
    return int(now.timestamp()) // _DAY
