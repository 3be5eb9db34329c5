"""Threads for one table each.

Discord archives a thread after a while without messages. We never archive one at once: desktop
clients grey all buttons of an archived thread, also the one for a rematch.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

import discord

from bot.chats.discord.client import Client
from bot.chats.discord.errors import bounded, short
from bot.chats.discord.markdown import ellipsized
from bot.port import Asker, ChatError, Where

WEEK: Final = 10080
"""Minutes without messages after which Discord archives a thread with a running game."""

HOUR: Final = 60
"""The same once the game is over."""

NEWS_THREAD: Final = 10
THREAD: Final = 11
"""Types of threads: in an announcement channel, and public."""

LONGEST = 100
"""Characters of the name of a thread."""


async def start_thread(client: Client, where: Where, name: str) -> Where:
    """Start a thread called *name* in *where*; raises ``PlaceShut`` or ``ChatError``."""
    parent = client.get_channel(int(where.place))
    news = isinstance(parent, discord.TextChannel) and parent.is_news()
    async with _reaching():
        made = await client.http.start_thread_without_message(
            int(where.place),
            name=ellipsized(name, LONGEST),
            auto_archive_duration=WEEK,
            type=NEWS_THREAD if news else THREAD,
        )
    home = None if where.home is None else replace(where.home, parts=False)
    return Where(where.platform, str(made["id"]), home=home)


async def add_people(client: Client, where: Where, people: Sequence[Asker]) -> None:
    """Add *people* to the thread *where*; raises ``ChatError``."""
    async with _reaching():
        for person in people:
            await client.http.add_user_to_thread(int(where.place), int(person.external))


async def set_archiving(client: Client, where: Where, *, played: bool) -> None:
    """Set when Discord archives the thread *where*; raises ``ChatError``."""
    async with _reaching():
        minutes = WEEK if played else HOUR
        await client.http.edit_channel(int(where.place), auto_archive_duration=minutes)


@asynccontextmanager
async def _reaching() -> AsyncIterator[None]:
    """Raise errors of the port also for bad requests, such as too many threads."""
    try:
        async with bounded():
            yield
    except discord.HTTPException as wrong:
        raise ChatError(short(wrong)) from None
