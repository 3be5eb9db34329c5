"""The people who cannot be reached where they play, as platforms report or answer."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace

from cachetools import LRUCache

from bot.port import Asker, ChatError, Home, Where
from bot.runtime.caches import remembering
from bot.runtime.tasks import Tasks
from bot.service.person.people import People, presence_place
from bot.service.place.outages import Outages
from bot.service.place.places import Places
from bot.service.process_cluster import Ownership
from bot.service.table.changes import ABSENCE, Changes, SeenBefore, Update
from bot.service.table.tables import Tables, UnknownTable
from bot.session import unreachable_players
from bot.session.events import Absence
from bot.session.table import OPEN, PLAYING, BrokenTable, Table
from storage.records import NotificationRow
from storage.store import Store
from storage.table import notifications, open_table_alerts

log = logging.getLogger(__name__)

PATIENCE = 600.0
"""Seconds after which it is asked again whether somebody may act, whose place had said no."""

ASKED = 4096
"""How many questions are remembered: a call asks once, whatever carries it, and how often."""


@dataclass(kw_only=True)
class UnreachablePeople:
    """Notes at tables who is missed and who is back."""

    store: Store
    tasks: Tasks
    tables: Tables
    people: People
    places: Places
    ownership: Ownership
    outages: Outages
    _changes: Changes | None = None
    _asked: LRUCache[tuple[Where, NotificationRow], bool] = remembering(ASKED)
    """Whether somebody could not be called in a place, by the call that asked."""

    def serve(self, changes: Changes) -> None:
        """Note by *changes* from now on; their participants ask us, so they are made later."""
        self._changes = changes
        self.places.when_shut(self._shut)

    # ---------------------------------------------------------------- told by platforms

    async def hear(self, where: Where, external: str, why: Absence | None) -> None:
        """A platform tells that a person is out of *where*, and *why*, or back for ``None``."""
        person = await self.people.number(Asker(where.platform, external, ""))
        if person is None:
            return
        if why is not None:
            await self._drop_alerts(where, person)
        for code in await self.store.read(notifications.tables_played_from, *where.key, person):
            await self.note(code, person, why)

    def _shut(self, where: Where, shut: bool) -> None:
        self.tasks.start(self._shut_noted(where, Absence.BLOCKED if shut else None))

    async def _shut_noted(self, where: Where, why: Absence | None) -> None:
        here = where.key
        for code, person in await self.store.read(notifications.tables_of_private_place, *here):
            await self.note(code, person, why)

    async def catch_up(self) -> None:
        """Note whom private chats have shut out before a kill, and nobody has noted."""
        for code, person in await self.store.read(notifications.tables_of_shut_private_places):
            await self.note(code, person, Absence.BLOCKED)

    async def _drop_alerts(self, where: Where, person: int) -> None:
        """Tell *person* of nothing more in *where*, which they have left."""
        await self.store.write(open_table_alerts.clear_alerts, person, where.platform, where.place)

    # ---------------------------------------------------------------- noticed by us

    async def is_out(self, table: Table, row: NotificationRow, where: Where, known: Asker) -> bool:
        """Whether the person of *row*, *known* by their platform, cannot be called in *where*.

        It is asked once a call, and what comes of it is noted at *table*. A platform that does not
        say means that they can; so does an invitation, and a name without an id.
        """
        invited = table.status == OPEN and table.seat_of(row.person) is not None
        if invited or known.external.startswith("@"):
            return False
        key, person = (where, replace(row, due=None)), row.person
        if self.ownership.chats.get(where.platform) is None or where.private:
            return table.misses(person)
        out = self._asked.get(key)
        if out is None:
            out = await self._has_left(where, known)
            if out is None:
                return False
            self._asked[key] = out
            if out:
                await self._drop_alerts(where, person)
        if out != table.misses(person):
            self.tasks.start(self.note(table.code, person, Absence.LEFT if out else None))
        return out

    async def kept_back(self, table: Table, person: int, where: Where, known: Asker) -> float:
        """For how many seconds *person*, *known* by their platform, can do nothing in *where*.

        ``PATIENCE`` at most, after which it is asked again; that time is given back to them.
        """
        chat = self.ownership.chats.get(where.platform)
        if chat is None or where.private or table.status != PLAYING:
            return 0.0
        try:
            wait = await chat.kept_back(await self._at_home(where), known)
        except ChatError as wrong:
            log.info("what somebody may do on %s is not known: %s", where.platform, wrong)
            return 0.0
        wait = min(wait, PATIENCE)
        if wait > 0:
            await self.outages.keep_back(where, person, wait)
        return wait

    async def ask_after_invited(self, table: Table) -> None:
        """Ask whether those who are challenged at *table* are still where they were challenged.

        Not every platform tells who leaves, and nobody calls them a second time.
        """
        for row in await self.store.read(notifications.presences_of_game, table.code):
            seat, where = table.seat_of(row.person), presence_place(row)
            if seat is None or where.private or not table.players[seat].invited:
                continue
            if not await self.ownership.keeps_at(where):
                continue  # its own process asks
            for asker in await self.people.askers(where.platform, row.person):
                if not asker.external.startswith("@"):
                    out = await self._has_left(where, asker)
                    if out is not None and out != table.misses(row.person):
                        await self.note(table.code, row.person, Absence.LEFT if out else None)

    async def _has_left(self, where: Where, known: Asker) -> bool | None:
        chat = self.ownership.chats[where.platform]
        try:
            return await chat.has_left(await self._at_home(where), known)
        except ChatError as wrong:
            log.info("whether somebody is still on %s is not known: %s", where.platform, wrong)
            return None

    async def _at_home(self, where: Where) -> Where:
        """*where* with the server to which it belongs, if it does."""
        home = await self.places.home(where)
        return where if home == where else replace(where, home=Home(home.place))

    async def note(self, code: str, person: int, why: Absence | None) -> None:
        """Note at the table *code* that *person* is missed, and *why*, or back for ``None``."""
        changes = self._changes
        if changes is None:
            return
        with suppress(UnknownTable, BrokenTable, SeenBefore):
            table = await self.tables.get(code)
            update = Update(ABSENCE, f"{code}:{person}:{table.version}:{why or ''}")
            await changes.change(
                update, code, lambda work: unreachable_players.note(work, person, why)
            )
