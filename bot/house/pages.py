"""What a page with room for it asks of a table it shows: its history, and what is pointed at."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import cache

from bot.outbox.views import Views, viewer_of
from bot.port import File, Where
from bot.screen.beside import Pointed, pointed
from bot.screen.composer import Composer
from bot.screen.history import Happened, moment, moves
from bot.screen.papers import forms_of, written_as
from bot.table.manager import Manager
from bot.table.table import PLAYING, BrokenTable
from games.core import RuleError
from games.core.shelf import shelf
from render.kit import figure, painter, png, sized
from render.scene import Scene

COVER = 320
"""How wide the pictures are that stand for games, in pixels."""


@dataclass(frozen=True)
class Past:
    """All *moves* of a game, and the *forms* in which its record may be had."""

    moves: tuple[Happened, ...] = ()
    forms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pages:
    """What a page may ask of the tables that stand on it; of others it learns nothing."""

    _manager: Manager
    _views: Views

    async def pointed(
        self, where: Where, code: str, path: tuple[str, ...], x: float, y: float
    ) -> Pointed:
        """What is meant in *where* by pointing at *x*, *y* of the picture of the table *code*.

        *path* has been chosen; *x* and *y* are parts of width and height.
        """
        composer = await self._composer(where, code)
        if composer is None or composer.table.status != PLAYING:
            return Pointed("", "")
        return pointed(composer, path, x, y)

    async def past(self, where: Where, code: str) -> Past:
        """Everything that was played at the table *code*, as the page *where* may know it."""
        composer = await self._composer(where, code)
        if composer is None or composer.table.position is None:
            return Past()
        # A long game takes longer to play again than others may wait.
        return Past(await asyncio.to_thread(moves, composer), forms_of(composer.table))

    async def moment(self, where: Where, code: str, number: int) -> Scene | None:
        """The picture of the table *code* after *number* entries of its log."""
        composer = await self._composer(where, code)
        if composer is None:
            return None
        return await asyncio.to_thread(moment, composer, number)

    async def record(self, where: Where, code: str, form: str) -> File | None:
        """The record of the table *code* in *form*, if it can be had so."""
        composer = await self._composer(where, code)
        return None if composer is None else written_as(composer.table, form)

    async def cover(self, key: str, theme: str) -> bytes | None:
        """A small picture that stands for the game *key*, painted off the event loop."""
        if key not in shelf():
            return None
        return await asyncio.to_thread(_cover, key, theme)

    async def _composer(self, where: Where, code: str) -> Composer | None:
        try:
            table = await self._manager.table(code)
        except (RuleError, BrokenTable):
            return None
        view = await self._views.of(table, where)
        if view is None:
            return None
        viewer = await viewer_of(self._manager, view, table)
        return Composer(table, viewer, self._manager.key)


@cache
def _cover(key: str, theme: str) -> bytes:
    return png(sized(figure(key, painter(key).COVER, theme), COVER))
