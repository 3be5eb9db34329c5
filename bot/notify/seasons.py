"""Owes the podium at the end of a season, and the week of a club: once, and calling nobody.

The process that shows boards there does it, and notes that in the same transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from bot.boards.delivery import Delivery
from bot.boards.tournament_views import TournamentViews
from bot.boards.views_besides_boards import ViewContent, ViewKind, home_of, of_home
from bot.port import Button, Where, capabilities_of
from bot.presenters.club.club_week import ComingTournament, WeekCard, finest_move
from bot.presenters.club.season_podium import PodiumCard
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from bot.service.club.season_podiums import DueSeason, Seasons
from bot.service.person.people import People
from bot.service.place.places import Places
from bot.service.table.tables import Tables
from bot.session.preferences import Look, look, zone_of
from render.club.podium import podium_picture
from render.club.week import Week, week_picture
from render.kit import paint
from render.result_card import board_alone
from render.scene import Scene
from storage.records import ViewRow
from storage.store import low_priority
from storage.table import views as stored

PODIUM: Final = "podium"
"""The kind of the views that show podiums and weeks; their subjects are the keys of both."""

LOOKED_AT: Final = 30
"""In how many games of a week, the last ones, the finest move is looked for."""


@dataclass(frozen=True, kw_only=True)
class PodiumPoster(ViewKind):
    """Owes what is due, for as long as ``keep`` runs."""

    seasons: Seasons
    places: Places
    people: People
    tables: Tables
    tournament_views: TournamentViews
    delivery: Delivery
    key: bytes

    def __post_init__(self) -> None:
        self.delivery.renderer.kinds[PODIUM] = self

    async def look(self) -> None:
        """Owe what is due."""
        with low_priority():
            for due in await self.seasons.due():
                channel = due.rules.day_place if due.is_week else due.rules.podium
                where = Where(due.home.platform, channel or due.home.place)
                own = self.delivery.ownership
                if where.platform in own.chats and await own.keeps_at(where):
                    await self._owe(due, where)

    async def _owe(self, due: DueSeason, where: Where) -> None:
        owed: tuple[ViewRow, ...] = ()
        if due.is_week:
            # Of the week that was over when it was switched on nothing is told.
            began = await self.seasons.load_owed(due.home, due.rule) is not None
            happened = began and bool((await self.seasons.load_week(due)).tables)
        else:
            happened = any((await self.seasons.league(due.home, due.season)).podiums)
        language = await self.people.language_in(where)
        subject = of_home(due.key, due.home, where)
        view = ViewRow(0, subject, where.platform, where.place, language, 1, kind=PODIUM)
        async with self.seasons.store.transaction() as tx:
            await self.seasons.note(tx, due)
            if happened:
                owed = (await stored.put_view(tx, view, self.seasons.clock.now()),)
        self.delivery.show_owed(owed)

    async def content(self, view: ViewRow, *, masked: bool) -> ViewContent | None:
        """The podium or the week, as long as the next one is not over."""
        key, home = home_of(view)
        rules = await self.places.rules(home)
        due = next((one for one in self.seasons.over(home, rules) if one.key == key), None)
        if due is None:
            return None
        chats = self.delivery.ownership.chats
        shown = look(capabilities_of(chats, view.platform).theme or Look.theme, rules)
        if due.is_week:
            return await self._week(due, view, shown, masked=masked)
        league = await self.seasons.league(home, due.season)
        if not any(league.podiums):
            return None
        card = PodiumCard(view.language, self.key, league)
        screen = (card.nameless() if masked else card).screen()
        return ViewContent(screen, paint=_later(podium_picture, card.picture(), shown.theme))

    async def _week(
        self, due: DueSeason, view: ViewRow, shown: Look, *, masked: bool
    ) -> ViewContent:
        week, viewer = await self.seasons.load_week(due), Viewer(language=view.language, look=shown)
        found = [await self.tables.find(code) for code in week.tables[:LOOKED_AT]]
        composers = [Composer(one, viewer, self.key) for one in found if one is not None]
        finest = await asyncio.to_thread(finest_move, composers)
        card = WeekCard(view.language, self.key, week, finest, await self._coming(due, view))
        scene = None if finest is None else finest.scene
        screen = card.screen(nameless=masked)
        return ViewContent(screen, paint=_later(_paint_week, card.picture(), scene, shown.theme))

    async def _coming(self, due: DueSeason, view: ViewRow) -> ComingTournament | None:
        views, places = self.tournament_views, (due.home.place, view.place)
        living = await views.tournaments.list_tournaments(due.home, places, 0)
        for one in (one for one in reversed(living) if not one.running):
            begins, screens = views.until(one), await views.screens(one, view.language)
            key = Button(screens.short_title(), screens.path())
            at = begins and begins.astimezone(zone_of(due.rules.day_zone))
            return ComingTournament(one.rules.game, key, len(one.entrants), at)
        return None


def _later(paint_: Callable[..., bytes], *args: Any) -> Callable[[], Coroutine[Any, Any, bytes]]:
    return partial(asyncio.to_thread, paint_, *args)


def _paint_week(week: Week, scene: Scene | None, theme: str) -> bytes:
    board = None if scene is None else board_alone(scene.game, paint(scene))
    return week_picture(week, board, theme)
