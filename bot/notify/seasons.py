"""Posts the podium at the end of a season: once, in the place's channel, and calling nobody.

The process that shows boards there does it. What was posted is noted afterwards; a repeated posting
after a kill is recognized by its nonce, as that of a board is.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from dataclasses import dataclass
from typing import Final

from bot.port import ChatError, Later, Target, Where, capabilities_of
from bot.presenters.podium import PodiumCard
from bot.service.clock import Clock
from bot.service.cluster import Ownership
from bot.service.people import People
from bot.service.seasons import Seasons
from bot.session.preferences import Look, PlaceRules, look
from bot.standing.seasons import Season, next_month
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

    clock: Clock
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
            now = self.clock.now()
            left = (next_month(now) - now).total_seconds() + 1
            await asyncio.sleep(min(pause, left))

    async def look(self) -> bool:
        """Post what is due; False where a platform did not take something."""
        well = True
        for home, rules, season in await self.seasons.due():
            where = Where(home.platform, rules.podium or home.place)
            if home.platform in self.ownership.chats and await self.ownership.keeps_at(where):
                well &= await self._posted(home, where, rules, season)
        return well

    async def _posted(self, home: Where, where: Where, rules: PlaceRules, season: Season) -> bool:
        """Whether *season* needs no posting any more: nobody played, or its card stands."""
        steps = await self.seasons.podiums(home, season)
        if steps:
            card = PodiumCard(await self.people.language_in(where), self.key, season, steps)
            chats = self.ownership.chats
            usual = capabilities_of(chats, where.platform).theme or Look.theme
            theme = look(usual, rules).theme
            picture = await asyncio.to_thread(podium_picture, card.picture(), theme)
            name = f"{home.platform} {home.place} {season.key}"
            nonce = hashlib.blake2s(name.encode(), digest_size=10).hexdigest()
            target = Target(where, None, nonce=nonce)
            try:
                await chats[where.platform].show(target, card.screen(), picture)
            except Later:
                return False
            except ChatError as wrong:
                # The place has shut us out, or its channel is gone: a later season may do better.
                log.info("the podium of a season was not taken: %s", wrong)
        await self.seasons.note(home, season)
        return True
