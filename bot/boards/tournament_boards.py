"""The messages that show tournaments: what changed is owed, and shown in the pace of each place."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.boards.pacing import Pacing
from bot.port import (
    ChatError,
    Later,
    MessageGone,
    MessageStuck,
    PlaceMoved,
    PlaceShut,
    Screen,
    Target,
    ThreadShut,
    Where,
    capabilities_of,
)
from bot.presenters.tournament import TournamentScreens
from bot.service.clock import Clock
from bot.service.cluster import Ownership
from bot.service.places import Places
from bot.service.tournaments import BrokenTournament, Tournaments, UnknownTournament
from bot.session.preferences import Look, look
from bot.tournament.agenda import next_step
from bot.tournament.values import Tournament
from render.kit import paint
from render.kit.output import png
from render.standing import podium_picture, table_picture
from storage import tournaments as stored
from storage.errors import StorageError
from storage.records import TournamentViewRow
from storage.store import Store

log = logging.getLogger(__name__)

RETRIES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
"""After how many seconds a message is tried again that could not be shown."""


def _painted(screens: TournamentScreens, theme: str, own: int | None) -> bytes:
    if (poster := screens.poster(theme)) is not None:
        return png(paint(poster))
    podium = screens.podium()
    return (
        table_picture(screens.table(own), theme)
        if podium is None
        else podium_picture(podium, theme)
    )


def view_where(view: TournamentViewRow) -> Where:
    """The place in which *view* stands."""
    return Where(view.platform, view.place, view.thread, private=view.person is not None)


@dataclass(kw_only=True)
class TournamentBoards:
    """Shows what the messages of tournaments owe, one lane for each message."""

    store: Store
    clock: Clock
    background: Callable[[Coroutine[Any, Any, None]], None]
    """Does work beside everything else."""
    tournaments: Tournaments
    places: Places
    ownership: Ownership
    pacing: Pacing
    key: bytes
    _lanes: set[int] = field(default_factory=set)
    _again: set[int] = field(default_factory=set)

    def listen(self) -> None:
        """Hear of every change from now on."""
        self.tournaments.when_changed(lambda code: self.background(self._woken(code)))

    async def _woken(self, code: str) -> None:
        for view in await self.store.read(stored.views_of_tournament, code):
            self._start(view)

    async def wake_all(self) -> None:
        """Show everything owed, after a start."""
        for view in await self.store.read(stored.late_tournament_views):
            self._start(view)

    def _start(self, view: TournamentViewRow) -> None:
        if view.shown >= view.owed or not self.ownership.keeps(view.platform):
            return
        if view.id in self._lanes:
            self._again.add(view.id)
            return
        self._lanes.add(view.id)
        self.background(self._lane(view.id))

    async def _lane(self, number: int) -> None:
        failures = 0
        try:
            while True:
                self._again.discard(number)
                try:
                    if not await self._attempt(number):
                        return
                    failures = 0
                except (ChatError, StorageError, TimeoutError, OSError) as wrong:
                    wait = RETRIES[min(failures, len(RETRIES) - 1)]
                    failures += 1
                    log.warning("tournament message %d is not shown: %s", number, wrong)
                    await asyncio.sleep(wait)
                except (UnknownTournament, BrokenTournament) as wrong:
                    log.error("tournament message %d cannot be shown: %s", number, wrong)
                    return
        finally:
            self._lanes.discard(number)

    async def _attempt(self, number: int) -> bool:
        """Show what the message owes; whether to look at it once more."""
        view = await self.store.read(stored.load_tournament_view, number)
        if view is None or view.shown >= view.owed:
            return number in self._again
        where = view_where(view)
        if not await self.ownership.keeps_at(where):
            return False
        try:
            async with self.pacing.limiter_behind(where).calling():
                await self._show(view, where)
        except Later as told:
            self.pacing.limiter(where).pause(told.seconds)
        except MessageGone as gone:
            await self.store.write_beside(stored.forget_tournament_message, view.id)
            if isinstance(gone, MessageStuck) and view.message is not None:
                with suppress(ChatError):
                    await self.ownership.chats[view.platform].remove(where, view.message)
        except PlaceMoved as moved:
            new = Where(view.platform, moved.place)
            await self.store.write(self.places.move, where, new)
        except (PlaceShut, ThreadShut) as shut:
            # It stays owed: the next change, or the next start, tries it again.
            log.info("tournament %s is not shown on %s: %s", view.tournament, view.platform, shut)
            return False
        return True

    async def _show(self, view: TournamentViewRow, where: Where) -> None:
        # Read only now, so that it has everything that happened while it waited.
        tournament = await self.tournaments.get(view.tournament)
        screens = await self.screens(tournament, view.language)
        # The standings of two hundred people take a while: they are reckoned off the event loop.
        screen = await asyncio.to_thread(screens.message, self.until(tournament))
        chat = self.ownership.chats[view.platform]
        seen = look(
            capabilities_of(self.ownership.chats, view.platform).theme or Look.theme,
            await self.places.rules(where),
            None,
        )
        digest = screen.digest
        if view.message is not None and digest == view.digest:
            await self._noted(view, tournament, view.message, digest)
            return
        picture = await self.picture(screens, seen.theme)
        posted = None if view.posted is None else view.posted.timestamp()
        nonce = f"tournament-{view.id}-{0 if view.message is None else view.owed}"
        target = Target(where, view.message, nonce=nonce[:25], posted=posted)
        shown = await chat.show(target, screen, picture)
        await self._noted(view, tournament, shown.message, digest)

    async def picture(
        self, screens: TournamentScreens, theme: str, own: int | None = None
    ) -> bytes:
        """The podium, before the end the standings, before anybody enters the game's poster.

        *own* is the reader's number.
        """
        return await asyncio.to_thread(_painted, screens, theme, own)

    async def _noted(
        self, view: TournamentViewRow, tournament: Tournament, message: str, digest: str
    ) -> None:
        await self.store.write_beside(
            stored.mark_tournament_view_shown,
            *(view.id, tournament.version, message, digest, self.clock.now()),
        )

    async def screens(self, tournament: Tournament, code: str) -> TournamentScreens:
        """The screens of *tournament* in the language *code*."""
        names = await self.tournaments.names(tournament)
        managers = await self.tournaments.called([act.by for act in tournament.acts])
        return TournamentScreens(code, self.key, tournament, names, managers)

    def until(self, tournament: Tournament) -> datetime | None:
        """When *tournament* begins or goes on by itself, by the clock of the machine."""
        now = self.clock.steady()
        step = next_step(tournament, now, self.clock.now())
        if step is None or step.at <= now:
            return None
        if not tournament.running and tournament.rules.start_at is None:
            return None
        return self.clock.now() + (step.at - now)

    async def card(self, tournament: Tournament, code: str) -> Screen:
        """What one reader is shown of *tournament* in a message of their own."""
        screens = await self.screens(tournament, code)
        return await asyncio.to_thread(screens.message, self.until(tournament))

    async def is_shown_in(self, code: str, where: Where, message: str | None) -> bool:
        """Whether *message* in *where* is one that shows the tournament *code*."""
        views = await self.store.read(stored.views_of_tournament, code)
        return any((view.place, view.message) == (where.place, message) for view in views)

    async def place_in(
        self, tournament: Tournament, where: Where, person: int, language: str
    ) -> bool:
        """Let *where* show *tournament* from now on; whether it did not before."""
        views = await self.store.read(stored.views_of_tournament, tournament.code)
        if any((one.place, one.thread) == (where.place, where.thread) for one in views):
            return False
        row = self.fresh(tournament, where, person, language)
        if row is None:
            return False
        await self.store.write(stored.add_tournament_view, row)
        self.background(self._woken(tournament.code))
        return True

    def fresh(
        self, tournament: Tournament, where: Where, person: int, language: str
    ) -> TournamentViewRow | None:
        """A message not yet stored; ``None`` where a chat draws what it shows by itself."""
        chat = self.ownership.chats.get(where.platform)
        if chat is None or chat.paints:
            return None
        return TournamentViewRow(
            id=0,
            tournament=tournament.code,
            platform=where.platform,
            place=where.place,
            thread=where.thread,
            person=person if where.private else None,
            language=language,
            owed=tournament.version,
        )
