"""The one answer to a press, for which a client turns its spinner."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic

from telegram import CallbackQuery
from telegram.error import BadRequest, TelegramError

from bot.chats.telegram.wire import BEHIND
from bot.chats.telegram.writing import toast

log = logging.getLogger(__name__)

WATCHDOG = 1.2
"""After how many seconds a press is answered blank where nothing is known yet."""

PAUSES = (0.3, 1.0)
"""After how many seconds an answer that did not get through is given again."""


class Toast:
    """The one answer to a press: the first that is given, or a blank one in good time.

    *blank* is told where nothing was known of the press when its time was over.
    """

    def __init__(self, query: CallbackQuery, blank: Callable[[], None]) -> None:
        self._query, self._blank = query, blank
        self._given: asyncio.Task[bool] | None = None
        self._watchdog = asyncio.create_task(self._watch())

    def leave(self) -> None:
        """Let the press be answered at another time."""
        self._watchdog.cancel()

    async def _watch(self) -> None:
        began = monotonic()
        await asyncio.sleep(WATCHDOG)
        # Where the loop comes late to this it comes late to the words as well: as much again.
        await asyncio.sleep(min(WATCHDOG, monotonic() - began - WATCHDOG))
        if self.say():
            self._blank()

    def say(self, text: str = "", *, alert: bool = False, url: str | None = None) -> bool:
        """Answer the press, without waiting for Telegram; False where it was answered before."""
        if self._given is not None:
            return False
        if asyncio.current_task() is not self._watchdog:
            self._watchdog.cancel()
        self._given = asyncio.create_task(self._told(toast(text), alert=alert, url=url))
        return True

    async def heard(self) -> bool:
        """Wait until Telegram has the answer; whether the presser may have heard it."""
        return self._given is not None and await self._given

    async def _told(self, text: str, *, alert: bool, url: str | None) -> bool:
        await asyncio.sleep(BEHIND)
        for pause in (*PAUSES, None):
            try:
                await self._query.answer(text or None, show_alert=alert or None, url=url)
                return True
            except BadRequest as wrong:
                log.debug("a press cannot be answered any more: %s", wrong.message)
                return False
            except TelegramError as wrong:
                if pause is None:
                    log.info("a press could not be answered: %s", type(wrong).__name__)
                else:
                    await asyncio.sleep(pause)
        return False
