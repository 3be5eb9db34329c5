"""``python -m tests.drives.lessons [CHAT [GAME [LANGUAGE]]]``: every first step, learnt.

A learner takes the courses from the first step to the last by what the screen says alone, by words
and then by buttons, in ``memory``, on ``discord``, on ``telegram`` and on a ``page``, in each
language; before each right move come up to twenty wrong ones and three that are no moves. What was
tried is told at the end. Nobody asks for patience here: a learner on a chat whose limits stand is
soon too fast, is told so once a minute and gets no other answer.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from bot.chats.discord import reply
from bot.facade import Facade
from bot.service import request_rate_limits
from bot.session.exercise_catalogue import games_with_courses
from bot.texts import OURS
from tests.chats.discord_table import opened
from tests.chats.fake_discord import FakeDiscord, point_library_at
from tests.chats.pages import server
from tests.chats.telegram_room import room
from tests.fakes import desk
from tests.learner import FakeHands, Hands, Learner
from tests.school_hands import DiscordHands, PageHands, TelegramHands

MOST_WRONG = 20
CHATS = ("memory", "discord", "telegram", "page")


@contextmanager
def unhurried() -> Iterator[pytest.MonkeyPatch]:
    """Let a learner ask faster than people do, and Discord wait as long as a slow machine needs."""
    with pytest.MonkeyPatch.context() as patch:
        for windows in ("SEATED", "OTHERS", "PLACE", "SHARE"):
            patch.setattr(request_rate_limits, windows, ())
        for name in ("ANSWER_DUE", "WATCHDOG"):
            patch.setattr(reply, name, 60.0)
        yield patch


@asynccontextmanager
async def learner_in(chat: str, code: str, folder: Path) -> AsyncIterator[Learner]:
    """Somebody who learns in *chat*, in the language of this *code*."""
    match chat:
        case "memory":
            async with desk(folder) as house:
                yield _learner(FakeHands(house, code), house.facade)
        case "discord":
            discord = FakeDiscord()
            with unhurried() as patch:
                async with discord.running() as base:
                    point_library_at(patch, base)
                    async with opened(folder) as facade:
                        await discord.until(lambda: discord.socket is not None)
                        yield _learner(DiscordHands(discord, code), facade)
        case "telegram":
            with unhurried():
                async with room(folder) as at:
                    yield _learner(TelegramHands(at, code), at.facade)
        case "page":
            with unhurried():
                async with server(folder) as at:
                    visitor = await at.first()
                    async with visitor.open(code) as page:
                        yield _learner(PageHands(page, code), at.facade)


def _learner(hands: Hands, facade: Facade) -> Learner:
    return Learner(hands, facade.services.key, MOST_WRONG)


async def drive(chat: str, game: str, code: str) -> None:
    """Let somebody in *chat* take the course of *game* twice: by words, then by buttons."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        async with learner_in(chat, code, Path(folder)) as learner:
            await learner.by_words(game)
            # Everything is solved by now, so that the course begins at its first step.
            await learner.by_buttons(game)
            seconds = time.monotonic() - begun
            print(f"{chat} {game} {code}: {learner.tried}, {seconds:.0f} s", flush=True)


def main() -> None:
    """Drive what the command line asks for."""
    chats = sys.argv[1:2] or CHATS
    games = sys.argv[2:3] or [game.key for game in games_with_courses()]
    for chat in chats:
        for game in games:
            for code in sys.argv[3:4] or OURS:
                asyncio.run(drive(chat, game, code))


if __name__ == "__main__":
    main()
