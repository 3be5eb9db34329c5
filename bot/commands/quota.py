"""Quotas: how many tables may be open at once, and how many codes may be tried."""

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
"""How many tables of one person may wait for players, or be played alone in a place."""

PLACE = 20
"""How many open tables one place may have."""

CODES = ((5, 60.0),)
"""How many wrong codes a person may try."""


class Tries(Protocol):
    """The limiter that holds one person to ``CODES``."""

    def wait(self) -> float:
        """The seconds until the next try is allowed; 0 for now."""

    def note(self) -> None:
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
        """Raise ``Refused`` where *person* may open no further table in *where*.

        A place may have other limits than ``PERSON`` and ``PLACE``.
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
        """Raise ``Refused`` where *person* has tried too many wrong codes."""
        if self._tries_of(person).wait() > 0:
            raise Refused(phrase("house.many-codes"))

    def missed(self, person: int) -> None:
        """Count a wrong code of *person*."""
        self._tries_of(person).note()


def _host(line: GameLine) -> int | None:
    """The host of a waiting table, who sits in its first chair."""
    return line.seats[0].person if line.seats else None


def _people(line: GameLine) -> set[int]:
    return {one.person for one in line.seats if one.person is not None}
