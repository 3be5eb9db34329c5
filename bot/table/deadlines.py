"""Deadlines: how long an invitation and a set-up may last, and what is done when they are over."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.table import play
from bot.table.computer_turns import Changing
from bot.table.origin import Origin, SeenBefore
from bot.table.play import Pen
from bot.table.table import OPEN, PLAYING, BrokenTable, Table
from storage import deadlines
from storage.engine import Store, Transaction
from storage.errors import StorageError
from storage.records import DeadlineRow

log = logging.getLogger(__name__)

INVITATION = timedelta(hours=1)
CHALLENGE = timedelta(hours=24)
SET_UP = timedelta(hours=24)
"""How long a simultaneous set-up may take before the rules arrange the rest (G14)."""


async def set_deadlines(tx: Transaction, table: Table, now: datetime) -> None:
    """Note when *table*, as it is *now* by the steady clock, must be looked at."""
    if table.status == OPEN:
        challenged = any(player.invited for player in table.players)
        until = now + (CHALLENGE if challenged else INVITATION)
        await deadlines.set(tx, table.code, "invitation", table.version, until)
        return
    await deadlines.clear(tx, table.code, "invitation")
    if len(table.actors()) > 1:
        await deadlines.set(tx, table.code, "set-up", table.version, now + SET_UP)
    elif table.status != PLAYING:
        await deadlines.clear(tx, table.code, "set-up")


@dataclass
class Deadlines:
    """Looks at the tables whose time is over."""

    changing: Changing
    store: Store
    now: Callable[[], datetime]

    async def expire(self) -> None:
        """Close invitations and end set-ups whose time is over; raises ``StorageError``."""
        for row in await self.store.read(deadlines.due, self.now()):
            try:
                await self._expired(row)
            except BrokenTable:
                continue
            except StorageError:
                raise
            except Exception:
                log.exception("table %s: its deadline %r could not be met", row.game, row.kind)

    async def _expired(self, row: DeadlineRow) -> None:
        def decide(pen: Pen) -> None:
            table = pen.table
            if row.kind == "invitation" and table.status == OPEN:
                if table.version == row.version:
                    play.close(pen, "expired")
            elif row.kind == "set-up" and table.status == PLAYING:
                play.end_set_up(pen)

        origin = Origin("clock", f"{row.game}:{row.kind}:{row.version}")
        with contextlib.suppress(SeenBefore):
            await self.changing.change(origin, row.game, decide)
        if row.kind == "set-up" or (await self.changing.table(row.game)).status != OPEN:
            await self.store.write(deadlines.clear, row.game, row.kind)
