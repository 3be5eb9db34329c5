"""Pages that are open in other processes: what they must show, and on which devices they are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from bot.chats.web.message_formatting import Json
from bot.chats.web.outbound import Visit
from bot.chats.web.person.guests import Guest, Guests
from bot.facade import Cluster, Tasks

HERE = "here"
WHO = "who"
RING = "ring"


@dataclass
class ClusterPages:
    """Exchanges messages for pages with the other processes."""

    fleet: Cluster
    tasks: Tasks
    guests: Guests
    visits: Mapping[str, Visit]
    ended: Callable[[Guest], Awaitable[None]]
    """Closes the pages here on devices that a guest has lost."""
    _open: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    """By guest and process, the devices with an open page."""

    async def start(self) -> None:
        """Subscribe to the other processes, and ask which pages they have open."""
        on = self.fleet.on
        on(HERE, self._are_open)
        on(WHO, lambda: self.tasks.start(self._answer()))
        on(RING, self.send_here)
        self.guests.changed = lambda guest: self.tasks.start(self._change_guest(guest))
        await self.fleet.say(WHO)

    async def announce(self, guest: str) -> None:
        """Tell the others on which devices *guest* has a page open here."""
        devices = sorted({page.device for page in self.visits.get(guest, Visit()).pages})
        await self.fleet.say(HERE, self.fleet.number, guest, devices)

    async def _answer(self) -> None:
        for guest, visit in tuple(self.visits.items()):
            if visit.pages:
                await self.announce(guest)

    def _are_open(self, process: int, guest: str, devices: list[str]) -> None:
        self._open.pop((guest, process), None)
        if devices:
            self._open[guest, process] = devices

    def devices(self, guest: str) -> set[str]:
        """The devices on which *guest* has a page open in another living process."""
        return {
            device
            for (other, process), devices in self._open.items()
            if other == guest and self.fleet.lives(process)
            for device in devices
        }

    async def send(self, guest: str, key: str, message: Json) -> None:
        """Send *message* to all open pages of *guest* in all processes."""
        self.send_here(guest, key, message)
        await self.fleet.say(RING, guest, key, message)

    def send_here(self, guest: str, key: str, message: Json) -> None:
        """Send *message* to the pages of *guest* in this process."""
        self.visits.get(guest, Visit()).send(key, message)

    async def _change_guest(self, guest_id: str) -> None:
        guest = await self.guests.get(guest_id) if guest_id in self.visits else None
        if guest is not None:
            await self.ended(guest)
