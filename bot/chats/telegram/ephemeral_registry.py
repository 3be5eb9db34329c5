"""Which ephemeral messages stand where, and for whom. They are noted on disk."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field

from bot.chats.telegram.ephemeral_messages import EphemeralMessages
from bot.chats.telegram.reading import PLATFORM
from bot.facade import NO_TABLE, Facade, StorageError, Tasks
from bot.port import Asker, ChatError, Screen, Where

log = logging.getLogger(__name__)

NOTE = "telegram-ephemeral"
"""The note under which they are stored."""

MOST = 500
"""How many are noted: the latest."""

LIFE = 172_800.0
"""Seconds for which clients show them (tdesktop, ephemeral_messages.cpp)."""

CARD = 600.0
"""Seconds after which one that stands by itself is removed."""


@dataclass(frozen=True)
class EphemeralMessage:
    """An ephemeral message: *message* in *place* and *thread*, which *receiver* alone sees.

    It stands in place of the message *over*, or by itself where that is empty, and shows the
    *version* of the table *table*, a *board* that ends with the next version or something else.
    *pictured* says that it has a picture, *asked* is the code of the button that brought it, and
    *born* when that was, in seconds since the epoch.
    """

    place: str
    message: str
    receiver: str
    thread: str | None = None
    over: str = ""
    table: str = ""
    version: int = 0
    board: bool = False
    pictured: bool = False
    asked: str = ""
    born: float = 0.0

    @property
    def where(self) -> Where:
        """The place in which it stands."""
        return Where(PLATFORM, self.place, self.thread)


@dataclass
class EphemeralRegistry:
    """Knows which ephemeral messages stand, and removes them in time."""

    messages: EphemeralMessages
    facade: Facade
    tasks: Tasks
    clock: Callable[[], float] = time.time
    _standing: dict[tuple[str, str], EphemeralMessage] = field(default_factory=dict)
    _timers: dict[tuple[str, str], asyncio.TimerHandle] = field(default_factory=dict)
    _storing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _changed: bool = False

    def find(self, place: str, message: str | None) -> EphemeralMessage | None:
        """The *message* in *place*, if it is known."""
        return self._standing.get((place, message or ""))

    def of(self, place: str, receiver: str) -> Iterator[EphemeralMessage]:
        """Those of *receiver* in *place*."""
        return (one for one in self._all() if (one.place, one.receiver) == (place, receiver))

    def over(self, place: str, message: str, table: str) -> Iterator[EphemeralMessage]:
        """Those that stand in place of *message*, or show the board of *table* beside it."""
        here = (one for one in self._all() if one.place == place)
        return (one for one in here if one.over == message or (one.board and one.table == table))

    def boards(self) -> Iterator[EphemeralMessage]:
        """Those that show boards."""
        return (one for one in self._all() if one.board)

    def _all(self) -> tuple[EphemeralMessage, ...]:
        return tuple(self._standing.values())

    def note(self, one: EphemeralMessage) -> None:
        """Note that *one* stands; it goes away in time, a board when the next one is shown."""
        key = (one.place, one.message)
        self._standing.pop(key, None)
        self._standing[key] = one
        for oldest in list(self._standing)[:-MOST]:
            self._drop(oldest)
        self._set_timer(one)
        self._store()

    def _set_timer(self, one: EphemeralMessage) -> None:
        life = LIFE if one.over or one.board else CARD
        self.expire(one, max(0.0, one.born + life - self.clock()))

    def expire(self, one: EphemeralMessage, seconds: float) -> None:
        """Remove *one* in so many *seconds*."""
        key = (one.place, one.message)
        if (before := self._timers.pop(key, None)) is not None:
            before.cancel()
        if key in self._standing:
            self._timers[key] = asyncio.get_running_loop().call_later(seconds, self.remove, one)

    def _drop(self, key: tuple[str, str]) -> None:
        self._standing.pop(key, None)
        if (timer := self._timers.pop(key, None)) is not None:
            timer.cancel()

    def remove(self, one: EphemeralMessage) -> None:
        """Remove *one*: the message under it is seen again."""
        self.forget(one)
        self.tasks.start(self._removed(one))

    def forget(self, one: EphemeralMessage) -> None:
        """Note that *one* stands no more."""
        key = (one.place, one.message)
        if key in self._standing:
            self._drop(key)
            self._store()

    async def _removed(self, one: EphemeralMessage) -> None:
        try:
            await self.messages.remove(one.where, one.receiver, one.message)
        except ChatError as wrong:
            log.info("an ephemeral message stays: %s", wrong)

    def left_behind(self, old: str) -> None:
        """Forget those of the group *old*, which has become another: they stay in the old one."""
        for one in self._all():
            if one.place == old:
                self.forget(one)

    async def forget_person(self, receiver: str) -> None:
        """Remove all of *receiver*, and keep no note of them."""
        for one in self._all():
            if one.receiver == receiver:
                self.remove(one)
        await self._stored()

    async def _read(self) -> None:
        """Read what the last run noted."""
        try:
            noted = await self.facade.notes.read(NOTE, _read) or ()
        except StorageError as wrong:
            log.error("%s", wrong)
            return
        for one in noted:
            if one.born + LIFE > self.clock():
                self._standing.setdefault((one.place, one.message), one)
                self._set_timer(one)

    def board_shown(self, where: Where, message: str, screen: Screen | None) -> None:
        """The shared *message* shows *screen* now, or is gone: nothing older stands in its place.

        Whoever acts out of the others' sight goes on where they are.
        """
        table = screen.table if screen is not None else NO_TABLE
        for one in self.over(where.place, message, table):
            if screen is None:
                self.remove(one)
            elif one.version < screen.version:
                self.tasks.start(self._outdated(one))

    async def _outdated(self, one: EphemeralMessage) -> None:
        asker = Asker(one.where.platform, one.receiver, "")
        if not await self.facade.boards.acts_unseen(asker, one.table):
            self.remove(one)

    async def take_up(self) -> None:
        """Take up what the last run noted: what shows an older board than the table's goes."""
        await self._read()
        for one in self.boards():
            if await self.facade.boards.version(one.table) > one.version:
                await self._outdated(one)

    def _store(self) -> None:
        """Store what stands soon: several changes are stored at once."""
        if not self._changed:
            self._changed = True
            self.tasks.start(self._stored())

    async def _stored(self) -> None:
        async with self._storing:
            self._changed = False
            noted = json.dumps([asdict(one) for one in self._all()])
            try:
                await self.facade.notes.put(NOTE, noted)
            except StorageError as wrong:
                log.error("%s", wrong)

    def close(self) -> None:
        """Leave everything as it stands: the next start takes it up."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()


def _read(kept: str) -> list[EphemeralMessage]:
    """What a note tells of; raises ``ValueError`` for anything else."""
    try:
        return [EphemeralMessage(**one) for one in json.loads(kept)]
    except TypeError as wrong:
        raise ValueError(str(wrong)) from wrong
