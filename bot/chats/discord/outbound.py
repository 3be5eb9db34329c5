"""Boards and notifications, sent as a member of the place or by an interaction's token."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass

import discord

from bot.chats.discord.client import Client
from bot.chats.discord.emojis import Emojis
from bot.chats.discord.errors import MISSING_ACCESS, UNKNOWN_CHANNEL, bounded, short, token_over
from bot.chats.discord.markdown import escaped
from bot.chats.discord.reading import COMMAND, Ticket
from bot.chats.discord.writing import layout, layout_with_picture, mentioning, mentions, shows
from bot.port import Asker, MessageGone, PlaceShut, Screen, Shown, Target, Where

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

    def __post_init__(self) -> None:
        self.channel = self.client.get_partial_messageable(int(self.target.where.place))
        self.name: str | None = None

    def _rendered(self) -> tuple[discord.ui.LayoutView, list[discord.File]]:
        view, files, self.name = layout_with_picture(self.screen, self.picture, self.emojis)
        return view, files

    # ---------------------------------------------------------------- a message that stands

    async def edited(self, message: int) -> Shown:
        """Put the screen into *message*; its old picture goes."""
        if self.ticket is not None and await self._edited_by_token(message):
            return Shown(str(message))
        posted = self.target.posted
        if posted is not None and time.time() - posted > OLD:
            await self._retired(message)
            raise MessageGone("older than an hour")
        await self._edit(message)
        return Shown(str(message))

    async def _edit(self, message: int) -> None:
        view, files = self._rendered()
        await self.channel.get_partial_message(message).edit(view=view, attachments=files)

    async def _edited_by_token(self, message: int) -> bool:
        if self.ticket is None:
            return False
        webhook = self.client.webhook(self.ticket.token)
        try:
            view, files = self._rendered()
            await webhook.edit_message(message, view=view, attachments=files)
        except discord.HTTPException as wrong:
            if not token_over(wrong):
                raise
            return False
        return True

    async def _retired(self, message: int) -> None:
        """Remove the buttons of an old board that is posted anew."""
        _, files = self._rendered()
        view = layout(self.screen, self.name, buttons=False)
        try:
            async with asyncio.timeout(3.0):
                old = self.channel.get_partial_message(message)
                await old.edit(view=view, attachments=files)
        except (discord.DiscordException, TimeoutError) as wrong:
            log.info("an old board keeps its buttons: %s", short(wrong))

    # ---------------------------------------------------------------- a new message

    async def posted(self) -> Shown:
        """Post the screen as the answer that waits for it, else as a message of its own."""
        if self.ticket is not None and self.ticket.kind == COMMAND:
            answer = await self._awaiting(self.ticket)
            if answer is not None and await self._edited_by_token(answer):
                return Shown(str(answer), fresh=True)
        if self.ticket is not None and self.ticket.visitor:
            return await self._followed_up(self.ticket)
        view, files = self._rendered()
        try:
            sent = await self.channel.send(
                view=view,
                files=files,
                nonce=self.target.nonce,
                allowed_mentions=mentioning(self.screen.mentions),
            )
        except discord.HTTPException as wrong:
            if self.ticket is None or wrong.code not in (MISSING_ACCESS, UNKNOWN_CHANNEL):
                raise
            return await self._followed_up(self.ticket)
        if not shows(sent, view, self.name):
            # It was posted before we were killed: the nonce brought back the old message.
            await self._edit(sent.id)
        return Shown(str(sent.id), fresh=True, called=True)

    async def _followed_up(self, ticket: Ticket) -> Shown:
        webhook, (view, files) = self.client.webhook(ticket.token), self._rendered()
        allowed = mentioning(self.screen.mentions)
        sent = await webhook.send(view=view, files=files, allowed_mentions=allowed, wait=True)
        return Shown(str(sent.id), fresh=True, called=True)

    async def _awaiting(self, ticket: Ticket) -> int | None:
        """The response to a command that this board fills: one that still says «thinking».

        Or it shows this table already: we were killed before we noted that.
        """
        try:
            found = await self.client.original(ticket.token)
        except discord.HTTPException as wrong:
            if not token_over(wrong):
                raise
            return None
        ours = found.thinking or self.screen.table in found.tables
        return found.message if ours else None


async def ping(
    client: Client,
    where: Where,
    people: Sequence[Asker],
    text: str,
    board: str | None,
    nonce: str,
) -> str:
    """Mention *people* in a new message that answers *board*; returns its id."""
    async with bounded():
        channel = client.get_partial_messageable(int(where.place))
        said, allowed = f"{mentions(people)}{escaped(text)}", mentioning(people)
        if board is None:
            sent = await channel.send(said, allowed_mentions=allowed, nonce=nonce)
        else:
            answered = channel.get_partial_message(int(board))
            sent = await channel.send(
                said,
                allowed_mentions=allowed,
                reference=answered.to_reference(fail_if_not_exists=False),
                mention_author=False,
                nonce=nonce,
            )
    return str(sent.id)


async def delete_message(client: Client, where: Where, message: str) -> None:
    """Delete a message of ours, if it is there and within our reach."""
    with contextlib.suppress(MessageGone, PlaceShut):
        async with bounded():
            channel = client.get_partial_messageable(int(where.place))
            await channel.get_partial_message(int(message)).delete()
