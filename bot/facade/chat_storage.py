"""What chats keep from one start to the next: notes, places and updates."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from bot.boards.closed_places import ClosedPlaces
from bot.boards.delivery import Delivery
from bot.boards.pacing import Pacing
from bot.port import PlaceShut, ThreadShut, Where
from bot.service.clock import Clock
from bot.service.person.unreachable_people import UnreachablePeople
from bot.service.place.places import Places
from bot.service.table.changes import Changes
from bot.session.events import Absence
from storage import bot_settings, inbox
from storage.database.process_cluster import Cluster
from storage.errors import StorageError
from storage.store import Store, Transaction
from storage.table import views as stored

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True)
class NotesTransaction:
    """Notes being read and written, all or nothing, with nobody in between."""

    _tx: Transaction
    _fleet: Cluster

    async def read(self, key: str, how: Callable[[str], T]) -> T | None:
        """What *how* reads of the note called *key*; ``None`` where it is absent or damaged."""
        return await bot_settings.read_setting(self._tx, key, how)

    async def put(self, key: str, value: str) -> None:
        """Note *value* as *key*, whatever was noted before."""
        await bot_settings.put_setting(self._tx, key, value)
        await self._fleet.tell(self._tx, "note", key)


@dataclass(frozen=True)
class ChatNotes:
    """Words by key; each chat begins its keys with its own name. Raises ``StorageError``."""

    store: Store
    clock: Clock
    changes: Changes

    async def read(self, key: str, how: Callable[[str], T]) -> T | None:
        """What *how* reads of the note called *key*; ``None`` where it is absent or damaged."""
        return await self.store.read(bot_settings.read_setting, key, how)

    async def put(self, key: str, value: str) -> None:
        """Note *value* as *key*, whatever was noted before."""
        async with self.noting() as notes:
            await notes.put(key, value)

    @asynccontextmanager
    async def noting(self) -> AsyncIterator[NotesTransaction]:
        """Read and write several notes in one transaction."""
        async with self.store.transaction() as tx:
            yield NotesTransaction(tx, self.store.cluster)

    def when_changed(self, told: Callable[[str], None]) -> None:
        """Tell *told* of every note that another process has changed, by its key."""
        self.store.cluster.on("note", told)

    def receipts(self, platform: str) -> Inbox:
        """The updates of *platform*."""
        return Inbox(platform, self.store, self.clock, self.changes)


@dataclass(frozen=True, kw_only=True)
class ChatPlaces:
    """What a chat tells of its places and asks about them. Raises ``StorageError``."""

    store: Store
    places: Places
    delivery: Delivery
    closed_places: ClosedPlaces
    pacing: Pacing
    """A chat notes there what it writes besides boards."""
    unreachable_people: UnreachablePeople

    async def board_follows_in(self, where: Where, message: str) -> tuple[float, float] | None:
        """In how many seconds *message* shows what has happened; ``None`` where it shows all.

        As ``Pacing.comes_in``.
        """
        view = await self.store.read(stored.view_by_message, *where.key, message)
        if view is None or view.shown >= view.owed:
            return None
        return self.pacing.comes_in(where, view.id)

    async def shut(self, where: Where) -> None:
        """*where* does not let us in any more; what is owed there waits."""
        await self.closed_places.refuse(where, PlaceShut("its chat says so", announced=True))

    async def let_in(self, where: Where, *, thread: bool = False) -> None:
        """*where*, or only its *thread*, lets us in: what waited there is shown."""
        await self.closed_places.reopen(where, inner=thread)

    async def note_refusal(self, where: Where, why: ThreadShut) -> None:
        """The thread of *where* has refused a message that is no board."""
        await self.closed_places.refuse(where, why)

    async def knock(self, where: Where, message: str | None = None) -> None:
        """Somebody pressed *message* in *where* or, without one, wrote there.

        If it is shut, one board is tried. What was written reaches members only, so that a chat
        which announces that we are members again need not do so.
        """
        await self.closed_places.knock(where, message)

    async def settle_threads(self, platform: str, channel_of: Callable[[str], str]) -> None:
        """Note the channels of threads that never came with one, as *channel_of* tells them.

        It answers "" for a place that is no thread, or one that not everybody there reads.
        """
        await self.places.settle_threads(platform, channel_of)

    async def show_again(self, where: Where) -> None:
        """Show whatever stands in *where* for all to see anew, whatever it shows."""
        here = {"platform": where.platform, "place": where.place, "person": None}
        for view in await self.store.write(stored.owe_anew, "", **here):
            self.delivery.again(view)

    async def show_owed(self) -> None:
        """Show every board that waits: a platform is reached again."""
        await self.delivery.wake_all()

    async def board_waits(self, where: Where, message: str) -> bool:
        """Whether *message*, or the new board it brought, waits since *where* is shut for us."""
        if not await self.is_shut(where):
            return False
        view = await self.store.read(stored.view_by_message, *where.key, message)
        if view is None:
            return True
        # A closed thread takes edits.
        return view.shown < view.owed and (await self.places.at(where)).suspended

    async def is_shut(self, where: Where) -> bool:
        """Whether nothing new can be written in *where* now."""
        return await self.closed_places.is_shut(where)

    def try_refused(self, where: Where) -> None:
        """Somebody acts in *where*: boards that were refused there are tried once more."""
        self.delivery.refused_boards.try_at(where)

    async def note_left(self, where: Where, external: str) -> None:
        """The person with the id *external* is no member of *where* any more."""
        await self.unreachable_people.hear(where, external, Absence.LEFT)

    async def note_joined(self, where: Where, external: str) -> None:
        """The person with the id *external* is a member of *where*, perhaps again."""
        await self.unreachable_people.hear(where, external, None)

    async def move_place(self, old: Where, new: Where) -> None:
        """*old* has become *new*: its boards go there and are shown."""
        await self.store.write(self.places.move, old, new)
        await self.let_in(new)
        await self.delivery.wake_place(new)

    async def is_open(self, where: Where) -> bool:
        """Whether *where*, a private chat in which a person has spoken to us, still lets us in."""
        return await self.places.is_open(where)

    async def note(self, where: Where, what: str, *, on: bool) -> bool:
        """Note that *what* is so in *where*, or is so no longer; whether that is news."""
        now = {what: True} if on else {}
        if await self.is_noted(where, what) == on:
            return False
        return await self.store.write(self.places.note, where, now, (what,))

    async def is_noted(self, where: Where, what: str) -> bool:
        """Whether it is noted that *what* is so in *where*."""
        return bool((await self.places.at(where)).settings.get(what))

    async def first_time(self, where: Where, what: str) -> bool:
        """Whether *what* is done in *where* for the first time; a place that moves remembers."""
        return await self.note(where, what, on=True)


@dataclass(frozen=True)
class Inbox:
    """The receipts of one *platform*. Raises ``StorageError``."""

    platform: str
    store: Store
    clock: Clock
    changes: Changes
    _done: dict[str, None] = field(default_factory=dict)
    """What is done and not noted as such yet."""
    _noting: asyncio.Lock = field(default_factory=asyncio.Lock)

    def when_settled(self, told: Callable[[str], None]) -> None:
        """Tell *told* of every update whose change is on disk, by its id."""
        self.changes.when_settled(self.platform, told)

    async def write_down(self, unwritten: Callable[[], Mapping[str, str]]) -> tuple[str, ...]:
        """Write updates down by their ids; answers which. *unwritten* is asked in our turn."""
        async with self.store.transaction(beside=True) as tx:
            payloads = unwritten()
            for update, payload in payloads.items():
                await inbox.receive_update(tx, self.platform, update, payload, self.clock.steady())
        return tuple(payloads)

    async def finish(self, update: str) -> None:
        """Note that an update is done; all that wait are noted in one transaction."""
        self._done[update] = None
        async with self._noting:
            if update not in self._done:
                return
            async with self.store.transaction(beside=True) as tx:
                done = tuple(self._done)
                await inbox.finish_updates(tx, self.platform, done, self.clock.steady())
            for one in done:
                self._done.pop(one, None)

    async def count_failure(self, update: str, most: int) -> int:
        """Count a failure of an update, set aside at *most*; 0 where it was not written down."""
        async with self.store.transaction() as tx:
            attempts = await inbox.count_failure(tx, self.platform, update, self.clock.steady())
            if attempts >= most:
                await inbox.set_update_aside(tx, self.platform, update, self.clock.steady())
        return attempts

    async def pending(self) -> dict[str, str]:
        """What was never settled, by its id with what it said, in the order in which it came."""
        rows = await self.store.read(inbox.pending_updates, self.platform)
        return {row.update: row.payload or "" for row in rows}

    async def latest(self, most: int) -> tuple[str, ...]:
        """The last *most* updates, whatever became of them, the newest first."""
        return await self.store.read(inbox.latest_updates, self.platform, most)


@contextmanager
def log_unstored() -> Iterator[None]:
    """Log a ``StorageError`` that ends this block: who wrote or read goes on without."""
    try:
        yield
    except StorageError as wrong:
        log.error("%s", wrong)


def read_names(kept: str) -> list[str]:
    """The list of words that a note keeps; raises ``ValueError`` for anything else."""
    found = json.loads(kept)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError("it is no list of words")
    return found
