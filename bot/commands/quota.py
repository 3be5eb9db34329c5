"""How many tables may be open at once, and how many codes may be tried."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from bot.port import Where
from bot.service.places import Places
from bot.service.tables import Tables
from bot.session.table import OPEN, PLAYING
from bot.session.unit_of_work import Refused
from games.core import phrase
from storage.records import GameLine

PERSON = 3
"""How many tables of one person may wait for others, or go on in a place without any other."""

PLACE = 20
"""How many tables may live in one place."""

CODES = ((5, 60.0),)
"""How many codes that no table has a person may try."""


class Tries(Protocol):
    """What keeps one person to ``CODES``."""

    def wait(self) -> float:
        """How many seconds the next one must wait; 0 when it may come now."""

    def note(self) -> None:
        """Note one done now."""


@dataclass
class Quota:
    """Keeps people to what others would be disturbed by."""

    _tables: Tables
    _places: Places
    _tries_of: Callable[[int], Tries]
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from the count to the new table, so that two openings do not count the same."""

    async def check_room(self, person: int, where: Where) -> None:
        """Raise ``Refused`` where *person* may open no further table in *where*.

        Who manages the place may have chosen other numbers than ``PERSON`` and ``PLACE``.
        """
        rules = await self._places.rules(where)
        each, most = rules.each or PERSON, rules.most or PLACE
        here: list[GameLine] = []
        for part in (where,) if where.private else await self._places.parts(where):
            here += await self._tables.listed((PLAYING, OPEN), most, where=part)
        if len(here) >= most:
            raise Refused(phrase("house.place-full", n=most))
        waiting = await self._tables.listed((OPEN,), each + most, person=person)
        mine = {line.code for line in waiting if _host(line) == person}
        if not where.private:
            mine |= {line.code for line in here if _people(line) == {person}}
        if len(mine) >= each:
            raise Refused(phrase("house.many-open", n=each))

    def check_tries(self, person: int) -> None:
        """Raise ``Refused`` where *person* has tried too many codes that are none."""
        if self._tries_of(person).wait() > 0:
            raise Refused(phrase("house.many-codes"))

    def missed(self, person: int) -> None:
        """Note that *person* has tried a code that no table has."""
        self._tries_of(person).note()


def _host(line: GameLine) -> int | None:
    """Who opened a table that waits: he sits in its first chair."""
    return line.seats[0].person if line.seats else None


def _people(line: GameLine) -> set[int]:
    return {one.person for one in line.seats if one.person is not None}
