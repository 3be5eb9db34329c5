"""A place of its own for a table, where whoever manages the place wants one for each."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextlib import suppress

from bot.commands.request import Request
from bot.port import Asker, ChatError, PlaceShut, Where
from bot.session.table import Table
from games.core import Phrase, phrase

log = logging.getLogger(__name__)


async def place_for(asked: Request, table: Table) -> tuple[Where, Phrase | None]:
    """Where *table*, which is to be opened where the asker is, is to stand.

    And why it has no place of its own where it ought to have one. A place that nothing comes to
    stand in after all, because we were killed before the table was stored, goes by itself.
    """
    where, home = asked.by.where, asked.by.where.home
    if home is None or home.channel != where.place:
        return where, None
    if not (await asked.services.places.rules(where)).threads or await asked.was_done():
        return where, None
    if not home.parts:
        return where, phrase("house.no-thread.allowed")
    chat = asked.services.chats[where.platform]
    try:
        part = await chat.part(where, await _title(asked, table))
    except PlaceShut:
        return where, phrase("house.no-thread.allowed")
    except ChatError as wrong:
        log.warning("no thread for table %s: %s", table.code, wrong)
        return where, phrase("house.no-thread")
    await asked.services.places.parted(where, part)
    await lead(asked, part, (p.person for p in table.players if p.person is not None))
    return part, None


async def lead(asked: Request, part: Where, people: Iterable[int]) -> None:
    """Bring *people* to *part*; whom that does not reach is brought by the first call."""
    askers = []
    for person in people:
        known = await asked.services.people.identities(person)
        askers += [
            Asker(one.platform, one.external, "") for one in known if one.platform == part.platform
        ]
    with suppress(ChatError):
        await asked.services.chats[part.platform].lead(part, askers)


async def given_up(asked: Request, part: Where) -> None:
    """No table came to stand in *part*: it may go."""
    if part == asked.by.where:
        return
    with suppress(ChatError):
        await asked.services.chats[part.platform].keep(part, played=False)
        await asked.services.places.played_in(part, played=False)


async def _title(asked: Request, table: Table) -> str:
    """What the place of *table* is called: its game, its people, its code."""
    named = await asked.services.people.introduced(table)
    people = " – ".join(one.name for one in named.players if one.name)
    game = asked.tongue.say(phrase(f"{table.game.key}.name"))
    return " · ".join(filter(None, (game, people, table.code)))
