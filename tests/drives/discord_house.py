"""A house, in this process, behind the emulator that refuses what the real Discord refuses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
import discord.gateway
import pytest
from yarl import URL

import tests.fakes  # noqa: F401  # facades keep what they are made of
from bot.chats.discord import DiscordChat
from bot.chats.discord.emojis import Emojis
from bot.facade import Facade
from bot.service.person.people import Presence
from tests.drives.world import EMULATORS, MOVE, OnDiscord, emulators, full_name
from tests.houses import open_house

SKIP = pytest.mark.skipif(not EMULATORS.is_dir(), reason="the emulators are not beside this tree")


@dataclass
class House(OnDiscord):
    """An emulated Discord, and the house behind it."""

    fake: Any
    facade: Facade
    handles: list[Any] = field(default_factory=list)

    async def slash(self, who: Any, name: str, values: Any = None, **where: Any) -> Any:
        """A command, and its first answer, if one comes within three seconds."""
        handle = self.kept(await self.fake.slash(who, full_name(name), values or {}, **where))
        with suppress(TimeoutError):
            await handle.acked()
        return handle

    async def begun(self, game: str = "niya", options: str = "", **where: Any) -> Any:
        """A game between Alice and Bob; the message that shows it."""
        fake = self.fake
        wish = {"game": game, "opponent": fake.B} | ({"options": options} if options else {})
        handle = self.kept(await fake.slash(fake.A, "play", wish, **where))
        message = await handle.reply()
        await self.until(lambda: message.buttons)
        accept = next(b for b in message.buttons if b["label"] in ("Accept", "Aceptar"))
        await self.click(fake.B, message, custom_id=accept["custom_id"])
        await self.until(lambda: self.moves(message))
        await self.settle()
        return message

    async def settle(self) -> None:
        async with asyncio.timeout(30):
            await self.facade.settled()

    async def until(self, condition: Callable[[], object], seconds: float = 5.0) -> None:
        await self.fake.w.until(condition, seconds, "what the test waits for")

    def other(self, who: Any) -> Any:
        return self.fake.B if who is self.fake.A else self.fake.A

    async def move(self, message: Any) -> Any:
        """A press of the first move; nothing is waited for but its answer."""
        code = self.moves(message)[0]["custom_id"]
        return await self.click(self.mover(message), message, custom_id=code)

    async def typed(self, message: Any, who: Any, **where: Any) -> Any:
        """A move by ``/move``, which does not carry the board."""
        table = await self.facade.services.tables.get(self.code(message))
        found = table.present
        (seat,) = found.actors()
        text = table.game.notation.written(found, found.legal_moves(seat)[0])
        return await self.slash(who, "move", {"move": text, "table": table.code}, **where)

    async def version(self, code: str) -> int:
        return (await self.facade.services.tables.get(code)).version

    def live(self, code: str) -> list[Any]:
        """The messages with buttons of the table *code* that can be pressed."""
        shown = [m for m in self.fake.messages.values() if not m.deleted]
        return [m for m in shown if not m.ephemeral and self._plays(m, code)]

    @staticmethod
    def _plays(message: Any, code: str) -> bool:
        codes = (b.get("custom_id", "") for b in message.buttons if not b.get("disabled"))
        return any(one.startswith(f"{MOVE}{code}.") for one in codes)

    def asked(self, since: float, *statuses: int) -> list[Any]:
        """The requests since *since* that were answered by one of *statuses*."""
        return [r for r in self.fake.records if r.t >= since and r.status in statuses]

    def heard(self, who: Any) -> str:
        """What *who* was told alone, so far."""
        seen = self.fake.messages.values()
        return "\n".join(m.text for m in seen if m.ephemeral and m.owner is who)

    def told(self, handle: Any) -> str:
        """What whoever made *handle* reads of it: its answer and what followed."""
        said = [handle.message, *handle.followups]
        return "\n".join(one.text for one in said if one is not None)


@contextmanager
def library_at(fake: Any) -> Iterator[None]:
    """The library of Discord speaks to the emulator *fake*, and uploads no emoji."""
    with pytest.MonkeyPatch.context() as patched:
        address = URL(fake.url.replace("http", "ws", 1)).with_path("/gateway")
        patched.setattr(discord.http.Route, "BASE", f"{fake.url}/api/v10")
        patched.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", address)
        patched.setattr(Emojis, "upload", _nothing)
        yield


@asynccontextmanager
async def house(folder: Path, language: str = "en", **options: Any) -> AsyncIterator[House]:
    """A house on a database in *folder*, behind an emulator with *options*; emojis are uploaded."""
    assert emulators(), "the emulators are not beside this tree"
    from fake_discord import FakeDiscord

    upload = Emojis.upload
    async with FakeDiscord(folder / "out", human_delay=0, spec=False, **options) as fake:
        facade = await open_house(folder, language, seconds=0.2)
        with library_at(fake), pytest.MonkeyPatch.context() as patched:
            # Nobody looks, so that everybody is called at once.
            patched.setattr(Presence, "looking", _away)
            try:
                chat = DiscordChat(facade, fake.token)
                with pytest.MonkeyPatch.context() as starting:
                    starting.setattr(discord.state.ConnectionState, "__init__", _soon_ready)
                    await facade.start([chat])
                await fake.wait_ready(quiet=0.05)
                for client in chat._list_clients():
                    await client.wait_until_ready()
                patched.setattr(Emojis, "upload", upload)
                yield House(fake, facade)
            finally:
                await facade.stop()


def _away(*_: object) -> float:
    return 0.0


_ready = discord.state.ConnectionState.__init__


def _soon_ready(state: discord.state.ConnectionState, **options: Any) -> None:
    """Wait less than two seconds for further servers, of which the emulator has told all."""
    _ready(state, **{"guild_ready_timeout": 0.2, **options})


async def _nothing(*_: object) -> None:
    """Upload no emoji."""


def now() -> float:
    """The clock by which the emulator stamps its records."""
    return time.monotonic()
