"""The browser chat without sockets: its own routes and handlers, and tabs that speak frames.

``WebChat`` is built as the product builds it. What listens, and the WebSocket of aiohttp, are
replaced by objects in memory; requests are handed to its application. A tab does what the page's
scripts do: it says hello, repeats what was not answered, and shows what comes.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

from aiohttp import HttpVersion11, WSMessage, WSMsgType, web
from aiohttp.http_parser import RawRequestMessage
from aiohttp.streams import EMPTY_PAYLOAD
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

import bot.facade.board_queries
from bot.chats.web import WebChat, inbound
from bot.facade import Facade
from bot.service.table.tables import UnknownTable
from render.kit.sprite_placements import Scenery
from tests.evening.house import PIXEL
from tests.evening.loop import VirtualLoop, World, running_house
from tests.evening.screens import Heard, Person, Place, Seen
from tests.evening.wire import Net

Json = dict[str, Any]

PORT = 8765
HOST = f"127.0.0.1:{PORT}"

PATIENT = 60.0
"""Seconds for which somebody waits for an answer that their page asks for again and again."""

NONE = "0000"
"""The table of a card that belongs to none."""


class MemoryServer:
    """In place of a listening socket."""

    def __init__(self) -> None:
        self.open, self.sockets = True, [self]

    def is_serving(self) -> bool:
        return self.open

    def getsockopt(self, *_: int) -> int:
        return int(self.open)

    def dup(self) -> MemoryServer:
        """The same once more, which is closed without it."""
        return MemoryServer()

    def listen(self, _: int) -> None:
        """Let so many wait: nobody does."""

    def __enter__(self) -> MemoryServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", PORT

    def close(self) -> None:
        self.open = False


class Protocol:
    """As much of aiohttp's connection as a request asks for."""

    ssl_context = transport = None
    peername, sockname = ("127.0.0.1", 1), ("127.0.0.1", PORT)


class MemorySocket:
    """In place of ``web.WebSocketResponse``: the end of the house."""

    def __init__(self, **_: object) -> None:
        self.came: asyncio.Queue[str | None] = asyncio.Queue()
        self.closed = False
        self.house = running_house.get()

    async def prepare(self, request: web.Request) -> None:
        self.line: Line = request["line"]
        self.line.opened(self)

    def get_extra_info(self, _: str) -> MemorySocket:
        """The line below it, which is as open as it is itself."""
        return self

    def fileno(self) -> int:
        """-1 once it is closed, as of any line."""
        return -1 if self.closed else 0

    def __aiter__(self) -> MemorySocket:
        return self

    async def __anext__(self) -> WSMessage:
        text = None if self.closed else await self.came.get()
        if text is None:
            self.closed = True
            raise StopAsyncIteration
        return WSMessage(WSMsgType.TEXT, text, None)

    async def send_str(self, text: str) -> None:
        if self.closed:
            raise ConnectionResetError("Cannot write to closing transport")
        self.line.down(text)

    async def close(self, *, code: int = 1000, message: bytes = b"") -> None:
        del message
        if not self.closed:
            self.closed = True
            self.came.put_nowait(None)
            self.line.down(code)


@dataclass(eq=False)
class Line:
    """A connection between a tab and a house: frames keep their order, and may be late."""

    tab: Tab
    world: World
    key: str
    slow: float = 0.0
    """The most seconds by which each of its frames is late."""
    socket: MemorySocket | None = None
    lives: bool = True
    """Whether the tab takes it for open; the house may learn later that it is not."""
    code: int = 0
    _last: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.over, self.ready = asyncio.Event(), asyncio.Event()

    def _later(self, way: str, done: Callable[..., None], *what: object) -> None:
        lag = self.world.lot(f"ways/{self.tab.key}").uniform(0.01, 0.06 + self.slow)
        at = max(self.world.loop.time() + lag, self._last.get(way, 0.0) + 1e-6)
        self._last[way] = at
        # What is on its way arrives although the house may die meanwhile.
        self.world.loop.call_at(at, done, *what, context=self.world.context.copy())

    def opened(self, socket: MemorySocket) -> None:
        self.socket = socket
        if not self.lives:
            socket.came.put_nowait(None)
        self._later("down", self.ready.set)

    def up(self, frame: Json) -> None:
        """Send a frame of the tab."""
        if self.lives and self.socket is not None:
            told = json.dumps(frame, ensure_ascii=False)
            self._later("up", self.socket.came.put_nowait, told)

    def down(self, what: str | int) -> None:
        """Send a message of the house, or the code with which it ends the connection."""
        self._later("down", self._arrived, what)

    def _arrived(self, what: str | int) -> None:
        if not self.lives:
            return
        if isinstance(what, int):
            self.end(what)
        else:
            self.tab.take_message(json.loads(what))

    def end(self, code: int = 1006, learns: float = 0.0) -> None:
        """The tab has lost it; the house learns so after a while."""
        self.lives, self.code = False, code
        if self.socket is not None:
            self._later_by(learns, self.socket.came.put_nowait, None)
        self.over.set()
        self.ready.set()

    def _later_by(self, seconds: float, done: Callable[..., None], *what: object) -> None:
        self.world.loop.call_later(seconds, done, *what, context=self.world.context.copy())


@dataclass(eq=False)
class Browser:
    """The cookies of a person, which their tabs share."""

    person: Person
    kept: dict[str, str] = field(default_factory=dict)
    path: str = ""
    tabs: list[Tab] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)
    """The newest version of each table that any tab has shown."""
    frames: itertools.count[int] = field(default_factory=lambda: itertools.count(0x40000000))
    """The numbers of frames that are nobody's act."""


@dataclass(eq=False)
class Tab:
    """An open page."""

    place: PagePlace
    browser: Browser
    number: int
    line: Line | None = None
    shown: dict[str, Seen] = field(default_factory=dict)
    """By table, the newest last; a card is under its own name."""
    pending: dict[str, Json] = field(default_factory=dict)
    """Frames that wait for an answer, by their ids."""
    answers: dict[str, Json] = field(default_factory=dict)
    named: bool = False
    """Whether the house knows the name of its person."""
    since: float = 0.0
    """When its line was opened."""
    _sent: Counter[str] = field(default_factory=Counter)
    _floor: dict[str, int] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return f"page/{self.browser.person.name}/{self.number}"

    @property
    def fresh(self) -> bool:
        """Whether it has been connected for long enough to show all that there is."""
        line, now = self.line, self.place.net.world.loop.time()
        return line is not None and line.lives and self.named and now - self.since > 30.0

    async def live(self) -> None:
        """Connect, and connect again after each loss."""
        world, lot = self.place.net.world, self.place.net.world.lot(f"tabs/{self.key}")
        for number in itertools.count(1):
            line = await self.place.page.connect(self, number)
            if line is not None:
                self.line, self.since = line, world.loop.time()
                self._sent.clear()
                self._hello()
                for frame in list(self.pending.values()):
                    self._send(frame)
                await line.over.wait()
                self.line = None
                self.place.net.notice()
                if line.code in (4401, 4410):
                    return
            await asyncio.sleep(lot.uniform(0.3, 3.0))

    def _hello(self) -> None:
        self._floor = dict(self.browser.versions)
        language = self.browser.person.language
        table = next(reversed([one for one in self.shown if one != "card"]), "")
        number = next(self.browser.frames)
        frame = {"kind": "hello", "theme": "light", "language": language, "table": table}
        self._send({**frame, "id": _uuid(self.browser.person.number, number)})

    def _send(self, frame: Json) -> None:
        self._sent[frame["id"]] += 1
        if self.line is not None:
            self.line.up(frame)

    async def ask(self, kind: str, update: int = 0, **told: str) -> Json | None:
        """Send a frame, and wait for its answer as long as somebody is patient."""
        number = _uuid(self.browser.person.number, update or next(self.browser.frames))
        self.pending[number] = {"kind": kind, "id": number, **told}
        self._send(self.pending[number])
        return await self.place.net.until(lambda: self.answers.get(number), PATIENT)

    def take_message(self, message: Json) -> None:
        """Show what the house sends."""
        match message["kind"]:
            case "state":
                self._take_state(message)
            case "board":
                self._show(message)
            case "answer":
                self._take_answer(message)
        self.place.net.notice()

    def _take_state(self, state: Json) -> None:
        self.named = bool(state["name"])
        self.shown = {key: one for key, one in self.shown.items() if key == "card"}
        for board in reversed(state["boards"]):
            self.place.judge_newest(self, board, self._floor.get(board["table"], -1))
            self._show(board)

    def _take_answer(self, answer: Json) -> None:
        number = answer["id"]
        self._sent[number] -= 1
        self.place.judge_once(self, number, self._sent[number])
        self.pending.pop(number, None)
        self.answers.setdefault(number, answer)
        if (current := answer.get("current")) is not None:
            self._show(current)
        if (menu := answer.get("board")) is not None:
            self._show(menu, menu=True)
        if (card := answer.get("card")) is not None:
            self.place.told_board(self, card)
            self.shown.pop("card", None)
            self.shown["card"] = _seen(card, "card", self)

    def _show(self, board: Json, *, menu: bool = False) -> None:
        table, versions = board["table"], self.browser.versions
        if not menu:
            versions[table] = max(versions.get(table, -1), board["version"])
        self.place.told_board(self, board)
        self.shown.pop(table, None)
        self.shown[table] = _seen(board, table, self)


def _seen(form: Json, key: str, tab: Tab) -> Seen:
    text = "\n".join((form["headline"], *form["lines"]))
    buttons = [one for row in form["rows"] for one in row]
    buttons += [
        one | {"style": "house"}
        for choice in form["choices"]
        for number, one in enumerate(choice["options"])
        if number != choice["chosen"]  # a form lets nobody choose it again
    ]
    live = tuple(
        (one["label"], one["code"])
        for one in buttons
        if one["style"] in ("move", "final") or not one["code"].startswith("m.")
    )
    look = (form["alt"], *form.get("path", ()), *(choice["chosen"] for choice in form["choices"]))
    return Seen(key, text, live, "page", shared=False, raw=form, look=look)


def _uuid(person: int, number: int) -> str:
    return f"{number:08x}-0000-4000-8000-{person:012x}"


@dataclass
class SmallPage:
    """What lies between the browsers and the house."""

    net: Net
    chat: WebChat | None = None
    house: Any = None
    told: str = ""
    """The address that the house told its operator last."""

    def open(self, facade: Facade) -> list[Any]:
        """The chats of a house."""
        self.house = running_house.get()
        self.chat = WebChat(facade, "127.0.0.1", PORT, self._told, told_operator=lambda _: None)
        return [self.chat, self.chat.programs]

    def _told(self, address: str) -> None:
        self.told = address.partition("\n")[0]

    def drop(self, house: object) -> None:
        """End the connections of a *house* that is no more."""
        place = self.net.page_place
        for browser in place.browsers.values() if place is not None else ():
            for tab in browser.tabs:
                if tab.line and tab.line.socket and tab.line.socket.house is house:
                    tab.line.end()

    def _handle(self, browser: Browser, path: str, more: Json, line: Line | None) -> Any:
        """The answer of the living house to a request; nothing where there is none."""
        if self.chat is None or self.house.dead or not self.chat.is_connected():
            return None
        cookies = "; ".join(f"{name}={value}" for name, value in browser.kept.items())
        headers = CIMultiDict({"Host": HOST, "User-Agent": "evening", "Cookie": cookies, **more})
        message = RawRequestMessage(
            "GET", path, HttpVersion11, CIMultiDictProxy(headers), (), False, None, False, False,
            URL(path, encoded=True),
        )  # fmt: skip
        loop, nothing = self.net.world.loop, cast(Any, None)
        request = web.Request(message, EMPTY_PAYLOAD, cast(Any, Protocol), nothing, nothing, loop)
        request["line"] = line
        handling = self.chat._server._runner.app._handle(request)
        return self.net.world.spawn(handling, self.house)

    async def get(self, browser: Browser, path: str) -> web.Response | None:
        """Open an address, and keep its cookies."""
        await asyncio.sleep(0.05)
        task = self._handle(browser, path, {}, None)
        if task is None:
            return None
        await asyncio.wait({task}, timeout=10.0)
        self.net.story.tell("page", browser.person.name, "opens", path.partition("?")[0][:3])
        if not task.done() or task.exception() is not None:
            return None
        answer: web.Response = task.result()
        for morsel in answer.cookies.values():
            browser.kept[morsel.key] = morsel.value
            browser.path = morsel["path"] if morsel["path"] != "/" else browser.path
        return answer

    async def connect(self, tab: Tab, number: int) -> Line | None:
        """A new connection of *tab*; nothing where there is no house that takes it."""
        world = self.net.world
        line = Line(tab, world, f"{tab.key}#{number}")
        dies, learns, line.slow = self._fate(line.key)
        await asyncio.sleep(0.05)
        origin = {"Origin": f"http://{HOST}", "Upgrade": "websocket"}
        task = self._handle(tab.browser, f"{tab.browser.path}/socket", origin, line)
        if task is None:
            return None
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            async with asyncio.timeout(5.0):
                await line.ready.wait()
        except TimeoutError:
            line.end()
        if not line.lives:
            return None
        if dies:
            line._later_by(dies, lambda: line.lives and self._cut(line, learns))
        return line

    def _cut(self, line: Line, learns: float) -> None:
        self.net.story.tell("page", line.key, "is cut")
        line.end(1006, learns)

    def _fate(self, key: str) -> tuple[float, float, float]:
        """When a connection dies (0: never), when the house learns it, and how slow it is."""
        weather, lot = self.net.weather, self.net.world.lot(f"lines/{key}")
        told = ""
        if weather.scripted is not None:
            told = weather.scripted.get(key, "")
        elif weather.rates and lot.random() < 0.8:
            dies = lot.choice((3.0, 30.0, 120.0)) * lot.random()
            told = f"{dies:.3f} {lot.choice((0.0, 1.0, 30.0)) * lot.random():.3f}"
            told += f" {lot.choice((0.0, 0.0, 0.0, 2.0)):.1f}"
        if not told:
            return 0.0, 0.0, 0.0
        self.net.story.befell(key, told)
        self.net.story.tell("page", key, "dies, is missed, is slow:", told)
        dies, learns, slow = map(float, told.split())
        return dies, learns, slow


class PagePlace(Place):
    """The pages of some people, each with one or two tabs."""

    name = "page"

    def __post_init__(self) -> None:
        self.page: SmallPage = self.net.page
        self.net.page_place = self
        self.browsers = {name: Browser(one) for name, one in self.people.items()}
        self.looking = dict.fromkeys(self.people, 0)
        self._numbers = itertools.count(1)

    # ---------------------------------------------------------------- coming in

    async def arrive(self) -> None:
        """The first one comes in by the address of the operator, all others by invitations."""
        first, *others = self.browsers.values()
        while not await self._come_in(first, self.page.told.removeprefix(f"http://{HOST}")):
            await asyncio.sleep(2.0)
        for other in others:
            while not (link := await self._link(first)) or not await self._come_in(other, link):
                await asyncio.sleep(2.0)

    async def _link(self, host: Browser, line: str = "/play game=niya") -> str | None:
        """An invitation to a new table; "" where that was refused, nothing without an answer."""
        tab = host.tabs[0]
        opened = await tab.ask("call", line=line, table="")
        if opened is None:
            return None
        table = opened.get("open", "")
        invited = await tab.ask("invite", table=table) if table else None
        return str((invited or {}).get("link", "")).removeprefix(f"http://{HOST}")

    async def _come_in(self, browser: Browser, path: str) -> bool:
        for _ in range(4):
            answer = await self.page.get(browser, path) if path else None
            if answer is None:
                return False
            again = re.search(r"url=(/(?:[ib]/\S+?\?on|\?on=[\w-]+))", answer.text or "")
            if again is None:
                break
            path = again[1]
        if not browser.path:
            return False
        lot = self.net.world.lot(f"tabs/{browser.person.name}")
        browser.tabs = [Tab(self, browser, number) for number in range(lot.choice((1, 1, 2)))]
        for tab in browser.tabs:
            self.net.world.spawn(tab.live())
        while not await browser.tabs[0].ask("name", name=browser.person.name):
            pass
        return True

    # ---------------------------------------------------------------- what people do

    def screen(self, who: str) -> list[Seen]:
        tabs = self.browsers[who].tabs
        return list(tabs[self.looking[who] % len(tabs)].shown.values()) if tabs else []

    def public(self) -> list[Seen]:
        return []  # each page is its reader's own

    def _tab(self, who: str, number: int) -> Tab | None:
        tabs = self.browsers[who].tabs
        self.looking[who] = number
        return tabs[number % len(tabs)] if tabs else None

    async def press(self, who: str, message: Seen, code: str, update: int = 0) -> Heard:
        number = update or 10_000 + next(self._numbers)
        label = next((said for said, one in message.buttons if one == code), "")
        self.story.act(who, self.name, "press", number, message=message.id, code=code, label=label)
        for tell in self.pressed:
            tell(self.name, str(number), self.people[who], message, code)
        table, version = message.raw["table"], str(message.raw["version"])
        told = {"code": code, "message": "" if table == NONE else table, "at": version}
        act = (who, "presses", repr(label), "on", message.id)
        return await self._ask(who, "press", number, told, act)

    async def write(self, who: str, text: str, update: int = 0, *, alone: bool = False) -> Heard:
        number = update or 10_000 + next(self._numbers)
        if not self.browsers[who].tabs:
            return Heard("")  # they have not come in yet
        self.story.act(who, self.name, "write", number, text=text, alone=alone)
        for tell in self.wrote:
            tell(self.name, str(number), self.people[who], text)
        other = re.search(r" opponent=@(\w+)", text)
        if other is None:
            table = next(reversed(self._tables(who)), "")
            told = {"line": text, "table": table}
            return await self._ask(who, "call", number, told, (who, "writes", repr(text)))
        # Nobody is challenged here: the link goes to the other one some other way.
        browser = self.browsers[other[1].title()]
        link = await self._link(self.browsers[who], text.replace(other[0], ""))
        if link and browser.tabs:
            await self.page.get(browser, f"{link}?as=me")
        heard = Heard("", answered=link is not None)
        return self._told(str(number), heard, who, "invites", other[1])

    def _tables(self, who: str) -> list[str]:
        return [one.id for one in self.screen(who) if one.id != "card"]

    async def _ask(
        self, who: str, kind: str, number: int, told: dict[str, str], act: tuple[object, ...]
    ) -> Heard:
        began, tab = self.net.world.loop.time(), self._tab(who, number)
        if tab is None:
            return self._told(str(number), Heard("", answered=False), *act)
        answer = await tab.ask(kind, number, **told)
        after = self.net.world.loop.time() - began
        said = "" if answer is None else answer["said"]
        opens = any((answer or {}).get(one) for one in ("file", "open", "book", "marks"))
        return self._told(str(number), Heard(said, answer is not None, after, opens), *act)

    def was_cut(self, who: str, since: float) -> bool:
        return any(tab.line is None or tab.since > since for tab in self.browsers[who].tabs)

    # ---------------------------------------------------------------- what must hold

    def told_board(self, tab: Tab, board: Json) -> None:
        """A board is in the story as a digest of what can be seen of it."""
        told = json.dumps([board[one] for one in ("headline", "lines", "rows", "choices")])
        seen = hashlib.sha256(told.encode()).hexdigest()[:8]
        self.story.tell(tab.key, "shows", board["table"], board["version"], seen)

    def judge_once(self, tab: Tab, number: str, left: int) -> None:
        name = "a page is answered once"
        self.moments[name] += 1
        if left < 0:
            self.broken(name, f"{tab.key}: {number}")

    def judge_newest(self, tab: Tab, board: Json, floor: int) -> None:
        name = "a page that connects again shows the newest"
        self.moments[name] += floor >= 0
        if board["version"] < floor:
            self.broken(name, f"{tab.key}: {board['table']} {board['version']} after {floor}")

    async def at_rest(self, house: Any) -> None:
        """Judge the pages once nothing is owed: each shows what the house would show it now."""
        await self.net.world.spawn(self._judge(house.facade), house)

    async def _judge(self, facade: Facade) -> None:
        assert self.page.chat is not None
        for tab in [tab for one in self.browsers.values() for tab in one.tabs if tab.fresh]:
            self.moments["a page has no open question"] += 1
            if tab.pending:
                kinds = sorted(one["kind"] for one in tab.pending.values())
                self.broken("a page has no open question", f"{tab.key}: {kinds}")
            guest = await self.page.chat._guests.get(tab.browser.path.removeprefix("/p/"))
            for screen in await facade.boards.on_page(guest.where) if guest else ():
                self.moments["a page shows the newest in the end"] += 1
                shown = tab.shown.get(screen.table)
                if shown is None or not self._same(shown, screen):
                    try:
                        version = (await facade.services.tables.get(screen.table)).version
                    except UnknownTable:
                        version = -1
                    why = f"{tab.key}: {screen.table} {shown and shown.raw['version']} of {version}"
                    self.broken("a page shows the newest in the end", why)

    def _same(self, shown: Seen, screen: Any) -> bool:
        return shown.raw["version"] == screen.version or shown.raw["headline"] == screen.headline


async def _listening(loop: VirtualLoop, *_: object, **__: object) -> MemoryServer:
    return MemoryServer()


def _no_scenery(scene: object) -> Scenery:
    """The evening looks at words and buttons."""
    return Scenery(1, 1, (), {})


def _no_code(link: str, **_: object) -> Any:
    """Nobody looks at the pattern of a link."""
    return SimpleNamespace(save=lambda made, **_: made.write(PIXEL))


def install(*, paints: bool = False) -> None:
    """Let the browser chat listen in memory."""
    VirtualLoop.create_server = _listening  # type: ignore[assignment]
    web.WebSocketResponse = MemorySocket  # type: ignore[assignment,misc]
    if not paints:
        bot.facade.board_queries.scenery_of = _no_scenery
        inbound.segno = SimpleNamespace(make=_no_code)
