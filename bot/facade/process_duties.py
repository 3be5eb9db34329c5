"""The duties of this process, and how it takes over those of another.

Each duty is held by a lease (``storage.cluster``): the clock, which meets deadlines and notes that
we live, and each chat, where boards are shown and people called by one process alone. A file has
one process, which holds them all from its start.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from bot.boards.delivery import Delivery
from bot.boards.pacing import Pacing
from bot.boards.views import Views
from bot.notify.announcement_banner import Announcer
from bot.notify.daily import DailyPuzzles
from bot.notify.notifications import Notifications
from bot.notify.seasons import PodiumPoster
from bot.port import Chat, ChatError, Stumbled
from bot.runtime.tasks import Tasks
from bot.service.announcements import Announcements
from bot.service.changes import Changes
from bot.service.cluster import ClusterNews, Ownership, duty_of
from bot.service.computer_turns import ComputerTurns
from bot.service.deadlines import DeadlineKeeper
from bot.service.heartbeat import CLOCK, Heartbeat
from bot.service.outages import Outages
from bot.service.puzzle_miner import PuzzleMiner
from storage.cluster import Cluster
from storage.errors import DatabaseFull, StorageError

log = logging.getLogger(__name__)

AGAIN = (0.2, 1.0, 2.0, 5.0, 10.0)
"""Seconds between the looks at a database that has gone away and come back."""


ROOM = 5.0
"""Seconds between the looks whether a full disk has room again."""


@dataclass(kw_only=True)
class Leases:
    """The duties of this process."""

    fleet: Cluster
    tasks: Tasks
    changes: Changes
    computers: ComputerTurns
    cluster: ClusterNews
    outages: Outages
    ownership: Ownership
    delivery: Delivery
    views: Views
    notifications: Notifications
    deadlines: DeadlineKeeper
    heartbeat: Heartbeat
    podiums: PodiumPoster
    daily: DailyPuzzles
    miner: PuzzleMiner
    announcer: Announcer
    announcements: Announcements
    pacing: Pacing
    give_up: Callable[[ChatError], None]
    _started: set[str] = field(default_factory=set)
    _clocks: list[asyncio.Task[None]] = field(default_factory=list)
    _begun: bool = False

    async def begin(self, chats: Sequence[Chat]) -> None:
        """Take up whatever nobody else does, and be ready for the rest; raises ``ChatError``."""
        self.fleet.on("missed", self.missed)
        await self.announcements.recall()
        self.delivery.listen()
        with suppress(DatabaseFull):  # then nothing is shown anew, and all can be looked at
            await self.views.owe_all_if_older()
        duties = (duty_of(chat.platform, share) for chat in chats for share in chat.shares)
        await self.fleet.begin((*duties, CLOCK), self)
        self._begun = True
        for chat in chats:
            if chat.everywhere:
                await self._start(chat)
        if not self.fleet.alone:
            await self.computers.adopt(self.changes)
        self._clocks.append(asyncio.create_task(self.heartbeat.tick()))
        self._clocks.append(asyncio.create_task(self.podiums.keep()))
        self._clocks.append(asyncio.create_task(self.daily.keep()))
        self._clocks.append(asyncio.create_task(self.announcer.keep()))
        self._clocks.append(asyncio.create_task(self.miner.keep()))

    async def _start(self, chat: Chat) -> None:
        if chat.platform not in self._started:
            self._started.add(chat.platform)
            await chat.start()

    async def taken(self, names: Sequence[str]) -> None:
        """The duties of these *names* are ours now; raises ``ChatError`` at the start."""
        try:
            await self._taken(names)
        except ChatError as wrong:
            if not self._begun:
                raise
            self.give_up(wrong)

    async def _taken(self, names: Sequence[str]) -> None:
        mine = [one for one in self._shares() if duty_of(*one) in names]
        if mine:
            led, full = [name for name, _ in mine if self.ownership.leads(name)], False
            try:
                await self.outages.restored(led)
            except DatabaseFull:
                # What is stored can be looked at all the same.
                full = True
            await self.pacing.restore_pauses()
            for name, share in mine:
                await self._start(self.ownership.chats[name])
                await self.ownership.chats[name].take(share)
            if full:
                self._clocks.append(asyncio.create_task(self._resumed_later(led)))
            else:
                await self._resumed()
        if CLOCK in names:
            self.tasks.start(self.computers.resume(self.changes))
            self._clocks.append(asyncio.create_task(self.deadlines.keep()))
        if self._begun:
            log.info("taken over: %s", ", ".join(names))

    async def _resumed(self) -> None:
        await self.outages.look(self.ownership.connected())
        await self.delivery.wake_all()
        await self.notifications.start()

    async def _resumed_later(self, led: Sequence[str]) -> None:
        """Take up what the chats *led* owe as soon as the disk has room."""
        while True:
            await asyncio.sleep(ROOM)
            with suppress(StorageError):
                await self.views.owe_all_if_older()
                await self.outages.restored(led)
                await self._resumed()
                return

    def _shares(self) -> list[tuple[str, str]]:
        chats = self.ownership.chats.items()
        return [(name, share) for name, chat in chats for share in chat.shares]

    async def dropped(self, name: str) -> None:
        """Another process gets the duty *name*, which is ours for this moment still."""
        for platform, share in self._shares():
            if duty_of(platform, share) == name:
                await self.ownership.chats[platform].drop(share)
        log.info("handed over: %s", name)

    async def hand_over(self) -> None:
        """We end: let the others take up the chats that miss what comes while nobody listens."""
        chats = [chat for chat in self.ownership.chats.values() if chat.misses]
        names = [duty_of(chat.platform, share) for chat in chats for share in chat.shares]
        await self.fleet.hand_over(names, self)
        await asyncio.gather(*(chat.handed_over(self.fleet.has_heirs) for chat in chats))

    async def left(self) -> None:
        """Another process is no more: whatever it has begun and not ended is done here."""
        await self.computers.adopt(self.changes)
        await self.delivery.wake_all()
        await self.notifications.start()

    def missed(self) -> None:
        """News was missed: empty the caches, and show what is owed."""
        self.cluster.forget_all()
        self.tasks.start(self._connected_again())

    async def _connected_again(self) -> None:
        """Show what is owed once the database answers again."""
        for wait in AGAIN:
            try:
                await self.announcements.recall()
                if await self.views.owe_all_if_older():
                    for chat in self.ownership.chats.values():
                        await chat.rewind()
                await self.left()
                await self.views.catch_up()
                return
            except StorageError as wrong:
                log.warning("%s", wrong)
                await asyncio.sleep(wait)

    def lost(self, why: str) -> None:
        """The others do what we did: only a new process may go on."""
        self.give_up(Stumbled(why))

    async def end(self) -> None:
        """Look at the clock no more."""
        for clock in self._clocks:
            clock.cancel()
        await asyncio.gather(*self._clocks, return_exceptions=True)
