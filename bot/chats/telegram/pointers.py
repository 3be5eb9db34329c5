"""The one message of a group that says who is answered in private, and leads there."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from cachetools import TTLCache

from bot.chats.telegram.fleeting import Fleeting
from bot.chats.telegram.paced_messages import MOMENT, PacedPosting
from bot.facade import Rank, remembering
from bot.port import Asker, Where
from games.core import phrase

STANDS, NAMED = 150.0, 16
"""Seconds for which a pointer stands, for whatever those ask whom it names; and how many besides
whoever asks it names at most: those who have asked last."""


TOLD = "👀"
"""The reaction to a command that is answered in private, or later."""


@dataclass
class Pointers:
    """Leads people from groups to their private chats.

    A group has one pointer: who asks next is named in a new one, which says once more who was
    named in that before. Whoever is named where all still see it costs the group nothing, if a
    reaction says that this was for what they ask now, too.
    """

    posting: PacedPosting
    fleeting: Fleeting
    _leads: TTLCache[Where, dict[str, tuple[str, str]]] = remembering(4096, STANDS)
    """The names of people in a place and to what they are led, by their ids."""
    _standing: TTLCache[Where, tuple[str, dict[tuple[str, str], None]]] = remembering(4096, STANDS)
    """The pointer of a place, and whom it leads where."""
    _locks: WeakValueDictionary[Where, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """Held while a pointer waits for its turn: who asks meanwhile is in the next one."""

    async def lead(self, where: Where, asker: Asker, payload: str, message: str | None) -> bool:
        """Lead *asker* from *message* to *payload*; whether a pointer says so.

        Without a payload they have read the answer long before one that comes late.
        """
        lead, outbound = (asker.name, payload), self.posting.outbound
        noticed = message is None or await outbound.react(where, message, TOLD)
        # It is kept for as long as somebody asks within the time of a pointer, or waits.
        asking = self._leads[where] = self._leads.get(where, {})
        asking.pop(asker.external, None)
        asking[asker.external] = lead
        stood = self._standing.get(self.posting.now_at(where))
        async with self._locks.setdefault(where, asyncio.Lock()):
            here = self.posting.now_at(where)
            if asking[asker.external] != lead:
                return True  # They have asked again since, and that leads them.
            stands = self._standing.get(here)
            before, named = stands or ("", {})
            seen = lead in named and (noticed or stands != stood)
            if seen and not outbound.is_buried(here, before):
                return True
            leads = dict.fromkeys((lead, *[*asking.values()][-NAMED:]))
            # All read it: it is in their language, and says to whom it speaks.
            tongue = await self.posting.tongue(asker, where, shared=True)
            names = ", ".join(name for name, _ in leads)
            shown = await self.posting.tell(
                *(where, tongue.say(phrase("telegram.answered-in-private", names=names))),
                reply_to=message,
                markup=outbound.private_links(tongue, *leads),
                asker=asker,
                rank=self.posting.rank_soon(where, Rank.LOOKS),
                patience=math.inf if payload else MOMENT,
                stays=STANDS,
            )
            if shown is not None:
                if before:
                    self.fleeting.remove(here, before)
                self._standing[self.posting.now_at(where)] = (shown, leads)
        return shown is not None
