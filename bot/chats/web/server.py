"""The HTTP server of the browser chat: its routes, its open connections, whether it listens."""

from __future__ import annotations

import asyncio
import errno
import logging
import math
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from socket import SO_ACCEPTCONN, SOL_SOCKET
from typing import cast

from aiohttp import WSCloseCode, web
from aiohttp.typedefs import Handler

from bot.chats.web.assets import (
    ICONS,
    Asset,
    activity_html,
    assets_version,
    icon_asset,
    inline_style,
    load_assets,
    page_html,
)
from bot.chats.web.budget import (
    HELD,
    STRANGER,
    Overspent,
    Stranger,
    StrangerBudget,
    network_of,
    request_kind,
    request_price,
    size_price,
)
from bot.chats.web.doors import admission
from bot.chats.web.doors.activity import WAYS, Activity
from bot.chats.web.doors.admission import ORIGIN
from bot.chats.web.doors.doors import Doors
from bot.chats.web.doors.front_page import FrontPage
from bot.chats.web.doors.mini_app import INSIDE, MiniApp
from bot.chats.web.doors.origins import WITHIN_DISCORD, Origins
from bot.chats.web.downloads import TABLE, Downloads, png_response
from bot.chats.web.errors import CannotListen, PortBusy
from bot.chats.web.initial_page import InitialPage, send_page
from bot.chats.web.operator_page import PATH as OPERATOR
from bot.chats.web.operator_page import OperatorServer
from bot.chats.web.person.guests import Guest, Guests
from bot.chats.web.person.ladder_and_profile_pages import LadderAndProfilePages
from bot.chats.web.programs.server import AT, answer_program
from bot.chats.web.programs.writing import Problem
from bot.chats.web.reading import LARGEST, BadFrame
from bot.chats.web.tournament_page import TournamentServer
from bot.facade import Facade, Requests, StorageError
from games.core import phrase, verbatim

log = logging.getLogger(__name__)

MOST_CONNECTIONS = 512
"""The most open connections: half of the usual 1,024 descriptors."""

TAKEN, WAITING = 2, 128
"""How many connections are taken in one turn of the loop, and how many more may wait for it."""

HEAD = 10.0
"""The seconds for a whole request, on a new connection and on one that was answered before."""

GOODBYE = 0.2
"""The seconds in which a page that floods may hear why it is closed."""

HEARTBEAT = 30.0

UNENCRYPTED = (
    "The browser chat is open at %s without encryption: whoever reads along in that network can "
    "read and play as its guests. For others use WEB_PUBLIC_URL."
)

ENTERS = "on"
"""The parameter in which the token of the first address is spent; a preview follows none."""

BEARER = "{guest:[0-9a-f]{32}}-{token:[A-Za-z0-9_-]{16,64}}"
"""The end of the path of a guest's page where browsers send no cookie."""

FRAMED = f"/t/{BEARER}"
"""The path of a guest's page within Telegram."""

SCREENS = (
    f"/t/{TABLE}{{at:(?:/[0-9]{{1,5}})?}}",
    "/{screen:(?:play|learn|puzzle|rules)(?:/[a-z]{1,32})?|settings|games|companions|position|help}",
    "/{screen:people(?:/[0-9a-z]{1,32}(?:/month)?(?:/[0-9]{1,6})?)?|tournaments(?:/[0-9A-Za-z]{4,8})?}",
)
"""The paths of screens below a guest's page; each is the page, which knows what it shows."""


FRAMES = "frame-ancestors 'none'"

TELEGRAM_FRAMES = "https://web.telegram.org https://webk.telegram.org https://weba.telegram.org"
DISCORD_FRAMES = "https://discord.com https://*.discord.com https://*.discordsays.com"

MAY = (
    (INSIDE, TELEGRAM_FRAMES, "frame-ancestors"),
    (OPERATOR, "'none'", "form-action"),
    (WITHIN_DISCORD, DISCORD_FRAMES, "base-uri"),
)
"""By the beginnings of addresses, who may frame what stands there, and what else its page may do:
send its forms to us, or lead its own addresses to its token."""


class RefusedConnection(asyncio.Protocol):
    """A connection above the limit."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Close it at once."""
        transport.close()


class Connections:
    """Takes the connections of *server*, at most ``MOST`` of them.

    If there are more, the oldest without a request that is served is closed: it is idle, or slow to
    send one, or waits for its turn among strangers. If all have one, the new one is closed.
    """

    def __init__(self, server: web.Server) -> None:
        self._server = server
        self.heard: set[web.RequestHandler] = set()
        """Those with a request that has come whole and is served."""

    def __call__(self) -> asyncio.BaseProtocol:
        """The protocol of a new connection."""
        known = self._server.connections
        self.heard.intersection_update(known)
        lines = ((one, one.transport) for one in known)
        open_now = [one for one, line in lines if line is not None and not line.is_closing()]
        if len(open_now) < MOST_CONNECTIONS:
            return self._server()
        silent = next((one for one in open_now if one not in self.heard), None)
        if silent is None:
            return RefusedConnection()
        silent.force_close()
        return self._server()


@dataclass(eq=False)
class PacedReading(asyncio.Protocol):
    """Passes what comes by a page's *transport* on to *inner*, no faster than *guest* can pay.

    It may be no frame yet: a message may come in any number of pieces.
    """

    inner: web.RequestHandler
    transport: asyncio.Transport
    budget: StrangerBudget
    guest: str

    def __post_init__(self) -> None:
        # The rest of what a transport tells is for *inner* alone.
        for name in ("eof_received", "connection_lost", "pause_writing", "resume_writing"):
            setattr(self, name, getattr(self.inner, name))

    def data_received(self, data: bytes) -> None:
        """Take *data*, and read on once it is paid."""
        self.inner.data_received(data)
        self.budget.spend("line", self.guest, size_price(len(data)))
        wait = self.budget.wait("line", self.guest)
        if wait > 0:
            self.transport.pause_reading()
            asyncio.get_running_loop().call_later(wait, self.transport.resume_reading)


@dataclass(eq=False, repr=False)
class WebServer:
    """The server at *origins*; it takes a free port where theirs is 0.

    Small pages without a guest fall back to *language*.
    """

    origins: Origins
    guests: Guests
    downloads: Downloads
    facade: Facade
    talk: Callable[[Guest, web.WebSocketResponse], Awaitable[None]]
    """Serves a guest's page while its WebSocket is open."""
    follow: Callable[[Guest, str, str], Awaitable[str]]
    """Seats a guest at a table by the token of a link; answers why that failed, if it did."""
    initial: InitialPage
    mini_app: MiniApp | None
    doors: Doors
    programs: web.Application
    """Answers the programs of people, below ``/api``."""
    people: LadderAndProfilePages
    operator: OperatorServer
    tournaments: TournamentServer
    budget: StrangerBudget
    activity: Activity | None = None
    stopping: bool = False
    _listening: list[asyncio.Server] = field(default_factory=list)
    _assets: Mapping[str, Asset] = field(default_factory=load_assets)

    def __post_init__(self) -> None:
        self._page, self.scripts = page_html(self._assets), assets_version(self._assets)
        style, door = inline_style(self._assets, "door.css"), self.facade.pages.lobby
        self.front = FrontPage(self.origins, self.doors, door, self._assets, style)
        if self.activity is not None:
            self.activity.page = activity_html(self._assets)
        self._runner = web.AppRunner(
            self._app(), access_log=None, shutdown_timeout=2.0, keepalive_timeout=HEAD
        )

    async def start(self) -> None:
        """Listen; raises ``PortBusy`` or ``CannotListen``."""
        await self._runner.setup()
        self._connections = Connections(cast(web.Server, self._runner.server))
        loop = asyncio.get_running_loop()
        for host in self.origins.hosts:
            port = self.origins.port
            try:
                server = await loop.create_server(self._connections, host, port, backlog=TAKEN)
            except OSError as wrong:
                await self.stop()
                if wrong.errno == errno.EADDRINUSE:
                    raise PortBusy(host, port) from None
                raise CannotListen(host, port, wrong.strerror or type(wrong).__name__) from None
            self._listening.append(server)
            for one in server.sockets:
                with one.dup() as listening:
                    listening.listen(WAITING)  # asyncio has one number for both
            self.origins.port = server.sockets[0].getsockname()[1]
        if self.origins.home:
            log.warning(UNENCRYPTED, self.origins.home)

    async def stop(self) -> None:
        """Stop listening, and close what is open."""
        for server in self._listening:
            server.close()
        await self._runner.cleanup()

    def listens(self) -> bool:
        """Whether the server takes connections; not where the system has closed a socket of it."""
        sockets = [one for server in self._listening for one in server.sockets]
        try:
            takes = [one.getsockopt(SOL_SOCKET, SO_ACCEPTCONN) for one in sockets]
        except OSError:
            return False
        return bool(takes) and all(takes) and all(one.is_serving() for one in self._listening)

    # ---------------------------------------------------------------- routes

    def _app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard], client_max_size=LARGEST)
        app[admission.DEFAULT] = self.facade.requests.default_language
        app.on_response_prepare.append(_with_headers)
        app.router.add_get("/", self._front, allow_head=False)
        link = f"/i/{TABLE}-" + "{token:[A-Za-z0-9_-]{16,64}}"
        app.router.add_get(link, self._invite, allow_head=False)
        app.router.add_get(f"/b/{BEARER}", self._back, allow_head=False)
        app.router.add_get(f"/g/{TABLE}/{{at:[0-9]{{1,5}}}}", self._moment, allow_head=False)
        shown = "/shown/{platform:[a-z]{1,16}}/{place:[=A-Za-z0-9_-]{1,128}}/{name:[0-9a-f]{16}}"
        app.router.add_get(shown + "-{mac:[0-9a-f]{24}}.png", self._send_shown)
        app.router.add_routes(self.doors.routes())
        app.router.add_routes(self.front.routes())
        app.router.add_routes(self.operator.routes())
        app.router.add_get("/static/{name}", self._static)
        app.router.add_get("/static/{version:[0-9a-f]{12}}/{name}", self._static)
        app.router.add_get("/{name:sw[.]js}", self._static)
        app.add_subapp(AT, self.programs)
        app.router.add_get("/p/{guest}", self._slash)
        self._add_page(app, "/p/{guest}")
        if self.mini_app is not None:
            app.router.add_routes(self.mini_app.routes())
            self._add_page(app, FRAMED)
        if self.activity is not None:
            self._add_activity(app, self.activity)
        return app

    def _add_activity(self, app: web.Application, activity: Activity) -> None:
        app.router.add_routes(activity.routes())
        for way in WAYS:
            app.router.add_get(f"{way}/static/{{version:[0-9a-f]{{12}}}}/{{name}}", self._static)
            page = f"{way}/s/{BEARER}"
            paths = {"/": self._check_token, "/socket": self._socket, **self._contents()}
            for path, handler in paths.items():
                app.router.add_get(f"{page}{path}", handler)

    async def _check_token(self, request: web.Request) -> web.Response:
        """Whether the token of a page within Discord is still good; it is signed in at its own."""
        await admission.requesting_guest(request, self.guests)
        return web.Response(status=204)

    def _add_page(self, app: web.Application, at: str) -> None:
        paths: dict[str, Handler] = dict.fromkeys(("/", *SCREENS), self._main)
        for path, handler in {**paths, "/socket": self._socket, **self._contents()}.items():
            app.router.add_get(f"{at}{path}", handler)

    def _contents(self) -> dict[str, Handler]:
        """What a page fetches below its base beside its socket."""
        parts = (self.downloads, self.people, self.tournaments)
        return {path: handler for one in parts for path, handler in one.paths().items()}

    async def _charge(self, request: web.Request) -> None:
        """Charge who asks, as far as memory knows them; raises ``Overspent``.

        What is sent within Discord is charged once it is known who signs it: many share the proxy.
        What is for no origin of ours, or from a foreign page, is refused once it is paid as junk.
        Requests that came together would be taken in one turn of the loop, so each waits for one,
        and strangers for one of their own.
        """
        network, refused = network_of(self.origins.client(request)), None
        request[STRANGER] = Stranger(self.budget, network)
        try:
            request[ORIGIN] = self.origins.of(request)
            admission.refuse_prefetch(request)
            guest, kind = admission.remembered_guest(request, self.guests), request_kind(request)
        except web.HTTPException as wrong:
            guest, kind, refused = "", "", wrong
        within = request.path.startswith(WITHIN_DISCORD)
        purse = "proxy" if within else "address" if refused is None else "junk"
        payer = ("guest", guest) if guest else (purse, network)
        if guest:
            await self.budget.hold(*payer, request_price(kind))
        if refused is not None or not within or request.method == "GET":
            self.budget.charge(*payer, kind)
        await asyncio.sleep(self.budget.pause(*payer))
        if not guest:
            await self.budget.queue("strangers", request_price(kind), partial(_has_left, request))
        if refused is not None:
            raise refused

    async def _refuse(self, request: web.Request, wait: float) -> web.Response:
        """Refuse late who has spent all, and close the connection: nobody asks faster by it."""
        await asyncio.sleep(HELD)
        if _has_left(request):
            return web.Response(status=429)
        response = Problem(429, "Too fast.", wait).response()
        if admission.is_navigation(request):
            response = admission.lobby(request, phrase("web.door.crowded"), 429)
        elif not request.path.startswith(AT):
            said = admission.browser_language(request).say(phrase("web.door.crowded"))
            response = web.json_response({"said": said}, status=429)
        response.headers["Retry-After"] = str(max(1, math.ceil(wait)))
        response.force_close()
        return response

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if self.activity is not None and request.path.startswith(WITHIN_DISCORD):
            await self.activity.learn()
        try:
            await self._charge(request)
            await admission.refuse_unreadable(request, HEAD)
            self._connections.heard.add(request.protocol)
            return await handler(request)
        except Overspent as wrong:
            return await self._refuse(request, wrong.wait)
        except Exception as wrong:
            return self._answer_fault(request, wrong)
        finally:
            self._connections.heard.discard(request.protocol)

    def _answer_fault(self, request: web.Request, wrong: Exception) -> web.Response:
        """What tells *wrong* to who asks; raises what aiohttp tells."""
        if isinstance(wrong, UnicodeEncodeError):
            # Letters that only a hand writes, in a cookie, a header or an address.
            wrong = web.HTTPBadRequest()
        if isinstance(wrong, web.HTTPException) and wrong.status in (400, 408):
            wrong.force_close()
        if request.path.startswith(AT) and ORIGIN in request:
            return answer_program(wrong, admission.browser_language(request))
        if isinstance(wrong, web.HTTPException):
            if wrong.status == 404 and admission.is_navigation(request):
                return admission.lobby(request, phrase("web.door.nothing"), 404)
            raise wrong
        if isinstance(wrong, ConnectionResetError) and _has_left(request):
            return web.Response(status=500, text="500")
        said = Requests.fault_phrase(wrong, "the serving of a page")
        status = 503 if isinstance(wrong, StorageError) else 500
        return admission.try_again(request, said, status)

    async def _front(self, request: web.Request) -> web.Response:
        guest = await admission.browser_guest(request, self.guests)
        if guest is not None:
            return admission.way_in(request, guest)
        token = request.query.get("t", "")
        if token and await self.guests.awaits(token):
            return admission.once_more(request, f"?{ENTERS}={token}")
        token = request.query.get(ENTERS, token)
        if not token:
            return await self.front.show(request)
        entrance = await self.guests.enter(token, _agent(request))
        if entrance is None:
            ways = self.doors.ways() or ((phrase("web.door.again"), "/"),)
            return admission.small_page(request, phrase("web.door.spent"), 401, ways)
        return admission.admit(request, entrance, settles=True)

    async def _invite(self, request: web.Request) -> web.Response:
        """Follow an invitation; a known guest is first asked whom it is for."""
        table, token = request.match_info["table"], request.match_info["token"]
        if await self.guests.host_of(table, token) is None:
            return admission.lobby(request, phrase("web.door.used"), 410)
        if not request.query_string:
            # A chat may fetch a link for its preview, which must not spend it.
            return admission.once_more(request)
        guest = await admission.browser_guest(request, self.guests)
        whom = request.query.get("as", "") if guest is not None and guest.name else "other"
        if guest is not None and not whom:
            return admission.ask_whom(request, guest)
        if guest is not None and whom == "me":
            if why := await self.follow(guest, table, token):
                return admission.try_again(request, verbatim(why), 503)
            return admission.way_in(request, guest, f"t/{table}")
        if not request[STRANGER].take_newcomer():
            return admission.lobby(request, phrase("web.door.crowded"), 429)
        entrance = await self.guests.accept(table, token, _agent(request))
        if entrance is None:
            return admission.lobby(request, phrase("web.door.used"), 410)
        return admission.admit(request, entrance, settles=guest is None)

    async def _back(self, request: web.Request) -> web.Response:
        if not request.query_string:
            return admission.once_more(request)
        guest_id, token = request.match_info["guest"], request.match_info["token"]
        entrance = await self.guests.come_back(guest_id, token, _agent(request))
        if entrance is None:
            return admission.lobby(request, phrase("web.door.back-used"), 410)
        return admission.admit(request, entrance, settles=True)

    async def _moment(self, request: web.Request) -> web.Response:
        """Lead whoever is known here to a moment of a game; others are shown the front door."""
        guest = await admission.browser_guest(request, self.guests)
        table, at = request.match_info["table"], request.match_info["at"]
        if guest is None:
            # Who tries codes pays for each; one that nobody may see is answered like none.
            await request[STRANGER].claim("claim")
            return await self.front.show(request, table)
        return admission.way_in(request, guest, f"t/{table}/{at}")

    async def _send_shown(self, request: web.Request) -> web.Response:
        """The picture of a message elsewhere, for the platform that takes no other."""
        return png_response(await self.initial.boards.shown_at(**request.match_info))

    async def _slash(self, request: web.Request) -> web.Response:
        guest = await admission.requesting_guest(request, self.guests)
        raise web.HTTPPermanentRedirect(f"{guest.path}/")

    async def _main(self, request: web.Request) -> web.StreamResponse:
        try:
            guest = await admission.requesting_guest(request, self.guests)
        except admission.Banned:
            return admission.lobby(request, phrase("moderation.banned"), 403)
        except web.HTTPUnauthorized:
            why = "framed" if "token" in request.match_info else "closed"
            return admission.lobby(request, phrase(f"web.door.{why}"), 401)
        code = admission.first_language(request)
        if code:
            guest = replace(guest, language=code)
        return await send_page(request, self._page, self.initial, guest)

    async def _static(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        asset = self._assets.get(name)
        if name in ICONS:
            asset = await asyncio.to_thread(icon_asset, name)
        if asset is None:
            raise web.HTTPNotFound
        # A page opened before an upgrade asks for an old version, and gets the present one.
        return asset.answer(request, lasting=request.match_info.get("version") == self.scripts)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        guest = await admission.requesting_guest(request, self.guests)
        if self.stopping:
            raise web.HTTPServiceUnavailable
        # Most of the traffic is pictures, which are compressed already.
        socket = web.WebSocketResponse(
            max_msg_size=LARGEST,
            heartbeat=HEARTBEAT,
            timeout=2.0,
            compress=False,
            autoping=False,  # a ping is paid as any frame
        )
        await socket.prepare(request)
        if request.transport is not None:
            # A flood is read in small pieces, between which others are served.
            setattr(request.transport, "max_size", LARGEST)  # noqa: B010 (no type has it)
            transport, budget = request.transport, self.budget
            transport.set_protocol(PacedReading(request.protocol, transport, budget, guest.id))
        try:
            await self.guests.note_visit(guest, _agent(request))
            await self.talk(guest, socket)
        except (BadFrame, TimeoutError):
            # Who floods hears no goodbye: what they send meanwhile would be read to its end.
            if request.transport is not None:
                request.transport.pause_reading()
            with suppress(TimeoutError):
                async with asyncio.timeout(GOODBYE):
                    await socket.close(code=WSCloseCode.POLICY_VIOLATION)
            if request.transport is not None:
                request.transport.close()
        except Exception:
            # No answer of HTTP may be written from here on: the connection speaks frames.
            log.exception("a page was closed")
            await socket.close(code=WSCloseCode.INTERNAL_ERROR)
        return socket


def _has_left(request: web.Request) -> bool:
    """Whether the browser has closed its connection: a page gives up what opens too slowly."""
    return request.transport is None or request.transport.is_closing()


def _agent(request: web.Request) -> str:
    return request.headers.get("User-Agent", "")


async def _with_headers(request: web.Request, response: web.StreamResponse) -> None:
    policy = response.headers.get(admission.POLICY, admission.HEADERS[admission.POLICY])
    whole = {**admission.HEADERS, admission.POLICY: policy, **admission.opener_policy(request)}
    for beginning, frames, wider in MAY:
        if request.path.startswith(beginning):
            policy = policy.replace(FRAMES, f"frame-ancestors {frames}")
            whole[admission.POLICY] = policy.replace(f"{wider} 'none'", f"{wider} 'self'")
            # With no referrer at all a browser sends forms from the origin "null".
            whole |= {"Referrer-Policy": "same-origin"} if beginning == OPERATOR else {}
    response.headers.update(whole)
    if FRAMES not in whole[admission.POLICY]:
        del response.headers["X-Frame-Options"]
    origin = request.get(ORIGIN)
    if origin is not None and origin.secure:
        response.headers["Strict-Transport-Security"] = f"max-age={admission.YEAR}"
