"""Updates are on disk before Telegram may forget them.

Telegram forgets what it delivered when the next updates are asked for, or when a webhook has
answered; the library does either before its handlers have run. So both wait here until every
update taken is settled by the change it made or, where that takes longer, written down. What
was written down and never settled is handled again after the next start.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from cachetools import LRUCache
from telegram import Bot, Update
from telegram.error import TelegramError

from bot.chats.telegram.wire import BEHIND, Wire, lightened
from bot.facade import Inbox, StorageError

log = logging.getLogger(__name__)

PATIENCE = (0.1, 0.5, 1.0)
"""After how many seconds a receipt that could not be written is tried again."""

GRACE = 0.1
"""Seconds within which most updates are settled, so that no receipt is needed."""

UNCONFIRMED = 100
"""How many updates Telegram delivers at once, and so may deliver again after a kill."""

REMEMBERED = 8192
"""How many updates are remembered, so that one delivered twice is taken once."""

UNREADABLE = "unreadable"
"""Where an update keeps what the library could not read."""


class UnreadableUpdate(Exception):
    """An update that the library cannot read: Telegram changed, or somebody forged it."""


class Unfinished(Exception):
    """What an update asks for is not known yet, and we stop: the next start does it."""


class NotWritten(TelegramError):
    """The database takes nothing now: polling goes on with the same updates later."""


class ReceiptQueue(asyncio.Queue[object]):
    """A queue that takes each update once and knows which are not on disk yet.

    What ``admits`` does not let in is dropped, and what ``opened`` answers is taken in place of an
    update. With *at_once* ``put`` returns only when all is on disk, as a webhook needs it; else
    whoever asks for the next updates calls ``secure`` first.
    """

    def __init__(self, receipts: Inbox, *, at_once: bool = False) -> None:
        super().__init__()
        self.receipts = receipts
        receipts.when_settled(self.settled)
        self._at_once = at_once
        self.admits: Callable[[Update], Awaitable[bool]] = _everything
        self.opened: Callable[[Update], Update] = lambda update: update
        self._taken: LRUCache[str, None] = LRUCache(REMEMBERED)
        self._done_before: set[str] = set()
        self._unsettled: set[str] = set()
        self._unwritten: dict[str, Update] = {}
        self._all_safe = asyncio.Event()
        self._all_safe.set()

    async def put(self, item: object) -> None:
        """Take *item*, an update once only; the library's stop signal passes.

        Raises ``NotWritten`` where the update must be on disk now and cannot be.
        """
        if not isinstance(item, Update):
            await super().put(item)
            return
        item = self.opened(item)
        key = str(item.update_id)
        if key not in self._taken:
            if not await self.admits(item):
                # Neither written down nor queued: nothing of it is left for the next start.
                return
            self._take(key)
            self._unwritten[key] = item
            self._all_safe.clear()
            await super().put(item)
        elif key in self._done_before:
            # Done by the process before us, which may have been killed before it answered.
            self._done_before.discard(key)
            await super().put(item)
        if self._at_once:
            await self.secure()

    def _take(self, key: str) -> None:
        self._taken[key] = None
        self._unsettled.add(key)

    def settled(self, key: str) -> None:
        """What the update asked for is done, and that is on disk."""
        self._unsettled.discard(key)
        self._safe(key)

    def is_settled(self, key: str) -> bool:
        """Whether nothing is left to be noted of the update."""
        return key not in self._unsettled

    def _safe(self, key: str) -> None:
        self._unwritten.pop(key, None)
        if not self._unwritten:
            self._all_safe.set()

    async def secure(self, grace: float = GRACE) -> None:
        """Return when every update taken so far is on disk, settled or written down.

        Waits at most *grace* seconds for those that are being handled to settle themselves.
        Raises ``NotWritten``, which the library takes for an outage, where the database stays
        shut: Telegram goes on remembering them.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await self._all_safe.wait()
        for wait in (*PATIENCE, None):
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
        """Write every update that is not on disk as one to be handled, all in one transaction."""
        if not self._unwritten:
            return
        for key in await self.receipts.write_down(self._payloads):
            self._safe(key)

    def _payloads(self) -> dict[str, str]:
        # Whatever was settled while a turn was waited for is not there any more.
        return {key: update.to_json() for key, update in self._unwritten.items()}

    async def take_up(self, bot: Bot) -> int:
        """Queue again whatever was written down and never settled; answers how many."""
        pending = await self.receipts.pending()
        known = await self.receipts.latest(REMEMBERED)
        for key in reversed(known):
            self._taken[key] = None
        self._done_before = set(known[:UNCONFIRMED]) - set(pending)
        for key, payload in pending.items():
            self._take(key)
            await super().put(_restored(key, payload, bot))
        return len(pending)


async def _everything(_update: Update) -> bool:
    return True


def _restored(key: str, payload: str, bot: Bot) -> Update:
    try:
        return Update.de_json(json.loads(payload or "{}"), bot)
    except Exception:
        return Update(int(key), api_kwargs={UNREADABLE: payload})


def check_readable(update: Update) -> None:
    """Raise ``UnreadableUpdate`` for an update that could not be read when it came."""
    if UNREADABLE in update.api_kwargs:
        raise UnreadableUpdate(f"update {update.update_id}")


class PollingRequest(Wire):
    """Fetches updates and reads them, each once: ``opened`` answers it for the library's.

    One that cannot be read does not keep the others from being read, as it would the library,
    which would fetch the same hundred again for ever. It becomes an update of nothing but itself,
    to be set aside. Of the others the library gets no more than their numbers, since it would
    read them once more. A token refused in the middle of a run would end polling without a word;
    it is tried again like an outage. *secure* is awaited before every request, *heard* is told
    the status of every answer.
    """

    def __init__(
        self,
        secure: Callable[[], Awaitable[None]],
        heard: Callable[[int], None],
    ) -> None:
        super().__init__(1)
        self._secure = secure
        self._heard = heard
        self._read: dict[int, Update] = {}
        self.bot: Bot | None = None
        """Whose methods the updates have."""

    async def do_request(self, *args: Any, **options: Any) -> tuple[int, bytes]:
        """The status and the body of a request, as the library asks for them."""
        await self._secure()
        await asyncio.sleep(BEHIND)
        status, body = await super().do_request(*args, **options)
        self._heard(status)
        refused = status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)
        if status == HTTPStatus.OK:
            body = self._numbers(body)
        return (int(HTTPStatus.BAD_GATEWAY) if refused else status), body

    def _numbers(self, body: bytes) -> bytes:
        """The answer as the library wants it, for each update its number."""
        answer = self.parse_json_payload(body)
        found = answer.get("result")
        if not isinstance(found, list):
            return body
        known = [one for one in found if _is_numbered(one)]
        if len(known) < len(found):
            log.error("%d updates without a number are left out", len(found) - len(known))
        self._read.clear()
        return json.dumps({**answer, "result": [self._numbered(one) for one in known]}).encode()

    def opened(self, update: Update) -> Update:
        """What was read of the *update* that the library knows by its number."""
        return self._read.pop(update.update_id, update)

    def _numbered(self, update: dict[str, Any]) -> dict[str, Any]:
        number: int = update["update_id"]
        query = update.get("callback_query")
        if isinstance(query, dict):
            lightened(query.get("message"), "photo")
        try:
            self._read[number] = Update.de_json(update, self.bot)
        except Exception:
            return {"update_id": number, UNREADABLE: json.dumps(update)}
        return {"update_id": number}


def _is_numbered(update: Any) -> bool:
    """Whether *update* can be confirmed: without its number it would be fetched for ever."""
    return isinstance(update, dict) and isinstance(update.get("update_id"), int)
