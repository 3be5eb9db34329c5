"""Who manages a group: asked of Telegram, and remembered for a while."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from cachetools import TTLCache
from telegram import Bot
from telegram.constants import ChatMemberStatus
from telegram.error import TelegramError

from bot.facade import remembering
from bot.port import Asker, PlaceStanding, Where

log = logging.getLogger(__name__)

REMEMBERED, LISTED = 60.0, 300.0
"""Seconds for which one member's standing, and the list of a group's administrators, hold."""

_MANAGERS = (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


@dataclass
class Standings:
    """What people are in groups.

    ``getChatMember`` works for others "only if the bot is an administrator" where members are
    hidden (Bot API); ``getChatAdministrators`` has no such condition.
    """

    bot: Bot
    _members: TTLCache[tuple[str, str], PlaceStanding] = remembering(4096, REMEMBERED)
    _managers: TTLCache[str, frozenset[str]] = remembering(1024, LISTED)

    async def of(self, where: Where, asker: Asker) -> PlaceStanding:
        """Whether *asker* manages the group *where*, ``unknown`` if Telegram does not tell."""
        key = (where.place, asker.external)
        if (known := self._members.get(key)) is not None:
            return known
        if (managers := self._managers.get(where.place)) is None:
            try:
                member = await self.bot.get_chat_member(int(where.place), int(asker.external))
            except TelegramError as wrong:
                log.info("a group does not tell who its members are: %s", type(wrong).__name__)
            else:
                found = self._members[key] = PlaceStanding(member.status in _MANAGERS)
                return found
            try:
                listed = await self.bot.get_chat_administrators(int(where.place))
            except TelegramError as wrong:
                log.info("nobody knows who manages a group: %s", type(wrong).__name__)
                return PlaceStanding(unknown=True)
            managers = self._managers[where.place] = frozenset(str(one.user.id) for one in listed)
        return PlaceStanding(asker.external in managers)

    def forget(self, external: str) -> None:
        """Drop what is known of the person with the id *external*."""
        for key in [key for key in self._members if key[1] == external]:
            self._members.pop(key, None)
