"""Who is forgotten stays so: ``python -m tests.drives.erasures [--count 200] [--wait 10]``.

Page guests, people on Telegram and on Discord, each in one of five games and in one of eight
phases, ask to be forgotten, in one process with all three chats at small fakes. A while later, and
again after a restart, every file of the bot is searched for what was known of them: the database
with its journal, a copy made after, the sprites and the log. What may stay is listed by its place:
the words that they added to draws, and what others wrote of them.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import itertools
import json
import logging
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.app.logs import Redacted
from bot.chats.discord import DiscordChat
from bot.chats.discord import reply as discord_reply
from bot.chats.web import WebChat
from bot.chats.web.chat import FORGOTTEN
from bot.chats.web.mini_app import TelegramUser, guest_id_of
from bot.commands import quota
from bot.facade import Facade, open_facade
from bot.port import Answer, Asker, Card, Chat, Command, Press, Promised, Where
from bot.service import limits
from bot.service.computers.pool import Thinkers
from bot.session.preferences import NotificationChoice, Personal
from games.core.shelf import shelf
from render.kit.sprite_cache import STORE
from storage import inbox, people, personal_data, schema, talk
from storage.backups import write_backup
from storage.records import TalkRow
from storage.store import Store
from tests.chats.fake_discord import CHANNEL, TOKEN, FakeDiscord, point_library_at
from tests.chats.pages import Page, Server, Visitor, named
from tests.chats.telegram_room import Hasty, settings
from tests.fakes import FakeChat
from tests.telegram_api import Api, private, serving, user

CHATS = ("web", "telegram", "discord")
PHASES = (
    "invitation",
    "set-up",
    "middle",
    "thinking",
    "ended",
    "review",
    "challenge",
    "call",
)
BATCH = 40
"""How many people live in one house."""

STAYS = {"words": {"event.text"}, "said by others": {"talk.text"}}
"""What docs/privacy.md lets stay of a person, and where."""

GROUPS = {"telegram": "-1001", "discord": CHANNEL}
NEIGHBOURS = Where("fake", "neighbours")
UPDATES = itertools.count(1)

Situation = tuple[str, str, str]
"""A chat, a game and a phase."""


def situations(count: int) -> list[Situation]:
    """The first *count* of all situations, which begin anew after the last."""
    every = list(itertools.product(CHATS, shelf(), PHASES))
    random.Random(1).shuffle(every)  # the houses of a drive are alike
    return list(itertools.islice(itertools.cycle(every), count))


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
        return await self.facade.call(command)

    async def surely(self, who: Asker, where: Where, name: str, **values: str) -> Answer:
        """The same, and yes to the question that it asks back."""
        answer = await self.call(who, where, name, **values)
        if not isinstance(answer, Card):
            return answer
        code = answer.screen.rows[0][0].code
        return await self.facade.press(
            Press(f"e{next(UPDATES)}", where, who, code, "card", whispered=True, own=True)
        )

    async def table_of(self, who: Asker) -> str:
        """The newest table at which *who* sits."""
        person = await self.facade.services.people.known(who)
        assert person is not None
        lines = await self.facade.services.tables.listed(("open", "playing"), person=person.id)
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
    await at.facade.services.people.choose(person.id, Personal(calls=NotificationChoice.ALWAYS))


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
    await _until(lambda: services.people.known(one.asker))
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
    await _until(lambda: at.facade.services.people.known(one.asker))

    async def leave() -> None:
        asked = await at.discord.slash(told, "forgetme")
        await at.discord.until(lambda: asked.message is not None and asked.message.buttons)
        assert asked.message is not None
        code = asked.message.buttons[0]["custom_id"]
        pressed = await at.discord.press(told, asked.message, code)
        await at.discord.until(lambda: pressed.type is not None)

    one.leave = leave


async def _until(asked: Callable[[], Awaitable[Any]]) -> Any:
    async with asyncio.timeout(60):
        while not (found := await asked()):
            await asyncio.sleep(0.01)
    return found


# -- the phases ------------------------------------------------------------------------------


async def bring(at: House, one: Victim) -> None:
    """Bring *one* into their phase; what is on its way then stays so."""
    wish = {"game": one.game, **({"seats": "2"} if one.game == "parchis" else {})}
    me, where, other = one.asker, one.where, one.neighbour
    if one.phase == "challenge":
        await at.call(other, NEIGHBOURS, "games")
        await at.facade.call(
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
        await _until(at.called)
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
        person = await at.facade.services.people.known(who)
        seat = None if person is None else table.seat_of(person.id)
        if seat in table.actors() and by in (None, who):
            call = Command(f"e{next(UPDATES)}", where, who, "move", {"table": code})
            found = [move.value for move in await at.facade.suggest(call, "move", "")]
            refused = []
            for played in ("ready", *found[:1]):
                answer = await at.call(who, where, "move", table=code, move=played)
                if answer.good:
                    return
                refused.append(answer.said)
            raise AssertionError(f"no move among {found[:3]}: {refused}")


# -- what is left ----------------------------------------------------------------------------


@dataclass
class Left:
    """What was found of people who were forgotten."""

    wrong: list[str] = field(default_factory=list)
    stays: Counter[str] = field(default_factory=Counter)
    """What may stay, by what it is and its place."""

    def look(self, folder: Path, forgotten: Sequence[Victim], when: str) -> None:
        """Search every file of *folder*."""
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                self._search(file, forgotten, when)
        self._places(folder / "games.db", forgotten, when)

    def _search(self, file: Path, forgotten: Sequence[Victim], when: str) -> None:
        data = file.read_bytes().lower()
        for one in forgotten:
            data = data.replace(one.sentence.lower().encode(), b"")
        for one in forgotten:
            found = [what for what, secret in one.secrets().items() if secret in data]
            if found:
                self.wrong.append(f"{when}: {file.name}: {_about(one)}: {', '.join(found)}")
            if file.suffix == ".log" and one.words.encode() in data:
                self.wrong.append(f"{when}: {file.name}: {_about(one)}: words")

    def _places(self, file: Path, forgotten: Sequence[Victim], when: str) -> None:
        where: dict[str, str] = {}
        for one in forgotten:
            where |= {one.words: "words", one.sentence: "said by others"}
        with closing(sqlite3.connect(file)) as connection:
            for table in schema.metadata.tables.values():
                for row in connection.execute(f"SELECT * FROM {table.name}"):
                    for column, value in zip(table.columns, row, strict=True):
                        for word, what in where.items() if isinstance(value, str) else ():
                            if word in value:
                                self._stays(when, what, str(column))

    def _stays(self, when: str, what: str, column: str) -> None:
        self.stays[f"{when}: {what} in {column}"] += 1
        if column not in STAYS[what]:
            self.wrong.append(f"{when}: {what} in {column}")


def _about(one: Victim) -> str:
    return f"{one.chat}, {one.game}, {one.phase}"


# -- the drive -------------------------------------------------------------------------------


async def erased(folder: Path, wanted: Sequence[Situation], wait: float) -> Left:
    """Forget one person in each of the *wanted* situations, and look what is left of them."""
    left, fake, chats = Left(), FakeDiscord(), {chat for chat, _, _ in wanted}
    with pytest.MonkeyPatch.context() as patch, logged(folder / "bot.log"):
        _unhurried(patch)
        STORE.open(folder / "sprites.db")
        async with serving(Api()) as api, fake.running() as base:
            point_library_at(patch, base)
            async with house(folder, api, fake, chats) as at, AsyncExitStack() as stack:
                forgotten = [
                    Victim(number, *situation) for number, situation in enumerate(wanted, 1)
                ]
                for one in forgotten:
                    await _forgotten(at, one, stack)
                await at.settled()
                await asyncio.sleep(wait)
                left.look(folder, forgotten, f"{wait:g} s later")
            async with house(folder, api, fake, chats) as at:
                await at.settled()
                await write_backup(f"sqlite+aiosqlite:///{folder}/games.db", folder / "copy.db")
                left.look(folder, forgotten, "restarted")
        STORE.close()
        left.look(folder, forgotten, "stopped")
    return left


async def _forgotten(at: House, one: Victim, stack: AsyncExitStack) -> None:
    await arrive(at, one, stack)
    try:
        await bring(at, one)
    except Exception as wrong:
        raise AssertionError(f"{_about(one)} cannot be brought about") from wrong
    assert one.leave is not None
    await one.leave()
    at.gate.set()
    at.facade.services.computers.pause = 0.0
    for task in one.tasks:
        with suppress(Exception):
            await task

    async def gone() -> bool:
        return await at.facade.store.read(people.find_person, one.chat, one.external) is None

    # A slow press is answered before it is done.
    await _until(gone)


def _unhurried(patch: pytest.MonkeyPatch) -> None:
    for name in ("PERSON", "PLACE"):
        patch.setattr(quota, name, 10_000)
    for windows in ("SEATED", "OTHERS", "COMPLETION", "PLACE", "SHARE"):
        patch.setattr(limits, windows, ())
    for name in ("ANSWER_DUE", "WATCHDOG"):
        patch.setattr(discord_reply, name, 60.0)


# -- what people are handed of themselves ----------------------------------------------------


def alike(count: int) -> list[str]:
    """*count* ids of which each stands within others: 12345, 912345678, 55512345 …"""
    found = ["12345", "912345678", "55512345"]
    for number in itertools.count(1):
        if len(found) >= count:
            return found[:count]
        inner = f"{10_000 + number}"
        found += [inner, f"9{inner}678", f"555{inner}", f"{inner}{inner}"]
    return found


def _update(number: int, sender: str, other: str) -> str:
    """A message of *sender* in a group, an answer to *other*, whose id and words it repeats."""
    them = {"id": int(other), "is_bot": False, "first_name": f"name of {other};"}
    me = {**them, "id": int(sender), "first_name": f"name of {sender};"}
    message = {
        "message_id": int(sender),
        "date": int(f"17{sender}"[:10]),
        "chat": {"id": -100, "type": "supergroup", "title": "Club"},
        "from": me,
        "text": f"/link CODE-OF-{sender}; my number is near {other}0",
        "entities": [{"type": "text_mention", "offset": 0, "length": 1, "user": them}],
        "reply_to_message": {"message_id": 1, "from": them, "text": f"said by {other};"},
    }
    return json.dumps({"update_id": number, "message": message})


async def exported(folder: Path, count: int) -> list[str]:
    """What the data of *count* people with ids alike hold of others, or lack of themselves."""
    ids, wrong = alike(count), []
    store = await Store.open(f"sqlite+aiosqlite:///{folder}/games.db")
    facade = await open_facade(store, Thinkers(), "es")
    try:
        numbers = {}
        for number, one in enumerate(ids):
            asker = Asker("telegram", one, f"name of {one};", "es")
            numbers[one] = (await facade.services.people.of(asker)).id
            said = _update(number, one, ids[number - 1])
            now = facade.services.clock.steady()
            await store.write(inbox.receive_update, "telegram", f"n{number}", said, now)
            await store.write(people.put_link_code, f"CODE{number}X", numbers[one], now)
        for number, one in enumerate(ids):
            data = json.dumps(await store.read(personal_data.export_person, numbers[one]))
            for other in ids:
                tags = (f"name of {other};", f"CODE-OF-{other};", f"said by {other};")
                held = [tag for tag in tags if tag in data]
                if other != one and held:
                    wrong.append(f"the data of {one} hold {held}")
                if other == one and held != list(tags[:2]):
                    wrong.append(f"the data of {one} lack something: {held}")
            if [n for n in range(count) if f"CODE{n}X" in data] != [number]:
                wrong.append(f"the data of {one} have not their own code alone")
        gone = ids[::2]
        for one in gone:
            await store.write(personal_data.erase_person_data, numbers[one])
        left = {row.update for row in await store.read(inbox.pending_updates, "telegram")}
        if left != {f"n{number}" for number, one in enumerate(ids) if one not in gone}:
            wrong.append("the updates of others were erased")
    finally:
        await facade.stop()
    return wrong


def main() -> None:
    """Run it, and say what was found."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--count", type=int, default=200)
    asked.add_argument("--wait", type=float, default=10.0, help="seconds until it is looked at")
    given = asked.parse_args()
    wrong, stays, began = [], Counter[str](), time.monotonic()
    wanted = situations(given.count)
    for first in range(0, given.count, BATCH):
        with tempfile.TemporaryDirectory() as folder:
            some = wanted[first : first + BATCH]
            left = asyncio.run(erased(Path(folder), some, given.wait))
        wrong += left.wrong
        stays += left.stays
        say(f"{first + len(some)} forgotten, {time.monotonic() - began:.0f} s")
    with tempfile.TemporaryDirectory() as folder:
        wrong += asyncio.run(exported(Path(folder), given.count))
    for what, times in sorted(stays.items()):
        say(f"stays {times:5} {what}")
    for one in wrong:
        say(f"WRONG {one}")
    say(f"{given.count} forgotten, {given.count} exports: {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
