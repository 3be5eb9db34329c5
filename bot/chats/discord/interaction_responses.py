"""Boards and partial moves as answers; each message is changed by one at a time.

A board is the answer itself if it is ready in time, else the answer is deferred and then edited.
Lanes, answers and partial moves wait for each other at their message.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    nullcontext,
    suppress,
)
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias, TypeVar

import discord
from cachetools import LRUCache
from discord import ui

from bot.chats.discord.bot_permissions import Access
from bot.chats.discord.emojis import Emojis
from bot.chats.discord.errors import family, translate
from bot.chats.discord.message_formatting import (
    MENU,
    layout,
    layout_with_picture,
    linked,
    overflow,
    picture_name,
    picture_shown,
    without_picture,
)
from bot.chats.discord.refusals import Family
from bot.chats.discord.reply import Reply
from bot.facade import ChatBoards, remembering
from bot.port import ReservedBoard, Screen, ScreenAnswer, Shown
from render.scene import Scene

T = TypeVar("T")
Way: TypeAlias = Callable[[ui.LayoutView, list[discord.File]], Awaitable[T]]
"""Gives components with their files; what it answers is false where they were refused."""

UNKNOWN, UNSURE = "?", ""
"""The picture of a message not changed since the start, or whose change may have failed."""


@dataclass(eq=False)
class MessageState:
    """What a message shows; to change it takes the *lock*."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    presses: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a press there is answered, where one person alone sees the message."""
    pressed: int = 0
    """The newest press whose answer was put there."""
    picture: str | None = UNKNOWN
    """The name of its picture, ``None`` where it has none."""
    table: str = ""
    version: int = 0

    def shows(self, picture: str | None, screen: Screen) -> None:
        """Note that the message shows *screen*, a board, with the file *picture*."""
        self.picture, self.table, self.version = picture, screen.table, screen.version

    def is_newer(self, screen: Screen) -> bool:
        """Whether the message shows a newer board than *screen*."""
        return self.table == screen.table and self.version > screen.version


@dataclass
class Replies:
    """Shows boards and partial moves as answers."""

    boards: ChatBoards
    emojis: Emojis
    access: Access
    mentions: Mapping[str, str] = field(default_factory=dict)
    """Links to commands by their casefolded names; none until they are registered."""
    _messages: LRUCache[int, MessageState] = remembering(4096)

    @asynccontextmanager
    async def turn(self, message: int) -> AsyncIterator[MessageState]:
        """Wait for the turn to change *message*; the block holds it."""
        state = self._messages.setdefault(message, MessageState())
        async with state.lock:
            yield state

    def press_turn(self, reply: Reply) -> AbstractAsyncContextManager[object]:
        """The turn of a press: those on a message that one person alone sees keep their order."""
        own = reply.own_message
        return self._messages.setdefault(own, MessageState()).presses if own else nullcontext()

    @asynccontextmanager
    async def _turn_soon(self, reply: Reply, message: int) -> AsyncIterator[MessageState | None]:
        """The turn to change *message* by *reply*; ``None`` where a change before takes long."""
        async with AsyncExitStack() as held:
            state = None
            with suppress(TimeoutError):
                async with reply.in_time(), asyncio.timeout(reply.patience_left()):
                    state = await held.enter_async_context(self.turn(message))
            yield state

    async def show(self, reply: Reply, board: ReservedBoard) -> bool:
        """Show *board* in place of the pressed message; false if that takes too long."""
        number, shown = int(board.target.message or 0), None
        try:
            async with self._turn_soon(reply, number) as state:
                async with reply.in_time():
                    picture = None if board.picture is None else await board.picture
                if state is None or not board.is_held:
                    return False
                state.picture = UNSURE
                edited, name = await self.give(reply, board.screen, picture, reply.edit)
                if edited:
                    state.shows(name, board.screen)
                    shown = Shown(str(number), by_token=self._is_barred(board))
                else:
                    _tell_filter(reply, board)
            return True
        finally:
            board.report(shown)

    async def post(self, reply: Reply, board: ReservedBoard) -> bool:
        """Answer a command with *board*; whether that succeeded."""
        shown = None
        try:
            async with reply.in_time():
                picture = None if board.picture is None else await board.picture
            if board.is_held:
                posting = partial(reply.post, screen=board.screen, emojis=self.emojis)
                shown, _ = await self.give(reply, board.screen, picture, posting)
                if shown is None:
                    _tell_filter(reply, board)
                else:
                    shown = replace(shown, by_token=self._is_barred(board))
        finally:
            board.report(shown)
        return shown is not None

    async def give(
        self, reply: Reply, screen: Screen, picture: bytes | None, way: Way[T]
    ) -> tuple[T, str | None]:
        """Give *screen* by *way* of *reply*, in words where its *picture* is refused.

        Returns what *way* has answered last, and the name of the picture that is there.
        """
        place = str(reply.interaction.channel_id)
        if picture is not None and not self.access.takes_pictures(place):
            screen, picture = without_picture(screen), None
        view, files, name = layout_with_picture(screen, picture, self.emojis)
        given, wrong = await way(view, files), reply.refused
        if picture is None or wrong is None or not self.access.costs_picture(place, wrong):
            return given, name
        return await self.give(reply, without_picture(screen), None, way)

    def _is_barred(self, board: ReservedBoard) -> bool:
        return not self.access.at(board.target.where.place).takes_messages

    async def ask(self, reply: Reply, screen: Screen, picture: bytes | None) -> None:
        """Put *screen* in place of the pressed message, unless that shows what is newer.

        If it takes too long until that can be changed, it comes beside it, to the asker alone.
        """
        message, press = reply.interaction.message, reply.interaction.id
        async with self._turn_soon(reply, message.id if message is not None else 0) as state:
            if state is None:
                await self.give(reply, screen, picture, partial(reply.send, private=True))
            elif state.is_newer(screen) or (press < state.pressed and reply.own_message):
                await reply.defer()
                return
            else:
                state.pressed = press
                if state.picture == UNKNOWN:
                    state.picture = picture_shown(message)
                await self._put(reply, state, screen, picture)
        for piece in overflow(screen):
            await reply.add(piece, private=True)

    async def renew(self, reply: Reply, message: int, answer: ScreenAnswer) -> None:
        """Show *answer* in *message*, which *reply* has filled, unless that shows a newer board."""
        screen, picture = answer.screen, answer.picture
        if picture is None and screen.scene is not None:
            picture = await self.boards.picture(screen.scene)
        async with self.turn(message) as state:
            if not state.is_newer(screen):
                state.picture = UNSURE
                edited, name = await self.give(
                    reply, screen, picture, partial(reply.renew, message)
                )
                state.picture = name if edited else UNSURE

    async def _put(
        self, reply: Reply, state: MessageState, screen: Screen, picture: bytes | None
    ) -> None:
        """Put *screen* there; the picture is only sent if it changes."""
        scene, here = screen.scene, state.picture
        if picture is None and scene is not None and not _holds_still(scene, here):
            picture = await self._paint(reply, scene, needed=not here)
        pictured = picture is not None or scene is not None
        stays = here and pictured and (picture is None or picture_name(picture, screen) == here)
        if stays and await reply.edit(layout(screen, here, emojis=self.emojis), None):
            return
        # The picture changes, or Discord no longer has the file.
        if picture is None and scene is not None:
            picture = await self.boards.picture(scene)
        state.picture = UNSURE

        async def edit(view: ui.LayoutView, files: list[discord.File]) -> bool:
            return await reply.edit(linked(view, self.mentions), files)

        edited, name = await self.give(reply, screen, picture, edit)
        if edited:
            state.picture = name
        elif reply.refused is None:
            await reply.defer()

    async def _paint(self, reply: Reply, scene: Scene, *, needed: bool) -> bytes | None:
        """The picture of *scene*; unless *needed*, only if it is ready in time."""
        painting = asyncio.create_task(self.boards.picture(scene))
        if needed:
            async with reply.in_time():
                return await painting
        painting.add_done_callback(lambda one: one.cancelled() or one.exception())
        done, _ = await asyncio.wait({painting}, timeout=reply.seconds_left())
        return painting.result() if done else None


def _tell_filter(reply: Reply, board: ReservedBoard) -> None:
    """Report that a filter refused *board*, if one did: its lane shows it in other words."""
    if reply.refused is not None and family(reply.refused) is Family.FILTERED:
        board.refuse(translate(reply.refused))


def _holds_still(scene: Scene, picture: str | None) -> bool:
    """Whether *picture*, which is there, also shows *scene*: neither has a partial move."""
    return bool(picture) and not (str(picture).endswith(MENU) or scene.path or scene.targets)
