"""The pages of HTTP for supervisors and Prometheus: ``/healthz``, ``/readyz`` and ``/metrics``."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from time import monotonic
from urllib.parse import urlsplit

from aiohttp import hdrs, web
from prometheus_client import CONTENT_TYPE_LATEST

from bot.app.settings import BadSettings, Settings, with_place
from bot.app.shell_texts import shell_sentence
from bot.facade import Facade, ProcessDuties
from bot.runtime import metrics
from storage.database.availability import Availability
from storage.errors import StorageError
from storage.store import Store
from storage.table import games, views

log = logging.getLogger(__name__)

HOST = "127.0.0.1"

REQUEST_SECONDS = 5.0
"""The seconds that a connection may last; a request is one short line."""

AT_ONCE = 16
"""How many connections are served at once; others are closed."""

LONGEST_REQUEST = 4096
"""The most bytes of a line of a request."""

EVERY = 15.0
"""The seconds between two queries for what only the database knows."""

STEP = 1.0
"""The seconds between two measurements of the event loop."""


Pages = Mapping[str, Callable[[], web.Response]]
"""By path, what makes each page when it is requested."""


@dataclass
class ProcessState:
    """How the bot stands: its *process_duties*, if any, and whether the database is reached."""

    process_duties: ProcessDuties | None = None
    availability: Availability = field(default_factory=Availability)

    def runs(self, facade: Facade) -> None:
        """Note that *facade* takes presses, and measure its transactions from now on."""
        self.process_duties = facade.process_duties
        facade.store.noted = lambda kind, took: metrics.TRANSACTIONS.labels(kind).observe(took)
        for user in tuple(self.availability.waiting):
            self.availability.note_answer(user)

    def health(self) -> str:
        """Why the process is not well, an empty string where it is."""
        if self.process_duties is None:
            return "starting" if self.availability.is_reached else "the database is away"
        return "" if self.process_duties.is_connected() else "a chat is not connected"

    def readiness(self) -> str:
        """Why presses are not taken, an empty string where they are."""
        if not self.availability.is_reached:
            return "the database is away"
        if self.process_duties is None or not self.process_duties.takes_over():
            return "presses are not taken"
        return ""


def answering(unwell: Callable[[], str]) -> Callable[[], web.Response]:
    """Makes a page that says ``well``, or with 503 why it is *unwell*."""

    def page() -> web.Response:
        why = unwell()
        return web.Response(text=f"{why or 'well'}\n", status=503 if why else 200)

    return page


@contextlib.asynccontextmanager
async def supervise(settings: Settings, state: ProcessState) -> AsyncIterator[None]:
    """The pages that the settings ask for, from before the start to after the end."""
    async with contextlib.AsyncExitStack() as listening:
        if settings.health_port is not None:
            server = await health(settings.health_port, state.health)
            listening.callback(server.close)
        if settings.metrics_port is not None:
            server = await metrics_server(str(settings.metrics_host), settings.metrics_port, state)
            listening.callback(server.close)
        yield


async def health(port: int, unwell: Callable[[], str]) -> asyncio.Server:
    """A server of ``/healthz`` on a loopback *port*; raises ``BadSettings``."""
    return await serving(HOST, port, {"/healthz": answering(unwell)}, "HEALTH_PORT")


async def metrics_server(host: str, port: int, state: ProcessState) -> asyncio.Server:
    """A server of ``/metrics`` and ``/readyz``; raises ``BadSettings``."""

    def counted() -> web.Response:
        metrics.REACHED.set(state.availability.is_reached)
        kind = {hdrs.CONTENT_TYPE: CONTENT_TYPE_LATEST}
        return web.Response(body=metrics.exposed(), headers=kind)

    pages = {"/metrics": counted, "/readyz": answering(state.readiness)}
    return await serving(host, port, pages, "METRICS_PORT")


async def meter(store: Store, process_duties: ProcessDuties) -> None:
    """Update the gauges until cancelled."""
    asked = float("-inf")
    while True:
        begun = monotonic()
        await asyncio.sleep(STEP)
        metrics.LAG.set(monotonic() - begun - STEP)
        metrics.CONNECTED.clear()
        for name, connected in process_duties.connections().items():
            metrics.CONNECTED.labels(name).set(connected)
        for name, left in process_duties.sessions_left().items():
            metrics.SESSIONS.labels(name).set(left)
        for lease in process_duties.fleet.wanted:
            metrics.HELD.labels(lease).set(process_duties.fleet.holds(lease))
        if begun - asked >= EVERY:
            asked = begun
            try:
                await _looked_up(store)
            except StorageError as wrong:
                log.warning("nothing is counted: %s", wrong)


async def _looked_up(store: Store) -> None:
    async with store.reading() as tx:
        living, owed = await games.count_living_games(tx), await views.count_owing_views(tx)
    metrics.TABLES.clear()
    for (game, status), count in living.items():
        metrics.TABLES.labels(game, status).set(count)
    metrics.OWED.set(owed)


async def serving(host: str, port: int, pages: Pages, setting: str) -> asyncio.Server:
    """A server of *pages*; raises ``BadSettings``, which names the *setting* of the port."""

    async def answer(request: web.BaseRequest) -> web.Response:
        make = pages.get(request.path)
        if not _is_for_us(request.headers.getall(hdrs.HOST, []), host):
            response = web.Response(status=421)
        elif make is None:
            response = web.Response(status=404)
        elif request.method not in (hdrs.METH_GET, hdrs.METH_HEAD):
            response = web.Response(status=405)
        else:
            response = make()
        response.headers[hdrs.CACHE_CONTROL] = "no-store"
        response.force_close()
        return response

    server = web.Server(answer, access_log=None, max_line_size=LONGEST_REQUEST)

    def connect() -> asyncio.Protocol:
        protocol = server()
        seconds = REQUEST_SECONDS if len(server.connections) < AT_ONCE else 0
        asyncio.get_running_loop().call_later(seconds, protocol.force_close)
        return protocol

    try:
        return await asyncio.get_running_loop().create_server(connect, host, port)
    except OSError as wrong:
        why = os.strerror(wrong.errno) if wrong.errno else str(wrong)
        text = shell_sentence(
            "port-refused", setting=with_place(setting), host=host, port=port, why=why
        )
        raise BadSettings(text) from None


def _is_for_us(told: list[str], listening: str) -> bool:
    """Whether the Host *told* by a request is one by which we are reached where we are *listening*.

    A foreign page that lets its own name lead here asks with that name. Names without a dot, such
    as a container's, are nobody else's; beyond this machine an operator may use them.
    """
    if len(told) != 1:
        return not told  # no browser leaves it out
    near = ip_address(listening).is_loopback
    try:
        name = urlsplit(f"//{told[0]}").hostname or ""
    except ValueError:
        return False
    try:
        return ip_address(name).is_loopback or not near
    except ValueError:
        return name == "localhost" or (not near and "." not in name)
