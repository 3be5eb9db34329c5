"""Boards for the chats: composed, and painted off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from cachetools import LRUCache

from bot.port import Capabilities, Chat, Screen, capabilities_of
from bot.presenters.composer import Composer
from bot.presenters.viewers import Viewer
from bot.service.people import People
from bot.service.places import Places, view_place
from bot.session.preferences import look
from bot.session.table import Table
from render.kit import Gallery
from render.scene import Scene
from storage.records import ViewRow

AHEAD = 64
"""Boards made ahead that are kept: each is shown within moments, or never."""

CHOSEN = 4096
"""Boards whose partial moves are remembered: the latest."""

Steps = tuple[str, ...]


@dataclass
class PartialMoves:
    """The choices made so far on shared boards, by view, each with its turn.

    The buttons hold them as well: what is forgotten, as at a restart, is chosen once more.
    """

    _paths: LRUCache[int, tuple[int, Steps]] = field(default_factory=lambda: LRUCache(CHOSEN))

    def note(self, view: int, turn: int, path: Steps) -> None:
        """Remember that *path* is chosen on *view* in *turn*; an empty path is forgotten."""
        if path:
            self._paths[view] = (turn, path)
        else:
            self._paths.pop(view, None)

    def moved(self, old: int, new: int) -> None:
        """Note that the view *new* replaces *old*."""
        if (begun := self._paths.pop(old, None)) is not None:
            self._paths[new] = begun

    def path(self, view: int, table: Table) -> Steps:
        """The steps chosen on *view* of *table*, if their turn still lasts."""
        turn, path = self._paths.get(view, (0, ()))
        return path if any(table.turns[seat] == turn for seat in table.actors()) else ()


async def viewer_of(
    people: People, places: Places, chat: Capabilities, view: ViewRow, table: Table
) -> Viewer:
    """The viewer of *view*: its person, from their seat, or everybody in a shared place."""
    rules = await places.rules(view_place(view))
    chosen = None if view.person is None else await people.personal(view.person)
    return Viewer(
        table.seat_of(view.person),
        view.language,
        look(chat.theme or view.theme, rules, chosen),
        view.side,
        view.person is not None,
        chat.space,
    )


@dataclass(frozen=True)
class Made:
    """A *screen* of *table* for *viewer*, with the partial move *path*."""

    table: Table
    viewer: Viewer
    path: Steps
    screen: Screen


@dataclass(kw_only=True)
class BoardCache:
    """Composes what views show, also ahead: while a change is being stored."""

    people: People
    places: Places
    chats: Mapping[str, Chat]
    key: bytes
    gallery: Gallery
    partial_moves: PartialMoves
    _ahead: LRUCache[int, Made] = field(default_factory=lambda: LRUCache(AHEAD))
    """Boards of tables that are not stored yet, by their views."""

    async def screen(self, view: ViewRow, table: Table) -> Screen:
        """What *view* shows of *table*, made ahead or now."""
        viewer, path = await self._asked(view, table)
        made = self._ahead.pop(view.id, None)
        # A board of a change that failed is of another table.
        if made is not None and made.table is table and (made.viewer, made.path) == (viewer, path):
            return made.screen
        return self._composed(table, viewer, path)

    async def picture(self, scene: Scene) -> bytes:
        """The picture of *scene*, painted off the event loop, once for all who ask."""
        wanted, first = self.gallery.asked(scene)
        if first:
            # A caller that is cancelled must not cancel the others' picture.
            await asyncio.shield(asyncio.to_thread(self.gallery.fulfil, scene, wanted))
        return wanted.result() if wanted.done() else await asyncio.wrap_future(wanted)

    async def ahead(self, view: ViewRow, table: Table, *, painted: bool) -> None:
        """Compose what *view* will show of *table* once it is stored; paint it if *painted*."""
        viewer, path = await self._asked(view, table)
        screen = self._composed(table, viewer, path)
        self._ahead[view.id] = Made(table, viewer, path, screen)
        _ = screen.digest  # it is needed as soon as the table is stored
        if painted and screen.scene is not None:
            await self.picture(screen.scene)

    async def _asked(self, view: ViewRow, table: Table) -> tuple[Viewer, Steps]:
        chat = capabilities_of(self.chats, view.platform)
        viewer = await viewer_of(self.people, self.places, chat, view, table)
        return viewer, self.partial_moves.path(view.id, table)

    def _composed(self, table: Table, viewer: Viewer, path: Steps) -> Screen:
        return Composer(table, viewer, self.key).board(path)
