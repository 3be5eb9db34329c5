"""A chat that keeps what it is told to show, and a house around it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path

from bot.facade import Facade, composition, open_facade
from bot.facade.composition import Composition
from bot.port import (
    Answer,
    Asker,
    Button,
    Capabilities,
    Card,
    Chat,
    ChatError,
    Command,
    FileTooLarge,
    MenuAnswer,
    Pace,
    Ping,
    PlaceStanding,
    Press,
    Promised,
    Screen,
    Shown,
    Target,
    Upload,
    Where,
)
from bot.service.clock import SteadyClock
from bot.service.computers.pool import Thinkers
from storage.store import Store
from tests.databases import database_in

UPDATES = itertools.count(1)

_compose = Composition.__init__
# Each house asked some eighty classes what they want: a tenth of the time of opening one.
composition.signature = cache(composition.signature)


def _remembered(self: Composition, *given: object) -> None:
    """Tests reach what a facade is made of as its ``services``, and wait until it has settled."""
    _compose(self, *given)
    self.facade.services, self.facade.settled = self, partial(_settled, self)


async def _settled(services: Composition) -> None:
    """Wait until nobody thinks, no lane is busy and all is shown that can be shown."""
    while busy := services.tasks.busy() | services.delivery.busy():
        await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)


Composition.__init__ = _remembered


@dataclass
class Message:
    """What stands in a place now, and how often it was shown."""

    id: str
    where: Where
    screen: Screen
    picture: bytes | None
    edits: int = 0
    card: bool = False
    """Whether it is an answer that one person alone sees."""

    def button(self, label: str) -> Button:
        found = [b for row in self.screen.rows for b in row if b.label == label or b.step == label]
        if not found:
            labels = [b.label for row in self.screen.rows for b in row]
            raise AssertionError(f"no button {label!r} among {labels}")
        return found[0]

    @property
    def labels(self) -> list[str]:
        return [button.label for row in self.screen.rows for button in row]

    @property
    def moves(self) -> list[Button]:
        return [b for row in self.screen.rows for b in row if b.style == "move"]


@dataclass(frozen=True, kw_only=True)
class Posted(Ping):
    """A message that calls somebody, as it was posted."""

    id: str
    where: Where

    @property
    def called(self) -> tuple[str, ...]:
        return tuple(person.name for person in self.people)


@dataclass
class FakeChat(Chat):
    """A chat in memory; *failures* are raised, one a call, before anything is shown."""

    platform: str = "fake"
    capabilities: Capabilities = field(default_factory=Capabilities)
    messages: dict[str, Message] = field(default_factory=dict)
    pings: list[Posted] = field(default_factory=list)
    named: dict[str, Posted] = field(default_factory=dict)
    refusing: list[Exception] = field(default_factory=list)
    """What is raised, one a call, before anybody is called."""
    deep: set[str] = field(default_factory=set)
    """The messages that lie too far up to be found."""
    removed: list[str] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)
    limit: Pace = field(default_factory=Pace)
    standings: dict[tuple[str, str], PlaceStanding] = field(default_factory=dict)
    """What people are in places, by their ids and those of the places."""
    gone: dict[tuple[str, str], ChatError | None] = field(default_factory=dict)
    """Who is no member any more, in the same way; or why the platform does not tell."""
    questions: list[str] = field(default_factory=list)
    """The people of whom it was asked whether they are still there."""
    files: dict[str, bytes] = field(default_factory=dict)
    """What people have sent, by its key."""
    calls: int = 0
    taken: list[Awaitable[object]] = field(default_factory=list)
    """What the chat has taken and finishes before it stops."""
    stopped: bool = False
    _numbers: itertools.count = field(default_factory=lambda: itertools.count(1))
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def start(self) -> None:
        pass

    async def rest(self) -> None:
        await asyncio.gather(*self.taken)

    async def stop(self) -> None:
        self.stopped = True

    def pace(self, where: Where) -> Pace:
        return self.limit

    async def fetch(self, upload: Upload, most: int) -> bytes:
        if upload.key not in self.files:
            raise ChatError("gone")
        if len(self.files[upload.key]) > most:
            raise FileTooLarge
        return self.files[upload.key]

    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        assert not self.stopped
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        message = target.message or f"m{next(self._numbers)}"
        old = self.messages.get(message)
        edits = old.edits + 1 if old else 0
        self.messages[message] = Message(message, target.where, screen, picture, edits)
        self._changed.set()
        fresh = target.message is None
        return Shown(message, fresh=fresh, called=fresh)

    async def ping(self, where: Where, ping: Ping) -> str | None:
        if self.refusing:
            raise self.refusing.pop(0)
        if ping.nonce in self.named:
            return self.named[ping.nonce].id
        self.pings.append(Posted(**vars(ping), id=f"p{len(self.named) + 1}", where=where))
        self.named[ping.nonce] = self.pings[-1]
        return self.pings[-1].id

    async def is_buried(self, where: Where, message: str, posted: float | None) -> bool:
        return message in self.deep

    async def remove(self, where: Where, message: str) -> None:
        self.removed.append(message)

    async def standing(self, where: Where, asker: Asker) -> PlaceStanding:
        return self.standings.get((asker.external, where.place), PlaceStanding())

    async def has_left(self, where: Where, person: Asker) -> bool:
        self.questions.append(person.external)
        key = (person.external, where.place)
        if (why := self.gone.get(key)) is not None:
            raise why
        return key in self.gone

    def menu(self, message: str, screen: Screen) -> None:
        """What a chat does with an answer that is a menu: only the keyboard changes."""
        old = self.messages[message]
        self.messages[message] = replace(old, screen=screen)

    def board(self, table: str, where: Where | None = None) -> Message:
        """The newest message that shows *table*."""
        found = [
            m
            for m in self.messages.values()
            if m.screen.table == table and (where is None or m.where == where)
        ]
        return found[-1]


@dataclass
class Desk:
    """A house, a fake chat and the people in it."""

    facade: Facade
    chat: FakeChat
    where: Where = field(default_factory=lambda: Where("fake", "group"))

    async def settle(self, seconds: float = 60.0) -> None:
        """Wait until nothing is owed, nobody thinks and no lane is busy."""
        async with asyncio.timeout(seconds):
            await self.facade.settled()

    async def call(
        self, who: Asker, name: str, where: Where | None = None, **values: str
    ) -> Answer:
        if name == "play" and "game" in values:
            # Casual unless the test says otherwise: what counts has no help and may be aborted.
            values = {"rated": "no", **values}
        people = {k: v for k, v in values.items() if isinstance(v, Asker)}
        plain = {k: v for k, v in values.items() if not isinstance(v, Asker)}
        whispered = bool(plain.pop("whispered", ""))
        here = where or self.where
        call = Command(f"u{next(UPDATES)}", here, who, name, plain, people, whispered=whispered)
        return await self._known(await self.facade.requests.call(call))

    async def press(
        self, who: Asker, message: Message, label: str = "", *, code: str = "", update: str = ""
    ) -> Answer:
        code = code or message.button(label).code
        number = update or f"u{next(UPDATES)}"
        told = {"whispered": message.card, "own": message.card}
        press = Press(number, message.where, who, code, message.id, **told)
        answer = await self._known(await self.facade.requests.press(press))
        if isinstance(answer, MenuAnswer) and not message.card:
            self.chat.menu(message.id, answer.screen)
        return answer

    async def _known(self, answer: Answer) -> Answer:
        """*answer*, also where it was only promised, once the house has come to rest."""
        if isinstance(answer, Promised):
            answer = await answer.answer
        await self.settle()
        return answer

    def card(self, answer: Answer, where: Where | None = None) -> Message:
        """The message of its own in which *answer*, a card or a menu on one, is shown."""
        assert isinstance(answer, Card | MenuAnswer), answer
        number = f"card{next(UPDATES)}"
        return Message(number, where or self.where, answer.screen, answer.picture, card=True)

    async def surely(
        self, who: Asker, name: str, where: Where | None = None, **values: str
    ) -> Answer:
        """The command *name*, and yes to the question that it asks back."""
        question = self.card(await self.call(who, name, where, **values), where)
        return await self.press(who, question, code=question.screen.rows[0][0].code)


def person(name: str, platform: str = "fake", language: str = "es") -> Asker:
    return Asker(platform, f"id-{name}", name, language, handle=name.lower())


class FakeClock:
    """A clock that somebody sets, on a machine where time passes all the same."""

    def __init__(self) -> None:
        self.shown = datetime(2026, 11, 22, 12, tzinfo=UTC)
        self.passed = 0.0

    def wait(self, gap: timedelta) -> None:
        """Let *gap* pass."""
        self.shown += gap
        self.passed += gap.total_seconds()

    def set(self, jump: timedelta) -> None:
        """Put the clock forward or back, while no time passes."""
        self.shown += jump


@asynccontextmanager
async def desk(
    folder: Path,
    thinkers: Thinkers | None = None,
    clock: FakeClock | None = None,
    chat: FakeChat | None = None,
) -> AsyncIterator[Desk]:
    """A house on a database in *folder*, with one fake chat and, if need be, its own time."""
    store = await Store.open(database_in(folder))
    facade = await open_facade(store, thinkers or Thinkers(seconds=0.5), "es")
    chat = chat or FakeChat()
    facade.services.computers.pause = 0.0
    if clock is not None:
        facade.services.clock.now = lambda: clock.shown
        facade.services.clock.steady = SteadyClock(lambda: clock.shown, lambda: clock.passed)
        facade.services.presence.clock = lambda: clock.passed
    await facade.start([chat])
    try:
        yield Desk(facade, chat)
    finally:
        await facade.stop()


@asynccontextmanager
async def silence() -> AsyncIterator[tuple[str, Callable[[], int]]]:
    """A server that hangs up on whoever calls: its address, and how often it was called."""
    calls: list[str] = []

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del reader
        calls.append("")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    try:
        yield f"http://{host}:{port}", lambda: len(calls)
    finally:
        server.close()
        await server.wait_closed()
