"""Messages out: boards posted and edited, as a member of the place or by an interaction's token."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import discord

from bot.chats.discord.answers import Reply
from bot.chats.discord.client import Client
from bot.chats.discord.errors import MISSING_ACCESS, UNKNOWN_CHANNEL, bounded, short, token_over
from bot.chats.discord.faces import Faces
from bot.chats.discord.markdown import escaped
from bot.chats.discord.tickets import COMMAND, Answering, Ticket
from bot.chats.discord.writing import laid_out, mentions, picture_file, picture_name, shows
from bot.port import Asker, MessageGone, PlaceShut, Screen, Shown, Target, Where

log = logging.getLogger(__name__)

OLD = 3600.0
"""Seconds after which Discord slows down edits of a message (error 30046)."""


@dataclass
class Posting:
    """One screen on its way to one message; raises the errors of the library."""

    tickets: Answering
    client: Client
    target: Target
    screen: Screen
    picture: bytes | None
    ticket: Ticket | None
    faces: Faces

    def __post_init__(self) -> None:
        self.channel = self.client.get_partial_messageable(int(self.target.where.place))

    def _view(self) -> discord.ui.LayoutView:
        return laid_out(self.screen, self.name, faces=self.faces)

    @cached_property
    def name(self) -> str | None:
        """The name of the picture as a file, if there is one."""
        return None if self.picture is None else picture_name(self.picture, self.screen)

    def _files(self) -> list[discord.File]:
        if self.picture is None or self.name is None:
            return []
        return [picture_file(self.picture, self.screen, self.name)]

    # ---------------------------------------------------------------- a message that stands

    async def edited(self, message: int, reply: Reply | None = None) -> Shown:
        """Put the screen into *message*, as the answer to a press; its old picture goes."""
        if reply is not None and await reply.edit(self._view(), self._files()):
            return Shown(str(message))
        if self.ticket is not None and await self._edited_by_token(message):
            return Shown(str(message))
        posted = self.target.posted
        if posted is not None and time.time() - posted > OLD:
            await self._retired(message)
            raise MessageGone("older than an hour")
        await self._edit(message, self._view())
        return Shown(str(message))

    async def _edit(self, message: int, view: discord.ui.LayoutView) -> None:
        old = self.channel.get_partial_message(message)
        await old.edit(view=view, attachments=self._files())

    async def _edited_by_token(self, message: int) -> bool:
        if self.ticket is None:
            return False
        webhook = self.client.webhook(self.ticket.token)
        try:
            await webhook.edit_message(message, view=self._view(), attachments=self._files())
        except discord.HTTPException as wrong:
            if not token_over(wrong):
                raise
            return False
        return True

    async def _retired(self, message: int) -> None:
        """Take the buttons off an old board: it is posted anew, and nobody presses in vain."""
        view = laid_out(self.screen, self.name, buttons=False)
        try:
            async with asyncio.timeout(3.0):
                await self._edit(message, view)
        except (discord.DiscordException, TimeoutError) as wrong:
            log.info("an old board keeps its buttons: %s", short(wrong))

    # ---------------------------------------------------------------- a new message

    async def posted(self) -> Shown:
        """Post the screen: as the answer that waits for it, else as a message of its own."""
        if self.ticket is not None and self.ticket.kind == COMMAND:
            given = await self._given(self.ticket.token)
            if given is not None:
                return Shown(str(given), fresh=True, called=True)
            answer = await self._awaiting(self.ticket)
            if answer is not None and await self._edited_by_token(answer):
                self.tickets.filled(self.ticket.token)
                return Shown(str(answer), fresh=True)
        if self.ticket is not None and self.ticket.visitor:
            return await self._followed_up(self.ticket)
        try:
            sent = await self.channel.send(
                view=self._view(),
                files=self._files(),
                nonce=self.target.nonce,
                allowed_mentions=mentioning(self.screen.mentions),
            )
        except discord.HTTPException as wrong:
            if self.ticket is None or wrong.code not in (MISSING_ACCESS, UNKNOWN_CHANNEL):
                raise
            return await self._followed_up(self.ticket)
        if not shows(sent, self._view(), self.name):
            # Posted before we were killed, and things have happened since.
            await self._edit(sent.id, self._view())
        return Shown(str(sent.id), fresh=True, called=True)

    async def _given(self, token: str) -> int | None:
        """The message of the answer to a command, where the board was let be it."""
        lent = self.tickets.borrow(token)
        if lent is None:
            # Taken back just now: the deferral in its place is waited for.
            await self.tickets.answered(token)
            return None
        allowed, private = mentioning(self.screen.mentions), lent.private
        given = await lent.reply.post(self._view(), self._files(), allowed, private=private)
        lent.given.set()
        return given

    async def _followed_up(self, ticket: Ticket) -> Shown:
        webhook = self.client.webhook(ticket.token)
        allowed = mentioning(self.screen.mentions)
        sent = await webhook.send(
            view=self._view(), files=self._files(), allowed_mentions=allowed, wait=True
        )
        return Shown(str(sent.id), fresh=True, called=True)

    async def _awaiting(self, ticket: Ticket) -> int | None:
        """The response to a command that this board is to fill, if it still can.

        After a restart Discord is asked: a response that is still «thinking», or that shows
        this very table because we were killed before noting it.
        """
        known = self.tickets.original(ticket.token)
        if known is not None:
            return known
        try:
            found = await self.client.original(ticket.token)
        except discord.HTTPException as wrong:
            if not token_over(wrong):
                raise
            return None
        ours = found.thinking or self.screen.table in found.tables
        return found.message if ours else None


def mentioning(people: Sequence[Asker]) -> discord.AllowedMentions:
    """Leave to mention *people* and nobody else."""
    users = [discord.Object(int(one.external)) for one in people if one.external.isdigit()]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


async def called(
    client: Client,
    where: Where,
    people: Sequence[Asker],
    text: str,
    board: str | None,
    nonce: str,
) -> str:
    """Call *people* with a new message that answers *board*; answers its id."""
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


async def removed(client: Client, where: Where, message: str) -> None:
    """Delete a message of ours; one that is gone, or out of our reach, is left."""
    with contextlib.suppress(MessageGone, PlaceShut):
        async with bounded():
            channel = client.get_partial_messageable(int(where.place))
            await channel.get_partial_message(int(message)).delete()
