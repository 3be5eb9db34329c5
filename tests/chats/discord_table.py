"""A house behind a fake Discord, and a game at it, for the tests of the chat."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.chats.discord import DiscordChat, reply
from bot.facade import Facade
from bot.port import Where
from tests.chats.discord_messages import Asked, Body, Shown
from tests.chats.fake_discord import CHANNEL, TOKEN, FakeDiscord, point_library_at
from tests.houses import open_house

ANA = {"id": "11", "username": "ana", "global_name": "Ana", "discriminator": "0", "avatar": None}
BEA = {**ANA, "id": "12", "username": "bea", "global_name": "Bea"}
EVA = {**ANA, "id": "13", "username": "eva", "global_name": "Eva"}
HERE = Where("discord", CHANNEL)


@asynccontextmanager
async def discord_house(folder: Path) -> AsyncIterator[Facade]:
    """A house on the database of *folder*, with Discord as its only chat."""
    facade = await open_house(folder)
    try:
        await facade.start([DiscordChat(facade, TOKEN)])
        yield facade
    finally:
        await facade.stop()


@dataclass
class Table:
    """A fake Discord, the house behind it, and a game of Niya."""

    fake: FakeDiscord
    facade: Facade

    async def begun(self, game: str = "niya", **more: Any) -> Shown:
        """A game between Ana and Bea; the message that shows it."""
        asked = await self.fake.slash(
            ANA, "play", {"game": game, "opponent": BEA, "rated": "no"}, **more
        )
        assert asked.message is not None
        await self.fake.until(lambda: asked.message.buttons)
        await self.fake.press(BEA, asked.message, asked.message.button("Aceptar")["custom_id"])
        await self.fake.until(lambda: asked.message.moves)
        return asked.message

    def mover(self, message: Shown) -> Body:
        head = next(line for line in message.text.splitlines() if line)
        return ANA if "Ana" in head else BEA

    async def move(self, message: Shown) -> Asked:
        """A move by a button, until the board shows it."""
        code = random.Random(1).choice(message.moves)["custom_id"]
        writes = message.writes
        asked = await self.fake.press(self.mover(message), message, code)
        await self.fake.until(lambda: message.writes > writes)
        return asked

    async def typed(self, message: Shown) -> Asked:
        """A move by a command, as it is completed."""
        who = self.mover(message)
        found = await self.fake.complete(who, "move", "move")
        return await self.fake.slash(who, "move", {"move": found[0]["value"]})

    async def table(self, message: Shown) -> Any:
        return await self.facade.services.tables.get(message.buttons[0]["custom_id"].split(".")[1])

    async def moves(self, message: Shown) -> int:
        """The length of the table's log, sixteen draws included."""
        return len((await self.table(message)).log)

    def boards(self) -> list[Shown]:
        """What everybody sees."""
        return [one for one in self.fake.messages.values() if not one.ephemeral]

    async def settle(self) -> None:
        async with asyncio.timeout(60):
            await self.facade.settled()


@pytest.fixture(name="unhurried_discord")
def unhurried_discord_fixture(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Discord that waits for answers as long as a slow machine needs for them."""
    for name in ("ANSWER_DUE", "WATCHDOG"):
        monkeypatch.setattr(reply, name, 60.0)


@pytest.fixture(name="fake")
async def fake_fixture(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeDiscord]:
    discord = FakeDiscord()
    async with discord.running() as base:
        point_library_at(monkeypatch, base)
        yield discord
    assert not discord.undescribed, "a file without words for who cannot see it"


@pytest.fixture(name="at")
async def table_fixture(fake: FakeDiscord, tmp_path: Path) -> AsyncIterator[Table]:
    async with discord_house(tmp_path) as facade:
        await fake.until(lambda: fake.socket is not None)
        yield Table(fake, facade)
