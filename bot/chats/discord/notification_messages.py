"""Calls: new messages that mention people, as replies, with a link, or by a token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord

from bot.chats.discord.bot_permissions import Access
from bot.chats.discord.client import Client
from bot.chats.discord.errors import family
from bot.chats.discord.markdown import escape
from bot.chats.discord.message_formatting import key_view, mentioning, mentions
from bot.chats.discord.outbound import follow_up
from bot.chats.discord.refusals import NO_HISTORY, Family
from bot.port import Ping, PlaceShut, Where


@dataclass
class NotificationPosting:
    """One *ping* on its way; raises the library's errors."""

    client: Client
    where: Where
    ping: Ping
    access: Access

    def __post_init__(self) -> None:
        self.channel = self.client.get_partial_messageable(int(self.where.place))
        self.allowed = mentioning(self.ping.people, self.ping.roles)
        self.named = mentions(self.ping.people, self.ping.roles)
        self.keyed = {} if self.ping.key is None else {"view": key_view(self.ping.key)}
        self.missed_board = False
        """Whether the board that it answers turned out to be gone."""

    async def post(self, link: str) -> str:
        """Post it, with a *link* to the board where it cannot be a reply; the message's id."""
        try:
            return await self._send(f"{self.named}{escape(self.ping.text)}", self.ping.board, link)
        except discord.HTTPException as wrong:
            if family(wrong) is not Family.FILTERED or not link:
                raise
        # The names in it may be what the filter refuses.
        return await self._send(self.named, None, link)

    async def _send(self, said: str, board: str | None, link: str) -> str:
        linked, place = f"{said} {link}".strip(), self.where.place
        if self.access.by_token(place):
            ticket = self.access.tickets.newest(place)
            if ticket is not None and not self.access.at(place).unseen:
                # Where we may not write this is all there is.
                what = {"content": linked, "allowed_mentions": self.allowed, **self.keyed}
                return await follow_up(self.client, self.access, place, ticket, **what)
            if self.access.is_exhausted(place) or not self.access.at(place).takes_messages:
                raise PlaceShut("nobody can be called there now")
        if board is not None and self.access.reads_history(place):
            try:
                return await self._reply(said, int(board))
            except discord.HTTPException as wrong:
                if wrong.code != NO_HISTORY:
                    raise
            self.access.close_history(place)
        return str((await self._post(linked)).id)

    async def _post(self, said: str, **how: Any) -> discord.Message:
        how |= {"allowed_mentions": self.allowed, "nonce": self.ping.nonce, **self.keyed}
        async with self.client.turn("send", self.where.place):
            sent = await self.channel.send(said, **how)
        self.access.allow(self.where.place)
        return sent

    async def _reply(self, said: str, board: int) -> str:
        reference = self.channel.get_partial_message(board).to_reference(fail_if_not_exists=False)
        sent = await self._post(said, reference=reference, mention_author=False)
        gone = None if sent.reference is None else sent.reference.resolved
        # The nonce may bring back an earlier attempt, which answers the board of that time.
        self.missed_board = isinstance(gone, discord.DeletedReferencedMessage) and gone.id == board
        return str(sent.id)
