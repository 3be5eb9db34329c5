"""Boards made for the chats: composed, and painted off the event loop."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from cachetools import LRUCache

from bot.boards.partial_moves import PartialMoves, Steps
from bot.port import Screen
from bot.presenters.composer import Composer
from bot.presenters.viewers import USUAL, Viewer, space_of
from bot.service.people import People
from bot.service.places import Places, view_place
from bot.session.preferences import look
from bot.session.table import Table
from render.kit import Gallery
from render.scene import Scene
from storage.records import ViewRow

KEPT = 64
"""How many boards are kept that were made ahead: each is shown within moments, or never."""


async def viewer_of(people: People, places: Places, view: ViewRow, table: Table) -> Viewer:
    """Who looks at *view*: its person, from his seat, or everybody in a shared place."""
    usual = USUAL.get(view.platform, view.theme)
    rules = await places.rules(view_place(view))
    chosen = None if view.person is None else await people.personal(view.person)
    return Viewer(
        table.seat_of(view.person),
        view.language,
        look(usual, rules, chosen),
        view.side,
        view.person is not None,
        space_of(view.platform),
    )


@dataclass(frozen=True)
class Made:
    """A *screen* of *table*, as *viewer* sees it who has chosen *path* so far."""

    table: Table
    viewer: Viewer
    path: Steps
    screen: Screen


@dataclass(kw_only=True)
class BoardCache:
    """Makes what views show, also ahead: while the change that they show goes to the disk."""

    people: People
    places: Places
    key: bytes
    gallery: Gallery
    begun: PartialMoves
    _ahead: LRUCache[int, Made] = field(default_factory=lambda: LRUCache(KEPT))
    """By view, what was made of a table before anybody may see it."""

    async def screen(self, view: ViewRow, table: Table) -> Screen:
        """What *view* shows of *table*, made ahead or now."""
        viewer, path = await self._asked(view, table)
        made = self._ahead.pop(view.id, None)
        # What was made of a change that failed is of no table that anybody asks for.
        if made is not None and made.table is table and (made.viewer, made.path) == (viewer, path):
            return made.screen
        return self._composed(table, viewer, path)

    async def picture(self, scene: Scene) -> bytes:
        """The picture of *scene*, painted off the event loop, by one thread for all who ask."""
        wanted, first = self.gallery.asked(scene)
        if first:
            # Whoever waits no more leaves the picture to those who still do.
            await asyncio.shield(asyncio.to_thread(self.gallery.fulfil, scene, wanted))
        return wanted.result() if wanted.done() else await asyncio.wrap_future(wanted)

    async def ahead(self, view: ViewRow, table: Table, *, painted: bool) -> None:
        """Make now what *view* shows of *table* once that is stored, *painted* as well or not."""
        viewer, path = await self._asked(view, table)
        screen = self._composed(table, viewer, path)
        self._ahead[view.id] = Made(table, viewer, path, screen)
        _ = screen.digest  # it is asked for as soon as the table is stored
        if painted and screen.scene is not None:
            await self.picture(screen.scene)

    async def _asked(self, view: ViewRow, table: Table) -> tuple[Viewer, Steps]:
        viewer = await viewer_of(self.people, self.places, view, table)
        return viewer, self.begun.path(view.id, table)

    def _composed(self, table: Table, viewer: Viewer, path: Steps) -> Screen:
        return Composer(table, viewer, self.key).board(path)
