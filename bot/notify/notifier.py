"""Sends notifications, notes them, and removes them once answered."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from dataclasses import dataclass, field
from datetime import timedelta

from bot.boards.pacing import Pacing
from bot.boards.renderer import Notification
from bot.notify.due import dismiss_all
from bot.notify.reasons import Reason, still
from bot.port import ChatError, Later, PlaceShut, Uncalled, Where
from bot.service.clock import Clock
from bot.service.cluster import Ownership
from bot.service.schedule import Schedule
from bot.service.tables import Tables
from storage import notifications as stored
from storage.records import NotificationRow, ViewRow
from storage.store import Store
from storage.transaction_queue import low_priority

log = logging.getLogger(__name__)

AGAIN = timedelta(seconds=30)
"""After how long a call is tried again that could not be made."""

TRIES = 3
"""How often that is tried."""

CLOSING = 3.0
"""For how many seconds the end waits for calls that are on their way."""


@dataclass(kw_only=True)
class Notifier:
    """Sends notifications, removes answered ones; what must wait goes on the *schedule*."""

    store: Store
    clock: Clock
    tables: Tables
    ownership: Ownership
    pacing: Pacing
    schedule: Schedule
    _failed: dict[str, int] = field(default_factory=dict)
    _posting: set[asyncio.Future[None]] = field(default_factory=set)
    """The calls on their way: none may be sent twice."""

    async def close(self) -> None:
        """Wait a little until the calls on their way are noted."""
        if self._posting:
            await asyncio.wait(self._posting, timeout=CLOSING)

    async def call(self, where: Where, view: ViewRow | None, notification: Notification) -> bool:
        """Call in a message of its own, which answers the board of *view*.

        False where not all of *notification* still holds at its turn: nobody is called then.
        """
        chat, limiter = self.ownership.chats[where.platform], self.pacing.limiter(where)
        await limiter.turn()
        first = notification.rows[0]
        # It may have been answered while it waited for its turn.
        table = await self.tables.get(first.game)
        if not all(still(Reason(row.kind), row.person, table) for row in notification.rows):
            return False
        # A reminder of the same turn is another call; the same one after a kill is not.
        about = f"{first.game} {first.person} {first.turn} {first.kind}"
        nonce = hashlib.blake2s(about.encode(), digest_size=10).hexdigest()
        board = view.message if view is not None else None
        noted = asyncio.get_running_loop().create_future()
        self._posting.add(noted)
        try:
            message = await chat.ping(where, notification.people, notification.words, board, nonce)
            await self._noted(where, notification, message)
        except Later as later:
            limiter.pause(later.seconds)
            self._look_in(first.game, timedelta(seconds=later.seconds))
        except Uncalled as uncalled:
            self._look_in(first.game, timedelta(seconds=uncalled.seconds))
        except ChatError as wrong:
            await self._missed(notification, wrong)
        finally:
            self._posting.discard(noted)
            noted.set_result(None)
        return True

    def _look_in(self, code: str, wait: timedelta) -> None:
        self.schedule.put(code, self.clock.steady() + wait)

    async def _noted(self, where: Where, notification: Notification, message: str | None) -> None:
        self._failed.pop(notification.rows[0].game, None)
        for row in notification.rows:
            if row.message is not None:
                await self.remove(row)
            posted = (where.platform, where.place, where.thread, message)
            new = NotificationRow(row.game, row.person, row.kind, row.turn, None, *posted)
            made = await self.store.write_beside(stored.mark_notified, row, new)
            if not made and message is not None:
                # Answered while it was on its way.
                await self.remove(new)

    async def _missed(self, notification: Notification, wrong: ChatError) -> None:
        code = notification.rows[0].game
        log.info("nobody could be called to table %s: %s", code, wrong)
        tries = self._failed[code] = self._failed.get(code, 0) + 1
        if isinstance(wrong, PlaceShut) or tries >= TRIES:
            del self._failed[code]
            await dismiss_all(self.store, notification.rows)
        else:
            self._look_in(code, AGAIN)

    async def remove(self, row: NotificationRow) -> None:
        """Take a call away that was answered, or that another one is to replace."""
        with low_priority():
            await self._removed(row)

    async def _removed(self, row: NotificationRow) -> None:
        chat = self.ownership.chats.get(row.platform or "")
        if (
            chat is None
            or not self.ownership.keeps(chat.platform)
            or row.place is None
            or row.message is None
        ):
            return
        where = Where(chat.platform, row.place, row.thread)
        if not await self.ownership.keeps_at(where):
            return
        async with self.store.reading() as tx:
            others = await stored.notifications_of_game(tx, row.game)
        shared = any(
            (one.place, one.message) == (row.place, row.message)
            and one.person != row.person
            and bool(one.kind)
            and one.due is None
            for one in others
        )
        if not shared:
            await self.pacing.limiter_behind(where).turn()
            try:
                await chat.remove(where, row.message)
            except Later as later:
                self.pacing.limiter_behind(where).pause(later.seconds)
                return
            except ChatError as wrong:
                log.info("a call on %s stays: %s", where.platform, wrong)
        await self.store.write_beside(stored.forget_notification_message, row)
