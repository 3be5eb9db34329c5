"""A page without a browser: admission, cookies and the WebSocket, spoken by hand."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from bot.chats.web import WebChat
from bot.chats.web.doors.house_invitations import make_invitation
from bot.chats.web.person.guests import Guest, Guests
from bot.facade import Facade
from tests.houses import open_house

Json = dict[str, Any]


def unpacked(data: bytes, prime: bytes) -> str:
    """The text of what a page is sent packed, which goes on from the *prime*."""
    return zlib.decompress(prime + data, -zlib.MAX_WBITS).decode().partition("\n")[2]


@dataclass
class Page:
    """One open page: what it was answered, the newest board of each table and all that came."""

    socket: aiohttp.ClientWebSocketResponse
    boards: dict[str, Json] = field(default_factory=dict)
    shown: list[Json] = field(default_factory=list)
    state: Json = field(default_factory=dict)
    prime: bytes = b""

    async def send(self, kind: str, update: str = "", **told: str) -> str:
        update = update or str(uuid.uuid4())
        await self.socket.send_str(json.dumps({"kind": kind, "id": update, **told}))
        return update

    async def ask(self, kind: str, update: str = "", **told: str) -> Json:
        """Send a frame and wait for its answer; what comes before is kept."""
        update = await self.send(kind, update, **told)
        # What is packed tells the beginning of it.
        asked = lambda told: update.startswith(told.get("id") or "-")  # noqa: E731
        return await self.until(lambda told: asked(told) and told["kind"] != "soon")

    async def until(self, wanted: Any, seconds: float = 60.0) -> Json:
        async with asyncio.timeout(seconds):
            while True:
                if not (text := self._text(await self.socket.receive())):
                    continue
                message = json.loads(text)
                self._note(message)
                if wanted(message):
                    return message

    def _text(self, message: aiohttp.WSMessage) -> str:
        """The text of *message*, which may have come packed; "" for what those go on from."""
        if message.type is aiohttp.WSMsgType.BINARY:
            self.prime, first = self.prime or message.data, not self.prime
            return "" if first else unpacked(message.data, self.prime)
        assert message.type is aiohttp.WSMsgType.TEXT, message
        return str(message.data)

    def _note(self, message: Json) -> None:
        if message["kind"] == "state":
            self.state = message
            self.boards |= {board["table"]: board for board in message["boards"]}
        board = message.get("current") if message["kind"] == "answer" else message
        if board is not None and board["kind"] == "board":
            self.boards[board["table"]] = board
            self.shown.append(board)

    async def board(self, table: str, wanted: Any = lambda board: True) -> Json:
        """The board of *table*, as soon as it is as *wanted*."""

        def came(_: Json | None = None) -> bool:
            return table in self.boards and bool(wanted(self.boards[table]))

        if not came():
            await self.until(came)
        return self.boards[table]

    def button(self, table: str, label: str) -> Json:
        buttons = [b for row in self.boards[table]["rows"] for b in row]
        found = [b for b in buttons if label in (b["label"], b["step"])]
        assert found, f"no button {label!r} among {[b['label'] for b in buttons]}"
        return found[0]

    def moves(self, table: str) -> list[Json]:
        return [b for row in self.boards[table]["rows"] for b in row if b["style"] == "move"]

    async def press(self, table: str, button: Json, update: str = "") -> Json:
        return await self.ask("press", update, code=button["code"], message=table)

    async def type(self, line: str, table: str = "") -> Json:
        return await self.ask("call", line=line, table=table)


@dataclass
class Visitor:
    """A browser of one person: where the page is, and the cookies it keeps for it."""

    server: Server
    path: str = ""
    cookie: str = ""
    home: str = ""

    def headers(self, **more: str) -> dict[str, str]:
        kept = "; ".join(filter(None, (self.cookie, self.home)))
        return {"Cookie": kept, **more} if kept else more

    async def enter(self, address: str) -> int:
        """Open an address that leads in, and keep the cookies that come with it."""
        async with self.server.http.get(address, headers=self.headers()) as response:
            for header in response.headers.getall("Set-Cookie", []):
                pair, *flags = header.split("; ")
                path = next(flag[5:] for flag in flags if flag.startswith("Path="))
                assert {"HttpOnly", "SameSite=Strict"} <= set(flags)
                if path == "/":
                    self.home = pair
                else:
                    self.path, self.cookie = path, pair
            status, body = response.status, await response.text()
        again = re.search(r"url=(/(?:[ib]/\S+?\?on|\?on=[\w-]+))", body)
        return status if again is None else await self.enter(f"{self.server.url}{again[1]}")

    async def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        url = f"{self.server.url}{path}"
        async with self.server.http.get(url, headers=self.headers(**headers)) as response:
            return response.status, await response.read()

    @asynccontextmanager
    async def open(
        self, table: str = "", language: str = "es", theme: str = "light", agent: str = "test"
    ) -> AsyncIterator[Page]:
        origin = {"Origin": self.server.url, "User-Agent": agent}
        url = f"{self.server.url}{self.path}/socket"
        async with self.server.http.ws_connect(url, headers=self.headers(**origin)) as socket:
            page = Page(socket)
            await page.ask("hello", table=table, theme=theme, language=language)
            yield page


@dataclass
class Server:
    """A house whose only chat is the browser's, and the addresses it told."""

    facade: Facade
    chat: WebChat
    http: aiohttp.ClientSession
    told: list[str]

    @property
    def url(self) -> str:
        return self.chat.address

    async def first(self, name: str = "Nerea") -> Visitor:
        """Whoever opens the first address, and says a name."""
        visitor = Visitor(self)
        assert await visitor.enter(self.told[-1]) == 200
        await named(visitor, name)
        return visitor

    async def guest_of_house(self, name: str) -> Visitor:
        """Somebody who comes in by an invitation of the house."""
        visitor = Visitor(self)
        path = await make_invitation(self.facade.notes, 30, 1)
        assert await visitor.enter(f"{self.url}{path}?on&to=") == 200
        await named(visitor, name)
        return visitor

    async def guest(self, page: Page, table: str, name: str = "Bruno") -> Visitor:
        """Somebody whom *page* invites to *table*."""
        answer = await page.ask("invite", table=table)
        visitor = Visitor(self)
        assert await visitor.enter(answer["link"]) == 200
        await named(visitor, name)
        return visitor


async def named(visitor: Visitor, name: str) -> None:
    async with visitor.open() as page:
        answer = await page.ask("name", name=name)
        assert answer["good"], answer


@asynccontextmanager
async def server(folder: Path, port: int = 0, **more: Any) -> AsyncIterator[Server]:
    """A running browser chat on a database in *folder*."""
    facade = await open_house(folder)
    told: list[str] = []
    chat = WebChat(facade, "127.0.0.1", port, told.append, **more)
    await facade.start([chat, chat.programs])
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        try:
            yield Server(facade, chat, http, told)
        finally:
            await facade.stop()


async def guest_of(at: Server, visitor: Visitor) -> Guest:
    """The guest whose page *visitor* reads."""
    guest = await Guests(at.facade.notes).get(visitor.path[3:])
    assert guest is not None
    return guest


async def seated(at: Server, host: Page) -> tuple[str, Visitor]:
    """A table of Niya at which the host and a guest of his sit."""
    table = (await host.type("/play niya"))["open"]
    guest = await at.guest(host, table)
    await host.board(table, lambda board: board["with"])
    return table, guest
