"""The server of the browser chat: who is let in, what is fetched, and whether it listens."""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import PurePath

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.chats.web import admission
from bot.chats.web.assets import DRAWN, assets, drawn, page, version
from bot.chats.web.connections import HEAD, Connections, Site
from bot.chats.web.doors import Door, Doors
from bot.chats.web.errors import CannotListen, PortBusy
from bot.chats.web.frames import INSIDE, Frames, frameable
from bot.chats.web.guests import Entrance, Guest, Guests
from bot.chats.web.opening import Opening, send_page
from bot.chats.web.reading import LARGEST, THEMES
from bot.chats.web.writing import Boards
from bot.texts import spoken
from games.core import phrase

log = logging.getLogger(__name__)

HEARTBEAT = 30.0

UNENCRYPTED = (
    "The browser chat is open at %s without encryption: whoever reads along in that network can "
    "read and play as its guests. For others use WEB_PUBLIC_URL."
)

DOOR: web.RequestKey[Door] = web.RequestKey("door", Door)
"""Through which door a request came."""

FRAMED = "/t/{guest:[0-9a-f]{32}}-{token:[A-Za-z0-9_-]{16,64}}"
"""Where the page of a guest is within Telegram, where no cookie is sent."""

KEPT = "private, max-age=31536000, immutable"
"""For how long a browser keeps what is called by its content."""

UNKEPT = "private, no-store"
"""The same of what is somebody's own."""

SEEN = {".gif": "image/gif", ".png": "image/png"}
"""The files that a page shows beside the link to them, by the ends of their names."""

TABLE = "{table:[0-9A-Z]{4,8}}"
"""The part of an address that is the code of a table."""

Talk = Callable[[Guest, web.WebSocketResponse], Awaitable[None]]
"""Speaks with the page of a guest for as long as its socket is open."""

Come = Callable[[Guest, str, str], Awaitable[None]]
"""Brings a guest to a table to which another guest invited him, by that one's id."""


class Server:
    """The one server, at *doors* (where its port is 0 it takes a free one).

    Pages that belong to nobody yet speak *language*.
    """

    def __init__(
        self,
        doors: Doors,
        guests: Guests,
        boards: Boards,
        language: str,
        talk: Talk,
        come: Come,
        opening: Opening,
        frames: Frames | None = None,
    ) -> None:
        self._doors = doors
        self._guests, self._boards, self._talk = guests, boards, talk
        self._come, self._opening, self._frames = come, opening, frames
        self._language = language
        self._runner: web.AppRunner | None = None
        self._sites: list[Site] = []
        self.stopping = False
        self._assets = assets()
        self._page, self._version = page(self._assets), version(self._assets)

    @property
    def address(self) -> str:
        """Where links to us begin, such as ``http://127.0.0.1:8765``."""
        return self._doors.all()[0].origin

    @property
    def port(self) -> int:
        """Where the server listens."""
        return self._doors.port

    async def start(self) -> None:
        """Listen; raises ``PortBusy`` or ``CannotListen``."""
        runner = web.AppRunner(
            self._app(), access_log=None, shutdown_timeout=2.0, keepalive_timeout=HEAD
        )
        await runner.setup()
        if runner.server is None:
            raise RuntimeError("the runner is not set up")
        connections = Connections(runner.server)
        for host in self._doors.hosts:
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
            self._doors.port = runner.addresses[0][1]
        self._runner = runner
        if self._doors.home:
            log.warning(UNENCRYPTED, self._doors.home)

    async def stop(self) -> None:
        """Listen no more; what is open is closed."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def listens(self) -> bool:
        """Whether a page could be opened."""
        return bool(self._sites) and all(site.serving() for site in self._sites)

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
        app.router.add_get("/static/{version:[0-9a-f]{12}}/{name}", self._static)
        app.router.add_get("/sw.js", self._worker)
        app.router.add_get("/p/{guest}", self._slash)
        self._add_page(app, "/p/{guest}")
        if self._frames is not None:
            app.router.add_routes(self._frames.routes())
            self._add_page(app, FRAMED)
        return app

    def _add_page(self, app: web.Application, at: str) -> None:
        """Let the page of a guest and all that it fetches be found below the address *at*."""
        paths = {
            "/": self._main,
            "/socket": self._socket,
            "/picture/{name:[0-9a-f]{32}}.png": self._picture,
            f"/past/{TABLE}/{{number:[0-9]{{1,5}}}}.png": self._past,
            "/figure/{game:[a-z]{1,32}}-{name:[a-z0-9-]{1,32}}.png": self._figure,
            "/face/{game:[a-z]{1,32}}-{name:[A-Za-z0-9]{1,16}}.png": self._face,
            "/cover/{game:[a-z]{1,32}}-{theme:(?:light|dark)}.png": self._cover,
            f"/record/{TABLE}/{{form:[a-z0-9]{{1,16}}}}": self._record,
            "/file/{name:[0-9a-f]{32}}/{title}": self._file,
        }
        for path, handler in paths.items():
            app.router.add_get(f"{at}{path}", handler)

    @web.middleware
    async def _guard(
        self,
        request: web.Request,
        handler: Handler,
    ) -> web.StreamResponse:
        for site in self._sites:
            site.connections.heard(request)
        request[DOOR] = self._doors.by(request)
        admission.opened(request)
        try:
            return await handler(request)
        except web.HTTPException:
            raise
        except Exception as wrong:
            left = isinstance(wrong, ConnectionResetError) and request.transport is None
            if not left:  # who has left waits for no answer
                log.exception("a page could not be served")
            return web.Response(status=500, text="500")

    async def _guest(self, request: web.Request) -> Guest:
        """The guest whose cookie came along, or his token; 401 for everybody else."""
        wanted, token = request.match_info["guest"], request.match_info.get("token")
        if token is not None:
            guest = await self._guests.borne(wanted, token)
            if guest is None:
                raise web.HTTPUnauthorized(text="401")
            return guest
        for secret in admission.cookies(request, admission.cookie(request[DOOR], wanted)):
            guest = await self._guests.known(wanted, secret)
            if guest is not None:
                return guest
        raise web.HTTPUnauthorized(text="401")

    async def _front(self, request: web.Request) -> web.Response:
        guest = await self._at_home(request)
        if guest is not None:
            return admission.way_in(request, guest)
        token = request.query.get("t", "")
        entrance = await self._guests.enter(token, _agent(request)) if token else None
        if entrance is None:
            said = phrase("web.door.spent" if token else "web.door.closed")
            return admission.lobby(request, said, 401)
        return self._admitted(request, entrance, settles=True)

    def _admitted(self, request: web.Request, entrance: Entrance, *, settles: bool) -> web.Response:
        return admission.admitted(request, request[DOOR], entrance, settles=settles)

    async def _at_home(self, request: web.Request) -> Guest | None:
        """Whom the browser of *request* belongs to."""
        for cookie in admission.cookies(request, admission.home(request[DOOR])):
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
            # Spent once he has come: whoever is cut off before that may follow it again.
            host = await self._guests.host_of(table, token)
            if host is not None:
                await self._come(guest, table, host)
                await self._guests.spend(table, token)
            return admission.way_in(request, guest, table)
        if self._doors.crowded(request):
            return admission.lobby(request, phrase("web.door.crowded"), 429)
        entrance = await self._guests.accept(table, token, _agent(request))
        if entrance is None:
            return admission.lobby(request, phrase("web.door.used"), 410)
        return self._admitted(request, entrance, settles=guest is None)

    async def _back(self, request: web.Request) -> web.Response:
        """Let somebody come to his page with another browser."""
        if not request.query_string:
            return admission.once_more(request)
        guest_id, token = request.match_info["guest"], request.match_info["token"]
        entrance = await self._guests.come_back(guest_id, token, _agent(request))
        if entrance is None:
            return admission.lobby(request, phrase("web.door.back-used"), 410)
        return self._admitted(request, entrance, settles=True)

    async def _slash(self, request: web.Request) -> web.Response:
        guest = await self._guest(request)
        raise web.HTTPPermanentRedirect(f"{guest.path}/")

    async def _main(self, request: web.Request) -> web.StreamResponse:
        try:
            guest = await self._guest(request)
        except web.HTTPUnauthorized:
            door = "framed" if "token" in request.match_info else "closed"
            return admission.lobby(request, phrase(f"web.door.{door}"), 401)
        spoken_there = admission.offered(request)
        if spoken_there:
            guest = replace(guest, language=spoken_there)
        return await send_page(request, self._page, self._opening, guest)

    async def _static(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        asset = self._assets.get(name)
        if name in DRAWN:
            asset = await asyncio.to_thread(drawn, name)
        if asset is None:
            raise web.HTTPNotFound
        # A page that was opened before an upgrade asks for what is no more, and gets what is now.
        lasting = request.match_info.get("version") == self._version
        return asset.answer(request, lasting=lasting)

    async def _worker(self, request: web.Request) -> web.Response:
        # At the root, so that it may serve the page of any guest.
        return self._assets["sw.js"].answer(request)

    async def _picture(self, request: web.Request) -> web.Response:
        guest = await self._guest(request)
        data = await self._boards.picture(guest, request.match_info["name"])
        return _fetched(data, "image/png", {"Cache-Control": KEPT})

    async def _file(self, request: web.Request) -> web.Response:
        guest = await self._guest(request)
        name, title = request.match_info["name"], request.match_info["title"]
        data = await self._boards.file(guest, name, title)
        # What is seen on the page is fetched once, also for whoever saves it then.
        seen = SEEN.get(PurePath(title).suffix)
        saved = {"Content-Disposition": "attachment", "Cache-Control": KEPT if seen else UNKEPT}
        return _fetched(data, seen or "application/octet-stream", saved)

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
        # What was is no different later; the page asks for it by the version it has now.
        return _lasting(data)

    async def _cover(self, request: web.Request) -> web.Response:
        await self._guest(request)
        data = await self._boards.cover(request.match_info["game"], request.match_info["theme"])
        return _lasting(data)

    async def _figure(self, request: web.Request) -> web.Response:
        guest = await self._looking(request)
        game, name = request.match_info["game"], request.match_info["name"]
        theme, code = request.query.get("theme", ""), request.query.get("language", "")
        if theme not in THEMES or not spoken(code):
            raise web.HTTPNotFound
        return _lasting(await self._boards.figure(replace(guest, theme=theme), game, name, code))

    async def _face(self, request: web.Request) -> web.Response:
        await self._guest(request)
        game, name = request.match_info["game"], request.match_info["name"]
        return _lasting(await self._boards.face(game, name))

    async def _record(self, request: web.Request) -> web.Response:
        guest = await self._looking(request)
        table, form = request.match_info["table"], request.match_info["form"]
        file = await self._boards.record(guest, table, form)
        if file is None:
            raise web.HTTPNotFound
        saved = {
            "Content-Disposition": f'attachment; filename="{file.name}"',
            "Cache-Control": UNKEPT,
        }
        return web.Response(body=file.data, content_type="application/octet-stream", headers=saved)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        guest = await self._guest(request)
        if self.stopping:
            raise web.HTTPServiceUnavailable
        # Nearly all that travels are pictures, which are packed already.
        socket = web.WebSocketResponse(
            max_msg_size=LARGEST, heartbeat=HEARTBEAT, timeout=2.0, compress=False
        )
        await socket.prepare(request)
        await self._guests.seen(guest, _agent(request))
        await self._talk(guest, socket)
        return socket


def _lasting(picture: bytes | None) -> web.Response:
    """A *picture* that is the same tomorrow; 404 where there is none."""
    return _fetched(picture, "image/png", {"Cache-Control": "private, max-age=86400"})


def _fetched(data: bytes | None, content_type: str, headers: dict[str, str]) -> web.Response:
    """What was shown to the guest who asks; 404 for anything else."""
    if data is None:
        raise web.HTTPNotFound
    return web.Response(body=data, content_type=content_type, headers=headers)


def _agent(request: web.Request) -> str:
    """What the browser of *request* calls itself."""
    return request.headers.get("User-Agent", "")


async def _with_headers(request: web.Request, response: web.StreamResponse) -> None:
    policy = response.headers.get(admission.POLICY, admission.HEADERS[admission.POLICY])
    whole = {**admission.HEADERS, admission.POLICY: policy, **admission.apart(request)}
    response.headers.update(whole)
    if request.path.startswith(INSIDE):
        frameable(response)
    door = request.get(DOOR)
    if door is not None and door.secure:
        response.headers["Strict-Transport-Security"] = f"max-age={admission.YEAR}"
