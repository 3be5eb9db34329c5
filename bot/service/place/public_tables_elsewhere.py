"""Tables of other places, by choice of those places and of everybody who sits there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.port import Where
from bot.service.person.bars import Bars
from bot.service.person.people import People
from bot.service.place.places import Places, view_place
from bot.service.table.tables import Tables
from bot.session.table import OPEN, PLAYING, Table
from storage.records import GameLine
from storage.store import Store
from storage.table import games, views

LOOKED_AT = 100
"""How many of the newest tables of the house are looked at."""


@dataclass(frozen=True, kw_only=True)
class PublicTables:
    """Says which tables people of other places may find; a private chat is its reader's own."""

    store: Store
    tables: Tables
    people: People
    places: Places
    bars: Bars

    async def is_allowed(self, where: Where) -> bool:
        """Whether *where* wants to play with other places."""
        return where.private or (await self.places.rules(where)).strangers

    async def plays(self, person: int) -> bool:
        """Whether *person* wants to play with people of other places."""
        return (await self.people.personal(person)).strangers

    async def find(self, person: int, where: Where, most: int) -> tuple[GameLine, ...]:
        """At most *most* tables elsewhere at which *person* may sit down, who asks in *where*."""
        if not (await self.is_allowed(where) and await self.plays(person)):
            return ()
        found: list[GameLine] = []
        for line in await self.store.read(games.latest_games, OPEN, LOOKED_AT):
            if len(found) == most:
                break
            table = None if line.seat_of(person) is not None else await self.tables.find(line.code)
            if table is not None and await self._is_offered(table, person, where):
                found.append(line)
        return tuple(found)

    async def offers(self, table: Table, person: int, where: Where) -> bool:
        """Whether *person*, who asks in *where*, may still sit down at *table*."""
        if not (await self.is_allowed(where) and await self.plays(person)):
            return False
        return await self._is_offered(table, person, where)

    async def list_watchable(self, person: int, most: int) -> tuple[GameLine, ...]:
        """At most *most* games that are played and that *person* may watch from anywhere.

        Everybody who plays has chosen to be seen in all places, and the places in which a game is
        shown play with others.
        """
        kept_out, found = await self.bars.of_person(person), list[GameLine]()
        for line in await self.store.read(games.latest_games, PLAYING, LOOKED_AT):
            if len(found) == most:
                break
            sitting = [one.person for one in line.seats if one.person is not None]
            seen = line.fault is None and await self.may_watch(line.code, sitting, person)
            if seen and not await self.bars.hold_at(line.code, kept_out):
                found.append(line)
        return tuple(found)

    async def may_watch(self, code: str, sitting: Sequence[int], person: int) -> bool:
        """Whether *person* may watch the table *code*, where others are *sitting*, from anywhere.

        Nobody has the number 0: it stands for everybody.
        """
        if person in sitting or not sitting or not await self.are_seen(sitting, person):
            return False
        shown = await self.store.read(views.views_of_game, code)
        return all([await self.is_allowed(place) for place in {view_place(one) for one in shown}])

    async def are_seen(self, people: Sequence[int], reader: int) -> bool:
        """Whether all of *people* let the *reader* see from anywhere what they do."""
        chosen = [await self.people.personal(one) for one in people]
        seen = all(one.seen_everywhere and not one.off_ladders for one in chosen)
        return seen and not await self.people.refuse(reader, people)

    async def _is_offered(self, table: Table, person: int, where: Where) -> bool:
        if not table.seeks or table.seat_of(person) is not None:
            return False
        shown = await self.store.read(views.views_of_game, table.code)
        places = {view_place(view) for view in shown}
        if not places or where in places or not all([await self.is_allowed(one) for one in places]):
            return False
        sitting = [one.person for one in table.players if one.person is not None]
        playing = all([await self.plays(one) for one in sitting])
        return playing and not await self.people.refuse(person, sitting)
