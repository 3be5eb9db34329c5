"""Topics, made for tables: of groups, where the bot manages them, and of people's private chats.

A private board stands in the topic of its table, and everything else in the chat itself.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field, replace

from cachetools import TTLCache
from pydantic import TypeAdapter
from telegram import Bot, ChatMemberAdministrator
from telegram.error import TelegramError

from bot.chats.telegram.depths import SUPERGROUP
from bot.chats.telegram.errors import translating
from bot.facade import ChatNotes, log_unstored, remembering
from bot.port import ChatError, Screen, Where

log = logging.getLogger(__name__)

NOTE, MOST = "telegram-topics", 1000
"""The note under which topics of private chats are stored, and how many: the latest."""

LONGEST_TOPIC = 128
"""How many characters the name of a topic has at most (Bot API, createForumTopic)."""

REMEMBERED = 60.0
"""Seconds for which it holds whether topics may be made in a group."""


@dataclass
class Topics:
    """Makes topics by *bot*."""

    bot: Bot
    notes: ChatNotes
    _made: dict[tuple[str, str], str] = field(default_factory=dict)
    """The topics in private chats, by those and by tables."""
    _without: TTLCache[str, None] = remembering(1024, REMEMBERED)
    """The private chats that took no topic."""
    _may: TTLCache[str, bool] = remembering(1024, REMEMBERED)

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

    async def of_table(self, where: Where, screen: Screen) -> Where:
        """The topic of the table of *screen* in the private chat *where*, which is made once.

        *where* itself if it is none, or takes no topics.
        """
        key = (where.place, screen.table)
        if not (where.private and self.bot.bot.has_topics_enabled) or where.place in self._without:
            return where
        if key not in self._made:
            try:
                made = await self.make(where, f"{screen.title} · {screen.table}")
            except ChatError as wrong:
                log.info("a private chat takes no topic: %s", wrong)
                self._without[where.place] = None
                return where
            self._made[key] = str(made.thread)
            await self._store()
        return replace(where, thread=self._made[key])

    async def forget(self, external: str) -> None:
        """Forget the topics of the person with the id *external*."""
        self._made = {key: one for key, one in self._made.items() if key[0] != external}
        await self._store()

    async def _store(self) -> None:
        for oldest in list(self._made)[:-MOST]:
            del self._made[oldest]
        with log_unstored():
            await self.notes.put(NOTE, json.dumps([(*key, one) for key, one in self._made.items()]))

    async def take_up(self) -> None:
        """Take up what the last run noted; raises ``StorageError``."""
        noted = await self.notes.read(NOTE, _read) or ()
        self._made |= {(place, table): topic for place, table, topic in noted}

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
        return replace(where, thread=str(made.message_thread_id))

    async def remove(self, where: Where) -> None:
        """Remove a topic in which nothing came to stand; raises ``ChatError``."""
        if where.thread is not None:
            with translating():
                await self.bot.delete_forum_topic(int(where.place), int(where.thread))


_read = TypeAdapter(list[tuple[str, str, str]]).validate_json
"""Private chats, tables and topics; raises ``ValueError`` for anything else."""
