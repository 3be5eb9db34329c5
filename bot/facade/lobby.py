"""The tables that their players have opened to all who have a page here: to join, or to watch."""

from __future__ import annotations

import json
from dataclasses import dataclass

from bot.boards.views import Views
from bot.facade.chat_storage import ChatNotes
from bot.port import Asker, Where
from bot.presenters.viewers import player_names
from bot.service.people import People
from bot.service.tables import Tables
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING
from bot.texts import language
from games.core import Phrase, phrase

MOST = 50
"""How many tables are told of, those opened to all last."""

_KEY = "web:lobby"


@dataclass(frozen=True)
class Listed:
    """A table that is open to all, in words; *mine* says that the reader sits there."""

    table: str
    title: str
    who: str
    open: bool
    mine: bool


@dataclass(frozen=True, kw_only=True)
class Lobby:
    """The list of tables open to all. Raises ``StorageError``."""

    tables: Tables
    people: People
    views: Views
    notes: ChatNotes

    async def list(self, asker: Asker, where: Where, code: str, *, shown: bool) -> Phrase | None:
        """Let the table *code* be *shown* to all, or no longer; answers why *asker* may not."""
        found, me = await self.views.shown_in(where, code), (await self.people.of(asker)).id
        if found is None or found[0].seat_of(me) is None:
            return phrase("web.no-list")
        async with self.notes.noting() as notes:
            kept = [one for one in _codes(await notes.get(_KEY)) if one != code]
            await notes.put(_KEY, json.dumps([*kept, code][-MOST:] if shown else kept))
        return None

    async def listed(self, asker: Asker, spoken: str) -> tuple[Listed, ...]:
        """The tables that *asker* finds in the language *spoken*, the newest first."""
        me, tongue = (await self.people.of(asker)).id, language(spoken)
        codes, found = _codes(await self.notes.get(_KEY)), []
        for code in reversed(codes):
            table = await self.tables.find(code)
            if table is None or table.status not in (OPEN, PLAYING):
                continue
            names = player_names(table.game.key, table.players, tongue)
            sit = [names[seat] for seat, one in enumerate(table.players) if one.seated]
            title, mine = phrase(f"{table.game.key}.name"), table.seat_of(me) is not None
            waits = table.status == OPEN
            found.append(Listed(code, tongue.say(title), ", ".join(sit), waits, mine))
        gone = {*codes} - {one.table for one in found}
        if gone:
            async with self.notes.noting() as notes:
                left = [one for one in _codes(await notes.get(_KEY)) if one not in gone]
                await notes.put(_KEY, json.dumps(left))
        return tuple(found)

    async def put_away(self, asker: Asker, where: Where, code: str) -> bool:
        """Take a table off the page *where*, once it is over or *asker* only looks on."""
        found, me = await self.views.shown_in(where, code), (await self.people.of(asker)).id
        if found is None:
            return False
        table, view = found
        if table.status not in (ENDED, CLOSED) and table.seat_of(me) is not None:
            return False
        await self.views.put_away(view)
        return True


def _codes(kept: str | None) -> list[str]:
    return [str(code) for code in json.loads(kept or "[]")]
