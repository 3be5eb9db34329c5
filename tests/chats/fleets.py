"""Several processes on one database of PostgreSQL, as far as one process can play them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import aiohttp

from bot.chats.web import WebChat
from bot.facade import open_facade
from bot.service.computers.pool import Thinkers
from storage.store import Store
from tests.chats.pages import Server, Visitor
from tests.fakes import FakeChat


@asynccontextmanager
async def process(address: str, *chats: FakeChat) -> AsyncIterator[Server]:
    """One of the processes on the database at *address*: its page, and *chats* that one keeps."""
    store = await Store.open(address, shared=True)
    facade = await open_facade(store, Thinkers(seconds=0.5), "es")
    told: list[str] = []
    chat = WebChat(facade, "127.0.0.1", 0, told.append)
    await facade.start([chat, *chats])
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        try:
            yield Server(facade, chat, http, told)
        finally:
            await facade.stop()


def at(other: Server, visitor: Visitor) -> Visitor:
    """The same *visitor*, who opens his page by the *other* process from now on."""
    return replace(visitor, server=other)


async def killed(one: Server) -> None:
    """What the others see of a process that is killed: its connections break."""
    fleet = one.facade.store.cluster
    fleet._running.cancel()
    await fleet._connection.invalidate()
    fleet._held = frozenset()


async def until(true: Callable[[], object]) -> None:
    """Wait until *true* answers so."""
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.02)
