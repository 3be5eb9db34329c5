"""The browser behind the port ``Chat``: one WebSocket for each open page."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from aiohttp import WSCloseCode, WSMsgType, web

from bot.chats.web.cluster import ClusterPages
from bot.chats.web.downloads import Downloads
from bot.chats.web.guests import PLATFORM, Guest, Guests, UnknownGuest
from bot.chats.web.inbound import Inbound
from bot.chats.web.initial_page import InitialPage
from bot.chats.web.mini_app import MiniApp
from bot.chats.web.origins import Network, Origins
from bot.chats.web.outbound import PAGES_OPEN, OpenPage, Visit, forget_visits
from bot.chats.web.push import PushNotifier
from bot.chats.web.reading import ACTIONS, READS, BadFrame, ClientFrame, NotText, read_frame
from bot.chats.web.server import WebServer
from bot.chats.web.table_talk import TableTalk
from bot.chats.web.writing import Json, PageWriter, PendingAnswer, Pictures, answer_json
from bot.facade import Facade, ForgottenPerson, Limiter, LimitVerdict, StorageError
from bot.port import (
    Asker,
    Capabilities,
    Chat,
    PublicAddress,
    ReservedBoard,
    Screen,
    Shown,
    Space,
    Stumbled,
    Target,
    Uncalled,
    Where,
)
from bot.texts import language
from games.core import Phrase, phrase

log = logging.getLogger(__name__)

ENDED = 4401
"""The close code for a page on an ended device; the page then stops asking."""

FORGOTTEN = 4410
"""The close code for a page whose guest asked there to be forgotten; it keeps what it shows."""

FAULTS = ((5, 60.0),)
"""How many faults of pages' scripts are logged, in so many seconds."""

PATIENCE = 5.0
"""The seconds that pending requests may take at a stop."""

WATCH = 5.0
"""The seconds between two checks that the server listens."""


def _printed(line: str) -> None:
    """Print the address for the operator; it must not stand in a log."""
    once = "\nOpen this address in a browser: it lets one person in, once." if "?t=" in line else ""
    sys.stdout.write(f"{line}{once}\n")
    sys.stdout.flush()


class WebChat(Chat):
    """The browser chat, on *host* (loopback without *proxies*) and *port* (0 takes a free one).

    *public* is the origin of a proxy, *proxies* the networks of those on other machines, *home* an
    address of the home network, *telegram* the token of the bot whose Mini App this is. *told* is
    called with the address of the first page. Raises ``NotLoopback`` or ``NotHome`` for another
    host or address.
    """

    platform = PLATFORM
    capabilities = Capabilities(Space(None, 0, even=True))  # players tap the board itself
    everywhere = True
    paints = True

    def __init__(
        self,
        facade: Facade,
        host: str,
        port: int,
        told: Callable[[str], None] = _printed,
        *,
        public: str = "",
        home: str = "",
        proxies: Sequence[Network] = (),
        telegram: str = "",
    ) -> None:
        self._told = told
        self._public = public
        self._origins = Origins(host, public, home, port, proxies)
        self._guests = Guests(facade.notes, banned=facade.is_banned)
        self._pictures = Pictures(facade.picture, facade.painted)
        self._writer = PageWriter(facade, self._pictures, self._show_in_answer)
        self._pushes = PushNotifier(self._guests, facade.notes, public)
        self._inbound = Inbound(
            facade,
            self._guests,
            self._pictures,
            self._writer,
            self._pushes,
            self._origins,
            self._tell_news,
        )
        self._facade = facade
        self._visits: dict[str, Visit] = {}
        self._faults = Limiter(FAULTS)
        self._table_talk = TableTalk(facade, self._guests, self._visits)
        self._cluster = ClusterPages(facade, self._guests, self._visits, self._ended)
        self._guests.ended = self._ended
        self._server = WebServer(
            self._origins,
            self._guests,
            Downloads(facade, self._guests, self._pictures, self._writer),
            facade.default_language,
            self._talk,
            self._inbound.follow,
            InitialPage(facade, self._visits, self._inbound.state, self._pictures.ready),
            MiniApp(telegram, self._inbound.enter_mini_app) if public and telegram else None,
        )
        self._watching: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        """The start of all our links, such as ``http://127.0.0.1:8765``."""
        return self._origins.address

    @property
    def port(self) -> int:
        """The port of the server."""
        return self._origins.port

    # ---------------------------------------------------------------- the port

    def public_address(self) -> PublicAddress:
        """The public address, where the page has one: others lead strangers nowhere."""
        return PublicAddress(link=self._public)

    async def start(self) -> None:
        """Listen, and tell the address; raises ``PortBusy`` or ``CannotListen``."""
        await self._pushes.start()
        await self._server.start()
        await self._cluster.start()
        self._watching = asyncio.create_task(self._watch())
        link = ""
        if self._facade.ownership.keeps(PLATFORM):
            try:
                link = f"?t={await self._guests.first_token()}"
            except StorageError as wrong:
                # Whoever has been here comes in by their cookie all the same.
                log.warning("there is no new address to come in by: %s", wrong)
        self._told(f"{self.address}/{link}")

    async def _watch(self) -> None:
        """Give up once the server has stopped listening; only a new process can listen again."""
        while self._server.listens():  # noqa: ASYNC110 (no event tells of a closed socket)
            await asyncio.sleep(WATCH)
        self._facade.failures.put_nowait(
            Stumbled(f"The browser chat does not listen on {self.address} any more.")
        )

    async def rest(self) -> None:
        """Take no further requests, and finish the pending ones."""
        self._server.stopping = True
        if self._watching is not None:
            self._watching.cancel()
        pending = [
            a for visit in self._visits.values() for a in visit.answers.values() if not a.done()
        ]
        if pending:
            await asyncio.wait(pending, timeout=PATIENCE)
        if not self._facade.fleet.alone:
            # The pages connect to other processes while this one finishes.
            await self._close()

    async def stop(self) -> None:
        """Close all pages."""
        await self._close()
        await self._pushes.stop()

    async def _close(self) -> None:
        await self._close_pages()
        await self._server.stop()

    async def _close_pages(self) -> None:
        pages = [page for visit in self._visits.values() for page in visit.pages]
        await asyncio.gather(*(page.close(WSCloseCode.GOING_AWAY) for page in pages))

    def open_here(self, place: str) -> bool:
        """Whether the guest *place* has a page open in this process."""
        visit = self._visits.get(place)
        return visit is not None and bool(visit.pages)

    def versions_open_here(self) -> Mapping[str, set[int]]:
        """By table, the versions that open pages show."""
        found: dict[str, set[int]] = {}
        for page in (page for visit in self._visits.values() for page in visit.pages):
            for table, version in page.versions.items():
                found.setdefault(table, set()).add(version)
        return found

    async def rewind(self) -> None:
        """Let all pages connect anew; they see by the lineage that what they show never was."""
        await self._close_pages()

    def connected(self) -> bool:
        """Whether pages can be opened."""
        return self._server.listens() and not self._server.stopping

    async def show(self, target: Target, screen: Screen, picture: bytes | None) -> Shown:
        """Show *screen* on the guest's open pages; the id of the message is the table's code."""
        del picture
        visit, forms = await self._forms(target, screen)
        visit.send_board(forms)
        return Shown(screen.table, fresh=target.message is None)

    async def _show_in_answer(self, frame: ClientFrame, board: ReservedBoard) -> None:
        """Show *board* on the guest's open pages, in the answer to *frame* where one awaits it."""
        shown = None
        try:
            visit, forms = await self._forms(board.target, board.screen)
            if board.held:
                visit.send_board(forms, frame.id)
                shown = Shown(board.screen.table, fresh=board.target.message is None)
        finally:
            board.report(shown)

    async def _forms(self, target: Target, screen: Screen) -> tuple[Visit, Mapping[str, Json]]:
        """The visit of the guest in *target*, and *screen* in each theme of their open pages."""
        visit = self._visits.get(target.where.place, Visit())
        guest = await self._guests.get(target.where.place)
        if guest is None:
            return visit, {}
        return visit, {
            theme: await self._writer.form(replace(guest, theme=theme), screen)
            for theme in visit.themes()
        }

    async def ping(
        self,
        where: Where,
        people: Sequence[Asker],
        text: str,
        board: str | None,
        nonce: str,
        roles: Sequence[str] = (),
    ) -> str | None:
        """Notify the guest on open pages, and elsewhere by push; raises ``Uncalled``."""
        del people, roles
        guest = await self._guests.get(where.place)
        if board is None or guest is None:
            return None
        said = text[:1].upper() + text[1:]
        told = {"kind": "call", "table": board, "said": said}
        await self._cluster.send(guest.id, f"call {board}", told)
        await self._pushes.send(guest, board, said, nonce, self._open_on(guest))
        return None

    def _open_on(self, guest: Guest) -> set[str]:
        pages = self._visits.get(guest.id, Visit()).pages
        return {page.device for page in pages} | self._cluster.devices(guest.id)

    async def _tell_news(self, guest: Guest, table: str, said: str) -> None:
        """Tell *guest* news of *table* that no board of it shows."""
        told = {"kind": "call", "table": table, "said": said, "news": True}
        await self._cluster.send(guest.id, f"news {table} {said}", told)
        with contextlib.suppress(Uncalled):  # news need no second try
            nonce = f"{table} {said}"
            await self._pushes.send(guest, table, said, nonce, self._open_on(guest))

    async def remove(self, where: Where, message: str) -> None:
        """Nothing to do: notifications leave no message."""
        del where, message

    async def forgotten(self, external: str) -> None:
        """Forget a guest and end their open pages; the one that awaits an answer is told it."""
        self._guests.forget(external)
        for page in self._visits.get(external, Visit()).pages:
            page.leave(FORGOTTEN, ENDED)

    async def shut_out(self, external: str) -> None:
        """Close the open pages of a guest; they load themselves anew and read why."""
        pages = self._visits.get(external, Visit()).pages
        await asyncio.gather(*(page.close(ENDED) for page in pages))

    # ---------------------------------------------------------------- a page

    async def _ended(self, guest: Guest) -> None:
        """Close the pages of *guest* on devices that they have lost."""
        pages, left = self._visits.get(guest.id, Visit()).pages, {one.id for one in guest.devices}
        await asyncio.gather(*(page.close(ENDED) for page in pages if page.device not in left))

    async def _talk(self, guest: Guest, socket: web.WebSocketResponse) -> None:
        ready = partial(self._pictures.ready, guest.id)
        page = OpenPage(socket, guest.here, guest.theme, ready, scenery=self._facade.scenery)
        visit = self._visits.setdefault(guest.id, Visit())
        visit.pages.append(page)
        writing = asyncio.create_task(page.write())
        try:
            await self._cluster.announce(guest.id)
            if await self._lost(page, guest.id):
                await page.close(ENDED)
            if len(visit.pages) > PAGES_OPEN:
                await visit.pages[0].close(WSCloseCode.TRY_AGAIN_LATER)
            with contextlib.suppress(ConnectionError, UnknownGuest):
                await self._read(socket, guest.id, visit, page)
        finally:
            visit.close(page)
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            forget_visits(self._visits)
            await self._cluster.announce(guest.id)
            await self._table_talk.left(page)

    async def _read(
        self, socket: web.WebSocketResponse, guest_id: str, visit: Visit, page: OpenPage
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
                await self._take_any(guest_id, visit, page, frame)
        await socket.close()

    async def _take_any(
        self, guest_id: str, visit: Visit, page: OpenPage, frame: ClientFrame
    ) -> None:
        """The same as ``_take``; a fault of ours is told, and the page stays open."""
        try:
            await self._take(guest_id, visit, page, frame)
        except Exception as wrong:
            page.send(frame.id, self._failed(frame, wrong))

    def _failed(self, frame: ClientFrame, wrong: Exception) -> Json:
        """What the page hears of *wrong*, a fault of ours that is logged."""
        why = self._facade.fault_phrase(wrong, f"a page's {frame.kind}")
        return answer_json(frame, language(self._facade.default_language).say(why), good=False)

    async def _take(self, guest_id: str, visit: Visit, page: OpenPage, frame: ClientFrame) -> None:
        """Answer *frame* in a task; a repeated frame gets its first answer."""
        if page.leaving:
            return
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
            if frame.kind == "ping":
                page.send("pong", page.pong(frame.id))
                return
            if frame.kind == "wrong":
                self._note_fault(frame)
                return
            if frame.kind == "look":
                await self._looked(guest, page, frame)
                return
            answer = asyncio.create_task(self._answer(guest_id, visit, page, frame))
            visit.answers[frame.id] = answer
        if not answer.done():
            page.awaits(frame.id)
        answer.add_done_callback(lambda done: _hand_over(page, frame, done))

    def _note_fault(self, frame: ClientFrame) -> None:
        """Log a fault of a page's scripts, a few a minute."""
        if self._faults.take():
            log.warning("a page's script failed: %r", frame.line)

    async def _within(self, guest: Guest, visit: Visit, frame: ClientFrame) -> bool:
        """Whether one more *frame* of its kind is within the limits of *guest*."""
        if frame.kind in ACTIONS:
            verdict = await self._facade.limits.judge(guest.asker, guest.where)
            return verdict is LimitVerdict.TAKEN
        return (visit.reads if frame.kind in READS else visit.frames).take()

    async def _slower(self, guest: Guest, frame: ClientFrame) -> Json:
        """The refusal of *frame* above the limit, without words for ``READS``."""
        if frame.kind in READS:
            return answer_json(frame, "", good=False)
        return await self._inbound.no(guest, frame, phrase("house.too-fast"))

    async def _looked(self, guest: Guest, page: OpenPage, frame: ClientFrame) -> None:
        try:
            before = page.looks_at
            await self._table_talk.look(guest, page, frame.table)
            if before != page.looks_at:
                page.again(page.looks_at)
        except StorageError as wrong:
            why = self._facade.fault_phrase(wrong, "a page's look")
            page.send(frame.id, await self._inbound.no(guest, frame, why))

    async def _answer(
        self, guest_id: str, visit: Visit, page: OpenPage, frame: ClientFrame
    ) -> Json:
        try:
            async with visit.turn:
                answer = await self._handle(await self._present(guest_id, page), visit, page, frame)
            if isinstance(answer, PendingAnswer):
                # Outside of the turn, so that the guest may do something else meanwhile.
                return await answer.wait(frame, visit.send)
            return answer
        except (UnknownGuest, ForgottenPerson):
            said = language(self._facade.default_language).say(phrase("forget.done"))
            return answer_json(frame, said, good=True)
        except Exception as wrong:
            # A fault of ours: the page may ask again under the same id.
            visit.answers.pop(frame.id, None)
            return self._failed(frame, wrong)

    async def _handle(
        self, guest: Guest, visit: Visit, page: OpenPage, frame: ClientFrame
    ) -> Json | PendingAnswer:
        """Do what *frame* asks; a change of the whole page is sent to all pages of the guest."""
        inbound = self._inbound
        match frame.kind:
            case "hello":
                changed = await inbound.hello(guest, frame)
                visit.dress(changed.here, changed.theme)
                page.come(frame.table, frame.at)
                state = await inbound.state(changed, frame)
                return {**state, "scripts": self._server.scripts}
            case "theme":
                changed = await inbound.hello(guest, frame)
                visit.dress(changed.here, changed.theme)
            case "name":
                named = await inbound.name(guest, frame)
                if isinstance(named, Phrase):
                    return await inbound.no(guest, frame, named)
                changed = named
            case "say":
                wrong = await self._table_talk.say(guest, frame)
                if wrong is not None:
                    return await inbound.no(guest, frame, wrong)
                return answer_json(frame, "", good=True)
            case "mute":
                await self._table_talk.mute(guest, visit, frame)
                return answer_json(frame, "", good=True)
            case _:
                answer = await inbound.answer(guest, frame)
                if not isinstance(answer, PendingAnswer) and answer.get("spoken"):
                    await self._refresh(guest, visit)
                return answer
        await self._refresh(changed, visit)
        return answer_json(frame, "", good=True)

    async def _refresh(self, guest: Guest, visit: Visit) -> None:
        for theme in visit.themes():
            state = await self._inbound.state(replace(guest, theme=theme))
            visit.send("state", state, theme)

    async def _lost(self, page: OpenPage, guest_id: str) -> bool:
        """Whether the guest has lost the device of *page*, is forgotten or banned."""
        known = await self._guests.get(guest_id)
        if known is None or known.at(page.device).device is None:
            return True
        return await self._guests.is_banned(known)

    async def _present(self, guest_id: str, page: OpenPage) -> Guest:
        """The guest as they speak through *page* now."""
        guest = await self._guests.get(guest_id)
        if guest is None:
            raise UnknownGuest
        return replace(guest.at(page.device), theme=page.theme)


def _hand_over(page: OpenPage, frame: ClientFrame, done: asyncio.Task[Json]) -> None:
    if not done.cancelled():
        page.send(frame.id, done.result())
