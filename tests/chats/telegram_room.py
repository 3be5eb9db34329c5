"""A house with the Telegram room in it, and the small Bot API around both."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from pydantic import AnyHttpUrl
from sqlalchemy import text

from bot.app.settings import Settings
from bot.chats.telegram import TelegramChat
from bot.commands.table import creation as table_creation
from bot.facade import Facade
from bot.port import Pace
from bot.service.person.people import People
from tests.houses import open_house
from tests.telegram_api import TOKEN, Api, Refusal, serving
from tests.telegram_messages import GROUP, Shown, user

NEREA, BRUNO, EVA = user(11, "Nerea", "nerea"), user(12, "Bruno", "bruno"), user(13, "Eva")


class Hasty(TelegramChat):
    """The room without the pace of Telegram, which the fake API does not ask for."""

    def pace(self, where):
        return Pace()


@dataclass
class Room:
    """Everything a test needs."""

    api: Api
    facade: Facade
    chat: TelegramChat

    async def settle(self) -> None:
        """Wait until no update is handled or answered, nothing is owed and no lane is busy."""
        updates, answers = self.chat._app.update_processor, self.chat._answers.tasks
        await self.api.until(lambda: not (updates.current_concurrent_updates or answers.busy()), 60)
        async with asyncio.timeout(60):
            await self.facade.settled()

    async def press(self, who: dict, message: Shown, code: str) -> dict:
        """Press, and wait for the board."""
        heard = await self.api.press(who, message, code)
        await self.settle()
        return heard

    async def begun(self, chat: dict = GROUP, game: str = "niya") -> Shown:
        """A game between Nerea and Bruno."""
        await self.api.say(NEREA, f"/jugar {game} @bruno amistosa", chat)
        board = await self.api.until(lambda: self.api.board(chat["id"]))
        await self.settle()
        await self.press(BRUNO, board, board.code("Aceptar"))
        return board

    def mover(self, board: Shown) -> dict:
        return NEREA if "Nerea" in board.text.split("\n")[0] else BRUNO

    async def table(self, board: Shown):
        """The table that *board* shows."""
        keys = [b["callback_data"] for row in board.rows for b in row if "callback_data" in b]
        # A key of its tournament may stand there as well.
        codes = [key.split(".")[1] for key in keys]
        find = self.facade.services.tables.find
        found = [one for one in [await find(code) for code in dict.fromkeys(codes)] if one]
        return found[0]


def refusing(method: str, refusal: Refusal, times: int = 1):
    """Refuse the next *times* calls of *method*."""
    left = [times]

    def refuse(asked):
        if asked.method.casefold() == method.casefold() and left[0] > 0:
            left[0] -= 1
            raise refusal

    return refuse


def settings(api: Api, **more: object) -> Settings:
    """The settings that lead to *api*."""
    made = _settings(**more)
    return made.model_copy(update={"telegram_api_url": AnyHttpUrl(api.url)})


@cache
def _settings(**more: object) -> Settings:
    """Settings that are read once: it takes as long as the rest of a short test."""
    return Settings(_env_file=None, telegram_token=TOKEN, telegram_api_url="http://api", **more)


@asynccontextmanager
async def room(
    folder: Path, kind: type[TelegramChat] = Hasty, api: Api | None = None, **more: object
) -> AsyncIterator[Room]:
    """A running house with Telegram alone."""
    async with serving(api or Api()) as api:
        facade = await open_house(folder)
        chat = kind(facade, settings(api, **more))
        # Found out by a message that says nothing, which the tests of everything else leave out.
        chat._answers.own.messages.known = None if hasattr(api, "own") else False
        await facade.start([chat])
        with pytest.MonkeyPatch.context() as patched:
            if not hasattr(
                api, "own"
            ):  # nor the words to newcomers and of names, which go to the group then
                patched.setattr(table_creation, "offer_course", _nothing)
                patched.setattr(People, "is_unmet", _nothing)
            try:
                yield Room(api, facade, chat)
            finally:
                await facade.stop()


async def _nothing(*_: object) -> str:
    return ""


async def states(at: Room) -> dict[str, str]:
    """The state of every update in the inbox that is not done."""
    async with at.facade.store.reading() as tx:
        rows = await tx.execute(text("select \"update\", state from inbox where state != 'done'"))
        return {row[0]: row[1] for row in rows}
