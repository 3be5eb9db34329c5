"""Pictures for messages in chats where the bot is no member: guests' answers and inline messages.

Such a message is edited by an id of its own and takes no upload. Telegram fetches the picture at
an address of our page, or knows it by an id: of a copy in a chat that the operator names.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from telegram import Bot, InputFile, Message

from bot.chats.telegram.errors import translating
from bot.port import ChatError, Later, Where

log = logging.getLogger(__name__)


@dataclass
class LonePictures:
    """Finds what stands for a picture where nothing is uploaded."""

    bot: Bot
    remember: Callable[[bytes, Message], None]
    """Notes the id of a picture that was sent."""
    address: Callable[[Where, bytes], str] = lambda where, picture: ""  # noqa: ARG005
    """Where everybody finds the picture that a place shows; "" for nowhere."""
    store: int | None = None
    """The chat that keeps the copies, if there is one."""

    async def ways(self, where: Where, picture: bytes) -> AsyncIterator[str]:
        """What Telegram may know *picture* by, the next if it does not; raises ``Later``."""
        if address := self.address(where, picture):
            yield address
        if self.store is None:
            return
        try:
            with translating():
                copy = InputFile(picture, filename="board.png")
                sent = await self.bot.send_photo(self.store, copy, disable_notification=True)
            self.remember(picture, sent)
            yield sent.photo[-1].file_id
        except Later:
            raise
        except ChatError as wrong:
            log.warning("TELEGRAM_STORE_CHAT takes no picture: %s", wrong)
