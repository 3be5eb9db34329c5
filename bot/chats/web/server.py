"""The server of the browser chat: who is let in, what is fetched, and whether it listens."""

from __future__ import annotations

import errno
import logging
from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.chats.web import admission
from bot.chats.web.assets import assets, page
from bot.chats.web.connections import HEAD, Site
from bot.chats.web.errors import CannotListen, PortBusy
from bot.chats.web.guests import Guest, Guests
from bot.chats.web.reading import LARGEST
from bot.chats.web.writing import Boards
from games.core import phrase

log = logging.getLogger(__name__)

HEARTBEAT = 30.0

TABLE = "{table:[0-9A-Z]{4,8}}"
"""The part of an address that is the code of a table."""

Talk = Callable[[Guest, web.WebSocketResponse], Awaitable[None]]
"""Speaks with the page of a guest for as long as its socket is open."""

Come = Callable[[Guest, str], Awaitable[None]]
"""Brings a guest to a table to which he was invited."""


class Server:
    """The one server on *host* (loopback only) and *port* (0 takes a free one).

    Pages that belong to nobody yet speak *language*. Raises ``NotLoopback`` for another host.
    """

    def __init__(
        self,
        host: str,
        port: int,
        guests: Guests,
        boards: Boards,
        language: str,
        talk: Talk,
        come: Come,
    ) -> None:
        self._host, self.port = admission.loopback(host), port
        self._guests, self._boards, self._talk = guests, boards, talk
        self._come = come
        self._language = language
        self._runner: web.AppRunner | None = None
        self._site: Site | None = None
        self.stopping = False
        self._assets, self._page = assets(), page()

    @property
    def address(self) -> str:
        """Where the server is, such as ``http://127.0.0.1:8765``."""
        return f"http://{admission.authority(self._host, self.port)}"

    async def start(self) -> None:
        """Listen; raises ``PortBusy`` or ``CannotListen``."""
        runner = web.AppRunner(
            self._app(), access_log=None, shutdown_timeout=2.0, keepalive_timeout=HEAD
        )
        await runner.setup()
        self._site = Site(runner, self._host, self.port)
        try:
            await self._site.start()
        except OSError as wrong:
            await runner.cleanup()
            if wrong.errno == errno.EADDRINUSE:
                raise PortBusy(self._host, self.port) from None
            why = wrong.strerror or type(wrong).__name__
            raise CannotListen(self._host, self.port, why) from None
        self._runner = runner
        self.port = runner.addresses[0][1]

    async def stop(self) -> None:
        """Listen no more; what is open is closed."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def listens(self) -> bool:
        """Whether a page could be opened."""
        return self._site is not None and self._site.serving()

    # ---------------------------------------------------------------- what is asked for

    def _app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard], client_max_size=LARGEST)
        app[admission.DEFAULT] = self._language
        app.on_response_prepare.append(_with_headers)
        app.router.add_get("/", self._front, allow_head=False)
        link = f"/i/{TABLE}-" + "{token:[A-Za-z0-9_-]{16,64}}"
        app.router.add_get(link, self._invited, allow_head=False)
        back = "/b/{guest:[0-9a-f]{32}}-{token:[A-Za-z0-9_-]{16,64}}"
        app.router.add_get(back, self._back, allow_head=False)
        app.router.add_get("/static/{name}", self._static)
        app.router.add_get("/p/{guest}", self._slash)
        app.router.add_get("/p/{guest}/", self._main)
        app.router.add_get("/p/{guest}/socket", self._socket)
        app.router.add_get("/p/{guest}/picture/{name:[0-9a-f]{32}}.png", self._picture)
        app.router.add_get(f"/p/{{guest}}/past/{TABLE}/{{number:[0-9]{{1,5}}}}.png", self._past)
        cover = "/p/{guest}/cover/{game:[a-z]{1,32}}-{theme:(?:light|dark)}.png"
        app.router.add_get(cover, self._cover)
        app.router.add_get(f"/p/{{guest}}/record/{TABLE}/{{form:[a-z0-9]{{1,16}}}}", self._record)
        app.router.add_get("/p/{guest}/file/{name:[0-9a-f]{32}}/{title}", self._file)
        return app

    @web.middleware
    async def _guard(
        self,
        request: web.Request,
        handler: Handler,
    ) -> web.StreamResponse:
        names = {admission.authority(name, self.port) for name in (self._host, "localhost")}
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
        guest = await self._at_home(request)
        if guest is not None:
            return admission.way_in(request, guest)
        token = request.query.get("t", "")
        entrance = await self._guests.enter(token) if token else None
        if entrance is None:
            said = phrase("web.door.spent" if token else "web.door.closed")
            return admission.lobby(request, said, 401)
        return admission.admitted(request, entrance, home=True)

    async def _at_home(self, request: web.Request) -> Guest | None:
        """Whom the browser of *request* belongs to."""
        for cookie in admission.cookies(request, admission.HOME):
            guest_id, _, secret = cookie.partition(".")
            guest = await self._guests.known(guest_id, secret)
            if guest is not None:
                return guest
        return None

    async def _invited(self, request: web.Request) -> web.Response:
        """Let somebody follow an invitation; who is known here is asked whether it is for him."""
        table, token = request.match_info["table"], request.match_info["token"]
        if not await self._guests.open(table, token):
            return admission.lobby(request, phrase("web.door.used"), 410)
        if not request.query_string:
            # Some fetch an address only to show what it leads to: that spends nothing.
            return admission.once_more(request)
        guest, whom = await self._at_home(request), request.query.get("as", "")
        if guest is not None and guest.name and not whom:
            return admission.as_whom(request, guest)
        if guest is not None and guest.name and whom == "me":
            if await self._guests.spend(table, token):
                await self._come(guest, table)
            return admission.way_in(request, guest, table)
        entrance = await self._guests.accept(table, token)
        if entrance is None:
            return admission.lobby(request, phrase("web.door.used"), 410)
        return admission.admitted(request, entrance, home=guest is None)

    async def _back(self, request: web.Request) -> web.Response:
        """Let somebody come to his page with another browser."""
        if not request.query_string:
            return admission.once_more(request)
        guest_id, token = request.match_info["guest"], request.match_info["token"]
        entrance = await self._guests.come_back(guest_id, token)
        if entrance is None:
            return admission.lobby(request, phrase("web.door.back-used"), 410)
        return admission.admitted(request, entrance, home=True)

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
        asset = self._assets.get(request.match_info["name"])
        if asset is None:
            raise web.HTTPNotFound
        return asset.answer(request)

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
        data = await self._boards.pictures.fetch(guest.id, request.match_info["name"])
        if data is None:
            raise web.HTTPNotFound
        return web.Response(body=data, content_type=content_type, headers=headers)

    async def _looking(self, request: web.Request) -> Guest:
        """The guest who asks for what is made for him anew; 429 where he asks too often."""
        guest = await self._guest(request)
        if not self._boards.looks(guest):
            raise web.HTTPTooManyRequests
        return guest

    async def _past(self, request: web.Request) -> web.Response:
        guest = await self._looking(request)
        table, number = request.match_info["table"], int(request.match_info["number"])
        data = await self._boards.moment(guest, table, number)
        if data is None:
            raise web.HTTPNotFound
        # What was is no different later; the page asks for it by the version it has now.
        kept = {"Cache-Control": "private, max-age=86400"}
        return web.Response(body=data, content_type="image/png", headers=kept)

    async def _cover(self, request: web.Request) -> web.Response:
        await self._guest(request)
        data = await self._boards.cover(request.match_info["game"], request.match_info["theme"])
        if data is None:
            raise web.HTTPNotFound
        kept = {"Cache-Control": "private, max-age=86400"}
        return web.Response(body=data, content_type="image/png", headers=kept)

    async def _record(self, request: web.Request) -> web.Response:
        guest = await self._looking(request)
        table, form = request.match_info["table"], request.match_info["form"]
        file = await self._boards.record(guest, table, form)
        if file is None:
            raise web.HTTPNotFound
        saved = {
            "Content-Disposition": f'attachment; filename="{file.name}"',
            "Cache-Control": "private, no-store",
        }
        return web.Response(body=file.data, content_type="application/octet-stream", headers=saved)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        guest = await self._guest(request)
        if self.stopping:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(max_msg_size=LARGEST, heartbeat=HEARTBEAT, timeout=2.0)
        await socket.prepare(request)
        await self._talk(guest, socket)
        return socket


async def _with_headers(_request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(admission.HEADERS)
