"""The pages that are open by other processes: what they are told, and on which devices they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.chats.web.guests import Guest, Guests
from bot.chats.web.outbound import Visit
from bot.chats.web.writing import Json
from bot.facade import Facade

HERE = "here"
WHO = "who"
RING = "ring"
TALK = "talk"


@dataclass
class Elsewhere:
    """Tells other processes what pages must hear, and hears it from them."""

    house: Facade
    guests: Guests
    visits: Mapping[str, Visit]
    talked: Callable[[str, int], Coroutine[Any, Any, None]]
    """Lets the pages here hear what was said at a table beyond a line."""
    ended: Callable[[Guest], Awaitable[None]]
    """Closes the pages here of devices that are a guest's no more."""
    _open: defaultdict[str, dict[int, frozenset[str]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    """By guest and process, the devices on which a page is open."""

    async def start(self) -> None:
        """Hear from now on, and ask who has which pages open."""
        on = self.house.fleet.on
        on(HERE, self._are_open)
        on(WHO, lambda: self.house.beside(self._answer()))
        on(RING, self.ring)
        on(TALK, lambda table, line: self.house.beside(self.talked(table, line)))
        self.guests.changed = lambda guest: self.house.beside(self._changed(guest))
        await self.house.fleet.say(WHO)

    async def opened(self, guest: str) -> None:
        """Tell the others on which devices *guest* has a page open here."""
        if self.house.fleet.alone:
            return
        visit = self.visits.get(guest)
        devices = sorted({page.device for page in visit.pages}) if visit is not None else []
        await self.house.fleet.say(HERE, self.house.fleet.number, guest, devices)

    async def _answer(self) -> None:
        for guest, visit in tuple(self.visits.items()):
            if visit.pages:
                await self.opened(guest)

    def _are_open(self, process: int, guest: str, devices: list[str]) -> None:
        if devices:
            self._open[guest][process] = frozenset(devices)
        elif guest in self._open:
            self._open[guest].pop(process, None)
            if not self._open[guest]:
                del self._open[guest]

    def devices(self, guest: str) -> set[str]:
        """On which devices a page of *guest* is open by other processes that live."""
        found, lives = self._open.get(guest, {}), self.house.fleet.lives
        return {device for process, open_ in found.items() if lives(process) for device in open_}

    async def call(self, guest: str, key: str, message: Json) -> None:
        """Send *message* to every open page of *guest*, here and elsewhere."""
        self.ring(guest, key, message)
        if not self.house.fleet.alone:
            await self.house.fleet.say(RING, guest, key, message)

    def ring(self, guest: str, key: str, message: Json) -> None:
        """Send *message* to every page of *guest* that is open here."""
        visit = self.visits.get(guest)
        if visit is not None:
            visit.send(key, message)

    async def said(self, table: str, after: int) -> None:
        """Tell the others that something was said at *table* beyond the line *after*."""
        if not self.house.fleet.alone:
            await self.house.fleet.say(TALK, table, after)

    async def _changed(self, guest_id: str) -> None:
        guest = await self.guests.get(guest_id) if guest_id in self.visits else None
        if guest is not None:
            await self.ended(guest)
