"""The browser chat: one server on loopback, one WebSocket for each open page."""

from __future__ import annotations

import asyncio
import errno
import logging
import sys
from collections.abc import Callable, Sequence
from importlib import resources

from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.typedefs import Handler

from bot.chats.web import admission
from bot.chats.web.connections import HEAD, Site
from bot.chats.web.errors import BadFrame, CannotListen, PortBusy
from bot.chats.web.guests import PLATFORM, Guest, Guests
from bot.chats.web.inbound import Inbound, said_to
from bot.chats.web.outbound import PAGES_OPEN, Page, Visit
from bot.chats.web.pictures import Pictures
from bot.chats.web.reading import LARGEST, Frame, NotText, read_frame
from bot.chats.web.writing import Boards, Json
from bot.house import House
from bot.port import Asker, Chat, Screen, Shown, Target, Where
from bot.texts import language
from games.core import phrase

log = logging.getLogger(__name__)

STATIC = {
    "page.css": "text/css",
    "page.js": "text/javascript",
    "line.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
HEARTBEAT = 30.0
VISITS_KEPT = 64
"""How many guests without an open page keep the answers to what they did last."""

PATIENCE = 5.0
"""How many seconds what was begun may take when we stop."""


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
        self.host, self.port = admission.loopback(host), port
        self._told = told
        self._guests = Guests(house.notes)
        self._pictures = Pictures(house.picture)
        self._boards = Boards(house, self._pictures)
        self._inbound = Inbound(
            house, self._guests, self._pictures, self._boards, lambda: self.address
        )
        self._house = house
        self._visits: dict[str, Visit] = {}
        self._runner: web.AppRunner | None = None
        self._site: Site | None = None
        self._stopping = False
        folder = resources.files("bot.chats.web").joinpath("static")
        self._files = {name: folder.joinpath(name).read_bytes() for name in STATIC}
        self._page = folder.joinpath("page.html").read_bytes()

    @property
    def address(self) -> str:
        """Where the server is, such as ``http://127.0.0.1:8765``."""
        return f"http://{admission.authority(self.host, self.port)}"

    # ---------------------------------------------------------------- the port

    async def start(self) -> None:
        """Listen, and tell the address; raises ``PortBusy`` or ``CannotListen``."""
        runner = web.AppRunner(
            self._app(), access_log=None, shutdown_timeout=2.0, keepalive_timeout=HEAD
        )
        await runner.setup()
        self._site = Site(runner, self.host, self.port)
        try:
            await self._site.start()
        except OSError as wrong:
            await runner.cleanup()
            if wrong.errno == errno.EADDRINUSE:
                raise PortBusy(self.host, self.port) from None
            why = wrong.strerror or type(wrong).__name__
            raise CannotListen(self.host, self.port, why) from None
        self._runner = runner
        self.port = runner.addresses[0][1]
        token = await self._guests.first_token()
        self._told(f"{self.address}/?t={token}")

    async def rest(self) -> None:
        """Take nothing more, and finish what was begun."""
        self._stopping = True
        begun = [
            a for visit in self._visits.values() for a in visit.answers.values() if not a.done()
        ]
        if begun:
            await asyncio.wait(begun, timeout=PATIENCE)

    async def stop(self) -> None:
        """Close every page."""
        pages = [page for visit in self._visits.values() for page in visit.pages]
        await asyncio.gather(*(page.close(WSCloseCode.GOING_AWAY) for page in pages))
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def connected(self) -> bool:
        """Whether pages can be opened."""
        return self._site is not None and self._site.serving() and not self._stopping

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
            if screen.scene is not None and screen.scene.theme != guest.theme:
                await self._inbound.dress(guest)
        return Shown(screen.table, fresh=target.message is None)

    async def ping(self, where: Where, people: Sequence[Asker], text: str) -> str | None:
        """Nobody is called on his own page: its title says whose turn it is."""
        del where, people, text
        return None

    async def remove(self, where: Where, message: str) -> None:
        """Nothing was posted that could be removed."""
        del where, message

    # ---------------------------------------------------------------- the server

    def _app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard], client_max_size=LARGEST)
        app[admission.DEFAULT] = self._house.default_language
        app.on_response_prepare.append(_with_headers)
        app.router.add_get("/", self._front, allow_head=False)
        link = "/i/{table:[0-9A-Z]{4,8}}-{token:[A-Za-z0-9_-]{16,64}}"
        app.router.add_get(link, self._invited, allow_head=False)
        app.router.add_get("/static/{name}", self._static)
        app.router.add_get("/p/{guest}", self._slash)
        app.router.add_get("/p/{guest}/", self._main)
        app.router.add_get("/p/{guest}/socket", self._socket)
        app.router.add_get("/p/{guest}/picture/{name:[0-9a-f]{32}}.png", self._picture)
        app.router.add_get("/p/{guest}/file/{name:[0-9a-f]{32}}/{title}", self._file)
        return app

    @web.middleware
    async def _guard(
        self,
        request: web.Request,
        handler: Handler,
    ) -> web.StreamResponse:
        names = {admission.authority(name, self.port) for name in (self.host, "localhost")}
        if self._site is not None:
            self._site.connections.heard(request)
        admission.guarded(request, frozenset(names))
        try:
            return await handler(request)
        except web.HTTPException:
            raise
        except Exception:
            log.exception("a page could not be served")
            return web.Response(status=500, text="500")

    async def _guest(self, request: web.Request) -> Guest:
        """The guest whose cookie came along; 401 for everybody else."""
        wanted = request.match_info["guest"]
        for secret in admission.cookies(request, admission.COOKIE):
            guest = await self._guests.known(wanted, secret)
            if guest is not None:
                return guest
        raise web.HTTPUnauthorized(text="401")

    async def _front(self, request: web.Request) -> web.Response:
        for cookie in admission.cookies(request, admission.HOME):
            guest_id, _, secret = cookie.partition(".")
            guest = await self._guests.known(guest_id, secret)
            if guest is not None:
                return admission.way_in(request, guest)
        token = request.query.get("t", "")
        entrance = await self._guests.enter(token) if token else None
        if entrance is None:
            said = phrase("web.door.spent" if token else "web.door.closed")
            return admission.lobby(request, said, 401)
        return admission.admitted(request, entrance, home=True)

    async def _invited(self, request: web.Request) -> web.Response:
        table, token = request.match_info["table"], request.match_info["token"]
        entrance = await self._guests.accept(table, token)
        if entrance is None:
            return admission.lobby(request, phrase("web.door.used"), 410)
        return admission.admitted(request, entrance, home=False)

    async def _slash(self, request: web.Request) -> web.Response:
        guest = await self._guest(request)
        raise web.HTTPPermanentRedirect(f"{guest.path}/")

    async def _main(self, request: web.Request) -> web.Response:
        try:
            await self._guest(request)
        except web.HTTPUnauthorized:
            return admission.lobby(request, phrase("web.door.closed"), 401)
        return web.Response(
            body=self._page,
            content_type="text/html",
            charset="utf-8",
            headers={"Cache-Control": "no-store"},
        )

    async def _static(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in STATIC:
            raise web.HTTPNotFound
        return web.Response(
            body=self._files[name],
            content_type=STATIC[name],
            charset="utf-8",
            headers={"Cache-Control": "no-cache"},
        )

    async def _picture(self, request: web.Request) -> web.Response:
        kept = {"Cache-Control": "private, max-age=31536000, immutable"}
        return await self._fetched(request, "image/png", kept)

    async def _file(self, request: web.Request) -> web.Response:
        saved = {"Content-Disposition": "attachment", "Cache-Control": "private, no-store"}
        return await self._fetched(request, "application/octet-stream", saved)

    async def _fetched(
        self, request: web.Request, content_type: str, headers: dict[str, str]
    ) -> web.Response:
        """What was shown to the guest who asks; 404 for anything else."""
        guest = await self._guest(request)
        data = await self._pictures.fetch(guest.id, request.match_info["name"])
        if data is None:
            raise web.HTTPNotFound
        return web.Response(body=data, content_type=content_type, headers=headers)

    # ---------------------------------------------------------------- a page

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        guest = await self._guest(request)
        if self._stopping:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(max_msg_size=LARGEST, heartbeat=HEARTBEAT, timeout=2.0)
        await socket.prepare(request)
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
        return socket

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
            if not self._stopping:
                await self._take(guest_id, visit, page, frame)
        await socket.close()

    async def _take(self, guest_id: str, visit: Visit, page: Page, frame: Frame) -> None:
        """Begin to answer *frame*; what was asked before gets the answer it got before."""
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
                return await self._met(await self._present(guest_id), visit, frame)
        except Exception:
            # A fault of ours: what failed may be asked again under the same id.
            log.exception("a page's %s failed", frame.kind)
            visit.answers.pop(frame.id, None)
            said = language(self._house.default_language).say(phrase("house.try-again"))
            return said_to(frame, said, good=False)

    async def _met(self, guest: Guest, visit: Visit, frame: Frame) -> Json:
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
                if answer.get("spoken"):
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


async def _with_headers(_request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(admission.HEADERS)
