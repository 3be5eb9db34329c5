"""Owes the podium at the end of a season: once, in the place's channel, and calling nobody.

The process that shows boards there does it, and notes that in the same transaction.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.boards.delivery import Delivery
from bot.boards.views_besides_boards import ViewContent, ViewKind, home_of, of_home
from bot.port import Where, capabilities_of
from bot.presenters.club.season_podium import PodiumCard
from bot.service.club.season_podiums import DueSeason, Seasons
from bot.service.person.people import People
from bot.service.place.places import Places
from bot.session.preferences import Look, look
from render.club.podium import Podium, podium_picture
from storage.errors import StorageError
from storage.records import ViewRow
from storage.store import low_priority
from storage.table import views as stored

log = logging.getLogger(__name__)

PODIUM: Final = "podium"
"""The kind of the views that show podiums; their subjects are the keys of seasons."""

FIRST: Final = 20.0
"""The seconds from the start until it is looked what ended while we were down."""

LONGEST_WAIT: Final = 600.0
"""The most seconds between two looks: a place may have got seasons, or another process's work."""


@dataclass(frozen=True, kw_only=True)
class PodiumPoster(ViewKind):
    """Owes what is due, for as long as ``keep`` runs."""

    seasons: Seasons
    places: Places
    people: People
    delivery: Delivery
    key: bytes

    def __post_init__(self) -> None:
        self.delivery.renderer.kinds[PODIUM] = self

    async def keep(self) -> None:
        """Look for podiums that are due, for ever."""
        await asyncio.sleep(FIRST)
        while True:
            try:
                with low_priority():
                    await self.look()
            except StorageError as wrong:
                log.warning("no podium was looked for: %s", wrong)
            except Exception:
                log.exception("the podium of a season failed")
            await asyncio.sleep(min(LONGEST_WAIT, self.seasons.next_end() + 1))

    async def look(self) -> None:
        """Owe what is due."""
        for due in await self.seasons.due():
            where = Where(due.home.platform, due.rules.podium or due.home.place)
            own = self.delivery.ownership
            if where.platform in own.chats and await own.keeps_at(where):
                await self._owe(due, where)

    async def _owe(self, due: DueSeason, where: Where) -> None:
        owed: tuple[ViewRow, ...] = ()
        league = await self.seasons.league(due.home, due.season)
        language = await self.people.language_in(where)
        subject = of_home(due.season.key, due.home, where)
        view = ViewRow(0, subject, where.platform, where.place, language, 1, kind=PODIUM)
        async with self.seasons.store.transaction() as tx:
            await self.seasons.note(tx, due.home, due.season)
            if any(league.podiums):
                owed = (await stored.put_view(tx, view, self.seasons.clock.now()),)
        self.delivery.show_owed(owed)

    async def content(self, view: ViewRow, *, masked: bool) -> ViewContent | None:
        """The podium, as long as the next season is not over."""
        key, home = home_of(view)
        rules = await self.places.rules(home)
        season = self.seasons.last(rules)
        if season is None or season.key != key:
            return None
        league = await self.seasons.league(home, season)
        if not any(league.podiums):
            return None
        card = PodiumCard(view.language, self.key, league)
        chats = self.delivery.ownership.chats
        theme = look(capabilities_of(chats, view.platform).theme or Look.theme, rules).theme
        return ViewContent(
            (card.nameless() if masked else card).screen(),
            paint=partial(_paint, card.picture(), theme),
        )


async def _paint(podium: Podium, theme: str) -> bytes:
    return await asyncio.to_thread(podium_picture, podium, theme)
