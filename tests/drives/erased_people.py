"""The people whom ``tests.drives.erasures`` forgets: their house, chats and phases."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from bot.app.logs import Redacted
from bot.chats.discord import DiscordChat
from bot.chats.web import WebChat
from bot.chats.web.chat import FORGOTTEN
from bot.chats.web.doors.mini_app import TelegramUser, guest_id_of
from bot.facade import Facade, open_facade
from bot.port import Answer, Asker, Card, Chat, Command, Press, Promised, Where
from bot.service.computers.pool import Thinkers
from bot.session.preferences import NotificationChoice
from storage.records import TalkRow
from storage.store import Store
from storage.table import talk
from tests.chats.fake_discord import CHANNEL, TOKEN, FakeDiscord
from tests.chats.pages import Page, Server, Visitor, named
from tests.chats.telegram_room import Hasty, settings
from tests.fakes import FakeChat
from tests.telegram_api import Api
from tests.telegram_messages import private, user

CHATS = ("web", "telegram", "discord")
GROUPS = {"telegram": "-1001", "discord": CHANNEL}
NEIGHBOURS = Where("fake", "neighbours")
UPDATES = itertools.count(1)


# -- a house with three chats ----------------------------------------------------------------


@dataclass
class House:
    """A bot with all its chats, and neighbours in a chat in memory who play with anybody."""

    folder: Path
    facade: Facade
    web: Server
    api: Api
    discord: FakeDiscord
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    """While it is not set, calls to people are on their way."""
    calls: list[str] = field(default_factory=list)
    """The places in which somebody is called."""

    async def call(self, who: Asker, where: Where, name: str, **values: str) -> Answer:
        """The command *name* of *who*."""
        command = Command(f"e{next(UPDATES)}", where, who, name, values)
        return await self.facade.requests.call(command)

    async def surely(self, who: Asker, where: Where, name: str, **values: str) -> Answer:
        """The same, and yes to the question that it asks back."""
        answer = await self.call(who, where, name, **values)
        if not isinstance(answer, Card):
            return answer
        code = answer.screen.rows[0][0].code
        return await self.facade.requests.press(
            Press(f"e{next(UPDATES)}", where, who, code, "card", whispered=True, own=True)
        )

    async def table_of(self, who: Asker) -> str:
        """The newest table at which *who* sits."""
        person = await self.facade.services.people.find(who)
        assert person is not None
        lines = await self.facade.services.tables.list_lines(("open", "playing"), person=person.id)
        assert lines, f"{who.name} sits nowhere"
        return lines[0].code

    async def called(self) -> bool:
        """Whether somebody is being called just now."""
        return bool(self.calls)

    async def actor(self, code: str) -> str:
        """The id of one who is to move at the table *code*; empty for a computer."""
        table = await self.facade.services.tables.get(code)
        person = table.players[min(table.actors())].person
        known = () if person is None else await self.facade.services.people.identities(person)
        return known[0].external if known else ""

    def hold(self, chat: Any) -> None:
        """Let *chat* call people only while the gate is open."""
        call = chat.ping

        async def ping(where: Where, *told: Any) -> str | None:
            self.calls.append(where.place)
            await self.gate.wait()
            self.calls.remove(where.place)
            return await call(where, *told)  # type: ignore[no-any-return]

        chat.ping = ping

    async def say_of(self, one: Victim, code: str) -> None:
        """Let the neighbour of *one* write their name over the table *code*."""
        person = (await self.facade.services.people.of(one.neighbour)).id
        line = TalkRow(0, code, person, None, "", one.sentence, self.facade.services.clock.now())
        await self.facade.store.write(talk.add_talk, line)

    async def settled(self) -> None:
        """Wait until nothing is on its way."""
        async with asyncio.timeout(120):
            await self.facade.settled()


@asynccontextmanager
async def house(
    folder: Path, api: Api, discord: FakeDiscord, chats: Collection[str]
) -> AsyncIterator[House]:
    """A running house on the database in *folder*, on a page and those of *chats*."""
    store = await Store.open(f"sqlite+aiosqlite:///{folder}/games.db")
    facade = await open_facade(store, Thinkers(seconds=0.2), "es")
    facade.services.advice.seconds = 1.0  # nobody reads these reviews
    told: list[str] = []
    web = WebChat(facade, "127.0.0.1", 0, told.append)
    taken: list[Chat] = [web, FakeChat()]
    if "telegram" in chats:
        taken.append(Hasty(facade, settings(api)))
    if "discord" in chats:
        taken.append(DiscordChat(facade, TOKEN))
    async with AsyncExitStack() as stack:
        http = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar())
        await stack.enter_async_context(http)
        at = House(folder, facade, Server(facade, web, http, told), api, discord)
        at.gate.set()
        for chat in taken:
            at.hold(chat)
        discord.socket = None
        await facade.start(taken)
        stack.push_async_callback(facade.stop)
        if "discord" in chats:
            await discord.until(lambda: discord.socket is not None)
        yield at


@contextmanager
def logged(file: Path) -> Iterator[None]:
    """Write the log to *file* as the program does."""
    handler = logging.FileHandler(file, encoding="utf-8")
    handler.setFormatter(Redacted([], "plain"))
    root, before = logging.getLogger(), logging.getLogger().level
    for loud in ("httpx", "httpcore", "discord", "telegram", "aiohttp.access", "alembic"):
        logging.getLogger(loud).setLevel(logging.WARNING)
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
        handler.close()


# -- those who are forgotten -----------------------------------------------------------------


@dataclass
class Victim:
    """Somebody with a name, an id and words that nothing else holds."""

    number: int
    chat: str
    game: str
    phase: str
    external: str = ""
    leave: Callable[[], Awaitable[None]] | None = None
    """Ask to be forgotten, by the real chat."""
    speak: Callable[[str], Awaitable[None]] | None = None
    """Say something over a table, by code, where the chat has no words of its own."""
    more: dict[str, str] = field(default_factory=dict)
    """What else was known of them alone."""
    tasks: list[asyncio.Task[Any]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Their name."""
        return f"Zwitscher{self.number:03}q"

    @property
    def handle(self) -> str:
        """Their @name."""
        return f"kanari{self.number:03}q"

    @property
    def words(self) -> str:
        """What they add to draws, which stays."""
        return f"trinos{self.number:03}q"

    @property
    def sentence(self) -> str:
        """What somebody else writes of them, which stays."""
        return f"saludos a {self.name}"

    @property
    def asker(self) -> Asker:
        """Them as their chat tells of them."""
        return Asker(self.chat, self.external, self.name, "es", handle=self.handle)

    @property
    def neighbour(self) -> Asker:
        """Whom they play with."""
        return Asker("fake", f"neighbour-{self.number}", f"Vecina {self.number}", "es")

    @property
    def next_door(self) -> Where:
        """Where their neighbour plays, and nobody else reads."""
        return Where("fake", f"next door to {self.number}", private=True)

    @property
    def alone(self) -> Where:
        """Where nobody else reads."""
        place = f"9{self.external}" if self.chat == "discord" else self.external
        return Where(self.chat, place, private=True)

    @property
    def where(self) -> Where:
        """Where they play: every second one in a group."""
        shared = self.chat in GROUPS and self.number % 2 == 0
        return Where(self.chat, GROUPS[self.chat]) if shared else self.alone

    def secrets(self) -> dict[str, bytes]:
        """What must be found nowhere, by what it is."""
        known = {"name": self.name, "handle": self.handle, "id": self.external, **self.more}
        return {what: word.lower().encode() for what, word in known.items()}


async def arrive(at: House, one: Victim, stack: AsyncExitStack) -> None:
    """Let *one* come by the real chat, and know how they ask to be forgotten there."""
    match one.chat:
        case "web":
            await _to_the_page(at, one, stack)
        case "telegram":
            await _to_telegram(at, one)
        case _:
            await _to_discord(at, one)
    person = await at.facade.services.people.of(one.asker)
    await at.facade.services.people.choose(person.id, calls=NotificationChoice.ALWAYS)


async def _to_the_page(at: House, one: Victim, stack: AsyncExitStack) -> None:
    token = await at.web.chat._guests.first_token()
    visitor = Visitor(at.web)
    assert await visitor.enter(f"{at.web.url}/?t={token}") == 200
    await named(visitor, one.name)
    one.external = visitor.path.removeprefix("/p/")
    secret = visitor.cookie.rpartition("=")[2].rpartition(".")[2]
    hashed = hashlib.sha256(secret.encode()).hexdigest()
    one.more |= {"cookie": secret, "hash of the cookie": hashed, "talk": f"parla{one.number:03}q"}
    page = await stack.enter_async_context(visitor.open(agent=f"Agente{one.number:03}q"))
    one.more["agent"] = f"agente{one.number:03}q"

    async def leave() -> None:
        asked = (await page.type("/forgetme"))["card"]
        answer = await page.ask("press", code=asked["rows"][0][0]["code"])
        assert answer["good"], answer
        await _closed(page)
        status, _ = await visitor.get(f"{visitor.path}/")
        assert status == 401, f"the page of one who was forgotten answers {status}"

    async def speak(table: str) -> None:
        assert (await page.ask("say", table=table, line=one.more["talk"]))["good"]

    one.leave, one.speak = leave, speak


async def _closed(page: Page) -> None:
    async with asyncio.timeout(10):
        while not page.socket.closed:
            await page.socket.receive()
    assert page.socket.close_code == FORGOTTEN, page.socket.close_code


async def _to_telegram(at: House, one: Victim) -> None:
    one.external = f"71{one.number:03}5550"
    told = user(int(one.external), one.name, one.handle)
    await at.api.say(told, "/games", private(told))
    services = at.facade.services
    await until(lambda: services.people.find(one.asker))
    if one.number % 3 == 0:
        guest = guest_id_of(one.external)
        path = await at.web.chat._inbound.enter_mini_app(
            TelegramUser(one.external, one.name, "es", "")
        )
        secret = path.strip("/").rpartition("/")[2].partition("-")[2]
        one.more |= {"guest": guest, "session": secret}

    async def leave() -> None:
        await at.api.say(told, "/forgetme", private(told))
        yes = await at.api.until(lambda: _question(at.api, int(one.external)))
        await at.api.press(told, yes, yes.rows[0][0]["callback_data"])

    one.leave = leave


def _question(api: Api, chat: int) -> Any:
    found = [m for m in api.messages.values() if m.chat == chat and "olv" in m.text.lower()]
    return found[-1] if found and found[-1].rows else None


async def _to_discord(at: House, one: Victim) -> None:
    one.external = f"81{one.number:03}55500000001"
    about = {"discriminator": "0", "avatar": None}
    told = {"id": one.external, "username": one.handle, "global_name": one.name, **about}
    await at.discord.slash(told, "games")
    await until(lambda: at.facade.services.people.find(one.asker))

    async def leave() -> None:
        asked = await at.discord.slash(told, "forgetme")
        await at.discord.until(lambda: asked.message is not None and asked.message.buttons)
        assert asked.message is not None
        code = asked.message.buttons[0]["custom_id"]
        pressed = await at.discord.press(told, asked.message, code)
        await at.discord.until(lambda: pressed.type is not None)

    one.leave = leave


async def until(asked: Callable[[], Awaitable[Any]]) -> Any:
    async with asyncio.timeout(60):
        while not (found := await asked()):
            await asyncio.sleep(0.01)
    return found


# -- the phases ------------------------------------------------------------------------------


async def bring(at: House, one: Victim) -> None:
    """Bring *one* into their phase; what is on its way then stays so."""
    seats = {"seats": "2"} if one.game == "parchis" else {}
    wish = {"game": one.game, "rated": "no", **seats}
    me, where, other = one.asker, one.where, one.neighbour
    if one.phase == "challenge":
        await at.call(other, NEIGHBOURS, "games")
        await at.facade.requests.call(
            Command(f"e{next(UPDATES)}", NEIGHBOURS, other, "play", wish, {"opponent": me})
        )
        return
    if one.phase == "thinking":
        at.facade.services.computers.pause = 1.0
        await at.call(me, where, "play", **wish, opponent="computer", level="1")
        code = await at.table_of(me)
        async with asyncio.timeout(30):
            while await at.actor(code):
                await move(at, code, one)
        return
    await at.call(me, where, "play", **wish)
    code = await at.table_of(me)
    await at.call(me, where, "words", table=code, text=one.words)
    await at.call(me, one.alone, "link")
    if one.speak is not None:
        await one.speak(code)
    if one.phase == "invitation":
        return
    await at.call(other, one.next_door, "join", table=code)
    await at.say_of(one, code)
    await at.call(me, one.alone, "board", table=code)
    if one.phase == "set-up":
        return
    # With a die there may be nothing to choose for many moves, and so nothing to review; if there
    # is little, the review is there at once.
    long = one.phase == "review" and one.game == "parchis"
    for _ in range(30 if long else 4):
        await move(at, code, one)
    if one.phase == "middle":
        return
    if one.phase == "call":
        at.gate.clear()
        async with asyncio.timeout(30):
            while await at.actor(code) != other.external:
                await move(at, code, one)
        await move(at, code, one, by=other)
        await until(at.called)
        return
    assert (await at.surely(other, one.next_door, "resign", table=code)).good
    if one.phase == "review":
        answer = await at.call(me, one.alone, "review", table=code)
        if isinstance(answer, Promised):
            one.tasks.append(asyncio.ensure_future(_awaited(answer)))
        assert isinstance(answer, Promised | Card) or one.game == "parchis", answer


async def _awaited(answer: Promised) -> Answer:
    return await answer.answer


async def move(at: House, code: str, one: Victim, by: Asker | None = None) -> None:
    """Let whoever is to move do so; by *by* alone if given."""
    table = await at.facade.services.tables.get(code)
    for who, where in ((one.asker, one.alone), (one.neighbour, one.next_door)):
        person = await at.facade.services.people.find(who)
        seat = None if person is None else table.seat_of(person.id)
        if seat in table.actors() and by in (None, who):
            call = Command(f"e{next(UPDATES)}", where, who, "move", {"table": code})
            found = [move.value for move in await at.facade.requests.suggest(call, "move", "")]
            refused = []
            for played in ("ready", *found[:1]):
                answer = await at.call(who, where, "move", table=code, move=played)
                if answer.good:
                    return
                refused.append(answer.said)
            raise AssertionError(f"no move among {found[:3]}: {refused}")
