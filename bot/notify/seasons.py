"""Posts the podium at the end of a season: once, in the place's channel, and calling nobody.

The process that shows boards there does it. What is posted is noted before, as begun, and after it.
Killed in between it is posted again, for there is no other day on which it could be: Discord knows
the repeated one by its nonce. Telegram does not; there, and where Discord has forgotten the nonce,
it may stand twice, and the second one says why.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from dataclasses import dataclass
from typing import Final

from bot.port import ChatError, Later, Target, Where, capabilities_of
from bot.presenters.podium import PodiumCard
from bot.service.cluster import Ownership
from bot.service.people import People
from bot.service.season_podiums import DueSeason, Seasons
from bot.session.preferences import Look, look
from render.standing import podium_picture
from storage.errors import StorageError
from storage.store import low_priority

log = logging.getLogger(__name__)

FIRST: Final = 20.0
"""The seconds from the start until it is looked what ended while we were down."""

LONGEST: Final = 600.0
"""The most seconds between two looks: a place may have got seasons, or another process's work."""

AGAIN: Final = 60.0
"""Seconds until a podium is tried again that a platform did not take."""


@dataclass(frozen=True, kw_only=True)
class PodiumPoster:
    """Posts what is due, for as long as ``keep`` runs."""

    seasons: Seasons
    people: People
    ownership: Ownership
    key: bytes

    async def keep(self) -> None:
        """Look for podiums that are due, for ever."""
        await asyncio.sleep(FIRST)
        while True:
            pause = LONGEST
            try:
                with low_priority():
                    if not await self.look():
                        pause = AGAIN
            except StorageError as wrong:
                log.warning("no podium was looked for: %s", wrong)
            except Exception:
                log.exception("the podium of a season failed")
            await asyncio.sleep(min(pause, self.seasons.next_end() + 1))

    async def look(self) -> bool:
        """Post what is due; False where a platform did not take something."""
        well = True
        for due in await self.seasons.due():
            where = Where(due.home.platform, due.rules.podium or due.home.place)
            if where.platform in self.ownership.chats and await self.ownership.keeps_at(where):
                well &= await self._posted(due, where)
        return well

    async def _posted(self, due: DueSeason, where: Where) -> bool:
        """Whether a season needs no posting any more: nobody played, or its card stands."""
        home, season = due.home, due.season
        steps = await self.seasons.podiums(home, season)
        if steps:
            language = await self.people.language_in(where)
            card = PodiumCard(language, self.key, season, steps, due.begun)
            chats = self.ownership.chats
            usual = capabilities_of(chats, where.platform).theme or Look.theme
            theme = look(usual, due.rules).theme
            picture = await asyncio.to_thread(podium_picture, card.picture(), theme)
            name = f"{home.platform} {home.place} {season.key}"
            nonce = hashlib.blake2s(name.encode(), digest_size=10).hexdigest()
            target = Target(where, None, nonce=nonce)
            await self.seasons.note_begun(home, season)
            try:
                await chats[where.platform].show(target, card.screen(), picture)
            except Later:
                if not due.begun:
                    await self.seasons.note_refused(home)
                return False
            except ChatError as wrong:
                # The place has shut us out, or its channel is gone: a later season may do better.
                log.info("the podium of a season was not taken: %s", wrong)
        await self.seasons.note(home, season)
        return True
