"""Updates are on disk before Telegram may forget them.

Telegram forgets an update when the next ones are asked for, or when the webhook has answered. So
both wait here until every update is settled by its change or written down. What was never settled
is handled again after the next start.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Container
from http import HTTPStatus
from time import monotonic
from typing import Any

from cachetools import LRUCache
from telegram import Bot, Update
from telegram.error import TelegramError, TimedOut

from bot.chats.telegram.wire import BEHIND, Wire, lighten
from bot.facade import Inbox, StorageError, wait_until_set

log = logging.getLogger(__name__)

WRITE_RETRIES = (0.1, 0.5, 1.0)
"""Seconds between attempts to write updates down."""

SETTLING_SECONDS = 0.1
"""Seconds within which most updates are settled, so that they need not be written down."""

UNCONFIRMED, REMEMBERED = 100, 8192
"""Updates that Telegram may deliver again after a kill, and that are remembered for that."""

UNREADABLE = "unreadable"
"""The field of an update for what the library could not read: Telegram changed, or it is forged."""


class Unfinished(Exception):
    """We stop before the answer to an update is known; the next start gives it."""


class NotWritten(TelegramError):
    """The database takes nothing now: the same updates are polled again later."""


class ReceiptQueue(asyncio.Queue[object]):
    """A queue that takes each update once and knows which are not on disk yet.

    ``admits`` says which are taken. With *at_once*, as a webhook needs it, ``put`` returns when all
    are on disk; else ``secure`` must be called before the next updates are asked for.
    """

    def __init__(self, receipts: Inbox, *, at_once: bool = False) -> None:
        super().__init__()
        self.receipts = receipts
        receipts.when_settled(self.settle)
        self._at_once = at_once
        self.admits: Callable[[Update], Awaitable[bool]] | None = None
        self.read: dict[int, Update] = {}
        """Updates that were read already, by the numbers that the library puts."""
        self._taken: LRUCache[str, None] = LRUCache(REMEMBERED)
        self._done_before: set[str] = set()
        self._unsettled: dict[str, str] = {}
        """The ids of those who sent them, by the keys of the updates."""
        self._unwritten: dict[str, Update] = {}
        self._all_safe = asyncio.Event()
        self._all_safe.set()

    async def put(self, item: object) -> None:
        """Take *item*, an update only once; with *at_once* it may raise ``NotWritten``."""
        if not isinstance(item, Update):
            await super().put(item)
            return
        item = self.read.pop(item.update_id, item)
        key = str(item.update_id)
        if key not in self._taken:
            if self.admits is not None and not await self.admits(item):
                self._taken[key] = None  # where it comes again it was answered
                return
            self._taken[key] = None
            self._unsettled[key] = _sender(item)
            self._unwritten[key] = item
            self._all_safe.clear()
            await super().put(item)
        elif key in self._done_before:
            # The process before us did it, but may have been killed before it answered.
            self._done_before.discard(key)
            await super().put(item)
        if self._at_once:
            await self.secure()

    def settle(self, key: str) -> None:
        """Note that the update *key* is done, and that this is on disk."""
        self._unsettled.pop(key, None)
        self._note_safe(key)

    async def drop(self, sender: str, besides: Container[str]) -> None:
        """Let nothing come of what *sender*, who is being forgotten, has sent and what waits.

        *besides* are the keys of the updates that are being handled.
        """
        for key in [key for key, one in self._unsettled.items() if one == sender]:
            if key not in besides:
                self.settle(key)
                await self.receipts.finish(key)

    def is_settled(self, key: str) -> bool:
        """Whether the update *key* needs nothing more."""
        return key not in self._unsettled

    def _note_safe(self, key: str) -> None:
        self._unwritten.pop(key, None)
        if not self._unwritten:
            self._all_safe.set()

    async def secure(self, grace: float = SETTLING_SECONDS) -> None:
        """Return when every update taken so far is on disk, settled or written down.

        Those that are being handled have *grace* seconds to settle. Raises ``NotWritten`` if the
        database stays shut: the library takes that for an outage, and Telegram keeps the updates.
        """
        await wait_until_set(self._all_safe, grace)
        for wait in (*WRITE_RETRIES, None):
            try:
                await self._write_down()
                return
            except StorageError as wrong:
                if wait is None:
                    raise NotWritten(str(wrong)) from wrong
            except Exception as wrong:
                log.exception("updates could not be written down")
                raise NotWritten(type(wrong).__name__) from wrong
            await asyncio.sleep(wait)

    async def _write_down(self) -> None:
        if not self._unwritten:
            return

        def payloads() -> dict[str, str]:
            # Asked in our turn: what was settled meanwhile is not there any more.
            return {key: update.to_json() for key, update in self._unwritten.items()}

        for key in await self.receipts.write_down(payloads):
            self._note_safe(key)

    async def take_up(self, bot: Bot) -> int:
        """Queue what was written down and never settled; returns how many updates that are."""
        pending = await self.receipts.pending()
        known = await self.receipts.latest(REMEMBERED)
        for key in reversed(known):
            self._taken[key] = None
        self._done_before = set(known[:UNCONFIRMED]) - set(pending)
        for key, payload in pending.items():
            self._taken[key] = None
            update = _restore(key, payload, bot)
            self._unsettled[key] = _sender(update)
            await super().put(update)
        return len(pending)


def _sender(update: Update) -> str:
    return "" if update.effective_user is None else str(update.effective_user.id)


def _restore(key: str, payload: str, bot: Bot) -> Update:
    try:
        return Update.de_json(json.loads(payload or "{}"), bot)
    except Exception:
        return Update(int(key), api_kwargs={UNREADABLE: payload})


class PollingRequest(Wire):
    """Polls for updates and reads each by itself; *bot* is for their methods.

    The library would poll for ever for an update that it cannot read; here that one is set aside.
    A refused token would end polling silently; here it counts as an outage. *queue* has what was
    read, and *heard* gets the status of every answer, that of a time-out where none came: the
    library asks again, and tells nobody.
    """

    def __init__(self, queue: ReceiptQueue, heard: Callable[[int], None]) -> None:
        super().__init__(1)
        self._queue = queue
        self._heard = heard
        self.bot: Bot | None = None
        self.asked = monotonic()
        """When Telegram was last asked."""

    async def do_request(self, *args: Any, **options: Any) -> tuple[int, bytes]:
        """The status and the body of the answer, as the library takes them."""
        self.asked = monotonic()
        await self._queue.secure()
        await asyncio.sleep(BEHIND)
        try:
            status, body = await super().do_request(*args, **options)
        except TimedOut:
            self._heard(HTTPStatus.GATEWAY_TIMEOUT)
            raise
        self._heard(status)
        refused = status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)
        if status == HTTPStatus.OK:
            body = self._numbers(body)
        return (int(HTTPStatus.BAD_GATEWAY) if refused else status), body

    def _numbers(self, body: bytes) -> bytes:
        """The answer in *body* with nothing of each update but its number."""
        answer = self.parse_json_payload(body)
        found = answer.get("result")
        if not isinstance(found, list):
            return body
        known = [one for one in found if _is_numbered(one)]
        if len(known) < len(found):
            log.error("%d updates without a number are left out", len(found) - len(known))
        self._queue.read.clear()
        return json.dumps({**answer, "result": [self._number(one) for one in known]}).encode()

    def _number(self, update: dict[str, Any]) -> dict[str, Any]:
        number: int = update["update_id"]
        query = update.get("callback_query")
        if isinstance(query, dict):
            lighten(query.get("message"), "photo")
        try:
            self._queue.read[number] = Update.de_json(update, self.bot)
        except Exception:
            return {"update_id": number, UNREADABLE: json.dumps(update)}
        return {"update_id": number}


def _is_numbered(update: Any) -> bool:
    """Whether *update* can be confirmed: without a number it would be polled for ever."""
    return isinstance(update, dict) and isinstance(update.get("update_id"), int)
