"""Boards, sent as a member of the place or by an interaction's token."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord

from bot.chats.discord.bot_permissions import Access
from bot.chats.discord.client import Client
from bot.chats.discord.emojis import Emojis
from bot.chats.discord.errors import family, outliving_token
from bot.chats.discord.message_formatting import (
    layout_with_picture,
    mentioning,
    plain_kwargs,
    shows,
    without_picture,
)
from bot.chats.discord.reading import COMMAND, Ticket
from bot.chats.discord.refusals import MISSING_ACCESS, UNKNOWN_CHANNEL, Family
from bot.port import MessageStuck, PlaceShut, Screen, Shown, Target

log = logging.getLogger(__name__)

OLD = 3600.0
"""Seconds after which Discord limits edits of a message (error 30046)."""


@dataclass
class BoardPosting:
    """One screen on its way to one message; raises the errors of the library."""

    client: Client
    target: Target
    screen: Screen
    picture: bytes | None
    ticket: Ticket | None
    emojis: Emojis
    access: Access

    def __post_init__(self) -> None:
        self.place = self.target.where.place
        self.barred = not self.access.at(self.place).takes_messages
        self.channel = self.client.get_partial_messageable(int(self.target.where.place))
        self.name: str | None = None
        if not self.access.takes_pictures(self.place):
            self._give_up_picture()

    def _give_up_picture(self) -> None:
        if self.picture is not None:
            self.screen, self.picture = without_picture(self.screen), None

    async def _whole_or_in_words(self, give: Callable[[], Awaitable[Shown]]) -> Shown:
        """What *give* has shown; where the picture is refused, the screen in words."""
        try:
            return await give()
        except discord.HTTPException as wrong:
            if self.picture is None or not self.access.costs_picture(self.place, wrong):
                raise
        self._give_up_picture()
        return await give()

    def _render(self) -> tuple[discord.ui.LayoutView, list[discord.File]]:
        view, files, self.name = layout_with_picture(self.screen, self.picture, self.emojis)
        return view, files

    async def edit(self, message: int) -> Shown:
        """Put the screen into *message*; its old picture goes."""
        return await self._whole_or_in_words(partial(self._edit_there, message))

    async def _edit_there(self, message: int) -> Shown:
        if self.ticket is not None:
            with suppress(discord.DiscordServerError):  # the same is done without a token
                if await self._edited_by_token(message, self.ticket):
                    return Shown(str(message), by_token=self.barred)
        if self.access.unreachable(self.place):
            raise PlaceShut("its token is over")
        posted = self.target.posted
        if posted is not None and time.time() - posted > OLD:
            raise MessageStuck("older than an hour")
        await self._edit(message)
        self.access.allow(self.place)
        return Shown(str(message))

    async def _edit(self, message: int) -> None:
        view, files = self._render()
        async with self.client.turn("edit", self.place):
            there = self.channel.get_partial_message(message)
            await there.edit(content=None, view=view, attachments=files)

    async def _edited_by_token(self, message: int, ticket: Ticket) -> bool:
        view, files = self._render()
        whole: dict[str, Any] = {"content": None, "view": view, "attachments": files}
        with outliving_token():
            await self.client.webhook(ticket.token).edit_message(message, **whole)
            self.access.tickets.note(self.place, ticket, str(message))
            return True
        return False

    async def post(self) -> Shown:
        """Post the screen as the answer that waits for it, else as a message of its own."""
        return await self._whole_or_in_words(self._post)

    async def _post(self) -> Shown:
        if self.ticket is not None and self.ticket.kind == COMMAND:
            answer = await self._awaiting(self.ticket)
            if answer is not None and await self._edited_by_token(answer, self.ticket):
                return Shown(str(answer), fresh=True, by_token=self.barred)
        if self.ticket is not None and (self.ticket.visitor or self.access.by_token(self.place)):
            return await self._followed_up(self.ticket)
        view, files = self._render()
        try:
            async with self.client.turn("send", self.place):
                sent = await self.channel.send(
                    **self._choose_kind(view, files), nonce=self.target.nonce
                )
        except discord.HTTPException as wrong:
            if self.ticket is None or wrong.code not in (MISSING_ACCESS, UNKNOWN_CHANNEL):
                raise
            return await self._followed_up(self.ticket)
        self.access.allow(self.place)
        if not shows(sent, view, self.name):
            # It was posted before we were killed: the nonce brought back the old message.
            await self._edit(sent.id)
        return Shown(str(sent.id), fresh=True, called=True)

    async def _followed_up(self, ticket: Ticket) -> Shown:
        what = self._choose_kind(*self._render())
        sent = await follow_up(self.client, self.access, self.place, ticket, **what)
        return Shown(sent, fresh=True, called=True, by_token=self.barred)

    def _choose_kind(
        self, view: discord.ui.LayoutView, files: list[discord.File]
    ) -> dict[str, Any]:
        """The new message: of the older kind where it calls people, else a phone is not woken.

        A phone would tell nothing of it, since a message of components has no words of its own.
        """
        called = self.screen.mentions
        what = plain_kwargs(self.screen, files, self.emojis) or {"view": view, "files": files}
        silent = self.screen.silent or not called
        return {**what, "silent": silent, "allowed_mentions": mentioning(called)}

    async def _awaiting(self, ticket: Ticket) -> int | None:
        """The response to a command that this board fills: it waits, or shows the table."""
        with outliving_token():
            return await self.client.response_for(ticket.token, self.screen.table)
        return None


async def follow_up(client: Client, access: Access, place: str, ticket: Ticket, **what: Any) -> str:
    """Follow up the interaction of *ticket* in *place*; the message's id.

    Raises ``PlaceShut`` where its token is used up.
    """
    try:
        sent = await client.webhook(ticket.token).send(**what, wait=True)
    except discord.HTTPException as wrong:
        if family(wrong) not in (Family.LATE, Family.LIMITS):
            raise
        access.tickets.drop(place, ticket)
        raise PlaceShut("this token posts nothing any more") from None
    access.tickets.note(place, ticket, str(sent.id))
    return str(sent.id)
