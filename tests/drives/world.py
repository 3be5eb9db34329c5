"""An emulated platform, the real bot as a process on it, and an eye on its database.

The emulators are instruments and no part of the project; they stand beside the checkout.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlalchemy import select

from bot.chats.discord.commands import path_of
from bot.facade import BY_NAME
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from bot.service.club.rating_rows import load_shifts
from bot.session.fold import TABLES
from bot.session.table import PLAYING, Table
from storage import bot_settings, inbox
from storage.person import people
from storage.place import places
from storage.records import ViewRow
from storage.schema import game
from storage.store import Store
from storage.table import games, views
from tests.chat_capabilities import CAPABILITIES
from tests.drives.fork_server import forking

ROOT = Path(__file__).resolve().parents[2]
EMULATORS = ROOT.parent / "shared" / "emulators"

MOVE = "m."
"""How the code of a button begins that moves."""

PATIENCE = 70.0
"""How many seconds a board may wait in a busy group, which takes 18 calls a minute."""


def full_name(command: str) -> str:
    """The name of *command* on Discord as a person types it: after that of its group, if any."""
    return " ".join(path_of(BY_NAME[command]))


def emulators() -> bool:
    """Whether the emulators are beside this checkout; they can be imported from then on."""
    if not EMULATORS.is_dir():
        return False
    if str(EMULATORS) not in sys.path:
        sys.path.insert(0, str(EMULATORS))
    return True


def require_emulators() -> None:
    """End the program where there are none."""
    if not emulators():
        sys.exit(f"There are no emulators in {EMULATORS}: nothing is driven.")


def bot_process(folder: Path, *fakes: Any, command: tuple[str, ...] = (), **env: str) -> Any:
    """A process of the bot on the emulators *fakes*, not started; *command* runs another program.

    The bot is the drives' own, forked at each start, with a database in *folder*.
    """
    from harness_common import BotProcess

    known: dict[str, str] = {}
    for fake in fakes:
        if hasattr(fake, "gateway_log"):
            known |= {"DISCORD_TOKEN": fake.token}
        else:
            known |= {"TELEGRAM_TOKEN": fake.token, "TELEGRAM_API_URL": fake.url}
    environment = {
        "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/games.db",
        "WEB_PORT": "0",
        "PYTHONPATH": f"{EMULATORS}/inject:{ROOT}",
        **known,
        **env,
    }
    made, program = (BotProcess if command else forking(BotProcess)), [sys.executable, *command]
    return made(program, *fakes, env=environment, cwd=folder, log=folder / "bot.log")


@dataclass
class World:
    """A platform, the bot, and what must be true of both."""

    folder: Path
    fake: Any
    bot: Any = None
    _store: Store | None = None

    @property
    def store(self) -> Store:
        """The database, to be read."""
        assert self._store is not None
        return self._store

    async def look_into(self, address: str) -> None:
        """Open the database at *address*."""
        self._store = await Store.open(address, readonly=True)

    async def table(self, code: str) -> Table:
        """The table as it is on disk."""
        async with self.store.reading() as tx:
            row, events = await games.load_game(tx, code), await games.load_events(tx, code)
            assert row is not None
            table = TABLES.of(code, events)
            table = table.called(await people.load_names(tx, sorted(table.people())))
            return replace(table, shifts=await load_shifts(tx, table))

    async def over(self, code: str) -> bool:
        """Whether the game at a table is over."""
        return (await self.table(code)).status != PLAYING

    async def is_at_rest(self) -> bool:
        """Whether no view is behind."""
        return not await self.store.read(views.owing_views)

    async def until(self, found: Callable[[], Awaitable[Any]], seconds: float = 10.0) -> Any:
        """What *found* answers, once it answers something."""
        async with asyncio.timeout(seconds):
            while not (what := await found()):
                await asyncio.sleep(0.02)
        return what

    def breaches(self) -> list[str]:
        """Whatever a drive may never see."""
        found = [f"violation {one}" for one in self.fake.violations[:3]]
        found += [f"outside: {line}" for line in self.bot.blocked_connections]
        if self.fake.token in self.bot.output:
            found.append("the token is in the log")
        if (at := self.bot.output.find("Traceback")) >= 0:
            found.append(self.bot.output[max(0, at - 300) : at + 1500])
        return found


@asynccontextmanager
async def running(world: World, bot: Any) -> AsyncIterator[None]:
    """The process *bot* in *world*, gone afterwards."""
    world.bot = bot
    await bot.start()
    try:
        await world.fake.wait_ready(bot=bot)
        database = bot.env["DATABASE_URL"]
        if (world.folder / "games.db").exists() or not database.startswith("sqlite"):
            await world.look_into(database)
        yield
    finally:
        await bot.stop(timeout=30)
        if hasattr(bot, "close"):
            await bot.close()
        if world._store is not None:
            await world.store.close()


# -- Discord ---------------------------------------------------------------------------------


class OnDiscord:
    """What people do and see on an emulated Discord, whatever stands behind it."""

    fake: Any
    handles: list[Any]

    async def click(self, who: Any, message: Any, **what: Any) -> Any:
        """A press and its first answer; one that comes too late is counted as unanswered."""
        handle = self.kept(await self.fake.click(who, message, **what))
        with suppress(TimeoutError):
            await handle.acked()
        return handle

    def kept(self, handle: Any) -> Any:
        """*handle*, which is counted."""
        self.handles.append(handle)
        return handle

    def moves(self, message: Any) -> list[Any]:
        """The buttons of *message* that move."""
        buttons = [one for one in message.buttons if not one.get("disabled")]
        return [one for one in buttons if one["custom_id"].startswith(MOVE)]

    def mover(self, message: Any) -> Any:
        """Whose turn the headline names."""
        head = message.text.split("\n")[0]
        found = [u for u in self.fake.users.values() if str(u["global_name"]) in head]
        return found[0]

    def code(self, message: Any) -> str:
        """The table that *message* shows."""
        return str(message.buttons[0]["custom_id"].split(".")[1])


@dataclass
class Discord(OnDiscord, World):
    """Tables of an emulated Discord."""

    rng: random.Random = field(default_factory=lambda: random.Random(5))
    handles: list[Any] = field(default_factory=list)

    async def open(self, game: str = "niya", **where: Any) -> Any:
        """A game between two people; the message that shows it."""
        fake = self.fake
        handle = self.kept(
            await fake.slash(fake.A, "play", {"game": game, "opponent": fake.B}, **where)
        )
        message = await handle.reply()
        await self.shown(lambda: message.buttons, "the invitation")
        await self.click(fake.B, message, label="Accept")
        await self.shown(lambda: self.moves(message), "the first board")
        return message

    def is_over(self, message: Any) -> bool:
        """Whether *message* shows a game that is over."""
        return any(button["label"] == "Rematch" for button in message.buttons)

    async def move(self, message: Any) -> float:
        """One move by a button; seconds from the press to the new board."""
        edits, began = message.edits, time.monotonic()
        code = self.rng.choice(self.moves(message))["custom_id"]
        await self.click(self.mover(message), message, custom_id=code)
        await self.shown(lambda: message.edits > edits, "the next board")
        return time.monotonic() - began

    async def shown(self, true: Callable[[], Any], what: str, seconds: float = 20.0) -> Any:
        """Wait until the platform shows something."""
        return await self.fake.w.until(true, seconds, what)

    def latencies(self) -> list[float]:
        """The seconds until each first answer."""
        return sorted(h.latency for h in self.handles if h.latency is not None)

    def unanswered(self) -> int:
        """How much was never answered."""
        return sum(h.latency is None for h in self.handles)


@asynccontextmanager
async def on_discord(
    folder: Path, env: Mapping[str, str] = {}, command: tuple[str, ...] = (), **wanted: Any
) -> AsyncIterator[Discord]:
    """An emulated Discord with what is *wanted* of it, and the bot on it; both gone afterwards."""
    from fake_discord import FakeDiscord

    folder.mkdir(parents=True, exist_ok=True)
    async with FakeDiscord(folder / "out", **wanted) as fake:
        world = Discord(folder, fake)
        async with running(world, bot_process(folder, fake, command=command, **env)):
            yield world


# -- Telegram --------------------------------------------------------------------------------


def _looking_at(view: ViewRow, table: Table) -> Viewer:
    """Who looks at *view*, whatever look they have chosen."""
    return Viewer(
        table.seat_of(view.person),
        view.language,
        bottom=view.side,
        personal=view.person is not None,
        space=CAPABILITIES[view.platform].space,
    )


@dataclass
class Telegram(World):
    """Tables of an emulated Telegram."""

    known: set[str] = field(default_factory=set)

    async def _screens(self, *codes: str) -> list[tuple[ViewRow, Table, Any]]:
        """What each view of the tables *codes* should show, but in places that are shut."""
        async with self.store.reading() as tx:
            key = bytes.fromhex(await bot_settings.load_setting(tx, "button-key") or "")
            rows = [row for code in codes for row in await views.views_of_game(tx, code)]
            rows = [row for row in rows if row.platform == "telegram"]
            where = {row.place for row in rows}
            shut = {p for p in where if (await places.load_place(tx, "telegram", p)).suspended}
        found = []
        for row in rows:
            table = await self.table(row.subject)
            if row.place not in shut:
                board = Composer(table, _looking_at(row, table), key).board()
                found.append((row, table, board))
        return found

    async def codes(self, code: str) -> list[str]:
        """The codes of the moves that may be made at a table now."""
        found = [row for *_, board in await self._screens(code) for row in board.rows]
        return [one.code for row in found for one in row if one.style in ("move", "final")]

    async def mover(self, code: str) -> dict:
        """Who is to move at a table."""
        table = await self.table(code)
        (seat,) = table.actors()
        name = table.players[seat].name
        return next(u for u in self.fake.users.values() if u["first_name"] == name)

    async def message(self, code: str) -> Any:
        """The message that shows a table, as people see it."""
        row = (await self.store.read(views.views_of_game, code))[-1]
        return self.fake.messages.get((int(row.place), int(row.message or 0)))

    async def stale(self) -> list[str]:
        """The tables whose message is not what it should be, button by button."""
        async with self.store.reading() as tx:
            playing = await tx.execute(select(game.c.code).where(game.c.status == "playing"))
            codes = sorted(self.known | set(playing.scalars()))
        wrong = []
        for view, table, board in await self._screens(*codes):
            wanted = [[button.code for button in row] for row in board.rows]
            shown = self.fake.messages.get((int(view.place), int(view.message or 0)))
            there = shown and [[b.get("callback_data") for b in row] for row in shown.keyboard]
            # A board that calls somebody says so in place of its headline.
            said = (board.headline[:20], *(player.name for player in table.players))
            if there != wanted or not shown.text.startswith(said):
                wrong.append(view.subject)
        return wrong

    async def pending(self) -> int:
        """How many updates were received and never settled."""
        return len(await self.store.read(inbox.pending_updates, "telegram"))

    async def current(self, seconds: float = 10.0) -> None:
        """Wait until every board is the newest and every update settled."""
        began = time.monotonic()
        # In this order: what is settled after the boards were looked at may have changed them.
        while self.fake.pending or await self.pending() or await self.stale():
            if time.monotonic() - began > seconds:
                raise TimeoutError(f"stale {await self.stale()}, {await self.pending()} pending")
            await asyncio.sleep(0.05)

    async def opened(self, chat: dict, *, first: dict, second: dict) -> str:
        """A game of Niya between two people in *chat*; its table's code."""
        before = await self._played_in(chat)
        asked = await self.fake.say(first, "/play niya", chat)
        board = await asked.reply(
            PATIENCE, predicate=lambda m: any(b["text"] == "Sit down" for b in m.buttons)
        )
        await self.pressed(second, board, label="Sit down")

        async def new() -> set[str]:
            return await self._played_in(chat) - before

        (code,) = await self.until(new, PATIENCE)
        self.known.add(code)
        return str(code)

    async def _played_in(self, chat: dict) -> set[str]:
        """The tables in *chat* that are being played at: others may begin elsewhere meanwhile."""
        async with self.store.reading() as tx:
            place = ("telegram", str(chat["id"]))
            rows = await games.list_games(tx, ("playing",), 10_000, place=place)
        return {row.code for row in rows}

    async def press(self, who: dict, message: Any, *, label: str = "", code: str = "") -> Any:
        """A press, not waited for."""
        button = {"text": "", "callback_data": code} if code else None
        return await self.fake.press(who, message, label or None, stale=button)

    async def pressed(self, who: dict, message: Any, *, label: str = "", code: str = "") -> Any:
        """A press and its answer."""
        handle = await self.press(who, message, label=label, code=code)
        await handle.answered()
        return handle

    async def shown(self, code: str) -> Any:
        """The message of a table, once it shows a game."""

        async def there() -> Any:
            message = await self.message(code)
            if message is None or not message.photo:
                return None
            # An invitation has a picture as well.
            codes = [button.get("callback_data", "") for button in message.buttons]
            return None if any(one.startswith("j.") for one in codes) else message

        return await self.until(there, PATIENCE)


@asynccontextmanager
async def on_telegram(
    folder: Path, env: Mapping[str, str] = {}, command: tuple[str, ...] = (), **wanted: Any
) -> AsyncIterator[Telegram]:
    """The same on an emulated Telegram."""
    from fake_telegram import FakeTelegram

    folder.mkdir(parents=True, exist_ok=True)
    async with FakeTelegram(folder / "out", human_delay=0, **wanted) as fake:
        world = Telegram(folder, fake)
        async with running(world, bot_process(folder, fake, command=command, **env)):
            yield world
