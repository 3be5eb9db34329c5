"""Updates are on disk before Telegram may forget them.

The library acknowledges updates before its handlers run; one that is killed in between would
be lost. So the queue into which it puts them writes each down first, and what was written down
and never settled is handled again after the next start.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from typing import Any

from telegram import Bot, Update
from telegram.error import TelegramError
from telegram.request import HTTPXRequest

from bot.chats.telegram.reading import PLATFORM
from storage import inbox
from storage.engine import Store
from storage.errors import StorageError
from storage.records import InboxRow

log = logging.getLogger(__name__)

PATIENCE = (0.1, 0.5, 1.0)
"""After how many seconds a receipt that could not be written is tried again."""

UNREADABLE = "unreadable"
"""Where an update keeps what the library could not read."""


class Unreadable(Exception):
    """An update that the library cannot read: Telegram changed, or somebody forged it."""


class NotWritten(TelegramError):
    """The database takes nothing now: polling goes on with the same updates later."""


class ReceiptQueue(asyncio.Queue[object]):
    """A queue that writes an update down before it takes it, and takes each only once.

    ``put`` raises ``NotWritten`` where the database stays shut, since any other exception
    ends the library's polling.
    """

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._store = store
        self._now = now

    async def put(self, item: object) -> None:
        """Take *item*; updates are written down first, the library's stop signal passes."""
        if isinstance(item, Update) and not await self._written(item):
            return
        await super().put(item)

    async def _written(self, update: Update) -> bool:
        """Whether *update* is new, and on disk now."""
        key, payload = str(update.update_id), update.to_json()
        for wait in (*PATIENCE, None):
            try:
                async with self._store.transaction() as tx:
                    return await inbox.receive(tx, PLATFORM, key, payload, self._now())
            except StorageError as wrong:
                if wait is None:
                    raise NotWritten(str(wrong)) from wrong
            except Exception as wrong:
                log.exception("update %s could not be written down", key)
                raise NotWritten(type(wrong).__name__) from wrong
            await asyncio.sleep(wait)
        return False

    async def take_up(self, bot: Bot) -> int:
        """Queue again whatever was written down and never settled; answers how many."""
        async with self._store.reading() as tx:
            rows = await inbox.pending(tx, PLATFORM)
        for row in rows:
            await super().put(_restored(row, bot))
        return len(rows)


def _restored(row: InboxRow, bot: Bot) -> Update:
    try:
        return Update.de_json(json.loads(row.payload or "{}"), bot)
    except Exception:
        return Update(int(row.update), api_kwargs={UNREADABLE: row.payload})


def check_readable(update: Update) -> None:
    """Raise ``Unreadable`` for an update that could not be read when it came."""
    if UNREADABLE in update.api_kwargs:
        raise Unreadable(f"update {update.update_id}")


class PollingRequest(HTTPXRequest):
    """Fetches updates; one that cannot be read does not keep the others from being read.

    The library would fetch the same hundred again for ever. Here the unreadable one becomes an
    update of nothing but itself, to be set aside. A token refused in the middle of a run would
    end polling without a word; it is tried again like an outage. *heard* is told the status of
    every answer.
    """

    def __init__(self, heard: Callable[[int], None], **options: Any) -> None:
        super().__init__(**options)
        self._heard = heard

    async def do_request(self, *args: Any, **options: Any) -> tuple[int, bytes]:
        """The status and the body of a request, as the library asks for them."""
        status, body = await super().do_request(*args, **options)
        self._heard(status)
        refused = status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)
        return (int(HTTPStatus.BAD_GATEWAY) if refused else status), body

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """The body as the library wants it, each update in it known to be readable."""
        answer: dict[str, Any] = HTTPXRequest.parse_json_payload(payload)
        found = answer.get("result")
        if isinstance(found, list):
            answer["result"] = [_readable(one) for one in found]
        return answer


def _readable(update: Any) -> Any:
    try:
        Update.de_json(dict(update), None)
    except Exception:
        return {"update_id": update["update_id"], UNREADABLE: json.dumps(update)}
    return update
