"""Sheets on which tables are set up in groups: each goes when it can do nothing any more."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.chats.telegram.outbound import Outbound
from bot.chats.telegram.reading import PLATFORM
from bot.facade import ChatNotes, StorageError, Tasks
from bot.port import ChatError, Where

log = logging.getLogger(__name__)

NOTE = "telegram-sheets"
"""The note under which they are stored."""

SHEET_SECONDS = 3600.0
"""Seconds after the last press until its draft is gone (``storage.table.drafts.DRAFT_LIFE``)."""

MOST_SHEETS = 500
"""How many are noted: the latest."""


@dataclass
class OpenSheets:
    """Knows which sheets stand in groups, and removes each in time, after a restart too."""

    notes: ChatNotes
    outbound: Outbound
    tasks: Tasks
    clock: Callable[[], float] = time.time
    _until: dict[tuple[str, str], float] = field(default_factory=dict)
    """When they go, in seconds since the epoch, by place and message."""
    _timers: dict[tuple[str, str], asyncio.TimerHandle] = field(default_factory=dict)

    async def note(self, where: Where, message: str | None) -> None:
        """Note that *message* is a sheet, and was just used; nothing in private."""
        if message is None or where.private:
            return
        key = (where.place, message)
        self._until.pop(key, None)
        self._until[key] = self.clock() + SHEET_SECONDS
        for oldest in list(self._until)[:-MOST_SHEETS]:
            self._drop(oldest)
        self._set_timer(key)
        await self._store()

    async def use(self, where: Where, message: str | None) -> None:
        """Let *message* stand as long again, if it is a sheet."""
        if message is not None and (where.place, message) in self._until:
            await self.note(where, message)

    async def forget(self, where: Where, message: str) -> None:
        """Note that *message* is gone: it has become a table."""
        self._drop((where.place, message))
        await self._store()

    def _set_timer(self, key: tuple[str, str]) -> None:
        if (before := self._timers.pop(key, None)) is not None:
            before.cancel()
        wait = max(0.0, self._until[key] - self.clock())
        loop = asyncio.get_running_loop()
        self._timers[key] = loop.call_later(wait, self._expire, key)

    def _drop(self, key: tuple[str, str]) -> None:
        self._until.pop(key, None)
        if (timer := self._timers.pop(key, None)) is not None:
            timer.cancel()

    def _expire(self, key: tuple[str, str]) -> None:
        self._drop(key)
        self.tasks.start(self._remove(*key))

    async def _remove(self, place: str, message: str) -> None:
        await self._store()
        try:
            await self.outbound.remove(Where(PLATFORM, place), message)
        except ChatError as wrong:
            log.info("an old sheet stays: %s", wrong)

    async def take_up(self) -> None:
        """Take up what the last run noted."""
        try:
            noted = await self.notes.read(NOTE, read_sheets) or ()
        except StorageError as wrong:
            log.error("%s", wrong)
            return
        for place, message, until in noted:
            self._until.setdefault((place, message), until)
            self._set_timer((place, message))

    async def _store(self) -> None:
        noted = json.dumps([(*key, until) for key, until in self._until.items()])
        try:
            await self.notes.put(NOTE, noted)
        except StorageError as wrong:
            log.error("%s", wrong)

    def close(self) -> None:
        """Leave them as they stand: the next start takes them up."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()


def read_sheets(kept: str) -> list[tuple[str, str, float]]:
    """The places, ids and ends of sheets; raises ``ValueError`` for anything else."""
    return [(str(place), str(message), float(at)) for place, message, at in json.loads(kept)]
