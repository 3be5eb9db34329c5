"""Discord as a chat of the house: connected, shown to, pinged and left again."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from functools import cached_property

import aiohttp
import discord

from bot.chats.discord.client import Client
from bot.chats.discord.faults import (
    MISSING_ACCESS,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    bounded,
    token_over,
)
from bot.chats.discord.interactions import PLATFORM
from bot.chats.discord.layout import laid_out, picture_file, picture_name, shows
from bot.chats.discord.markdown import escaped
from bot.chats.discord.reception import Reception
from bot.chats.discord.tickets import COMMAND, Ticket
from bot.house import House
from bot.port import Asker, Chat, ChatError, MessageGone, PlaceShut, Screen, Shown, Target, Where

log = logging.getLogger(__name__)

OLD = 3600.0
"""Seconds after which Discord slows down edits of a message (error 30046)."""

FIRST_LOGIN = 5.0
"""Seconds for which a start waits for Discord; after them the other chats go first."""

AGAIN = (2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds between the attempts to reach Discord; the last one for ever."""


REFUSED = 4004
"""The code with which the gateway closes on a token that it does not know."""


class TokenRefused(ChatError):
    """Discord does not know the token."""

    def __init__(self) -> None:
        super().__init__("Discord refuses the token in DISCORD_TOKEN.")


class DiscordChat(Chat):
    """Discord with the bot's *token*."""

    platform = PLATFORM

    def __init__(self, house: House, token: str) -> None:
        self._house = house
        self._token = token
        self._reception = Reception(house)
        self._client: Client | None = None
        self._known = False
        self._warned = False
        self._running: asyncio.Task[None] | None = None

    # ---------------------------------------------------------------- life

    async def start(self) -> None:
        """Log in and connect; raises ``TokenRefused``. Goes on trying where that takes long."""
        reached = asyncio.Event()
        self._running = asyncio.create_task(self._run(reached))
        self._running.add_done_callback(_ended)
        waiting = asyncio.create_task(reached.wait())
        done, _ = await asyncio.wait(
            {waiting, self._running}, timeout=FIRST_LOGIN, return_when=asyncio.FIRST_COMPLETED
        )
        waiting.cancel()
        if self._running in done:
            self._running.result()
        elif waiting not in done and not self._warned:
            self._warned = True
            log.warning("Discord has not answered yet; it is tried again until it does.")

    async def _run(self, reached: asyncio.Event) -> None:
        """Stay connected; every further attempt is silent until one succeeds."""
        failures = 0
        late = False
        while not self._reception.closed:
            client = self._client = Client(self._reception)
            try:
                await client.login(self._token)
                await self._greet(client)
                self._known = True
                reached.set()
                failures, self._warned = 0, False
                if late:
                    await self._house.delivery.wake_all()
                await client.connect()
            except discord.LoginFailure:
                raise TokenRefused from None
            except (
                OSError,
                TimeoutError,
                aiohttp.ClientError,
                discord.DiscordException,
            ) as wrong:
                if isinstance(wrong, discord.ConnectionClosed) and wrong.code == REFUSED:
                    raise TokenRefused from None
                if not self._warned:
                    log.warning(
                        "Discord cannot be reached (%s); it is tried again until it answers.",
                        _short(wrong),
                    )
                    self._warned = True
            await client.close()
            self._known, late = False, True
            if self._reception.closed:
                return
            await asyncio.sleep(AGAIN[min(failures, len(AGAIN) - 1)])
            failures += 1

    async def _greet(self, client: Client) -> None:
        """Register the commands where they changed, and say how to invite the bot."""
        try:
            if await client.tree.register(self._house.store):
                log.info("The commands were sent to Discord.")
        except (discord.RateLimited, discord.HTTPException) as wrong:
            # The commands of before still work, and so do all buttons.
            log.error("The commands could not be sent to Discord: %s", _short(wrong))
        log.info("Invite the bot to a server or to yourself: %s", client.invitation())

    async def rest(self) -> None:
        """Take nothing more, and answer what was asked."""
        await self._reception.drain()

    async def stop(self) -> None:
        """Leave."""
        self._known = False
        if self._client is not None:
            await self._client.close()
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    def _reached(self, where: Where) -> Client:
        if self._client is None or not self._known:
            raise ChatError("Discord is not reached yet")
        if self._reception.doors.is_out(where):
            raise PlaceShut("no member any more")
        return self._client

    # ---------------------------------------------------------------- showing

    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        """Show *screen*; by the newest token while it is valid, else as a member of the place."""
        client = self._reached(target.where)
        ticket = Ticket.read(target.token)
        if ticket is not None:
            await self._reception.tickets.answered(ticket.token)
            ticket = ticket if ticket.fresh() else None
        try:
            async with bounded():
                showing = _Showing(self._reception, client, target, screen, picture, ticket)
                if target.message is None:
                    return await showing.posted()
                return await showing.edited(int(target.message))
        except MessageGone:
            if target.message is not None:
                raise
            # Nothing was there that could be gone: an archived thread takes no new message.
            raise PlaceShut("takes no new message") from None
        except PlaceShut:
            if self._reception.doors.shut(target.where):
                raise
            raise ChatError("a newer token has come meanwhile") from None

    async def ping(self, where: Where, people: Sequence[Asker], text: str) -> str | None:
        """Call *people* with a new message, the only one that may mention anybody."""
        client = self._reached(where)
        called = [one for one in people if one.external.isdigit()]
        mentions = " ".join(f"<@{one.external}>" for one in called)
        allowed = discord.AllowedMentions(
            everyone=False,
            roles=False,
            replied_user=False,
            users=[discord.Object(int(one.external)) for one in called],
        )
        async with bounded():
            channel = client.get_partial_messageable(int(where.place))
            sent = await channel.send(f"{mentions} {escaped(text)}", allowed_mentions=allowed)
        return str(sent.id)

    async def remove(self, where: Where, message: str) -> None:
        """Delete a message of ours."""
        client = self._reached(where)
        try:
            async with bounded():
                channel = client.get_partial_messageable(int(where.place))
                await channel.get_partial_message(int(message)).delete()
        except (MessageGone, PlaceShut):
            return


class _Showing:
    """One screen on its way to one message."""

    def __init__(
        self,
        reception: Reception,
        client: Client,
        target: Target,
        screen: Screen,
        picture: bytes | None,
        ticket: Ticket | None,
    ) -> None:
        self.tickets = reception.tickets
        self.client = client
        self.target = target
        self.screen = screen
        self.picture = picture
        self.ticket = ticket
        self.channel = client.get_partial_messageable(int(target.where.place))

    def _view(self) -> discord.ui.LayoutView:
        return laid_out(self.screen, self._name)

    @cached_property
    def _name(self) -> str | None:
        return None if self.picture is None else picture_name(self.picture, self.screen)

    def _files(self) -> list[discord.File]:
        return [] if self.picture is None else [picture_file(self.picture, self.screen)]

    # ---------------------------------------------------------------- a message that stands

    async def edited(self, message: int) -> Shown:
        """Put the screen into *message*; its old picture goes."""
        if self.ticket is not None and await self._edited_by_token(message):
            return Shown(str(message))
        posted = self.target.posted
        if posted is not None and time.time() - posted > OLD:
            await self._retired(message)
            raise MessageGone("older than an hour")
        await self.channel.get_partial_message(message).edit(
            view=self._view(), attachments=self._files()
        )
        return Shown(str(message))

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
        view = laid_out(self.screen, self._name, buttons=False)
        try:
            async with asyncio.timeout(3.0):
                old = self.channel.get_partial_message(message)
                await old.edit(view=view, attachments=self._files())
        except (discord.DiscordException, TimeoutError) as wrong:
            log.info("an old board keeps its buttons: %s", _short(wrong))

    # ---------------------------------------------------------------- a new message

    async def posted(self) -> Shown:
        """Post the screen: as the answer that waits for it, else as a message of its own."""
        if self.ticket is not None and self.ticket.kind == COMMAND:
            answer = await self._awaiting(self.ticket)
            if answer is not None and await self._edited_by_token(answer):
                self.tickets.filled(self.ticket.token)
                return Shown(str(answer), fresh=True)
        if self.ticket is not None and self.ticket.visitor:
            return await self._followed_up(self.ticket)
        try:
            sent = await self.channel.send(
                view=self._view(), files=self._files(), nonce=self.target.nonce
            )
        except discord.HTTPException as wrong:
            if self.ticket is None or wrong.code not in (MISSING_ACCESS, UNKNOWN_CHANNEL):
                raise
            return await self._followed_up(self.ticket)
        if not shows(sent, self._view(), self._name):
            # Posted before we were killed, and things have happened since.
            await self.channel.get_partial_message(sent.id).edit(
                view=self._view(), attachments=self._files()
            )
        return Shown(str(sent.id), fresh=True)

    async def _followed_up(self, ticket: Ticket) -> Shown:
        webhook = self.client.webhook(ticket.token)
        sent = await webhook.send(view=self._view(), files=self._files(), wait=True)
        return Shown(str(sent.id), fresh=True)

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


def _ended(running: asyncio.Task[None]) -> None:
    """Say why Discord is shut for good, if it is."""
    wrong = None if running.cancelled() else running.exception()
    if wrong is not None:
        log.error("Discord is shut: %s", wrong)


def _short(wrong: BaseException) -> str:
    """What went wrong in a few words, without addresses."""
    code = getattr(wrong, "code", None) or getattr(wrong, "status", None)
    name = type(wrong).__name__
    return f"{name} {code}" if code and code != UNKNOWN_MESSAGE else name
