"""The messages that show tournaments."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from bot.boards.delivery import Delivery
from bot.boards.views_besides_boards import ViewContent, ViewKind
from bot.port import Asker, Screen, Where, capabilities_of
from bot.presenters.tournament.tournament import TournamentScreens
from bot.presenters.tournament.tournament_pictures import (
    ranking_of_tournament,
    tournament_bracket,
    tournament_podium,
)
from bot.service.clock import Clock
from bot.service.person.people import People, Presence
from bot.service.place.places import Places, new_view, view_place
from bot.service.tournament.tournaments import (
    TOURNAMENT_VIEW,
    Tournaments,
    UnknownTournament,
)
from bot.session.preferences import Look, NotificationChoice, look, quiet_for
from bot.session.table import CLOSED, ENDED, Table
from bot.tournament.agenda import next_step
from bot.tournament.fold import BrokenTournament
from bot.tournament.values import Phase, Tournament
from render.club.bracket import bracket_picture
from render.club.podium import podium_picture
from render.club.ranking import ranking_picture
from render.kit import paint
from render.kit.output import png
from storage.records import IdentityRow, ViewRow
from storage.store import Store
from storage.table import views as stored

log = logging.getLogger(__name__)


def _paint(screens: TournamentScreens, theme: str, own: int | None) -> bytes:
    if (poster := screens.poster(theme)) is not None:
        return png(paint(poster))
    if (podium := tournament_podium(screens)) is not None:
        return podium_picture(podium, theme)
    return _standings(screens, theme, own)


def _standings(screens: TournamentScreens, theme: str, own: int | None, first: int = 0) -> bytes:
    """The bracket, or the standings from the row *first* on; *own* is the reader's number."""
    if (bracket := tournament_bracket(screens, own)) is not None:
        return bracket_picture(bracket, theme)
    return ranking_picture(ranking_of_tournament(screens, own, first), theme)


@dataclass(kw_only=True)
class TournamentViews(ViewKind):
    """The messages that show tournaments: what changed is owed, as boards are."""

    store: Store
    clock: Clock
    background: Callable[[Coroutine[Any, Any, None]], None]
    """Does work beside everything else."""
    tournaments: Tournaments
    places: Places
    people: People
    presence: Presence
    delivery: Delivery
    key: bytes

    def listen(self) -> None:
        """Show every change from now on."""
        self.delivery.renderer.kinds[TOURNAMENT_VIEW] = self
        self.delivery.renderer.what_follows = self.what_follows
        self.tournaments.when_changed(lambda code: self.background(self._wake(code)))
        self.tournaments.retire = self.delivery.retire

    async def _wake(self, code: str) -> None:
        self.delivery.show_owed(await self.store.read(stored.views_showing, TOURNAMENT_VIEW, code))

    async def content(self, view: ViewRow, *, masked: bool) -> ViewContent | None:
        """The tournament as it stands now, its standings reckoned off the event loop."""
        try:
            tournament = await self.tournaments.get(view.subject)
        except (UnknownTournament, BrokenTournament) as wrong:
            log.error("a message of a tournament cannot be shown: %s", wrong)
            return None
        screens, me = await self.screens(tournament, view.language), view.person or 0
        shown = replace(screens, names={}, managers={}) if masked else screens
        # In a private chat it is a screen of its reader's own.
        own, manages = tournament.number_of(me), (me == tournament.host) if me else None
        screen = await asyncio.to_thread(
            shown.message, self.until(tournament), manages=manages, me=me
        )
        where, chats = view_place(view), self.delivery.ownership.chats
        usual = capabilities_of(chats, view.platform).theme or Look.theme
        theme = look(usual, await self.places.rules(where), None).theme
        if tournament.phase is Phase.ENDED and view.message is None and not masked:
            screen = await self._calling(screen, view, tournament)
        return ViewContent(screen, tournament.version, partial(self.picture, screens, theme, own))

    def note_look(self, code: str, person: int, where: Where) -> None:
        """Note that *person* looks at the tournament *code* in *where* just now."""
        self.presence.looks(code, person)
        self.presence.note(code, person, where)

    async def _calling(self, screen: Screen, view: ViewRow, tournament: Tournament) -> Screen:
        """*screen*, which tells the end: it calls those who have no view of their own."""
        views = await self.store.read(stored.views_showing, TOURNAMENT_VIEW, tournament.code)
        apart = {one.person for one in views}
        called: list[IdentityRow] = []
        for one in self.tournaments.unaware(tournament):
            chosen, mine = await self.people.personal(one.person), view.person == one.person
            calm = chosen.calls is NotificationChoice.NEVER or quiet_for(chosen, self.clock.now())
            if not calm and (mine or (view.person is None and one.person not in apart)):
                called += await self.people.identities(one.person)
        if not (await self.places.rules(view_place(view))).calls:
            called = []
        here = [one for one in called if one.platform == view.platform]
        names = await self.tournaments.load_names([one.person for one in here])
        people = [Asker(i.platform, i.external, names.get(i.person, "")) for i in here]
        return replace(screen, mentions=() if view.person else tuple(people), silent=not here)

    async def picture(
        self, screens: TournamentScreens, theme: str, own: int | None = None
    ) -> bytes:
        """The podium, before the end the standings, before anybody enters the game's poster.

        *own* is the reader's number.
        """
        return await asyncio.to_thread(_paint, screens, theme, own)

    async def standings(
        self, screens: TournamentScreens, theme: str, own: int | None, first: int
    ) -> bytes:
        """The bracket, or the standings from the row *first* on."""
        return await asyncio.to_thread(_standings, screens, theme, own, first)

    async def screens(self, tournament: Tournament, code: str) -> TournamentScreens:
        """The screens of *tournament* in the language *code*."""
        names = await self.tournaments.names(tournament)
        managers = await self.tournaments.load_names([act.by for act in tournament.acts])
        return TournamentScreens(code, self.key, tournament, names, managers, self.clock.now())

    async def what_follows(self, table: Table, code: str) -> str:
        """What comes after the game at *table* in its tournament, in the language *code*."""
        over = table.status in (ENDED, CLOSED)
        found = await self.tournaments.find(table.tournament) if over and table.tournament else None
        return "" if found is None else (await self.screens(found, code)).follows(table.code)

    def until(self, tournament: Tournament) -> datetime | None:
        """When *tournament* begins or goes on by itself, by the clock of the machine."""
        now = self.clock.steady()
        step = next_step(tournament, now, self.clock.now())
        idle = not tournament.running and tournament.rules.start_at is None
        if idle or step is None or step.at <= now:
            return None
        return self.clock.now() + (step.at - now)

    async def card(
        self, screens: TournamentScreens, me: int, theme: str, *, manages: bool = False
    ) -> tuple[Screen, bytes]:
        """What *me*, who *manages* it or not, is shown of a tournament alone, with its picture."""
        until, own = self.until(screens.tournament), screens.tournament.number_of(me)
        screen = await asyncio.to_thread(screens.message, until, manages=manages, me=me)
        return screen, await self.picture(screens, theme, own)

    async def refresh(self, code: str, person: int, message: str | None) -> bool:
        """Let *message* show the tournament *code* anew, if it is *person*'s own and goes on."""
        views = await self.store.read(stored.views_showing, TOURNAMENT_VIEW, code)
        mine = [one for one in views if (one.person, one.message) == (person, message)]
        for one in mine if message else ():
            await self.delivery.renew(one)
        return bool(message and mine)

    async def is_shown_in(self, code: str, where: Where, message: str | None) -> bool:
        """Whether *message* in *where* is one that shows the tournament *code*."""
        views = await self.store.read(stored.views_showing, TOURNAMENT_VIEW, code)
        return any((view.place, view.message) == (where.place, message) for view in views)

    async def follow(
        self, code: str, where: Where, person: int, language: str, message: str
    ) -> None:
        """Let *message* in *where* go on with the tournament *code*, if there is one."""
        found = await self.tournaments.find(code)
        if found is not None:
            await self.place_in(self.fresh(found, where, person, language, message))

    async def place_in(self, fresh: ViewRow | None) -> bool:
        """Let the *fresh* view, if there is one, show its tournament; whether it does.

        In a private chat it takes the place of what showed it before; elsewhere that stays.
        """
        if fresh is None:
            return False
        async with self.store.transaction() as tx:
            views = await stored.views_showing(tx, TOURNAMENT_VIEW, fresh.subject)
            old = [one for one in views if (one.place, one.thread) == (fresh.place, fresh.thread)]
            if old and fresh.person is None:
                return False
            for one in old:
                await stored.delete_view(tx, one.id)
            row = await stored.add_view(tx, fresh)
        self.delivery.show_owed((row,))
        for one in old:
            if one.message != row.message:
                self.delivery.retire(one)
        return True

    def fresh(
        self,
        tournament: Tournament,
        where: Where,
        person: int,
        language: str,
        message: str | None = None,
    ) -> ViewRow | None:
        """A view not yet stored; ``None`` where a chat draws what it shows by itself."""
        chat = self.delivery.ownership.chats.get(where.platform)
        if chat is None or chat.paints:
            return None
        made = new_view(tournament.code, tournament.version, where, person, language)
        return replace(made, kind=TOURNAMENT_VIEW, message=message)
