"""The browser chat: one WebSocket for each open page, and what is said there."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from aiohttp import WSCloseCode, WSMsgType, web

from bot.chats.web.doors import Doors
from bot.chats.web.elsewhere import Elsewhere
from bot.chats.web.errors import BadFrame
from bot.chats.web.frames import Frames
from bot.chats.web.guests import PLATFORM, Guest, Guests
from bot.chats.web.inbound import Inbound, said_to
from bot.chats.web.opening import Opening
from bot.chats.web.outbound import PAGES_OPEN, Page, Visit, tidy
from bot.chats.web.pictures import Pictures
from bot.chats.web.push import PushNotifier
from bot.chats.web.reading import ACTIONS, READS, Frame, NotText, read_frame
from bot.chats.web.server import Server
from bot.chats.web.talking import Talking
from bot.chats.web.waiting import Awaited
from bot.chats.web.writing import Boards, Json
from bot.facade import Facade, StorageError
from bot.port import (
    Asker,
    Capabilities,
    Chat,
    Screen,
    Shown,
    Space,
    Stumbled,
    Target,
    Uncalled,
    Where,
)
from bot.texts import language
from games.core import phrase

log = logging.getLogger(__name__)

ENDED = 4401
"""With what a page is closed whose device was ended; it reads so and asks for nothing more."""

PATIENCE = 5.0
"""How many seconds what was begun may take when we stop."""

WATCH = 5.0
"""Every how many seconds it is looked whether the server still listens."""


def _printed(line: str) -> None:
    """Tell the operator, on standard output: the address is no matter for a log."""
    once = "\nOpen this address in a browser: it lets one person in, once." if "?t=" in line else ""
    sys.stdout.write(f"{line}{once}\n")
    sys.stdout.flush()


class WebChat(Chat):
    """The chat of the browser, on *host* (loopback only) and *port* (0 takes a free one).

    *public* is the origin of the proxy that lets others in, *home* an address in the network at
    home, *telegram* the token of the bot within which the page is opened, too. *told* hears the
    address of the first page. Raises ``NotLoopback`` or ``NotHome`` for another host or address.
    """

    platform = PLATFORM
    capabilities = Capabilities(Space(None, 0, even=True))  # players tap the board itself
    everywhere = True
    paints = True

    def __init__(
        self,
        house: Facade,
        host: str,
        port: int,
        told: Callable[[str], None] = _printed,
        *,
        public: str = "",
        home: str = "",
        telegram: str = "",
    ) -> None:
        self._told = told
        self._guests = Guests(house.notes)
        self._pictures = Pictures(house.picture, house.painted)
        self._boards = Boards(house, self._pictures)
        self._pushes = PushNotifier(self._guests, house.notes, public)
        self._inbound = Inbound(
            house,
            self._guests,
            self._pictures,
            self._boards,
            self._pushes,
            lambda: self.address,
            self._told_of,
        )
        self._house = house
        self._visits: dict[str, Visit] = {}
        self._talking = Talking(
            house, self._guests, self._visits, lambda *line: self._elsewhere.said(*line)
        )
        self._elsewhere = Elsewhere(
            house, self._guests, self._visits, self._talking.tell, self._ended
        )
        self._guests.ended = self._ended
        self._server = Server(
            Doors(host, public, home, port),
            self._guests,
            self._boards,
            house.default_language,
            self._talk,
            self._inbound.come,
            Opening(house, self._visits, self._inbound.state, self._pictures.ready),
            Frames(telegram, self._inbound.come_framed) if public and telegram else None,
        )
        self._watching: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        """Where links to us begin, such as ``http://127.0.0.1:8765``."""
        return self._server.address

    @property
    def port(self) -> int:
        """Where the server listens."""
        return self._server.port

    # ---------------------------------------------------------------- the port

    async def start(self) -> None:
        """Listen, and tell the address; raises ``PortBusy`` or ``CannotListen``.

        Of several processes one makes the link for whoever comes first.
        """
        await self._pushes.start()
        await self._server.start()
        await self._elsewhere.start()
        self._watching = asyncio.create_task(self._watch())
        link = f"?t={await self._guests.first_token()}" if self._house.keeps(PLATFORM) else ""
        self._told(f"{self.address}/{link}")

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
        if not self._house.fleet.alone:
            # Other processes serve the pages at once, while we finish.
            await self._close()

    async def stop(self) -> None:
        """Close every page."""
        await self._close()
        await self._pushes.stop()

    async def _close(self) -> None:
        pages = [page for visit in self._visits.values() for page in visit.pages]
        await asyncio.gather(*(page.close(WSCloseCode.GOING_AWAY) for page in pages))
        await self._server.stop()

    def open_here(self, place: str) -> bool:
        """Whether the guest *place* has a page open by this process."""
        visit = self._visits.get(place)
        return visit is not None and bool(visit.pages)

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
        if visit is not None and guest is not None:
            for theme in visit.themes():
                form = await self._boards.form(replace(guest, theme=theme), screen)
                visit.send(f"board {screen.table}", {"kind": "board", **form}, theme)
        return Shown(screen.table, fresh=target.message is None)

    async def ping(
        self, where: Where, people: Sequence[Asker], text: str, board: str | None, nonce: str
    ) -> str | None:
        """Let the guest's open pages call him, and his other devices by a push.

        Nothing is left that could be removed. Raises ``Uncalled`` where one is to be tried again.
        """
        del people
        guest = await self._guests.get(where.place)
        if board is None or guest is None:
            return None
        said = text[:1].upper() + text[1:]
        told = {"kind": "call", "table": board, "said": said}
        await self._elsewhere.call(guest.id, f"call {board}", told)
        await self._pushes.send(guest, board, said, nonce, self._open_on(guest))
        return None

    def _open_on(self, guest: Guest) -> set[str]:
        """The devices on which a page of *guest* is open."""
        visit = self._visits.get(guest.id)
        here = set() if visit is None else {page.device for page in visit.pages}
        return here | self._elsewhere.devices(guest.id)

    async def _told_of(self, guest: Guest, table: str, said: str) -> None:
        """Tell *guest* something of *table* that happened outside of it."""
        told = {"kind": "call", "table": table, "said": said, "news": True}
        await self._elsewhere.call(guest.id, f"news {table} {said}", told)
        with contextlib.suppress(Uncalled):  # no game waits for it
            nonce = f"{table} {said}"
            await self._pushes.send(guest, table, said, nonce, self._open_on(guest))

    async def remove(self, where: Where, message: str) -> None:
        """Nothing was posted that could be removed."""
        del where, message

    async def forgotten(self, external: str) -> None:
        """Know a guest no more: his cookie opens no page, an open one ends with its next wish."""
        self._guests.forget(external)

    # ---------------------------------------------------------------- a page

    async def _ended(self, guest: Guest) -> None:
        """Close the pages of *guest* on devices that are his no more."""
        visit, left = self._visits.get(guest.id), {one.id for one in guest.devices}
        if visit is not None:
            gone = [page for page in visit.pages if page.device not in left]
            await asyncio.gather(*(page.close(ENDED) for page in gone))

    async def _talk(self, guest: Guest, socket: web.WebSocketResponse) -> None:
        """Serve *guest*'s page at the other end of *socket* while it is open."""
        page = Page(socket, guest.here, guest.theme, partial(self._pictures.ready, guest.id))
        visit = self._visits.setdefault(guest.id, Visit())
        visit.pages.append(page)
        writing = asyncio.create_task(page.write())
        try:
            await self._elsewhere.opened(guest.id)
            if await self._lost(page, guest.id):
                await page.close(ENDED)
            if len(visit.pages) > PAGES_OPEN:
                await visit.pages[0].close(WSCloseCode.TRY_AGAIN_LATER)
            with contextlib.suppress(ConnectionError):  # gone while it was answered
                await self._read(socket, guest.id, visit, page)
        finally:
            visit.close(page)
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            tidy(self._visits)
            await self._elsewhere.opened(guest.id)
            await self._talking.left(page)

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
                    guest, said = await self._present(guest_id, page), phrase("web.not-text")
                    page.send(wrong.frame.id, await self._inbound.no(guest, wrong.frame, said))
                continue
            if not self._server.stopping:
                await self._take(guest_id, visit, page, frame)
        await socket.close()

    async def _take(self, guest_id: str, visit: Visit, page: Page, frame: Frame) -> None:
        """Begin to answer *frame*; what was asked before gets the answer it got before."""
        if await self._lost(page, guest_id):
            await page.close(ENDED)
            return
        if frame.kind == "suggest":
            guest = await self._present(guest_id, page)
            page.send("completions", await self._inbound.suggest(guest, frame))
            return
        answer = visit.answers.get(frame.id)
        if answer is None:
            guest = await self._present(guest_id, page)
            if not await self._within(guest, visit, frame):
                page.send(frame.id, await self._slower(guest, frame))
                return
            if frame.kind == "hello":
                page.send(frame.id, await self._answer(guest_id, visit, page, frame))
                return
            if frame.kind == "look":
                await self._looked(guest, page, frame)
                return
            answer = asyncio.create_task(self._answer(guest_id, visit, page, frame))
            visit.answers[frame.id] = answer
        answer.add_done_callback(lambda done: _hand_over(page, frame, done))

    async def _within(self, guest: Guest, visit: Visit, frame: Frame) -> bool:
        """Whether one more *frame* of its kind is within the limits of *guest*."""
        if frame.kind in ACTIONS:
            return await self._inbound.taken(guest)
        return (visit.reads if frame.kind in READS else visit.frames).take()

    async def _slower(self, guest: Guest, frame: Frame) -> Json:
        """What comes too soon after others: nobody is told so of what the page reads by itself."""
        if frame.kind in READS:
            return said_to(frame, "", good=False)
        return await self._inbound.no(guest, frame, phrase("house.too-fast"))

    async def _looked(self, guest: Guest, page: Page, frame: Frame) -> None:
        try:
            await self._talking.look(guest, page, frame.table)
        except StorageError as wrong:
            why = self._house.fault_phrase(wrong, "a page's look")
            page.send(frame.id, await self._inbound.no(guest, frame, why))

    async def _answer(self, guest_id: str, visit: Visit, page: Page, frame: Frame) -> Json:
        """What *frame* is answered; a guest's wishes are met one after the other."""
        try:
            async with visit.turn:
                met = await self._met(await self._present(guest_id, page), visit, page, frame)
            if isinstance(met, Awaited):
                # He may ask for something else meanwhile.
                return await met.told(frame, visit.send)
            return met
        except Exception as wrong:
            # A fault of ours: what failed may be asked again under the same id.
            visit.answers.pop(frame.id, None)
            why = self._house.fault_phrase(wrong, f"a page's {frame.kind}")
            return said_to(frame, language(self._house.default_language).say(why), good=False)

    async def _met(self, guest: Guest, visit: Visit, page: Page, frame: Frame) -> Json | Awaited:
        """Do what *frame* wants; what changes the page as a whole is sent to all of them."""
        inbound = self._inbound
        match frame.kind:
            case "hello":
                changed = await inbound.hello(guest, frame)
                visit.dress(changed.here, changed.theme)
                page.come(frame.table, frame.at)
                return await inbound.state(changed, frame)
            case "theme":
                changed = await inbound.hello(guest, frame)
                visit.dress(changed.here, changed.theme)
            case "name":
                named = await inbound.name(guest, frame)
                if named is None:
                    return await inbound.no(guest, frame, phrase("web.no-name"))
                changed = named
            case "say":
                wrong = await self._talking.say(guest, frame)
                if wrong is not None:
                    return await inbound.no(guest, frame, wrong)
                return said_to(frame, "", good=True)
            case "mute":
                await self._talking.mute(guest, visit, frame)
                return said_to(frame, "", good=True)
            case _:
                answer = await inbound.answer(guest, frame)
                if not isinstance(answer, Awaited) and answer.get("spoken"):
                    await self._tell(guest, visit)
                return answer
        await self._tell(changed, visit)
        return said_to(frame, "", good=True)

    async def _tell(self, guest: Guest, visit: Visit) -> None:
        """Send every page of *guest* all that it shows."""
        for theme in visit.themes():
            state = await self._inbound.state(replace(guest, theme=theme))
            visit.send("state", state, theme)

    async def _lost(self, page: Page, guest_id: str) -> bool:
        """Whether *page* is open on a device that is the guest's no more, or he is nobody."""
        known = await self._guests.get(guest_id)
        return known is None or known.at(page.device).device is None

    async def _present(self, guest_id: str, page: Page) -> Guest:
        """The guest as he speaks by *page* now."""
        guest = await self._guests.get(guest_id)
        if guest is None:
            raise LookupError(guest_id)
        return replace(guest.at(page.device), theme=page.theme)


def _hand_over(page: Page, frame: Frame, done: asyncio.Task[Json]) -> None:
    if not done.cancelled():
        page.send(frame.id, done.result())
