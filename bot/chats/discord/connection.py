"""One connection to Discord, with all shards or with a range of them, made anew where it breaks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from bot.chats.discord.client import Client, ShardRange
from bot.chats.discord.errors import TokenRefused, short
from bot.chats.discord.inbound import Inbound
from bot.facade import Limiter, wait_until_set
from bot.port import Stumbled

log = logging.getLogger(__name__)

FIRST_LOGIN = 5.0
"""Seconds for which a start waits for Discord; then the other chats start."""

RECONNECT_SECONDS = (2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds between attempts to reach Discord; the last one repeats."""

BREAKS = ((20, 600.0),)
"""How often the library may fail before we give up (count, seconds)."""

LINGERING = 120.0
"""Seconds for which presses are taken, at most, for a process that is not connected yet."""

ANSWERING = 3.0
"""Seconds for answers to what came in by a connection that was left."""


class Connection:
    """A connection with the bot's *token*; *greet* is called after each login."""

    def __init__(
        self,
        inbound: Inbound,
        token: str,
        shards: ShardRange | None,
        greet: Callable[[Connection, Client], Awaitable[None]],
    ) -> None:
        self.client: Client | None = None
        self.known = False
        self._inbound = inbound
        self._token = token
        self._shards = shards
        self.share = "" if shards is None else shards.name
        self._greet = greet
        self.succeeded = asyncio.Event()
        """Set once another process has sessions of our shards."""
        self.left = False
        """Whether its shards are left for good."""
        self._warned = False
        self._breaks = Limiter(BREAKS)
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Log in and connect; raises ``TokenRefused``. Goes on trying where that takes long."""
        reached = asyncio.Event()
        self._running = asyncio.create_task(self._run(reached))
        self._running.add_done_callback(_end)
        self._running.add_done_callback(lambda _: reached.set())
        if not (await wait_until_set(reached, FIRST_LOGIN) or self._warned):
            self._warned = True
            log.warning("Discord has not answered yet; it is tried again until it does.")
        if self._running.done():
            self._running.result()

    async def _run(self, reached: asyncio.Event) -> None:
        """Stay connected; every further attempt is silent until one succeeds."""
        failures, late = 0, False
        while not (self.left or self._inbound.closed):
            client = self.client = Client(self._inbound, self._shards)
            try:
                await client.login(self._token)
                await self._greet(self, client)
                self.known = True
                reached.set()
                failures, self._warned = 0, False
                if late:
                    await self._inbound.places.show_owed()
                await client.until_session_may_begin()
                await client.connect()
            except Exception as wrong:
                if not self._is_bearable(wrong):
                    return
            if self.left:
                return
            await client.close()
            self.known, late = False, True
            if self.left or self._inbound.closed:
                return
            await asyncio.sleep(RECONNECT_SECONDS[min(failures, len(RECONNECT_SECONDS) - 1)])
            failures += 1

    def _is_bearable(self, wrong: Exception) -> bool:
        """Log why a connection broke; whether to try again. Raises ``TokenRefused``."""
        match wrong:
            case discord.LoginFailure() | discord.ConnectionClosed(code=4004):  # unknown token
                raise TokenRefused from None
            case OSError() | aiohttp.ClientError() | discord.DiscordException():
                if not self._warned:
                    self._warned = True
                    log.warning(
                        "Discord cannot be reached (%s); it is tried again until it answers.",
                        short(wrong),
                    )
                return True
        # A fault of the library, or an event that it cannot read.
        log.error("the connection to Discord broke in the library; it is made anew", exc_info=wrong)
        if not self._breaks.take():
            self._inbound.facade.failures.put_nowait(
                Stumbled("The library of Discord fails again and again.")
            )
            return False
        return True

    def is_connected(self) -> bool:
        """Whether Discord knows us and every gateway is open."""
        client = self.client
        if client is None or not self.known or not client.shards:
            return False
        return not any(shard.is_closed() for shard in client.shards.values())

    async def hand_over(self) -> None:
        """Take presses until another process has sessions of our shards, then leave.

        Discord lets two sessions of a shard live at a time for that:
        https://discord.com/developers/docs/events/gateway#sharding
        """
        if self.is_connected():
            await wait_until_set(self.succeeded, LINGERING)
        await self.leave()
        await self._inbound.until_quiet(ANSWERING)
        await self.stop()

    async def leave(self) -> None:
        """Take nothing more from now on; what was taken can still be answered."""
        self.left = True
        if self.client is not None:
            await asyncio.gather(*(shard.disconnect() for shard in self.client.shards.values()))
        await self._cancel()

    async def stop(self) -> None:
        """Disconnect for good."""
        self.known = False
        if self.client is not None:
            await self.client.close()
        await self._cancel()

    async def _cancel(self) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)


def _end(running: asyncio.Task[None]) -> None:
    wrong = None if running.cancelled() else running.exception()
    if wrong is not None:
        log.error("Discord is shut: %s", wrong)
