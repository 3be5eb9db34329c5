"""``python -m tests.drives.lessons [CHAT [GAME]]``: every first step, by buttons and by words.

A learner takes the courses from the first step to the last by what the screen says alone, in
``memory`` (both languages), on ``discord``, on ``telegram`` and on a ``page``; before each right
move come up to twenty wrong ones and three that are no moves. What was tried is told at the end.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.session.exercises import games_with_courses
from bot.texts import OURS
from tests.chats.discord_table import opened
from tests.chats.fake_discord import FakeDiscord, point_library_at
from tests.chats.pages import server
from tests.chats.telegram_room import room
from tests.fakes import desk
from tests.learner import FakeHands, Learner
from tests.school_hands import DiscordHands, PageHands, TelegramHands

MOST_WRONG = 20
CHATS = ("memory", "discord", "telegram", "page")


@asynccontextmanager
async def learners(chat: str, folder: Path) -> AsyncIterator[list[Learner]]:
    """Those who learn in *chat*, each in a language."""
    match chat:
        case "memory":
            async with desk(folder) as house:
                key = house.facade.services.key
                yield [Learner(FakeHands(house, code), key, MOST_WRONG) for code in OURS]
        case "discord":
            discord, patch = FakeDiscord(), pytest.MonkeyPatch()
            async with discord.running() as base:
                point_library_at(patch, base)
                async with opened(folder) as facade:
                    await discord.until(lambda: discord.socket is not None)
                    key = facade.services.key
                    yield [Learner(DiscordHands(discord), key, MOST_WRONG)]
            patch.undo()
        case "telegram":
            async with room(folder) as at:
                yield [Learner(TelegramHands(at), at.facade.services.key, MOST_WRONG)]
        case "page":
            async with server(folder) as at:
                visitor = await at.first()
                async with visitor.open() as page:
                    yield [Learner(PageHands(page), at.facade.services.key, MOST_WRONG)]


async def drive(chat: str, game: str) -> None:
    """Let everybody in *chat* take the course of *game* twice: by words, then by buttons."""
    with tempfile.TemporaryDirectory() as folder:
        async with learners(chat, Path(folder)) as found:
            for learner in found:
                await learner.by_words(game)
                # Everything is solved by now, so that the course begins at its first step.
                await learner.by_buttons(game)
                print(f"{chat} {game}: {learner.tried}", flush=True)


def main() -> None:
    """Drive what the command line asks for."""
    chats = sys.argv[1:2] or CHATS
    games = sys.argv[2:3] or [game.key for game in games_with_courses()]
    for chat in chats:
        for game in games:
            asyncio.run(drive(chat, game))


if __name__ == "__main__":
    main()
