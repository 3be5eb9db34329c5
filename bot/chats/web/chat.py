"""The browser chat: one WebSocket for each open page, and what is said there."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Sequence

from aiohttp import WSCloseCode, WSMsgType, web

from bot.chats.web.errors import BadFrame
from bot.chats.web.guests import PLATFORM, Guest, Guests
from bot.chats.web.inbound import Awaited, Inbound, said_to
from bot.chats.web.outbound import PAGES_OPEN, Page, Visit
from bot.chats.web.pictures import Pictures
from bot.chats.web.reading import Frame, NotText, read_frame
from bot.chats.web.server import Server
from bot.chats.web.writing import Boards, Json
from bot.house import House
from bot.port import Asker, Chat, Screen, Shown, Stumbled, Target, Where
from bot.texts import language
from games.core import phrase

log = logging.getLogger(__name__)

VISITS_KEPT = 64
"""How many guests without an open page keep the answers to what they did last."""

PATIENCE = 5.0
"""How many seconds what was begun may take when we stop."""

WATCH = 5.0
"""Every how many seconds it is looked whether the server still listens."""


def _printed(line: str) -> None:
    """Tell the operator, on standard output: the address is no matter for a log."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class WebChat(Chat):
    """The chat of the browser, on *host* (loopback only) and *port* (0 takes a free one).

    Raises ``NotLoopback`` for another host. *told* hears the address of the first page.
    """

    platform = PLATFORM

    def __init__(
        self, house: House, host: str, port: int, told: Callable[[str], None] = _printed
    ) -> None:
        self._told = told
        self._guests = Guests(house.notes)
        self._pictures = Pictures(house.picture)
        self._boards = Boards(house, self._pictures)
        self._inbound = Inbound(
            house, self._guests, self._pictures, self._boards, lambda: self.address
        )
        self._house = house
        self._visits: dict[str, Visit] = {}
        self._server = Server(
            host,
            port,
            self._guests,
            self._boards,
            house.default_language,
            self._talk,
            self._inbound.come,
        )
        self._watching: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        """Where the server is, such as ``http://127.0.0.1:8765``."""
        return self._server.address

    @property
    def port(self) -> int:
        """Where the server listens."""
        return self._server.port

    # ---------------------------------------------------------------- the port

    async def start(self) -> None:
        """Listen, and tell the address; raises ``PortBusy`` or ``CannotListen``."""
        await self._server.start()
        self._watching = asyncio.create_task(self._watch())
        token = await self._guests.first_token()
        self._told(f"{self.address}/?t={token}")

    async def _watch(self) -> None:
        """Give up where the server has ceased to listen: only a new process opens it again."""
        while self._server.listens():  # noqa: ASYNC110 (nothing tells of a socket that is gone)
            await asyncio.sleep(WATCH)
        self._house.give_up(
            Stumbled(f"The browser chat does not listen on {self.address} any more.")
        )

    async def rest(self) -> None:
        """Take nothing more, and finish what was begun."""
        self._server.stopping = True
        if self._watching is not None:
            self._watching.cancel()
        begun = [
            a for visit in self._visits.values() for a in visit.answers.values() if not a.done()
        ]
        if begun:
            await asyncio.wait(begun, timeout=PATIENCE)

    async def stop(self) -> None:
        """Close every page."""
        pages = [page for visit in self._visits.values() for page in visit.pages]
        await asyncio.gather(*(page.close(WSCloseCode.GOING_AWAY) for page in pages))
        await self._server.stop()

    def connected(self) -> bool:
        """Whether pages can be opened."""
        return self._server.listens() and not self._server.stopping

    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        """Show *screen* on the guest's open pages; a page that opens later asks for it.

        A table has one message on a page, so the message is called by the table's code.
        """
        del picture
        visit = self._visits.get(target.where.place)
        guest = await self._guests.get(target.where.place)
        if visit is not None and visit.pages and guest is not None:
            form = await self._boards.form(guest, screen)
            visit.send(f"board {screen.table}", {"kind": "board", **form})
            if screen.scene is not None and not screen.scene.theme.startswith(guest.theme):
                await self._inbound.dress(guest)
        return Shown(screen.table, fresh=target.message is None)

    async def ping(
        self, where: Where, people: Sequence[Asker], text: str, board: str | None, nonce: str
    ) -> str | None:
        """Let the guest's open pages call him; nothing is left that could be removed."""
        del people, nonce
        visit = self._visits.get(where.place)
        if visit is not None and visit.pages and board is not None:
            said = text[:1].upper() + text[1:]
            visit.send(f"call {board}", {"kind": "call", "table": board, "said": said})
        return None

    async def remove(self, where: Where, message: str) -> None:
        """Nothing was posted that could be removed."""
        del where, message

    async def forgotten(self, external: str) -> None:
        """Know a guest no more: his cookie opens no page, an open one ends with its next wish."""
        self._guests.forget(external)

    # ---------------------------------------------------------------- a page

    async def _talk(self, guest: Guest, socket: web.WebSocketResponse) -> None:
        """Serve *guest*'s page at the other end of *socket* while it is open."""
        page, visit = Page(socket), self._visits.setdefault(guest.id, Visit())
        visit.pages.append(page)
        writing = asyncio.create_task(page.write())
        try:
            if len(visit.pages) > PAGES_OPEN:
                await visit.pages[0].close(WSCloseCode.TRY_AGAIN_LATER)
            await self._read(socket, guest.id, visit, page)
        finally:
            visit.pages.remove(page)
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            self._tidy()

    async def _read(
        self, socket: web.WebSocketResponse, guest_id: str, visit: Visit, page: Page
    ) -> None:
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            try:
                frame = read_frame(message.data)
            except BadFrame:
                await socket.close(code=WSCloseCode.POLICY_VIOLATION)
                return
            except NotText as wrong:
                if visit.frames.take():
                    guest, said = await self._present(guest_id), phrase("web.not-text")
                    page.send(wrong.frame.id, await self._inbound.no(guest, wrong.frame, said))
                continue
            if not self._server.stopping:
                await self._take(guest_id, visit, page, frame)
        await socket.close()

    async def _take(self, guest_id: str, visit: Visit, page: Page, frame: Frame) -> None:
        """Begin to answer *frame*; what was asked before gets the answer it got before."""
        if await self._guests.get(guest_id) is None:
            await page.close(WSCloseCode.POLICY_VIOLATION)
            return
        if frame.kind == "suggest":
            guest = await self._present(guest_id)
            page.send("completions", await self._inbound.suggest(guest, frame))
            return
        answer = visit.answers.get(frame.id)
        if answer is None:
            guest = await self._present(guest_id)
            if not (visit.frames.take() and await self._inbound.taken(guest, frame)):
                page.send(frame.id, await self._inbound.no(guest, frame, phrase("house.too-fast")))
                return
            if frame.kind == "hello":
                page.send(frame.id, await self._answer(guest_id, visit, frame))
                return
            answer = asyncio.create_task(self._answer(guest_id, visit, frame))
            visit.answers[frame.id] = answer
        answer.add_done_callback(lambda done: _hand_over(page, frame, done))

    async def _answer(self, guest_id: str, visit: Visit, frame: Frame) -> Json:
        """What *frame* is answered; a guest's wishes are met one after the other."""
        try:
            async with visit.turn:
                met = await self._met(await self._present(guest_id), visit, frame)
            if isinstance(met, Awaited):
                # He may ask for something else meanwhile.
                visit.send(f"soon {frame.id}", met.soon)
                return await met.answer
            return met
        except Exception as wrong:
            # A fault of ours: what failed may be asked again under the same id.
            visit.answers.pop(frame.id, None)
            why = self._house.told(wrong, f"a page's {frame.kind}")
            return said_to(frame, language(self._house.default_language).say(why), good=False)

    async def _met(self, guest: Guest, visit: Visit, frame: Frame) -> Json | Awaited:
        """Do what *frame* wants; what changes the page as a whole is sent to all of them."""
        inbound = self._inbound
        match frame.kind:
            case "hello":
                return await inbound.state(await inbound.hello(guest, frame), frame)
            case "theme":
                state = await inbound.state(await inbound.hello(guest, frame))
            case "name":
                named = await inbound.name(guest, frame)
                if named is None:
                    return await inbound.no(guest, frame, phrase("web.no-name"))
                state = await inbound.state(named)
            case _:
                answer = await inbound.answer(guest, frame)
                if not isinstance(answer, Awaited) and answer.get("spoken"):
                    visit.send("state", await inbound.state(guest))
                return answer
        visit.send("state", state)
        return said_to(frame, "", good=True)

    async def _present(self, guest_id: str) -> Guest:
        guest = await self._guests.get(guest_id)
        if guest is None:
            raise LookupError(guest_id)
        return guest

    def _tidy(self) -> None:
        """Forget the visits that have been left longest, once there are many."""
        left = [guest for guest, visit in self._visits.items() if not visit.pages]
        for guest in left[: max(0, len(left) - VISITS_KEPT)]:
            del self._visits[guest]


def _hand_over(page: Page, frame: Frame, done: asyncio.Task[Json]) -> None:
    if not done.cancelled():
        page.send(frame.id, done.result())
