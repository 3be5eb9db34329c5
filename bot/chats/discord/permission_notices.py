"""Tells people why a board or a call does not come, once an hour each."""

from __future__ import annotations

from dataclasses import dataclass

from cachetools import TTLCache

from bot.chats.discord.answers import Answers
from bot.chats.discord.bot_permissions import Access, Circumstances
from bot.chats.discord.reading import MARGIN, NEEDED, TOKEN_LIFE
from bot.chats.discord.refusals import REFUSALS, Family
from bot.chats.discord.reply import Reply
from bot.facade import remembering
from bot.port import Where
from games.core import Phrase, phrase

TOLD = 3600.0
"""Seconds for which somebody who was told something is not told it again."""

HISTORY = frozenset({"read_message_history"})


@dataclass
class PermissionNotices:
    """What stands in the way of boards and calls, told to whoever acts in a place."""

    access: Access
    answers: Answers
    _acting: TTLCache[str, Reply] = remembering(1024, (TOKEN_LIFE - MARGIN).total_seconds())
    """The newest interaction of each place, by whose token something can be said there."""
    _pressing: TTLCache[str, Reply] = remembering(1024, (TOKEN_LIFE - MARGIN).total_seconds())
    """The newest press of each message."""
    _told: TTLCache[tuple[str, int, str], bool] = remembering(4096, TOLD)

    async def arises(self, where: Where, why: Family) -> None:
        """A request of ours was refused in *where*: tell whoever acted there last."""
        self.access.refuse(where.place, why)
        await self.change(where)

    async def change(self, where: Where) -> None:
        """Something changed in *where*: tell whoever acted there last what stands in the way."""
        reply = self._acting.get(where.place)
        if reply is not None:
            await self._tell(reply, where)

    async def look(self, reply: Reply, where: Where) -> None:
        """Tell the asker of *reply*, which is answered, what stands in the way in *where*."""
        if reply.interaction.message is not None:
            self._pressing[str(reply.interaction.message.id)] = reply
        if where.private:
            return
        self._acting[where.place] = reply
        await self._tell(reply, where)

    async def _tell(self, reply: Reply, where: Where) -> None:
        known = self.access.at(where.place)
        why = self.access.refused(where.place)
        said = _barrier(known, reply) or (REFUSALS[why].said if why else None)
        if said is not None:
            await self._tell_once(reply, where, said)

    async def delay(self, where: Where, message: str) -> None:
        """Discord wants us to wait for long with *message*: tell whoever pressed there last."""
        reply = self._pressing.get(message)
        if reply is not None:
            await self._tell_once(reply, where, REFUSALS[Family.BUSY].said)

    async def _tell_once(self, reply: Reply, where: Where, said: Phrase) -> None:
        key = (where.place, reply.interaction.user.id, repr(said))
        if key not in self._told:
            self._told[key] = True
            await self.answers.tell(reply, said)


def _barrier(known: Circumstances, reply: Reply) -> Phrase | None:
    """What stands in the way, as far as the circumstances tell."""
    if known.unseen:
        return phrase("discord.unseen")
    if known.visitor:
        return phrase("discord.visitor")
    if known.private_thread:
        me = reply.interaction.client.user
        return phrase("discord.outside-thread", bot="" if me is None else me.display_name)
    if known.lacks == HISTORY:
        return phrase("discord.no-history")
    if known.lacks:
        lacks = (name.replace("_", "-") for name in NEEDED if name in known.lacks)
        names = tuple(phrase(f"discord.permission.{name}") for name in lacks)
        return phrase("discord.lacking", permissions=names)
    return REFUSALS[Family.LOCKED].said if known.locked else None
