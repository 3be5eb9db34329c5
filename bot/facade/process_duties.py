"""The duties of this process, and how it takes over those of another.

Each duty is held by a lease (``storage.database.process_cluster``): the clock, which meets
deadlines and notes that we live, and each chat, where boards are shown and people called by one
process alone. A file has one process, which holds them all from its start.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bot.boards.delivery import Delivery
from bot.boards.pacing import Pacing
from bot.boards.views import Views
from bot.notify.daily import DailyPuzzles
from bot.notify.notifications import Notifications
from bot.notify.seasons import PodiumPoster
from bot.port import Chat, ChatError, Stumbled
from bot.runtime.tasks import Tasks
from bot.service.computers.pool import Thinkers
from bot.service.heartbeat import CLOCK, Heartbeat
from bot.service.person.unreachable_people import UnreachablePeople
from bot.service.place.announcements import Announcements
from bot.service.place.outages import Outages
from bot.service.process_cluster import ClusterNews, Ownership, duty_of
from bot.service.school.puzzle_miner import PuzzleMiner
from bot.service.table.changes import Changes
from bot.service.table.computer_turns import ComputerTurns
from bot.service.table.deadlines import DeadlineKeeper
from storage.database.process_cluster import Cluster
from storage.errors import DatabaseFull, StorageError

log = logging.getLogger(__name__)

Look: TypeAlias = Callable[[], Awaitable[float | None]]
"""Looks at what is due, and may say after how many seconds to look again."""

LOOK = 60.0
"""Seconds between two looks at what is due where it is not said when the next thing is, and from
the start until that is looked at for which nobody waits."""

LOOK_SECONDS = (0.2, 1.0, 2.0, 5.0, 10.0)
"""Seconds between the looks at a database that has gone away and come back."""


ROOM = 5.0
"""Seconds between the looks whether a full disk has room again."""


@dataclass(frozen=True, kw_only=True)
class Backlog:
    """What is owed: taken up when we were away, or others are no more, and finished at the end."""

    tasks: Tasks
    changes: Changes
    computers: ComputerTurns
    thinkers: Thinkers
    cluster: ClusterNews
    outages: Outages
    ownership: Ownership
    delivery: Delivery
    views: Views
    notifications: Notifications
    announcements: Announcements
    pacing: Pacing

    async def begin(self) -> None:
        """Learn what is announced, and which boards owe that."""
        await self.announcements.recall()
        self.delivery.listen()
        with suppress(DatabaseFull):  # then nothing is shown anew, and all can be looked at
            await self.views.owe_all_if_older()

    async def restore(self, led: Sequence[str]) -> bool:
        """Give back the time in which the chats *led* were away; False where the disk is full."""
        has_room = True
        try:
            await self.outages.restore(led)
        except DatabaseFull:
            # What is stored can be looked at all the same.
            has_room = False
        await self.pacing.restore()
        return has_room

    async def resume(self) -> None:
        """Show and call what is owed to the chats that are connected."""
        await self.outages.look(self.ownership.connected())
        await self._send_owed()

    async def resume_later(self, led: Sequence[str]) -> None:
        """Take up what the chats *led* owe as soon as the disk has room."""
        while True:
            await asyncio.sleep(ROOM)
            with suppress(StorageError):
                await self.views.owe_all_if_older()
                await self.outages.restore(led)
                await self.resume()
                return

    def resume_computers(self) -> None:
        """Let the computers think whose turn it is."""
        self.tasks.start(self.computers.resume(self.changes))

    async def adopt(self) -> None:
        """Let the computers think on that other processes have left, as the changes tell."""
        await self.computers.adopt(self.changes)

    async def left(self) -> None:
        """Another process is no more: whatever it has begun and not ended is done here."""
        await self.adopt()
        await self._send_owed()

    async def _send_owed(self) -> None:
        await self.delivery.wake_all()
        await self.views.clear_closed()
        await self.notifications.start()

    def missed(self) -> None:
        """News was missed: empty the caches, and show what is owed."""
        self.cluster.forget_all()
        self.tasks.start(self._connected_again())

    async def _connected_again(self) -> None:
        """Show what is owed once the database answers again."""
        for wait in LOOK_SECONDS:
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

    async def finish(self) -> None:
        """End what was begun, show and call what can be, and close."""
        await self.notifications.close()
        await self.tasks.close()
        await self.thinkers.close()
        await self.delivery.close()
        await self.notifications.close()
        await self.tasks.close()  # the last boards have begun some more


@dataclass(kw_only=True)
class ProcessDuties:
    """The duties of this process, and the chats that it runs."""

    fleet: Cluster
    tasks: Tasks
    ownership: Ownership
    unreachable_people: UnreachablePeople
    backlog: Backlog
    heartbeat: Heartbeat
    deadlines: DeadlineKeeper
    podiums: PodiumPoster
    daily: DailyPuzzles
    miner: PuzzleMiner
    looks: Sequence[Look]
    """What else is looked at again and again."""
    give_up: Callable[[ChatError], None]
    ready: bool = field(default=False, init=False)
    """Whether we take presses: from the end of the start to the beginning of the stop."""
    _started: set[str] = field(default_factory=set)
    _clocks: list[asyncio.Task[None]] = field(default_factory=list)
    _begun: bool = False

    async def begin(self, chats: Sequence[Chat]) -> None:
        """Take up whatever nobody else does, and be ready for the rest; raises ``ChatError``."""
        await self.heartbeat.go_on()
        self.fleet.on("missed", self.catch_up)
        await self.backlog.begin()
        duties = (duty_of(chat.platform, share) for chat in chats for share in chat.shares)
        await self.fleet.begin((*duties, CLOCK), self)
        self._begun = True
        for chat in chats:
            if chat.everywhere:
                await self._start(chat)
        if not self.fleet.alone:
            await self.backlog.adopt()
        for look in (self.heartbeat.look, self.daily.look):
            self._keep(_look_again(look))
        for later in (self.podiums.look, self.miner.look, *self.looks):
            self._keep(_look_again(later, LOOK))
        self.tasks.start(self.unreachable_people.catch_up())
        self.ready = True

    def _keep(self, clock: Coroutine[Any, Any, None]) -> None:
        """Look at *clock* until we end."""
        self._clocks.append(asyncio.create_task(clock))

    async def _start(self, chat: Chat) -> None:
        if chat.platform not in self._started:
            self._started.add(chat.platform)
            await chat.start()

    async def take(self, names: Sequence[str]) -> None:
        """The duties of these *names* are ours now; raises ``ChatError`` at the start."""
        try:
            await self._take(names)
        except ChatError as wrong:
            if not self._begun:
                raise
            self.give_up(wrong)

    async def _take(self, names: Sequence[str]) -> None:
        mine = [one for one in self.shares() if duty_of(*one) in names]
        if mine:
            led = [name for name, _ in mine if self.ownership.leads(name)]
            has_room = await self.backlog.restore(led)
            for name, share in mine:
                await self._start(self.ownership.chats[name])
                await self.ownership.chats[name].take(share)
            if has_room:
                await self.backlog.resume()
            else:
                self._keep(self.backlog.resume_later(led))
        if CLOCK in names:
            self.backlog.resume_computers()
            self._keep(self.deadlines.keep())
        if self._begun:
            log.info("taken over: %s", ", ".join(names))

    def shares(self) -> list[tuple[str, str]]:
        """The shares of all chats, each by its platform and its name."""
        chats = self.ownership.chats.items()
        return [(name, share) for name, chat in chats for share in chat.shares]

    def is_connected(self) -> bool:
        """Whether every chat takes presses and commands just now."""
        return all(self.connections().values())

    def connections(self) -> Mapping[str, bool]:
        """Whether each chat that this process runs takes presses just now."""
        return {
            name: chat.is_connected()
            for name, chat in self.ownership.chats.items()
            if chat.everywhere or self.ownership.keeps(name)
        }

    def sessions_left(self) -> Mapping[str, int]:
        """How many more sessions each platform lets begin that counts them."""
        counted = {name: chat.sessions_left() for name, chat in self.ownership.chats.items()}
        return {name: left for name, left in counted.items() if left is not None}

    def takes_over(self) -> bool:
        """Whether we have started and no chat waits for sessions that its platform refuses."""
        return self.ready and not any(chat.held_up() for chat in self.ownership.chats.values())

    async def drop(self, name: str) -> None:
        """Another process gets the duty *name*, which is ours for this moment still."""
        for platform, share in self.shares():
            if duty_of(platform, share) == name:
                await self.ownership.chats[platform].drop(share)
        log.info("handed over: %s", name)

    async def take_over(self) -> None:
        """Another process is no more: whatever it has begun and not ended is done here."""
        await self.backlog.left()

    def catch_up(self) -> None:
        """News was missed: empty the caches, and show what is owed."""
        self.backlog.missed()

    def stop(self, why: str) -> None:
        """The others do what we did: only a new process may go on."""
        self.give_up(Stumbled(why))

    async def hand_over(self) -> None:
        """We end: let the others take up the chats that miss what comes while nobody listens."""
        self.ready = False
        chats = [chat for chat in self.ownership.chats.values() if chat.misses]
        names = [duty_of(chat.platform, share) for chat in chats for share in chat.shares]
        await self.fleet.hand_over(names, self)
        await asyncio.gather(*(chat.handed_over(self.fleet.has_heirs) for chat in chats))
        for clock in self._clocks:
            clock.cancel()
        await asyncio.gather(*self._clocks, return_exceptions=True)


async def _look_again(look: Look, first: float = 0.0) -> None:
    """Look at what is due for ever, each time after so many seconds as the *look* before says.

    The *first* one is so many seconds after the start.
    """
    seconds: float | None = first
    while True:
        await asyncio.sleep(LOOK if seconds is None else seconds)
        seconds = None
        try:
            seconds = await look()
        except (StorageError, OSError) as wrong:
            log.warning("what is due waits: %s", wrong)
        except Exception:
            log.exception("what is due failed; it is looked at again")
