"""Threads that are made for one table each.

Discord archives a thread by itself when nothing is written there for a while. It is never archived
at once: in an archived thread desktop clients grey all buttons, also the one of the rematch.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

import discord

from bot.chats.discord.client import Client
from bot.chats.discord.errors import bounded, short
from bot.chats.discord.markdown import shortened
from bot.port import Asker, ChatError, Where

WEEK: Final = 10080
"""Minutes without a word after which a thread is archived in which a game is played."""

HOUR: Final = 60
"""The same once it is over."""

NEWS_THREAD: Final = 10
THREAD: Final = 11
"""The kinds of threads: of an announcement channel, and that everybody sees."""

LONGEST = 100
"""Characters of the name of a thread."""


async def started(client: Client, where: Where, name: str) -> Where:
    """A thread called *name* in the channel *where*; raises ``PlaceShut`` or ``ChatError``."""
    parent = client.get_channel(int(where.place))
    news = isinstance(parent, discord.TextChannel) and parent.is_news()
    async with _reaching():
        made = await client.http.start_thread_without_message(
            int(where.place),
            name=shortened(name, LONGEST),
            auto_archive_duration=WEEK,
            type=NEWS_THREAD if news else THREAD,
        )
    home = None if where.home is None else replace(where.home, parts=False)
    return Where(where.platform, str(made["id"]), home=home)


async def joined(client: Client, where: Where, people: Sequence[Asker]) -> None:
    """Add *people* to the thread *where*; raises ``ChatError``."""
    async with _reaching():
        for person in people:
            await client.http.add_user_to_thread(int(where.place), int(person.external))


async def kept(client: Client, where: Where, *, played: bool) -> None:
    """Say when the thread *where* is archived; raises ``ChatError``."""
    async with _reaching():
        minutes = WEEK if played else HOUR
        await client.http.edit_channel(int(where.place), auto_archive_duration=minutes)


@asynccontextmanager
async def _reaching() -> AsyncIterator[None]:
    """Errors of the port also where Discord finds fault: with too many threads, say."""
    try:
        async with bounded():
            yield
    except discord.HTTPException as wrong:
        raise ChatError(short(wrong)) from None
