"""Quotas: of open tables, of codes that are tried, and of exports that are made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from cachetools import LRUCache, TTLCache

from bot.commands.request import Leading
from bot.port import Posted, Where
from bot.presenters.button_codes import Action
from bot.presenters.table.viewers import Viewer
from bot.presenters.ways import MINE, NEW, Way
from bot.service.place.places import Places
from bot.service.table.tables import Tables
from bot.session.table import CLOSED, OPEN, PLAYING
from bot.session.unit_of_work import Refused, refuse_if
from games.core import phrase
from storage.records import GameLine

PERSON = 3
"""How many tables of one person may wait for players, or be played alone in a place."""

PLACE = 20
"""How many open tables one place may have."""

UNANSWERED = timedelta(days=1)
"""For how long a withdrawn challenge keeps its host from challenging the same person again."""

CHALLENGES = 100
"""How many of the latest tables of a challenged person are looked at."""

CODES = ((5, 60.0),)
"""How many wrong codes a person may try."""

CACHED_EXPORTS = 8
"""How many exports are cached; each has a megabyte at most, mostly a third of it."""

ANEW = 120.0
"""After how many seconds the same export may be posted again in a shared place."""


class Tries(Protocol):
    """The limiter that holds one person to ``CODES``."""

    def wait(self) -> float:
        """The seconds until the next try is allowed; 0 for now."""

    def note(self) -> object:
        """Count one try."""


@dataclass
class Quota:
    """Limits what one person may open and try."""

    _tables: Tables
    _places: Places
    _tries_of: Callable[[int], Tries]
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from the count to the new table, so that two openings do not share one count."""

    async def check_room(self, person: int, where: Where) -> None:
        """Raise ``Refused`` where *person* may open no further table in *where* by its rules."""
        rules = await self._places.rules(where)
        each, most = rules.each or PERSON, rules.most or PLACE
        here: list[GameLine] = []
        for part in (where,) if where.private else await self._places.parts(where):
            here += await self._tables.list_lines((PLAYING, OPEN), most, where=part)
        refuse_if(len(here) >= most, "house.place-full", n=most)
        waiting = await self._tables.list_lines((OPEN,), each + most, person=person)
        # The host of a waiting table sits in its first chair.
        mine = {line.code for line in waiting if line.seats and line.seats[0].person == person}
        if not where.private:
            people = {line.code: {one.person for one in line.seats} - {None} for line in here}
            mine |= {code for code, sat in people.items() if sat == {person}}
        if len(mine) >= each:
            raise Leading(phrase("house.many-open", n=each), MINE)

    async def check_unanswered(self, host: int, guest: int, game: str, now: datetime) -> None:
        """Raise ``Leading`` where *guest* has not answered a challenge of *host* to *game*.

        One that was withdrawn counts for a day, so that nobody is called by a row of them. One that
        stands leads to its board, and can be withdrawn.
        """
        for line in await self._tables.list_lines((OPEN, CLOSED), CHALLENGES, person=guest):
            old = line.status == CLOSED and now - line.touched > UNANSWERED
            if old or line.game != game or line.seat_of(host) is None or line.fault is not None:
                continue
            table = await self._tables.get(line.code)
            chair = table.seat_of(guest)
            waits = chair is not None and table.players[chair].invited and table.host == host
            if waits and table.closed == "cancelled":
                raise Leading(phrase("house.challenge-was-withdrawn"), NEW)
            if waits and not table.closed:
                at, back = Way("ways.challenge", Action.BOARD, table=line.code), ("back",)
                leave = Way("house.button.withdraw-challenge", Action.LEAVE, back, line.code)
                raise Leading(phrase("house.challenge-waits"), at, leave)

    def check_tries(self, person: int) -> None:
        """Raise ``Refused`` where *person* has tried too many wrong codes."""
        refuse_if(self._tries_of(person).wait() > 0, "house.many-codes")

    def count_miss(self, person: int) -> None:
        """Count a wrong code of *person*."""
        self._tries_of(person).note()


@dataclass(frozen=True)
class Export:
    """A file *name* made of the table *code* for a *viewer*."""

    code: str
    name: str
    viewer: Viewer


class PostedBefore(Refused):
    """The same export was posted here a moment ago, in *message* if that is known."""

    def __init__(self, message: str) -> None:
        super().__init__(phrase("keepsake.there"))
        self.message = message


@dataclass
class ExportQueue:
    """Makes exports one at a time, off the event loop, and caches the latest."""

    _kept: LRUCache[Export, bytes] = field(default_factory=lambda: LRUCache(CACHED_EXPORTS))
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)
    _posted: TTLCache[tuple[str, ...], str] = field(default_factory=lambda: TTLCache(1024, ANEW))
    """The messages of those that were posted a moment ago, empty until a chat has told them."""

    async def make(self, what: Export, make: Callable[[], bytes]) -> bytes:
        """The result of *make*, run in a thread unless it is cached."""
        async with self._making:
            if what not in self._kept:
                self._kept[what] = await asyncio.to_thread(make)
            return self._kept[what]

    def post(self, where: Where, what: Export) -> Posted:
        """Note that *what* is posted; what is returned is to be told the message.

        Raises ``PostedBefore`` for a repetition in a shared place.
        """
        here = (where.platform, where.place, where.thread or "", what.code, what.name)
        if not where.private and here in self._posted:
            raise PostedBefore(self._posted[here])
        self._posted[here] = ""

        def posted(message: str) -> None:
            if here in self._posted:
                self._posted[here] = message

        return posted
