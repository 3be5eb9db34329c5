"""The heartbeat: notes that the bot runs, so that downtime counts against nobody."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.service.clock import Clock
from bot.service.person.opened_files import KEPT
from bot.service.place.outages import Outages
from bot.service.process_cluster import Ownership
from storage import bot_settings, inbox
from storage.errors import DatabaseFull
from storage.person import opened_files, people
from storage.records import EPOCH, MILLISECOND
from storage.store import Store, Transaction
from storage.table import drafts, views

log = logging.getLogger(__name__)

CLOCK = "clock"
"""The duty of looking at the clock for all processes that share a database."""

ALIVE, ALIVE_AT = "alive", "alive-at"
"""The settings with the steady time when we last lived, and with when that was noted."""

INBOX_KEPT = timedelta(days=3)
"""How long an update is remembered as done: platforms deliver again within a day."""

PAYLOAD_KEPT = timedelta(days=1)
"""How long the payload of an update that failed is kept; of the others none is."""

TICK = 10.0
"""Every how many seconds the clock of our life is written."""

COUNTING = timedelta(days=1)
"""Boards tell anew after a start when a time ends that ends within this."""

HASTE = timedelta(minutes=1)
"""By how much a note of our life may be ahead of its tidying of the inbox: both are made at once,
but for the note at a start, which is made with the time that was noted before."""

APART = timedelta(milliseconds=50)
"""How far the clocks of two processes may go apart before one is set by the other."""


@dataclass(frozen=True, kw_only=True)
class Heartbeat:
    """Keeps the steady clock over restarts: one process writes it, the others follow."""

    store: Store
    clock: Clock
    outages: Outages
    ownership: Ownership

    async def go_on(self) -> None:
        """Continue the steady clock where the last run stopped."""
        lived_on = await self.store.cluster.others()
        stopped = await self.store.read(self._note_time, lived_on=lived_on)
        if stopped is not None:
            self.clock.steady.go_on(stopped)
        if not lived_on:
            with suppress(DatabaseFull):  # the first tick for which there is room notes it
                await self.store.write(self._note)
                # Boards say by the clock of the machine when somebody's time ends.
                await self.store.write(views.owe_counting_boards, self.clock.steady() + COUNTING)

    async def look(self) -> float:
        """Note that we live, and which platforms are reached; answers when to do that again."""
        if jump := self.clock.steady.jump():
            log.warning("the clock was set by %s; deadlines do not follow it", jump)
        await self.store.check_files()
        await self.outages.look(self.ownership.connected())
        if self.store.cluster.holds(CLOCK):
            await self.store.write(self.alive)
        else:
            await self._follow()
        return TICK

    async def alive(self, tx: Transaction) -> None:
        """Note that we live now, and forget the updates that no platform delivers again."""
        now = self.clock.steady()
        await self._note(tx)
        await inbox.prune_inbox(tx, now - INBOX_KEPT)
        await drafts.prune_drafts(tx, self.clock.now())
        await people.prune_link_codes(tx, now)
        await opened_files.prune_opened_files(tx, self.clock.now() - KEPT)
        if dropped := await inbox.strip_payloads(tx, now - PAYLOAD_KEPT):
            log.warning("%d updates that could not be done in a day are set aside", dropped)

    async def _note(self, tx: Transaction) -> None:
        await bot_settings.put_setting(tx, ALIVE, self.clock.steady().isoformat())
        if not self.store.cluster.alone:
            await bot_settings.put_setting(tx, ALIVE_AT, str(await self.store.cluster.age(tx, 0)))

    async def _note_time(self, tx: Transaction, *, lived_on: bool) -> datetime | None:
        """The steady time as it was noted last, and as it is now where somebody *lived_on*."""
        noted = await bot_settings.read_setting(tx, ALIVE, read_instant)
        at = await bot_settings.read_setting(tx, ALIVE_AT, read_milliseconds)
        if noted is None:
            # The setting is damaged, or of a release without it. The time since then may have
            # been one of being down, for which nobody may lose on time.
            return await inbox.last_noted(tx, self.clock.now() + timedelta(days=1))
        done = await inbox.last_done(tx)
        if done is not None and noted - done > INBOX_KEPT + HASTE:
            # Whenever this time is written, older updates are forgotten: it is damaged.
            log.warning("the time of the last run lies too far ahead; that of a press is taken")
            return done
        passed = await self.store.cluster.age(tx, at) if lived_on and at else 0
        return noted + passed * MILLISECOND

    async def _follow(self) -> None:
        """Keep to the clock of the process that writes it: those of machines go apart."""
        shared = await self.store.read(self._note_time, lived_on=True)
        if shared is not None and abs(shared - self.clock.steady()) > APART:
            self.clock.steady.go_on(shared)


def read_instant(kept: str) -> datetime:
    """The steady time that storage keeps; raises ``ValueError`` for none from 1970 to 2999."""
    instant = datetime.fromisoformat(kept)
    if instant.tzinfo is None or not EPOCH.year <= instant.year < 3000:
        raise ValueError("it is no instant of ours")
    return instant


def read_milliseconds(kept: str) -> int:
    """The milliseconds since 1970 that storage keeps; raises ``ValueError`` for no such number."""
    number = int(kept)
    if not 0 <= number < 2**53:
        raise ValueError("it is no time of a server")
    return number
