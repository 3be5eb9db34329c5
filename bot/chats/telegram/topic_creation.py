"""Topics of groups that are forums: made for tables, where the bot manages topics."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from cachetools import TTLCache
from telegram import Bot, ChatMemberAdministrator
from telegram.error import TelegramError

from bot.chats.telegram.depths import SUPERGROUP
from bot.chats.telegram.errors import translating
from bot.port import Where

log = logging.getLogger(__name__)

LONGEST_TOPIC = 128
"""How many characters the name of a topic has at most (Bot API, createForumTopic)."""

REMEMBERED = 60.0
"""Seconds for which it holds whether topics may be made in a group."""


@dataclass
class Topics:
    """Makes topics by *bot*."""

    bot: Bot
    _may: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(1024, REMEMBERED))

    async def may_make(self, where: Where) -> bool:
        """Whether the group *where* has topics that the bot manages; no, if Telegram is silent."""
        if not where.place.startswith(SUPERGROUP):
            return False
        known = self._may.get(where.place)
        if known is None:
            try:
                known = await self._ask(int(where.place))
            except TelegramError as wrong:
                log.info("a group does not tell of its topics: %s", type(wrong).__name__)
                return False
            self._may[where.place] = known
        return known

    async def _ask(self, place: int) -> bool:
        if not (await self.bot.get_chat(place)).is_forum:
            return False
        me = await self.bot.get_chat_member(place, self.bot.id)
        return isinstance(me, ChatMemberAdministrator) and bool(me.can_manage_topics)

    async def make(self, where: Where, name: str) -> Where:
        """A new topic called *name*; raises ``PlaceShut`` or ``ChatError``."""
        self._may.pop(where.place, None)
        with translating():
            made = await self.bot.create_forum_topic(int(where.place), name[:LONGEST_TOPIC])
        return Where(where.platform, where.place, str(made.message_thread_id))

    async def remove(self, where: Where) -> None:
        """Remove a topic in which nothing came to stand; raises ``ChatError``."""
        if where.thread is not None:
            with translating():
                await self.bot.delete_forum_topic(int(where.place), int(where.thread))
