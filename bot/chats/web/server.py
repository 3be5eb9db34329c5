"""The HTTP server of the browser chat: its routes, and whether it listens."""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.chats.web import admission
from bot.chats.web.admission import ORIGIN
from bot.chats.web.assets import ICONS, assets_version, icon_asset, load_assets, page_html
from bot.chats.web.connections import HEAD, Connections, Site
from bot.chats.web.downloads import TABLE, Downloads
from bot.chats.web.errors import CannotListen, PortBusy
from bot.chats.web.guests import Guest, Guests
from bot.chats.web.initial_page import InitialPage, send_page
from bot.chats.web.mini_app import INSIDE, MiniApp, allow_framing
from bot.chats.web.origins import Origins
from bot.chats.web.reading import LARGEST
from games.core import phrase

log = logging.getLogger(__name__)

HEARTBEAT = 30.0

UNENCRYPTED = (
    "The browser chat is open at %s without encryption: whoever reads along in that network can "
    "read and play as its guests. For others use WEB_PUBLIC_URL."
)

FRAMED = "/t/{guest:[0-9a-f]{32}}-{token:[A-Za-z0-9_-]{16,64}}"
"""The path of a guest's page within Telegram, where browsers send no cookie."""

Talk = Callable[[Guest, web.WebSocketResponse], Awaitable[None]]
"""Serves a guest's page while its WebSocket is open."""

Come = Callable[[Guest, str, str], Awaitable[None]]
"""Seats a guest at a table to which the guest with an id has invited them."""


class WebServer:
    """The server at *origins*; it takes a free port where theirs is 0.

    Small pages without a guest fall back to *language*.
    """

    def __init__(
        self,
        origins: Origins,
        guests: Guests,
        downloads: Downloads,
        language: str,
        talk: Talk,
        come: Come,
        initial: InitialPage,
        mini_app: MiniApp | None = None,
    ) -> None:
        self._origins = origins
        self._guests, self._downloads, self._talk = guests, downloads, talk
        self._come, self._initial, self._mini_app = come, initial, mini_app
        self._language = language
        self._runner: web.AppRunner | None = None
        self._sites: list[Site] = []
        self.stopping = False
        self._assets = load_assets()
        self._page, self._version = page_html(self._assets), assets_version(self._assets)

    @property
    def address(self) -> str:
        """The start of all our links, such as ``http://127.0.0.1:8765``."""
        return self._origins.all()[0].url

    @property
    def port(self) -> int:
        """The port of the server."""
        return self._origins.port

    async def start(self) -> None:
        """Listen; raises ``PortBusy`` or ``CannotListen``."""
        runner = web.AppRunner(
            self._app(), access_log=None, shutdown_timeout=2.0, keepalive_timeout=HEAD
        )
        await runner.setup()
        if runner.server is None:
            raise RuntimeError("the runner is not set up")
        connections = Connections(runner.server)
        for host in self._origins.hosts:
            site = Site(runner, host, self.port, connections)
            try:
                await site.start()
            except OSError as wrong:
                await runner.cleanup()
                if wrong.errno == errno.EADDRINUSE:
                    raise PortBusy(host, self.port) from None
                why = wrong.strerror or type(wrong).__name__
                raise CannotListen(host, self.port, why) from None
            self._sites.append(site)
            self._origins.port = runner.addresses[0][1]
        self._runner = runner
        if self._origins.home:
            log.warning(UNENCRYPTED, self._origins.home)

    async def stop(self) -> None:
        """Stop listening, and close what is open."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def listens(self) -> bool:
        """Whether the server takes connections."""
        return bool(self._sites) and all(site.serving() for site in self._sites)

    # ---------------------------------------------------------------- routes

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
        app.router.add_get("/static/{version:[0-9a-f]{12}}/{name}", self._static)
        app.router.add_get("/sw.js", self._worker)
        app.router.add_get("/p/{guest}", self._slash)
        self._add_page(app, "/p/{guest}")
        if self._mini_app is not None:
            app.router.add_routes(self._mini_app.routes())
            self._add_page(app, FRAMED)
        return app

    def _add_page(self, app: web.Application, at: str) -> None:
        """Add the routes of a guest's page below the path *at*."""
        paths: dict[str, Handler] = {
            "/": self._main,
            "/socket": self._socket,
            **self._downloads.paths(),
        }
        for path, handler in paths.items():
            app.router.add_get(f"{at}{path}", handler)

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        for site in self._sites:
            site.connections.heard(request)
        request[ORIGIN] = self._origins.of(request)
        admission.refuse_prefetch(request)
        try:
            return await handler(request)
        except web.HTTPException:
            raise
        except Exception as wrong:
            left = isinstance(wrong, ConnectionResetError) and request.transport is None
            if not left:
                log.exception("a page could not be served")
            return web.Response(status=500, text="500")

    async def _front(self, request: web.Request) -> web.Response:
        guest = await admission.browser_guest(request, self._guests)
        if guest is not None:
            return admission.way_in(request, guest)
        token = request.query.get("t", "")
        entrance = await self._guests.enter(token, _agent(request)) if token else None
        if entrance is None:
            said = phrase("web.door.spent" if token else "web.door.closed")
            return admission.lobby(request, said, 401)
        return admission.admit(request, entrance, settles=True)

    async def _invited(self, request: web.Request) -> web.Response:
        """Follow an invitation; a known guest is first asked whom it is for."""
        table, token = request.match_info["table"], request.match_info["token"]
        if await self._guests.host_of(table, token) is None:
            return admission.lobby(request, phrase("web.door.used"), 410)
        if not request.query_string:
            # A chat may fetch a link for its preview, which must not spend it.
            return admission.once_more(request)
        guest = await admission.browser_guest(request, self._guests)
        whom = request.query.get("as", "") if guest is not None and guest.name else "other"
        if guest is not None and not whom:
            return admission.ask_whom(request, guest)
        if guest is not None and whom == "me":
            # Spent after the guest is seated, so that a lost connection does not cost the link.
            host = await self._guests.host_of(table, token)
            if host is not None:
                await self._come(guest, table, host)
                await self._guests.spend(table, token)
            return admission.way_in(request, guest, table)
        if self._origins.crowded(request):
            return admission.lobby(request, phrase("web.door.crowded"), 429)
        entrance = await self._guests.accept(table, token, _agent(request))
        if entrance is None:
            return admission.lobby(request, phrase("web.door.used"), 410)
        return admission.admit(request, entrance, settles=guest is None)

    async def _back(self, request: web.Request) -> web.Response:
        """Admit a guest with one more browser."""
        if not request.query_string:
            return admission.once_more(request)
        guest_id, token = request.match_info["guest"], request.match_info["token"]
        entrance = await self._guests.come_back(guest_id, token, _agent(request))
        if entrance is None:
            return admission.lobby(request, phrase("web.door.back-used"), 410)
        return admission.admit(request, entrance, settles=True)

    async def _slash(self, request: web.Request) -> web.Response:
        guest = await admission.requesting_guest(request, self._guests)
        raise web.HTTPPermanentRedirect(f"{guest.path}/")

    async def _main(self, request: web.Request) -> web.StreamResponse:
        try:
            guest = await admission.requesting_guest(request, self._guests)
        except web.HTTPUnauthorized:
            why = "framed" if "token" in request.match_info else "closed"
            return admission.lobby(request, phrase(f"web.door.{why}"), 401)
        code = admission.first_language(request)
        if code:
            guest = replace(guest, language=code)
        return await send_page(request, self._page, self._initial, guest)

    async def _static(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        asset = self._assets.get(name)
        if name in ICONS:
            asset = await asyncio.to_thread(icon_asset, name)
        if asset is None:
            raise web.HTTPNotFound
        # A page opened before an upgrade asks for an old version, and gets the present one.
        lasting = request.match_info.get("version") == self._version
        return asset.answer(request, lasting=lasting)

    async def _worker(self, request: web.Request) -> web.Response:
        # A service worker serves the paths below its own only, so it stands at the root.
        return self._assets["sw.js"].answer(request)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        guest = await admission.requesting_guest(request, self._guests)
        if self.stopping:
            raise web.HTTPServiceUnavailable
        # Most of the traffic is pictures, which are compressed already.
        socket = web.WebSocketResponse(
            max_msg_size=LARGEST, heartbeat=HEARTBEAT, timeout=2.0, compress=False
        )
        await socket.prepare(request)
        await self._guests.seen(guest, _agent(request))
        await self._talk(guest, socket)
        return socket


def _agent(request: web.Request) -> str:
    return request.headers.get("User-Agent", "")


async def _with_headers(request: web.Request, response: web.StreamResponse) -> None:
    policy = response.headers.get(admission.POLICY, admission.HEADERS[admission.POLICY])
    whole = {**admission.HEADERS, admission.POLICY: policy, **admission.opener_policy(request)}
    response.headers.update(whole)
    if request.path.startswith(INSIDE):
        allow_framing(response)
    origin = request.get(ORIGIN)
    if origin is not None and origin.secure:
        response.headers["Strict-Transport-Security"] = f"max-age={admission.YEAR}"
