"""Messages that go away: refusals, and cards whose buttons are one person's alone.

Each is noted on disk while it stands, so that neither a stop nor a kill leaves it behind: the next
start removes what the last run did not.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
from dataclasses import dataclass, field

from bot.chats.telegram.posting import Posting
from bot.chats.telegram.reading import PLATFORM
from bot.facade import StorageError
from bot.port import Answer, Asker, ChatError, Promised, Where

log = logging.getLogger(__name__)

SHORT_LIVED = 20.0
"""After how many seconds a short word in a group is removed again."""

CARD = 60.0
"""After how many seconds a card that was not used is removed again."""

WAITING = 5.0
"""After how many seconds whoever was promised something reads that it is still to come."""

PROMISED = 300.0
"""After how many seconds he has waited long enough to have it, or to have heard that he has not."""

TRIES = 3
"""How often a removal that Telegram does not take is tried."""

MOST = 500
"""How many such messages are noted at most; beyond it the oldest are forgotten."""

NOTE = "telegram-fleeting"
"""The note under which they are kept."""


@dataclass
class Fleeting:
    """What goes away, and whose it is."""

    posting: Posting
    _owners: dict[tuple[str, str], str] = field(default_factory=dict)
    """Who may use a message, by place and id; nobody in particular where it has no owner."""
    _calls: dict[tuple[str, str], asyncio.TimerHandle] = field(default_factory=dict)

    def owner(self, where: Where, message: str | None) -> str:
        """Whose buttons those of *message* are; nothing where they are everybody's."""
        return self._owners.get((where.place, message or ""), "")

    async def note(
        self, where: Where, message: str | None, seconds: float = SHORT_LIVED, owner: str = ""
    ) -> None:
        """Let *message*, if there is one, go away in *seconds*; its buttons are *owner*'s."""
        if message is None:
            return
        key = (where.place, message)
        self._owners.pop(key, None)
        self._owners[key] = owner
        for oldest in list(self._owners)[:-MOST]:
            del self._owners[oldest]
        await self._keep()
        if (before := self._calls.pop(key, None)) is not None:
            before.cancel()
        if not self.posting.closing.is_set():
            loop = asyncio.get_running_loop()
            self._calls[key] = loop.call_later(seconds, self.remove, where, message)

    async def announced(
        self, promised: Promised, where: Where, asker: Asker, reply_to: str | None = None
    ) -> Answer:
        """What was promised in the private chat *where*, and in words: they go when it is there."""
        told = await self.posting.tell(where, promised.said)
        await self.note(where, told, PROMISED)
        answer = await self.awaited(promised, where, asker, reply_to)
        if told is not None:
            self.remove(where, told)
        return answer

    async def awaited(
        self, promised: Promised, where: Where, asker: Asker, reply_to: str | None = None
    ) -> Answer:
        """What was promised; whoever waits longer reads in *where* how far it is, until he has it.

        Raises ``Unfinished`` where we stop before.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAITING):
                return await self.posting.known(promised)
        told = await self.posting.tell(
            where, promised.waiting(), reply_to=reply_to, asker=asker, patience=SHORT_LIVED
        )
        await self.note(where, told, PROMISED)
        answer = await self.posting.known(promised)
        if told is not None:
            self.remove(where, told)
        return answer

    def remove(self, where: Where, message: str) -> None:
        """Remove *message* as soon as no board waits in its place."""
        if (timer := self._calls.pop((where.place, message), None)) is not None:
            timer.cancel()
        self.posting.tasks.start(self._removed(where, message))

    async def _removed(self, where: Where, message: str) -> None:
        behind = self.posting.house.places.pacing.limiter_behind(where)
        outbound, key = self.posting.outbound, (where.place, message)

        async def gone() -> bool:
            await outbound.remove(where, message)
            return True

        for _ in range(TRIES):
            if await self.posting.in_turn(
                behind, gone, wanted=lambda: key in self._owners, patience=math.inf
            ):
                break
        if self.posting.closing.is_set():
            return
        if self._owners.pop(key, None) is not None:
            await self._keep()

    async def sweep(self) -> None:
        """Remove what the last run noted and did not remove."""
        try:
            noted = await self.posting.house.notes.get(NOTE)
        except StorageError as wrong:
            log.error("%s", wrong)
            return
        for place, message, owner in json.loads(noted or "[]"):
            self._owners.setdefault((place, message), owner)
            self.remove(Where(PLATFORM, place), message)

    async def _keep(self) -> None:
        kept = [(*key, owner) for key, owner in self._owners.items()]
        try:
            await self.posting.house.notes.put(NOTE, json.dumps(kept))
        except StorageError as wrong:
            log.error("%s", wrong)

    async def close(self) -> None:
        """Remove at once what the places take at once; the rest is the next start's."""
        for timer in self._calls.values():
            timer.cancel()
        self._calls.clear()
        for place, message in list(self._owners):
            where = Where(PLATFORM, place)
            if self.posting.house.places.pacing.limiter_behind(where).take():
                with contextlib.suppress(ChatError):
                    await self.posting.outbound.remove(where, message)
                    del self._owners[place, message]
        await self._keep()
