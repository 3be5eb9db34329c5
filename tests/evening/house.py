"""A house as the product composes it, which can be killed, stopped, and opened again."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import re
import shutil
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from discord.webhook.async_ import AsyncWebhookAdapter, async_context

import tests.fakes  # noqa: F401  # facades keep what they are made of
from bot.app.settings import Settings
from bot.chats.discord import DiscordChat
from bot.chats.discord.emojis import Emojis
from bot.chats.telegram import TelegramChat
from bot.facade import Facade, Requests, open_facade
from bot.port import Chat, Command, Press
from bot.service.computers import pool
from bot.service.computers.worker import Allowance, Task, think
from bot.service.school.puzzle_miner import PuzzleMiner
from bot.service.tournament import progress as tournament_progress
from bot.session.computer_resignation_and_draws import Opinion
from bot.tournament import swiss
from render.kit import painters
from render.scene import Poster, Scene
from storage.database.sqlite import SqliteBackend
from storage.store import Store
from tests import compiled_statements, statements_in_the_loop
from tests.chats.fake_discord import TOKEN as DISCORD_TOKEN
from tests.evening.loop import World, concern
from tests.evening.small_server import Server
from tests.evening.story import Story
from tests.telegram_api import TOKEN as TELEGRAM_TOKEN

FILES = ("games.db", "games.db-wal")

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c636060"
    "60f80f0001040100b5f3c1e20000000049454e44ae426082"
)
"""A picture of one transparent pixel."""

ADDRESS = re.compile(r" at 0x[0-9a-f]+")
"""Where an object lies in memory, which differs from one process to the next."""

NODES = 40
"""How far a computer looks: as far as one that must answer at once."""


class Thinkers(pool.Thinkers):
    """Computers that think in the loop, by nodes and not by seconds."""

    async def warm(self, count: int | None = None) -> None:
        del count

    @property
    def rests(self) -> bool:
        """Never: there are no processes here that could look for puzzles."""
        return False

    async def think(self, asked: pool.Question) -> Opinion:
        await asyncio.sleep(0.3)
        answer = think(
            {**asked.describe(Task.MOVE, self.seconds), "level": 1}, Allowance(float("inf"), NODES)
        )
        return pool.opinion_of(answer)

    async def _ask_worker(self, question: dict[str, Any]) -> dict[str, Any] | None:
        await asyncio.sleep(1.0)
        return think({**question, "seconds": 0.05}, Allowance(float("inf"), NODES))


class House:
    """A process of the bot, so to speak."""

    numbers = itertools.count(1)

    def __init__(
        self, world: World, story: Story, folder: Path, platforms: tuple[str, ...], language: str
    ) -> None:
        self.world, self.story, self.folder = world, story, folder
        self.platforms, self.language = platforms, language
        self.name = f"house{next(House.numbers)}"
        self.dead, self.steps, self.dies_at = False, 0, 0
        self.died_at = float("inf")
        self.stopping = False
        self.grave: list[object] = []
        self.server: Server | None = None
        """What stands between it and the others that run on the same database."""
        self.shards: int | None = None
        self.facade: Facade | None = None
        self.died: Callable[[House], None] = lambda house: None
        """Called when it is killed."""
        self.besides: Callable[[House], list[Chat]] = lambda house: []
        """The chats that it has besides."""
        self.composed: Callable[[Facade], None] = lambda facade: None
        """Called once it is put together, before anybody is heard."""

    # ---------------------------------------------------------------- life

    async def open(self) -> None:
        """Open it in a task of its own, whose context marks all that follows."""
        await self.world.spawn(self._open(), self)

    async def _open(self) -> None:
        # The library keeps a lock for each token, for the whole process: the dead would hold it.
        async_context.set(AsyncWebhookAdapter())
        store = await Store.open(f"sqlite+aiosqlite:///{self.folder}/games.db", shared=True)
        self.facade = await open_facade(store, Thinkers(1, seconds=0.05), self.language)
        self.facade.services.computers.pause = 0.0
        self.composed(self.facade)
        chats: list[Any] = []
        if "telegram" in self.platforms:
            settings = Settings(
                _env_file=None, telegram_token=TELEGRAM_TOKEN, telegram_api_url="http://telegram"
            )
            chats.append(TelegramChat(self.facade, settings))
        if "discord" in self.platforms:
            chats.append(DiscordChat(self.facade, DISCORD_TOKEN, self.shards))
        await self.facade.start([*chats, *self.besides(self)])
        self.story.tell("**", self.name, "is open")

    async def stop(self) -> None:
        """End as a supervisor asks it to."""
        self.stopping = True
        await self.world.spawn(self.facade.stop(), self)
        self.story.tell("**", self.name, "has stopped")

    async def settle(self) -> None:
        """Wait until nothing is owed that can be shown."""
        await self.world.spawn(self.facade.settled(), self)

    # ---------------------------------------------------------------- death

    def count_step(self) -> bool:
        """Count a step; the house may die just before it takes it."""
        self.steps += 1
        if self.steps == self.dies_at:
            self.die()
            return False
        return True

    def die(self) -> None:
        """Be killed here: what is on disk now is what the next house finds."""
        self.dead, self.died_at = True, self.world.loop.now
        # Whatever is collected runs its ``finally``: a farewell that no killed process makes.
        tasks = [one for one in asyncio.all_tasks(self.world.loop) if one.house is self]
        self.grave.append(tasks)
        self.story.tell("**", self.name, "is killed at its step", self.steps)
        if self.server is not None:
            self.server.forget(self)
        else:
            self.story.script.deaths.append((len(self.story.script.deaths), "killed", self.steps))
        self.died(self)

    def leave_to(self, folder: Path) -> None:
        """Copy what is on disk to *folder*."""
        folder.mkdir()
        for name in FILES:
            if (self.folder / name).exists():
                shutil.copyfile(self.folder / name, folder / name)


painted: dict[bytes, Any] = {}
"""The positions that pictures of this evening show."""


def _constant_picture(gallery: object, scene: object, wanted: asyncio.Future[bytes]) -> None:
    if not wanted.done():
        told = ADDRESS.sub("", repr(scene))
        picture = PIXEL + hashlib.sha256(told.encode()).digest()
        painted[picture] = getattr(scene, "seen", None)
        wanted.set_result(picture)


def _picture_now(gallery: painters.Gallery, scene: Scene | Poster) -> bytes:
    """A thread would wait for another one that paints; here nobody may wait outside the loop."""
    wanted, _ = gallery.ask(scene)
    if not wanted.done():
        gallery.fulfil(scene, wanted)
    return wanted.result()


async def _lineage(backend: object, tx: object) -> str:
    return "the file of this evening"  # the copy that an heir opens has another number


async def _no_emojis(*_: object) -> None:
    """The evening looks at words and buttons."""


async def _ask_miner(_: object, question: dict[str, Any]) -> dict[str, Any]:
    """What looks for puzzles at leisure has a process of its own, as computers have."""
    await asyncio.sleep(1.0)
    answer = think({**question, "seconds": 0.05}, Allowance(float("inf"), NODES))
    return {"took": 1.0, **answer}


async def _swiss_pairs(report: str) -> list[swiss.Pair]:
    await asyncio.sleep(0.5)
    return swiss.pairs(report)


watchers: list[tuple[Callable[..., Any], Callable[..., Any]]] = []
"""Pairs: what is called when a facade is asked, and with its answer what came of it."""


def _about(handled: Any) -> Any:
    @wraps(handled)
    async def handle(requests: Requests, asked: Press | Command, *more: Any) -> Any:
        facade = asyncio.current_task().house.facade
        known = concern.set(f"{asked.where.platform}/{asked.update}")
        befores = [arrives(facade, asked) for arrives, _ in watchers]
        try:
            answer = await handled(requests, asked, *more)
        finally:
            concern.reset(known)
        for before, (_, judge) in zip(befores, watchers, strict=True):
            await judge(facade, asked, before, answer)
        return answer

    return handle


def install(*, paints: bool = False) -> None:
    """Replace what an evening has otherwise: threads, processes, and pictures that take long."""
    statements_in_the_loop.share(threads=False)
    compiled_statements.share()
    SqliteBackend.lineage = _lineage
    Emojis.upload = _no_emojis
    tournament_progress.swiss_pairs = _swiss_pairs
    PuzzleMiner._ask = _ask_miner
    Requests._handled = _about(Requests._handled)
    if not paints:
        painters.Gallery.fulfil = _constant_picture
        painters.Gallery.picture = _picture_now
