"""Discord as a chat of the house: connected, shown to, pinged and left again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import aiohttp
import discord

from bot.chats.discord.client import Client
from bot.chats.discord.errors import bounded, short
from bot.chats.discord.inbound import Inbound
from bot.chats.discord.outbound import Posting, called, removed
from bot.chats.discord.reading import PLATFORM, SERVER
from bot.chats.discord.threads import joined, kept, started
from bot.chats.discord.tickets import Ticket
from bot.house import House
from bot.pace import Limiter
from bot.port import (
    BURIED,
    Asker,
    Chat,
    ChatError,
    MessageGone,
    PlaceShut,
    Role,
    Screen,
    Shown,
    Stumbled,
    Target,
    Where,
)

log = logging.getLogger(__name__)

FIRST_LOGIN = 5.0
"""Seconds for which a start waits for Discord; after them the other chats go first."""

AGAIN = (2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds between the attempts to reach Discord; the last one for ever."""


BREAKS = ((20, 600.0),)
"""How often the library may fail before we give up."""

MOST_ROLES = 25
"""How many roles a list holds."""

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
        self._inbound = Inbound(house)
        self._client: Client | None = None
        self._known = False
        self._warned = False
        self._breaks = Limiter(BREAKS)
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
        while not self._inbound.closed:
            client = self._client = Client(self._inbound)
            try:
                await client.login(self._token)
                await self._greet(client)
                self._known = True
                reached.set()
                failures, self._warned = 0, False
                if late:
                    await self._house.show_owed()
                await client.connect()
            except discord.LoginFailure:
                raise TokenRefused from None
            except (OSError, aiohttp.ClientError, discord.DiscordException) as wrong:
                if isinstance(wrong, discord.ConnectionClosed) and wrong.code == REFUSED:
                    raise TokenRefused from None
                if not self._warned:
                    log.warning(
                        "Discord cannot be reached (%s); it is tried again until it answers.",
                        short(wrong),
                    )
                    self._warned = True
            except Exception:
                # A fault of the library, or an event it cannot read: it begins anew.
                log.exception("the connection to Discord broke in the library; it is made anew")
                if not self._breaks.take():
                    self._house.give_up(Stumbled("The library of Discord fails again and again."))
                    return
            await client.close()
            self._known, late = False, True
            if self._inbound.closed:
                return
            await asyncio.sleep(AGAIN[min(failures, len(AGAIN) - 1)])
            failures += 1

    async def _greet(self, client: Client) -> None:
        """Register the commands where they changed, and say how to invite the bot."""
        try:
            if await client.tree.register(self._house.notes):
                log.info("The commands were sent to Discord.")
        except (discord.RateLimited, discord.HTTPException) as wrong:
            # The commands of before still work, and so do all buttons.
            log.error("The commands could not be sent to Discord: %s", short(wrong))
        log.info("Invite the bot to a server or to yourself: %s", client.invitation())

    async def rest(self) -> None:
        """Take nothing more, and answer what was asked."""
        await self._inbound.drain()

    async def stop(self) -> None:
        """Leave."""
        self._known = False
        if self._client is not None:
            await self._client.close()
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    def connected(self) -> bool:
        """Whether Discord knows us and every gateway is open."""
        client = self._client
        if client is None or not self._known or not client.shards:
            return False
        return not any(shard.is_closed() for shard in client.shards.values())

    def roles(self, where: Where) -> Sequence[Role]:
        """The roles that people have in the server of *where*, the highest first.

        What an application or a subscription gives by itself is none of them.
        """
        if self._client is None or where.home is None:
            return ()
        guild = self._client.get_guild(int(where.home.id.removeprefix(SERVER)))
        found = reversed(guild.roles) if guild is not None else ()
        given = (one for one in found if not (one.is_default() or one.managed))
        return tuple(Role(str(one.id), one.name) for one in given)[:MOST_ROLES]

    def link(self, where: Where, message: str = "") -> str:
        """The address that leads to *message*; in a private chat it belongs to no server."""
        server = "@me" if where.home is None else where.home.id.removeprefix(SERVER)
        return f"https://discord.com/channels/{server}/{where.place}/{message}".rstrip("/")

    async def part(self, where: Where, name: str) -> Where:
        """Start a thread in the channel *where*."""
        return await started(self._reached(where), where, name)

    async def lead(self, where: Where, people: Sequence[Asker]) -> None:
        """Add *people* to the thread *where*."""
        await joined(self._reached(where), where, people)

    async def keep(self, where: Where, *, played: bool) -> None:
        """Let Discord archive the thread *where* an hour after the last word, once it is over."""
        await kept(self._reached(where), where, played=played)

    def _reached(self, where: Where) -> Client:
        if self._client is None or not self._known:
            raise ChatError("Discord is not reached yet")
        if self._inbound.membership.is_out(where):
            raise PlaceShut("no member any more")
        return self._client

    # ---------------------------------------------------------------- showing

    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        """Show *screen*; by the newest token while it is valid, else as a member of the place."""
        client = self._reached(target.where)
        ticket = Ticket.read(target.token)
        if ticket is not None:
            await self._inbound.tickets.answered(ticket.token)
            ticket = ticket if ticket.fresh() else None
        try:
            async with bounded():
                posting = Posting(self._inbound.tickets, client, target, screen, picture, ticket)
                if target.message is None:
                    return await posting.posted()
                message = int(target.message)
                async with self._inbound.flights.board(message, posting.name):
                    return await posting.edited(message)
        except MessageGone:
            if target.message is not None:
                raise
            # Nothing was there that could be gone: an archived thread takes no new message.
            raise PlaceShut("takes no new message") from None
        except PlaceShut:
            if self._inbound.membership.shut(target.where):
                raise
            raise ChatError("a newer token has come meanwhile") from None

    async def ping(
        self, where: Where, people: Sequence[Asker], text: str, board: str | None, nonce: str
    ) -> str | None:
        """Call *people* with a new message that answers *board*: edits call nobody."""
        sent = await called(self._reached(where), where, people, text, board, nonce)
        self._inbound.depths.sent(where, sent)
        return sent

    async def buried(self, where: Where, message: str, posted: float | None) -> bool:
        """Whether so many messages lie below that the board comes down."""
        del posted
        client = self._reached(where)
        return await self._inbound.depths.below(client, where, message) >= BURIED

    async def remove(self, where: Where, message: str) -> None:
        """Delete a message of ours."""
        await removed(self._reached(where), where, message)
        self._inbound.depths.removed(where, message)


def _ended(running: asyncio.Task[None]) -> None:
    """Say why Discord is shut for good, if it is."""
    wrong = None if running.cancelled() else running.exception()
    if wrong is not None:
        log.error("Discord is shut: %s", wrong)
