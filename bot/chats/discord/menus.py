"""The next question in place of a pressed message, whatever else is on its way there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bot.chats.discord.answers import Reply
from bot.chats.discord.faces import Faces
from bot.chats.discord.flights import Flights
from bot.chats.discord.reading import is_private
from bot.chats.discord.writing import (
    MENU,
    laid_out,
    overflow,
    picture_file,
    picture_name,
    picture_shown,
)
from bot.facade import Facade
from bot.port import Screen, Where
from render.scene import Scene

PAINTING = 0.7
"""Seconds for which the answer to a press waits for its picture; else the old one stays."""


@dataclass
class Menus:
    """Puts screens in place of pressed messages."""

    house: Facade
    flights: Flights
    faces: Faces = field(default_factory=Faces)

    async def turn(self, reply: Reply, where: Where, screen: Screen, picture: bytes | None) -> None:
        """Put *screen* in place of the message that was pressed in *where*.

        Where a newer board went there meanwhile, that is shown again.
        """
        message = reply.interaction.message
        number = message.id if message is not None else 0
        with self.flights.answer(number):
            await self._put(reply, number, screen, picture)
        for piece in overflow(screen):
            await reply.add(piece, private=True)
        if not is_private(message):
            await self.house.boards.overtaken(where, str(number), screen)

    async def _put(self, reply: Reply, message: int, screen: Screen, picture: bytes | None) -> None:
        """Put *screen* there; its picture stays where it holds still and is there for sure.

        It changes when a choice is begun or taken back, and where there was none.
        """
        shown, scene = picture_shown(reply.interaction.message), screen.scene
        keeps = shown is not None and self.flights.keeps(message, shown)
        stays = keeps and shown is not None and not shown.endswith(MENU)
        if picture is None and scene is not None and (scene.path or scene.targets or not stays):
            picture = await self._painted(reply, scene, needed=not keeps)
        if picture is None and scene is None:
            await reply.edit(laid_out(screen), [])
            self.flights.given(message, None)
            return
        same = picture is None or picture_name(picture, screen) == shown
        if keeps and same and await reply.edit(laid_out(screen, shown, faces=self.faces), None):
            return
        if picture is None and scene is not None:
            picture = await self.house.picture(scene)
        if picture is not None:
            name = picture_name(picture, screen)
            view, file = (
                laid_out(screen, name, faces=self.faces),
                picture_file(picture, screen, name),
            )
            if await reply.edit(view, [file]):
                self.flights.given(message, name)
            else:
                await reply.wait()

    async def _painted(self, reply: Reply, scene: Scene, *, needed: bool) -> bytes | None:
        """The picture of *scene*, if it can be had before the presser gets impatient.

        Where it is *needed*, he is told first that he was heard.
        """
        painting = asyncio.create_task(self.house.picture(scene))
        patience = reply.pulse.patience(2 * PAINTING) / 2
        done, _ = await asyncio.wait({painting}, timeout=patience)
        if done:
            return painting.result()
        if needed:
            await reply.wait()
            return await painting
        painting.add_done_callback(lambda one: one.cancelled() or one.exception())
        return None
